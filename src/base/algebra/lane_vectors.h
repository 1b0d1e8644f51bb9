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
// Two vectors of two numbers one behind the other, and the halves of one of four.
#if defined(__clang__) || __GNUC__ >= 12
#define LANES_JOIN(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3)
#define LANES_LOW(v) __builtin_shufflevector(v, v, 0, 1)
#define LANES_HIGH(v) __builtin_shufflevector(v, v, 2, 3)
#else
#define LANES_JOIN(a, b) ((Simd4){(a)[0], (a)[1], (b)[0], (b)[1]})
#define LANES_LOW(v) ((Simd2){(v)[0], (v)[1]})
#define LANES_HIGH(v) ((Simd2){(v)[2], (v)[3]})
#endif

// Number i of four problems: to[i], lane l = from[l][i]. Halves are joined in registers: four
// stores of single numbers before a load of all would make it wait.
INLINE void lanes_read_one(SimdN* to, const mjtNum* const* from, int i) {
  Simd2 low = {from[0][i], from[1][i]}, high = {from[2][i], from[3][i]};
  Simd4 v = LANES_JOIN(low, high);
  SIMD_AT(Simd4, to + i) = v;
}

// Two numbers of four problems.
INLINE void lanes_read_two(SimdN* to, const mjtNum* const* from, int i) {
  Simd4 even = LANES_JOIN(SIMD_READ(Simd2, from[0] + i), SIMD_READ(Simd2, from[2] + i));
  Simd4 odd = LANES_JOIN(SIMD_READ(Simd2, from[1] + i), SIMD_READ(Simd2, from[3] + i));
  SIMD_AT(Simd4, to + i) = SIMD4_ZIP(even, odd, 0, 4, 2, 6);
  SIMD_AT(Simd4, to + i + 1) = SIMD4_ZIP(even, odd, 1, 5, 3, 7);
}

INLINE void lanes_write_one(mjtNum* const* to, const SimdN* from, int i) {
  Simd4 v = SIMD_READ(Simd4, from + i);
  for (int l = 0; l < 4; l++) {
    to[l][i] = v[l];
  }
}

INLINE void lanes_write_two(mjtNum* const* to, const SimdN* from, int i) {
  Simd4 a = SIMD_READ(Simd4, from + i), b = SIMD_READ(Simd4, from + i + 1);
  Simd4 even = SIMD4_ZIP(a, b, 0, 4, 2, 6), odd = SIMD4_ZIP(a, b, 1, 5, 3, 7);
  SIMD_AT(Simd2, to[0] + i) = LANES_LOW(even);
  SIMD_AT(Simd2, to[1] + i) = LANES_LOW(odd);
  SIMD_AT(Simd2, to[2] + i) = LANES_HIGH(even);
  SIMD_AT(Simd2, to[3] + i) = LANES_HIGH(odd);
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

// to[i], lane l = from[l][i] for i < n
INLINE void lanes_read(SimdN* to, const mjtNum* const* from, int n) {
#ifdef mjUSESINGLE
  for (int i = 0; i < n; i++) {
    for (int l = 0; l < SIMD_N; l++) {
      LANE(to[i], l) = from[l][i];
    }
  }
#else
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    lanes_read_two(to, from, i);
    lanes_read_two(to, from, i + 2);
  }
  if (n & 2) {
    lanes_read_two(to, from, i);
    i += 2;
  }
  if (n & 1) {
    lanes_read_one(to, from, i);
  }
#endif
}

// to[l][i] = from[i], lane l, for i < n and the first `count` lanes
INLINE void lanes_write(mjtNum* const* to, const SimdN* from, int n, int count) {
  int i = 0;
#ifndef mjUSESINGLE
  if (count == 4) {
    for (; i + 4 <= n; i += 4) {
      lanes_write_four(to, from, i);
    }
    if (n & 2) {
      lanes_write_two(to, from, i);
      i += 2;
    }
    if (n & 1) {
      lanes_write_one(to, from, i);
    }
    return;
  }
#endif
  for (; i < n; i++) {
    for (int l = 0; l < count; l++) {
      to[l][i] = LANE(from[i], l);
    }
  }
}
