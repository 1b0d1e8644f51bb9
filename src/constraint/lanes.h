// lanes.h: vectors of 64 and 32 bytes, for the solvers' inner loops.
//
// The vector types of GCC and Clang exist for every processor: a Wide is one AVX-512 register or
// two of AVX or four of SSE, so one source serves all kernels (base/target.h) and sums are taken in
// the same order everywhere. Sums over rows and columns need them, because the compiler may not
// reorder additions by itself.

#ifndef CONDYLE_CONSTRAINT_LANES_H_
#define CONDYLE_CONSTRAINT_LANES_H_

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

// sum of the lanes
INLINE mjtNum wide_sum(const Wide* v) {
  const Half* part = (const Half*)v;
  Half h = part[0] + part[1];
  mjtNum sum = 0;
  for (int k = 0; k < HALF / 2; k++) {
    sum += h[k] + h[k + HALF / 2];
  }
  return sum;
}

#endif  // CONDYLE_CONSTRAINT_LANES_H_
