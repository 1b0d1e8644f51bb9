// lane_vectors.h: vectors with a number of another problem in each component, a lane.
//
// Branches become choices by lane: comparisons give masks, and results are chosen or kept by them.

#pragma once

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"

#define LANE(x, lane) (((mjtNum*)&(x))[lane])

INLINE void lane_keep(SimdN* x, const MaskN* mask) {
  *x = (SimdN)((MaskN)*x & *mask);
}

INLINE void lane_choose(SimdN* to, const MaskN* mask, const SimdN* then, const SimdN* other) {
  *to = (SimdN)(((MaskN)*then & *mask) | ((MaskN)*other & ~*mask));
}

INLINE int lane_any(const MaskN* mask) {
  MaskN bits = *mask;
  for (int l = 1; l < SIMD_N; l++) {
    bits[0] |= bits[l];
  }
  return bits[0] != 0;
}

INLINE void lane_abs(SimdN* x) {
  const SimdN zero = {0};
  SimdN minus = zero - *x;
  MaskN negative = *x < zero;
  lane_choose(x, &negative, &minus, x);
}

INLINE void lane_root(SimdN* x) {
  mjtNum root[SIMD_N];
  SIMD_AT(SimdN, root) = *x;
  for (int l = 0; l < SIMD_N; l++) {
    root[l] = mju_sqrt(root[l]);
  }
  *x = SIMD_READ(SimdN, root);
}

// Sums begin at zero, so that a compiler that fuses products into sums does so with every one of
// them: zeros at the front, which other lanes may ask for, then change no bit.
INLINE void lane_dot(SimdN* sum, const SimdN* a, const SimdN* b, int n) {
  *sum = (SimdN){0};
  for (int i = 0; i < n; i++) {
    *sum += a[i] * b[i];
  }
}

// to lanes and back

#ifndef mjUSESINGLE
// Four numbers of four problems: to[i], lane l = from[l][i]
INLINE void lanes_read_four(SimdN* to, const mjtNum* const* from, int i) {
  Simd4 v[4];
  for (int l = 0; l < 4; l++) {
    v[l] = SIMD_READ(Simd4, from[l] + i);
  }
  simd4_transpose(v);
  for (int k = 0; k < 4; k++) {
    SIMD_AT(Simd4, to + i + k) = v[k];
  }
}

INLINE void lanes_write_four(mjtNum* const* to, const SimdN* from, int i) {
  Simd4 v[4];
  for (int k = 0; k < 4; k++) {
    v[k] = SIMD_READ(Simd4, from + i + k);
  }
  simd4_transpose(v);
  for (int l = 0; l < 4; l++) {
    SIMD_AT(Simd4, to[l] + i) = v[l];
  }
}
#endif

// to[i], lane l = from[l][i] for i < n. The last four may overlap those before.
INLINE void lanes_read(SimdN* to, const mjtNum* const* from, int n) {
  int i = 0;
#ifndef mjUSESINGLE
  for (; i + 4 <= n; i += 4) {
    lanes_read_four(to, from, i);
  }
  if (n > 4 && i < n) {
    lanes_read_four(to, from, n - 4);
    return;
  }
#endif
  for (; i < n; i++) {
    for (int l = 0; l < SIMD_N; l++) {
      LANE(to[i], l) = from[l][i];
    }
  }
}

// to[l][i] = from[i], lane l, for i < n and the first `count` lanes
INLINE void lanes_write(mjtNum* const* to, const SimdN* from, int n, int count) {
  int i = 0;
#ifndef mjUSESINGLE
  for (; i + 4 <= n && count == 4; i += 4) {
    lanes_write_four(to, from, i);
  }
  if (n > 4 && i < n && count == 4) {
    lanes_write_four(to, from, n - 4);
    return;
  }
#endif
  for (; i < n; i++) {
    for (int l = 0; l < count; l++) {
      to[l][i] = LANE(from[i], l);
    }
  }
}
