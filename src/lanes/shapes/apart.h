// apart.h: a direction along which two convex geoms are apart, searched for in all lanes.
//
//            A ___                   S: the direction along which they were last apart, else from
//             /   \  b_ S            centre to centre; a, b: support points along S and -S
//             \___/a   ___ B         S . (b - a) > need: they are apart
//                     /   \          else S is reflected at the plane normal to b - a, and tried
//                     \___/          again (Chung, Wang, 1996)
//
// The first direction is the one the world's row holds: it was found in another step, maybe for
// another state. One that proves nothing costs time, and one that does proves it whoever found it,
// so no result depends on it.                         theory/contact/convex.md, Proof of separation
// Also proves in collision/convex/separation.c.

#pragma once

#include "lanes/shapes/supports.h"
#include "model/data/apart.h"

// After so many failures in a row a search is made only once in a while: hulls that lie flush
// against each other are not told apart.
// Also is_still_apart in collision/convex/separation.c.
enum {
  REFLECTIONS = 3,
  SEARCH_MISSES = 4,
  SEARCH_IDLE = 15
};

// Stands for the direction of geoms that touched when they were last looked at.
static const float TOUCHED = 4;

// Of each pair a direction, and how often in a row none was found; if negative, how often no search
// is made.
INLINE float* way_of(const Work* w, const LanePair* pair, int lane) {
  return w->way[lane] + pair->way;
}

INLINE void put_way(const Work* w, const LanePair* pair, int lane, float x, float y, float z) {
  float* way = way_of(w, pair, lane);
  way[0] = x;
  way[1] = y;
  way[2] = z;
}

// Counts a search that has failed, or one that was left out.
INLINE void count_miss(float* way) {
  way[3] += 1;
  if (way[3] >= SEARCH_MISSES) {
    way[3] = -SEARCH_IDLE;
  } else if (way[3] == 0) {
    way[3] = SEARCH_MISSES - 1;
  }
}

// How much further than `need` two geoms are apart, at least, in those of the lanes `near` where a
// direction shows it; zero elsewhere.
static Real search_gap(Work* w, const LanePair* pair, Mask near, Real need) {
  const int i = pair->geom1, j = pair->geom2;
  const Num longest = (Num)1.0001;  // directions are kept in single precision
  Real3 l1 = REAL3_ZERO;
  unsigned idle = 0;
  need = need * longest;
  for (unsigned lanes = mask_bits(near); lanes; lanes &= lanes - 1) {
    int lane = __builtin_ctz(lanes);
    const float* way = way_of(w, pair, lane);
    l1.x[lane] = (Num)way[0];
    l1.y[lane] = (Num)way[1];
    l1.z[lane] = (Num)way[2];
    idle |= (unsigned)(way[3] < 0) << lane;
  }
  near &= ~mask_of(idle);
  const Real33 *A = geom_axes(w, i), *B = geom_axes(w, j);
  Real3 gap = r33_tmul(A, r3_sub(w->centre[j], w->centre[i]));
  Real length = r3_dot(l1, l1);
  Mask known = length > lane_real_of((Num)0.5), changed = ~known;
  Real gaps = REAL_ZERO;
  Mask left = near & ~(length > lane_real_of(2));
  l1 = r3_select(known, l1, r3_normalize(gap));
  for (int k = 0; k <= REFLECTIONS && mask_any(left); k++) {
    unsigned lanes = mask_bits(left);
    Real3 l2 = r33_tmul(B, r33_mul(A, r3_scale(l1, lane_real_of(-1))));
    Real3 a = geom_support(w, i, l1, lanes);
    Real3 b = r33_tmul(A, r33_mul(B, geom_support(w, j, l2, lanes)));
    Real3 r = r3_sub(r3_add(gap, b), a);
    Real along = r3_dot(l1, r);
    Mask found = left & (along > need);
    gaps = real_select(found, (along - need) / longest, gaps);
    for (unsigned bits = mask_bits(found); bits; bits &= bits - 1) {
      way_of(w, pair, __builtin_ctz(bits))[3] = 0;
    }
    for (unsigned fresh = mask_bits(found & changed); fresh; fresh &= fresh - 1) {
      int lane = __builtin_ctz(fresh);
      put_way(w, pair, lane, (float)l1.x[lane], (float)l1.y[lane], (float)l1.z[lane]);
    }
    left &= ~found;
    changed |= left;
    Real square = real_max(r3_dot(r, r), lane_real_of((Num)1e-30));
    l1 = r3_select(left, r3_normalize(r3_addscale(l1, r, -2 * along / square)), l1);
  }
  return gaps;
}

// Forgets what the collider knows of a pair in another lane.
INLINE void forget_apart(const Work* w, const LanePair* pair) {
  Apart* slot = apart_slot(w->d, pair->geom1, pair->geom2);
  if (slot) {
    slot->geom[0] = 0;
  }
}

// Takes the direction that the collider has found.
INLINE void take_apart(const Work* w, const LanePair* pair, int lane, int touches) {
  if (!touches) {
    count_miss(way_of(w, pair, lane));
  }
  const Apart* slot = apart_slot(w->d, pair->geom1, pair->geom2);
  if (touches) {
    put_way(w, pair, lane, TOUCHED, 0, 0);
  } else if (slot && slot->geom[0] == pair->geom1 + 1) {
    put_way(w, pair, lane, slot->way[0], slot->way[1], slot->way[2]);
  } else {
    put_way(w, pair, lane, 0, 0, 0);
  }
}
