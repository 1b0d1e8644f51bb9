// plastic.h: rests of springs that yield, in mjData.plastic.
//
// A spring with a yield Y keeps its displacement below Y: what would be beyond it moves the rest
// instead, for good. So its rest is a part of the state: one number of a hinge or slide, the
// quaternion of a ball, both lengths of a tendon; joints first. Other springs rest where the model
// says.                                                   theory/smooth/passive.md, Plastic springs
// What flexes have kept of their strain follows.
//                                                    theory/smooth/deformables.md, Plastic flexes

#pragma once

#include <mujoco/mjdata.h>

#include "base/joint.h"

enum {
  PLASTIC_LENGTHS = 2,  // numbers of a tendon
  PLASTIC_BEND = 1,     // bits of flex_plasticmode
  PLASTIC_STRETCH = 2,
};

// Numbers of a flex: those of its elements or cells, and all of them, with those of its hinges, or
// the frames of a rod.
mjtSize plastic_flex_stretch(const mjModel* m, int flex);
mjtSize plastic_flex_numbers(const mjModel* m, int flex);

// Numbers of a joint of that type; a free joint can't yield.
static inline int plastic_numbers(int type) {
  return type == mjJNT_FREE ? 0 : joint_nq(type);
}

// The rest of a joint's spring, as its part of qpos.
static inline const mjtNum* plastic_rest(const mjModel* m, const mjData* d, int joint) {
  int adr = m->jnt_plasticadr[joint];
  return adr >= 0 ? d->plastic + adr : m->qpos_spring + m->jnt_qposadr[joint];
}

// The two lengths between which a tendon's spring is slack.
static inline const mjtNum* plastic_lengths(const mjModel* m, const mjData* d, int tendon) {
  int adr = m->tendon_plasticadr[tendon];
  return adr >= 0 ? d->plastic + adr : m->tendon_lengthspring + 2 * tendon;
}

// The part of elements or cells, or that of hinges; NULL if they don't yield.
static inline const mjtNum* plastic_stretch_of(const mjModel* m, const mjData* d, int flex) {
  int yields = m->flex_plasticadr[flex] >= 0 && m->flex_plasticmode[flex] & PLASTIC_STRETCH;
  return yields ? d->plastic + m->flex_plasticadr[flex] : NULL;
}

static inline const mjtNum* plastic_bend_of(const mjModel* m, const mjData* d, int flex) {
  int yields = m->flex_plasticadr[flex] >= 0 && m->flex_plasticmode[flex] & PLASTIC_BEND;
  return yields ? d->plastic + m->flex_plasticadr[flex] + plastic_flex_stretch(m, flex) : NULL;
}

// Writes the rests of springs that have not yielded.
void plastic_reset(mjtNum* plastic, const mjModel* m);

// Replaces what keyframes leave open (NaN) by those rests, and normalizes quaternions.
void plastic_fill_keys(mjModel* m);
