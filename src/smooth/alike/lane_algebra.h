// lane_algebra.h: 3-vectors, quaternions and spatial vectors with a tree in each lane.
//
// The formulas are those of base/algebra, in the order in which the stages of single trees sum
// them. vec.h has them for one tree.

#pragma once

#include "base/algebra/lane_vectors.h"

typedef struct Lane3_ {
  SimdN x, y, z;
} Lane3;

typedef struct Lane4_ {
  SimdN w, x, y, z;
} Lane4;

// (rotation, translation)
typedef struct Lane6_ {
  Lane3 w, u;
} Lane6;

INLINE Lane3 lane3_load(const SimdN v[3]) {
  return (Lane3){v[0], v[1], v[2]};
}

INLINE void lane3_store(SimdN out[3], Lane3 v) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

INLINE Lane3 lane3_add(Lane3 a, Lane3 b) {
  return (Lane3){a.x + b.x, a.y + b.y, a.z + b.z};
}

INLINE Lane3 lane3_sub(Lane3 a, Lane3 b) {
  return (Lane3){a.x - b.x, a.y - b.y, a.z - b.z};
}

// a + s b
INLINE Lane3 lane3_addscl(Lane3 a, Lane3 b, const SimdN* s) {
  return (Lane3){a.x + *s * b.x, a.y + *s * b.y, a.z + *s * b.z};
}

INLINE Lane3 lane3_cross(Lane3 a, Lane3 b) {
  return (Lane3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

INLINE Lane6 lane6_load(const SimdN v[6]) {
  return (Lane6){lane3_load(v), lane3_load(v + 3)};
}

INLINE void lane6_store(SimdN out[6], Lane6 v) {
  lane3_store(out, v.w);
  lane3_store(out + 3, v.u);
}

INLINE Lane6 lane6_add(Lane6 a, Lane6 b) {
  return (Lane6){lane3_add(a.w, b.w), lane3_add(a.u, b.u)};
}

// a + s b
INLINE Lane6 lane6_addscl(Lane6 a, Lane6 b, const SimdN* s) {
  return (Lane6){lane3_addscl(a.w, b.w, s), lane3_addscl(a.u, b.u, s)};
}
