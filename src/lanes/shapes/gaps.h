// gaps.h: geoms that were clearly apart and have hardly moved are still apart, without a proof.
//
// In a step a point of a geom moves by no more than
//
//   s = |c' - c| + 2 |q' - q| r      c: centre, r: radius about it, q: unit quaternion of the body
//
// for a rotation by the angle t moves it by 2 sin(t/2) r, and |q' - q| >= 2 sin(t/4). A block adds
// these up, S for each geom. Two that were apart by g more than needed when the sum of theirs was
// S0 are apart as long as it is less than S0 + g. It is kept while a block is stepped, and no
// result depends on it.                                theory/time/lanes.md, Bounds of convex pairs

#pragma once

#include "lanes/shapes/boxes.h"

// Sums begin anew after so many steps, before rounding spoils them in single precision.
enum {
  PATH_STEPS = 64
};

// 2 |q' - q| of a body since the step before.
INLINE Real path_turn(const Work* w, int body) {
  const Real4 q = w->xquat[body], p = w->path_quat[body];
  Real3 turn = {q.x - p.x, q.y - p.y, q.z - p.z};
  Real real = q.w - p.w;
  return 2 * real_sqrt(real_muladd(real, real, r3_dot(turn, turn)));
}

// Adds to the sum of a geom how far it has come; was: its centre before, turn: of its body.
INLINE void path_add(Work* w, int geom, Real3 was, Real turn) {
  const Num room = 1 + 2 * BOUND_SLACK;  // what is needed changes with places, too
  Real3 way = r3_sub(w->centre[geom], was);
  w->path[geom] += room * (real_sqrt(r3_dot(way, way)) + turn * w->constants.geom[geom].reach);
}

// Goes on to the next step; sums begin anew with a block, and where they are too old.
static void paths_next(Work* w) {
  const int starts = w->path_steps <= 0;
  w->path_steps = starts ? PATH_STEPS : w->path_steps - 1;
  w->path_epoch += starts;
  for (int k = 0; starts && k < w->m->ngeom; k++) {
    w->path[k] = REAL_ZERO;
  }
  memcpy(w->path_quat, w->xquat, (size_t)w->m->nbody * sizeof(*w->xquat));
}

INLINE Real gap_path(const Work* w, const LanePair* pair) {
  return w->path[pair->geom1] + w->path[pair->geom2];
}

// Of some lanes those in which two geoms are known to be apart.
INLINE Mask gap_lasts(const Work* w, const LanePair* pair, Mask near) {
  const size_t k = (size_t)(pair - w->s->pair);
  return w->gap_epoch[k] == w->path_epoch ? near & (gap_path(w, pair) < w->gap_end[k]) : mask_of(0);
}

// Keeps how much further two geoms are apart than they must be, in lanes where that is above zero.
INLINE void gap_keep(Work* w, const LanePair* pair, Real gap) {
  const size_t k = (size_t)(pair - w->s->pair);
  Real known = w->gap_epoch[k] == w->path_epoch ? w->gap_end[k] : REAL_ZERO;
  w->gap_end[k] = real_select(gap > REAL_ZERO, gap_path(w, pair) + gap, known);
  w->gap_epoch[k] = w->path_epoch;
}
