// sparse.c: conversions of compressed rows, and products with them. Row r has rownnz[r] elements
// from rowadr[r] on, with ascending columns colind.                 theory/numerics.md, Sparse rows

#include <mujoco/api/base.h>

#include "base/algebra/sparse_row.h"

int mju_dense2sparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr,
                     int* colind, int nnz) {
  if (nnz <= 0) {
    return 1;
  }
  int adr = 0;
  for (int r = 0; r < nr; r++) {
    rowadr[r] = adr;
    rownnz[r] = 0;
    for (int c = 0; c < nc; c++, mat++) {
      if (*mat == 0) {
        continue;
      }
      if (adr == nnz) {
        return 1;
      }
      res[adr] = *mat;
      colind[adr++] = c;
      rownnz[r]++;
    }
  }
  return 0;
}

void mju_sparse2dense(mjtNum* res, const mjtNum* mat, int nr, int nc, const int* rownnz,
                      const int* rowadr, const int* colind) {
  for (int r = 0; r < nr; r++, res += nc) {
    mju_zero(res, nc);
    for (int k = rowadr[r]; k < rowadr[r] + rownnz[r]; k++) {
      res[colind[k]] = mat[k];
    }
  }
}

void mju_sym2dense(mjtNum* res, const mjtNum* mat, int n, const int* rownnz, const int* rowadr,
                   const int* colind) {
  for (int r = 0; r < n; r++) {
    mju_zero(res + (size_t)r * n, n);
  }
  for (int r = 0; r < n; r++) {
    for (int k = rowadr[r]; k < rowadr[r] + rownnz[r]; k++) {
      int c = colind[k];
      res[(size_t)r * n + c] = res[(size_t)c * n + r] = mat[k];
    }
  }
}

// Three numbers, always loaded and stored as a pair and a single (simd.h).
typedef struct {
  Simd2 two;
  mjtNum one;
} Three;

// row_dot of two runs of six columns, as rows between two free bodies have, with the same partial
// sums: they begin at zero, so that each product is fused with its addition.
INLINE mjtNum two_runs_dot(const mjtNum* v, const mjtNum* a, const mjtNum* b) {
  const Simd4 middle = {a[4], a[5], b[0], b[1]};
  Simd4 sum = {0};
  sum += SIMD_READ(Simd4, v) * SIMD_READ(Simd4, a);
  sum += SIMD_READ(Simd4, v + 4) * middle;
  sum += SIMD_READ(Simd4, v + 8) * SIMD_READ(Simd4, b + 2);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

INLINE int are_two_runs(const int* column, int n) {
  return n == 12 && column[5] - column[0] == 5 && column[11] - column[6] == 5;
}

// Four rows with the same n columns, side by side.
INLINE void four_rows_dot(mjtNum* out, const mjtNum* value, const int* adr, const int* column,
                          int n, const mjtNum* x) {
  const mjtNum *a = value + adr[0], *b = value + adr[1], *c = value + adr[2], *d = value + adr[3];
  Simd4 even = {0}, odd = {0};
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    Simd4 block[4] = {SIMD_READ(Simd4, a + k), SIMD_READ(Simd4, b + k), SIMD_READ(Simd4, c + k),
                      SIMD_READ(Simd4, d + k)};
    simd4_transpose(block);
    even += block[0] * x[column[k]];
    odd += block[1] * x[column[k + 1]];
    even += block[2] * x[column[k + 2]];
    odd += block[3] * x[column[k + 3]];
  }
  for (; k < n; k++) {
    even += (Simd4){a[k], b[k], c[k], d[k]} * x[column[k]];
  }
  SIMD_AT(Simd4, out) = even + odd;
}

KERNEL void rows_dot(mjtNum* out, const SparseRows* rows, const mjtNum* x) {
  const int *num = rows->num, *adr = rows->adr;
  for (int r = 0, n = rows->n; r < n; r++) {
    if (rows->same && rows->same[r] >= 3 && r + 4 <= n) {
      four_rows_dot(out + r, rows->value, adr + r, rows->column + adr[r], num[r], x);
      r += 3;
      continue;
    }
    const mjtNum* v = rows->value + adr[r];
    const int* column = rows->column + adr[r];
    if (row_is_edge(column, num[r])) {
      const mjtNum *a = x + column[0], *b = x + column[3];
      Simd2 two = SIMD_READ(Simd2, v) * SIMD_READ(Simd2, a);
      two += SIMD_READ(Simd2, v + 3) * SIMD_READ(Simd2, b);
      out[r] = two[0] + two[1] + (v[2] * a[2] + v[5] * b[2]);
    } else if (are_two_runs(column, num[r])) {
      out[r] = two_runs_dot(v, x + column[0], x + column[6]);
    } else {
      out[r] = row_dot(v, column, num[r], x);
    }
  }
}

// out += sum, unless out is NULL
INLINE void add_three(mjtNum* out, const Three* sum) {
  if (out) {
    SIMD_AT(Simd2, out) += sum->two;
    out[2] += sum->one;
  }
}

// Rows of edges from the same vertex are consecutive, so the sum `near` at their first vertex stays
// in registers until the vertex changes.
KERNEL void rows_add_to(mjtNum* out, const SparseRows* rows, const mjtNum* x) {
  const Three zero = {{0, 0}, 0};
  Three near = zero;
  mjtNum* at = NULL;
  const int *num = rows->num, *adr = rows->adr;
  for (int r = 0, n = rows->n; r < n; r++) {
    mjtNum scale = x[r];
    if (scale == 0) {
      continue;
    }
    const mjtNum* v = rows->value + adr[r];
    const int* column = rows->column + adr[r];
    if (!row_is_edge(column, num[r])) {
      row_add_to(out, v, column, num[r], scale);
      continue;
    }
    if (at != out + column[0]) {
      add_three(at, &near);
      near = zero;
      at = out + column[0];
    }
    near.two += scale * SIMD_READ(Simd2, v);
    near.one += scale * v[2];
    Three far = {scale * SIMD_READ(Simd2, v + 3), scale * v[5]};
    add_three(out + column[3], &far);
  }
  add_three(at, &near);
}
