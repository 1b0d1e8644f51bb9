// apart.h: the direction along which two geoms were last apart, of each lane, proves in all lanes
// that they still are.
//
// It is of the world that was in the lane, not of the one that is: a direction that proves nothing
// costs time, and one that does proves it whoever found it. So no result depends on it.
//                                                     theory/contact/convex.md, Proof of separation
// Also proves in collision/convex/separation.c.

#pragma once

#include "lanes/shapes/heights.h"
#include "model/data/apart.h"

// Lanes in which n . (p2 - p1) - h1(n) - h2(-n) > need, n the pair's direction.
INLINE Mask still_apart(Work* w, const LanePair* pair, Mask near, Real need) {
  Real3 l1 = w->way[pair - w->s->pair];
  Mask known = near & (r3_dot(l1, l1) > lane_real_of((Num)0.5));
  unsigned lanes = mask_bits(known);
  if (!lanes) {
    return known;
  }
  const Real33 *A = geom_axes(w, pair->geom1), *B = geom_axes(w, pair->geom2);
  Real3 n = r33_mul(A, l1), l2 = r33_tmul(B, r3_scale(n, lane_real_of(-1)));
  Real along = r3_dot(n, r3_sub(w->centre[pair->geom2], w->centre[pair->geom1]));
  Real gap = along - geom_height(w, pair->geom1, l1, lanes) - need;
  lanes = mask_bits(known & (gap > REAL_ZERO));
  return known & (gap - geom_height(w, pair->geom2, l2, lanes) > REAL_ZERO);
}

// Forgets what the collider knows of a pair in another lane.
INLINE void forget_apart(const Work* w, const LanePair* pair) {
  Apart* slot = apart_slot(w->d, pair->geom1, pair->geom2);
  if (slot) {
    slot->geom[0] = 0;
  }
}

// Takes the direction that the collider has found, none if the geoms touch.
INLINE void take_apart(Work* w, const LanePair* pair, int lane, int touches) {
  const Apart* slot = apart_slot(w->d, pair->geom1, pair->geom2);
  int found = slot && !touches && slot->geom[0] == pair->geom1 + 1;
  Real3* way = w->way + (pair - w->s->pair);
  way->x[lane] = found ? (Num)slot->way[0] : 0;
  way->y[lane] = found ? (Num)slot->way[1] : 0;
  way->z[lane] = found ? (Num)slot->way[2] : 0;
}
