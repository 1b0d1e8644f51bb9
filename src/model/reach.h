// reach.h: how far geoms, bodies and flexes reach for contacts.
//
// The margins and gaps of two of them combine, by the larger one or (behaviour marginsum) by the
// sum; and contacts are found within the margin or (behaviour marginband) within margin and gap.
// Phases before the narrow one see one object at a time, and need its own reach: two reaches
// together are never less than the distance at which the two have contacts.
//                                                   theory/contact/collision.md, Contact parameters

#pragma once

#include "base/algebra/vec.h"
#include "model/behaviour.h"

// What two margins, or two gaps, are together.
static inline mjtNum margins_together(const mjModel* m, mjtNum a, mjtNum b) {
  return behaves(m, cndBEHAVIOUR_marginsum) ? a + b : num_max(a, b);
}

// The distance within which there are contacts of a margin and a gap.
static inline mjtNum margin_reach(const mjModel* m, mjtNum margin, mjtNum gap) {
  return behaves(m, cndBEHAVIOUR_marginband) ? margin + gap : margin;
}

// The reach of one object. Where the larger margin and the larger gap count, they may be of two
// objects: then a negative one takes nothing off the other.
static inline mjtNum reach_alone(const mjModel* m, mjtNum margin, mjtNum gap) {
  int is_sum = behaves(m, cndBEHAVIOUR_marginsum);
  return !behaves(m, cndBEHAVIOUR_marginband) ? margin
         : is_sum                             ? margin + gap
                                              : num_max(0, margin) + num_max(0, gap);
}

// The reach of a geom or a flex with this margin, or with the one that the options have in its
// place.
static inline mjtNum reach_given(const mjModel* m, mjtNum margin, mjtNum gap) {
  return reach_alone(m, m->opt.enableflags & mjENBL_OVERRIDE ? m->opt.o_margin : margin, gap);
}

static inline mjtNum geom_reach(const mjModel* m, int geom) {
  return reach_given(m, m->geom_margin[geom], m->geom_gap[geom]);
}

// The largest reach of a body's geoms, at least 0, as the model keeps it or with the margin that
// the options have in its place.
mjtNum body_reach(const mjModel* m, int body);

// The distance below which two bodies, with these reaches, may have contacts.
static inline mjtNum reaches_together(const mjModel* m, mjtNum a, mjtNum b) {
  const int adds = 1 << cndBEHAVIOUR_marginsum | 1 << cndBEHAVIOUR_marginband;
  return m->opt.behaviour & adds ? a + b : num_max(a, b);
}

// Computes body_margin of all bodies: the largest reaches of their geoms.
void reach_of_bodies(mjtNum* body_margin, const mjModel* m);
