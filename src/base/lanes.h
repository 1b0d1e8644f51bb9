// lanes.h: vectors of 64 and 32 bytes, for inner loops.
//
// The vector types of GCC and Clang exist for every processor: a Wide is one AVX-512 register or
// two of AVX or four of SSE, so one source serves all kernels (target.h) and sums are taken in
// the same order everywhere. Sums over rows and columns need them, because the compiler may not
// reorder additions by itself.

#ifndef CONDYLE_BASE_LANES_H_
#define CONDYLE_BASE_LANES_H_

#include <mujoco/mujoco.h>

#include "base/target.h"

// They may lie anywhere in an array of mjtNum.
typedef mjtNum Wide __attribute__((vector_size(64), aligned(sizeof(mjtNum)), may_alias));
typedef mjtNum Half __attribute__((vector_size(32), aligned(sizeof(mjtNum)), may_alias));

enum {
  WIDE = 64 / sizeof(mjtNum),
  HALF = WIDE / 2
};

#define WIDE_AT(p) (*(Wide*)(p))
#define WIDE_READ(p) (*(const Wide*)(p))
#define HALF_AT(p) (*(Half*)(p))
#define HALF_READ(p) (*(const Half*)(p))

// Lengths of rows and row arrays are rounded up to whole vectors.
#define PADDED(n) (((n) + WIDE - 1) / WIDE * WIDE)

// sums of the lanes

INLINE mjtNum half_sum(const Half* v) {
  mjtNum sum = (*v)[0] + (*v)[1];
  for (int k = 2; k < HALF; k += 2) {
    sum += (*v)[k] + (*v)[k + 1];
  }
  return sum;
}

INLINE mjtNum wide_sum(const Wide* v) {
  const Half* part = (const Half*)v;
  Half h = part[0] + part[1];
  return half_sum(&h);
}

#endif  // CONDYLE_BASE_LANES_H_
