// sparse_row.h: inline products with one compressed row of n elements `val` in columns `col`.

#pragma once

#include <mujoco/mjtnum.h>
#include <string.h>

#include "base/algebra/simd.h"

// row . vec, in four partial sums, so that an addition does not wait for the previous one
INLINE mjtNum row_dot(const mjtNum* val, const int* col, int n, const mjtNum* vec) {
  mjtNum sum[4] = {0, 0, 0, 0};
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    sum[0] += val[k] * vec[col[k]];
    sum[1] += val[k + 1] * vec[col[k + 1]];
    sum[2] += val[k + 2] * vec[col[k + 2]];
    sum[3] += val[k + 3] * vec[col[k + 3]];
  }
  for (; k < n; k++) {
    sum[0] += val[k] * vec[col[k]];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// out += scale row
INLINE void row_add_to(mjtNum* restrict out, const mjtNum* restrict val, const int* restrict col,
                       int n, mjtNum scale) {
#pragma GCC unroll 4
  for (int k = 0; k < n; k++) {
    out[col[k]] += scale * val[k];
  }
}

// The number of columns up to which a loop over them takes less time than a call.
enum {
  FEW_COLUMNS = 16
};

// Copies column numbers to another place. They are few mostly.
INLINE void copy_columns(int* to, const int* from, int n) {
  if (n > FEW_COLUMNS) {
    memcpy(to, from, (size_t)n * sizeof(int));
    return;
  }
  if (n < 4) {
    for (int k = 0; k < n; k++) {
      to[k] = from[k];
    }
    return;
  }
  for (int k = 0; k + 4 <= n; k += 4) {
    memcpy(to + k, from + k, 4 * sizeof(int));
  }
  memcpy(to + n - 4, from + n - 4, 4 * sizeof(int));  // may overlap those before
}

// Writes column numbers many times, one after the other: those of one free body two times at once,
// and of two bodies from registers.
INLINE void repeat_columns(int* to, const int* from, int n, int count) {
  if (n == 6) {
    const Int4 low = SIMD_READ(Int4, from), high = SIMD_READ(Int4, from + 2);
    const Int4 middle = {from[4], from[5], from[0], from[1]};
    for (; count >= 2; count -= 2, to += 12) {
      SIMD_AT(Int4, to) = low;
      SIMD_AT(Int4, to + 4) = middle;
      SIMD_AT(Int4, to + 8) = high;
    }
  } else if (n == 12) {
    const Int4 low = SIMD_READ(Int4, from), middle = SIMD_READ(Int4, from + 4);
    const Int4 high = SIMD_READ(Int4, from + 8);
    for (; count > 0; count--, to += 12) {
      SIMD_AT(Int4, to) = low;
      SIMD_AT(Int4, to + 4) = middle;
      SIMD_AT(Int4, to + 8) = high;
    }
  }
  for (; count > 0; count--, to += n) {
    copy_columns(to, from, n);
  }
}

// Do two rows of n elements have the same columns? Most rows that differ have different last
// columns.
INLINE int same_columns(const int* a, const int* b, int n) {
  if (n > FEW_COLUMNS) {
    return a[n - 1] == b[n - 1] && !memcmp(a, b, (size_t)n * sizeof(int));
  }
  int k = n - 1;
  while (k >= 0 && a[k] == b[k]) {
    k--;
  }
  return k < 0;
}

// Does the row have the columns of a flex edge, three consecutive ones for each end? Most rows of
// large models have.
INLINE int row_is_edge(const int* column, int n) {
  return n == 6 && column[2] - column[0] == 2 && column[5] - column[3] == 2;
}

// Compressed rows: row r has num[r] elements from adr[r] on. same, unless NULL: how many rows after
// row r have the same columns.
typedef struct {
  int n;
  const int *num, *adr, *column;
  const mjtNum* value;
  const int* same;
} SparseRows;

// rows_dot: out_r = row_r . x. rows_add_to: out += sum_r x_r row_r, skipping rows with x_r = 0.
void rows_dot(mjtNum* out, const SparseRows* rows, const mjtNum* x);
void rows_add_to(mjtNum* out, const SparseRows* rows, const mjtNum* x);
