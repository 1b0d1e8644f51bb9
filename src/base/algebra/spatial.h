// spatial.h: spatial vectors in registers, two numbers at a time.
//
// Two doubles (simd.h) are one SSE register. A Spatial is always loaded and stored pair by pair:
// loading a pair after storing single numbers stalls, and so does the reverse. Single numbers are
// taken from registers.

#pragma once

#include <mujoco/mjtnum.h>

#include "base/algebra/simd.h"

// (rotation, translation): components 01, 23, 45
typedef struct {
  Simd2 p[3];
} Spatial;

INLINE Spatial spatial_load(const mjtNum in[6]) {
  return (Spatial){{SIMD_READ(Simd2, in), SIMD_READ(Simd2, in + 2), SIMD_READ(Simd2, in + 4)}};
}

INLINE void spatial_store(mjtNum out[6], Spatial s) {
  SIMD_AT(Simd2, out) = s.p[0];
  SIMD_AT(Simd2, out + 2) = s.p[1];
  SIMD_AT(Simd2, out + 4) = s.p[2];
}

INLINE Spatial spatial_add(Spatial a, Spatial b) {
  return (Spatial){{a.p[0] + b.p[0], a.p[1] + b.p[1], a.p[2] + b.p[2]}};
}

INLINE Spatial spatial_sub(Spatial a, Spatial b) {
  return (Spatial){{a.p[0] - b.p[0], a.p[1] - b.p[1], a.p[2] - b.p[2]}};
}

// a + s b
INLINE Spatial spatial_addscl(Spatial a, Spatial b, mjtNum s) {
  return (Spatial){{a.p[0] + s * b.p[0], a.p[1] + s * b.p[1], a.p[2] + s * b.p[2]}};
}

INLINE mjtNum spatial_dot(Spatial a, Spatial b) {
  Simd2 sum = a.p[0] * b.p[0] + a.p[1] * b.p[1] + a.p[2] * b.p[2];
  return sum[0] + sum[1];
}

// Two 3-vectors a, b side by side: x, y, z hold (a_x, b_x), (a_y, b_y), (a_z, b_z).
typedef struct {
  Simd2 x, y, z;
} VecPair;

// (a, b) of a spatial vector: its rotation and its translation side by side
INLINE VecPair vecpair_load(const mjtNum s[6]) {
  return (VecPair){simd2(s[0], s[3]), simd2(s[1], s[4]), simd2(s[2], s[5])};
}

INLINE void vecpair_store(mjtNum out[6], VecPair v) {
  out[0] = v.x[0];
  out[1] = v.y[0];
  out[2] = v.z[0];
  out[3] = v.x[1];
  out[4] = v.y[1];
  out[5] = v.z[1];
}

// a + s b
INLINE VecPair vecpair_addscl(VecPair a, VecPair b, mjtNum s) {
  return (VecPair){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

// v x a and v x b, where v = (x, y, z)
INLINE VecPair vecpair_cross(mjtNum x, mjtNum y, mjtNum z, VecPair s) {
  return (VecPair){y * s.z - z * s.y, z * s.x - x * s.z, x * s.y - y * s.x};
}
