// meeting.h: which geoms of a model with few geoms may touch each other, as sets of bits.
//
// Whether two geoms may touch follows from the bodies' places in the tree and from contype and
// conaffinity. Programs may edit these numbers, so the compiler keeps a copy of them beside the
// sets. The sets are valid while the model's numbers equal that copy.
//                                                          theory/contact/collision.md, Broad phase

#pragma once

#include <mujoco/mjmodel.h>
#include <string.h>

// Sets have 64 bits.
#define MEETING_MOST 64

// May two geoms touch, by their bits and their bodies? With `parents`, bodies don't touch their
// parents.
int geoms_may_meet(const mjModel* m, int g1, int g2, int parents);

// Writes cnd_geom_meet, cnd_{geom,body}_{contype,conaffinity}.
void meeting_write(mjModel* m);

// Whether cnd_geom_meet is right for the model as it is now.
static inline int meeting_holds(const mjModel* m) {
  size_t geoms = (size_t)m->ngeom * sizeof(int), bodies = (size_t)m->nbody * sizeof(int);
  return m->ngeom <= MEETING_MOST && m->nbody <= MEETING_MOST &&
         !(m->opt.disableflags & mjDSBL_FILTERPARENT) &&
         !memcmp(m->geom_contype, m->cnd_geom_contype, geoms) &&
         !memcmp(m->geom_conaffinity, m->cnd_geom_conaffinity, geoms) &&
         !memcmp(m->body_contype, m->cnd_body_contype, bodies) &&
         !memcmp(m->body_conaffinity, m->cnd_body_conaffinity, bodies);
}

// Does an exclude name the two bodies, in any order? As unsigned numbers, because signatures of
// bodies from 32768 on are negative.
static inline int bodies_excluded(const mjModel* m, int b1, int b2) {
  unsigned low = (unsigned)(b1 < b2 ? b1 : b2), high = (unsigned)(b1 < b2 ? b2 : b1);
  for (int i = 0; i < m->nexclude; i++) {
    if ((unsigned)m->exclude_signature[i] == (low << 16) + high) {
      return 1;
    }
  }
  return 0;
}
