// dense_rows.h: products with dense rows that are padded to whole vectors, for kernels of solvers.

#pragma once

#include <stddef.h>

#include "base/algebra/simd.h"

// res_r = A_r . x, four rows at a time to hide the latency of the sums
INLINE void dense_rows_dot(mjtNum* res, const mjtNum* A, const mjtNum* x, int nrow, ptrdiff_t ld) {
  int r = 0;
  for (; r + 4 <= nrow; r += 4, A += 4 * ld) {
    SimdN s[4] = {{0}};
    for (int c = 0; c < ld; c += SIMD_N) {
      SimdN xc = SIMD_READ(SimdN, x + c);
      for (int k = 0; k < 4; k++) {
        s[k] += SIMD_READ(SimdN, A + k * ld + c) * xc;
      }
    }
    simdn_sums(res + r, s);
  }
  for (; r < nrow; r++, A += ld) {
    SimdN s = {0};
    for (int c = 0; c < ld; c += SIMD_N) {
      s += SIMD_READ(SimdN, A + c) * SIMD_READ(SimdN, x + c);
    }
    res[r] = simdn_sum(&s);
  }
}

// columns [c, c + count * SIMD_N) of sum_r x_r A_r, held in registers
INLINE void dense_columns_sum(mjtNum* res, const mjtNum* A, const mjtNum* x, int nrow, ptrdiff_t ld,
                              int count) {
  SimdN sum[4] = {{0}, {0}, {0}, {0}};
  for (int r = 0; r < nrow; r++) {
    if (x[r] != 0) {
      for (int b = 0; b < count; b++) {
        sum[b] += x[r] * SIMD_READ(SimdN, A + r * ld + b * SIMD_N);
      }
    }
  }
  for (int b = 0; b < count; b++) {
    SIMD_AT(SimdN, res + b * SIMD_N) = sum[b];
  }
}

// res = sum_r x_r A_r
INLINE void dense_rows_sum(mjtNum* res, const mjtNum* A, const mjtNum* x, int nrow, ptrdiff_t ld) {
  int c = 0;
  for (; c + 4 * SIMD_N <= ld; c += 4 * SIMD_N) {
    dense_columns_sum(res + c, A + c, x, nrow, ld, 4);
  }
  switch ((ld - c) / SIMD_N) {
    case 1:
      dense_columns_sum(res + c, A + c, x, nrow, ld, 1);
      break;
    case 2:
      dense_columns_sum(res + c, A + c, x, nrow, ld, 2);
      break;
    case 3:
      dense_columns_sum(res + c, A + c, x, nrow, ld, 3);
      break;
    default:
      break;
  }
}

// Copies n numbers, with zeros to the end of the vector.
INLINE void dense_pad(mjtNum* to, const mjtNum* from, int n) {
  int whole = n / SIMD_N * SIMD_N;
  for (int b = 0; b < whole; b += SIMD_N) {
    SIMD_AT(SimdN, to + b) = SIMD_READ(SimdN, from + b);
  }
  if (whole < n) {
    SIMD_AT(SimdN, to + whole) = (SimdN){0};
  }
  int k = whole;
  for (; k + 4 <= n; k += 4) {
    SIMD_AT(Simd4, to + k) = SIMD_READ(Simd4, from + k);
  }
  for (; k < n; k++) {
    to[k] = from[k];
  }
}
