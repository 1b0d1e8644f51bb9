#include "derivative/factor.h"

#include <math.h>
#include <mujoco/mjmodel.h>
#include <stddef.h>

#include "base/simd.h"

// y -= s x
INLINE void subtract_scaled(mjtNum* restrict y, const mjtNum* restrict x, mjtNum s, int n) {
  for (int i = 0; i < n; i++) {
    y[i] -= s * x[i];
  }
}

// Row r is final when its turn comes; every row i before it loses U_ir = A_ir / A_rr times it.
static KERNEL void eliminate(mjtNum* A, int n, int r, int symmetric) {
  const mjtNum* row = A + (size_t)r * n;
  mjtNum inverse = 1 / row[r];
  for (int i = 0; i < r; i++) {
    mjtNum* other = A + (size_t)i * n;
    mjtNum u = (symmetric ? row[i] : other[r]) * inverse;
    other[r] = u;
    if (u != 0) {
      subtract_scaled(other, row, u, symmetric ? i + 1 : r);
    }
  }
}

int factor_make(mjtNum* A, int n, int symmetric) {
  for (int r = n - 1; r >= 0; r--) {
    mjtNum pivot = A[(size_t)r * n + r];
    if (!(fabs((double)pivot) >= mjMINVAL)) {
      return 0;
    }
    eliminate(A, n, r, symmetric);
  }
  return 1;
}

// out = (out + sum over k in [from, to) of scale a_k X_k) for rows X_k of so many columns, two vectors at a time
static KERNEL void add_rows(mjtNum* restrict out, const mjtNum* restrict a, int from, int to,
                            const mjtNum* restrict X, int columns, int ld, mjtNum scale) {
  int c = 0;
  for (; c + 2 * SIMD_N <= columns; c += 2 * SIMD_N) {
    SimdN s0 = {0}, s1 = {0};
    for (int k = from; k < to; k++) {
      if (a[k] != 0) {
        const mjtNum* x = X + (size_t)k * ld + c;
        s0 += a[k] * SIMD_READ(SimdN, x);
        s1 += a[k] * SIMD_READ(SimdN, x + SIMD_N);
      }
    }
    SIMD_AT(SimdN, out + c) += scale * s0;
    SIMD_AT(SimdN, out + c + SIMD_N) += scale * s1;
  }
  for (int k = from; k < to && c < columns; k++) {
    mjtNum s = scale * a[k];
    const mjtNum* x = X + (size_t)k * ld;
    for (int i = c; s != 0 && i < columns; i++) {
      out[i] += s * x[i];
    }
  }
}

static KERNEL void scale_row(mjtNum* row, mjtNum s, int n) {
  for (int i = 0; i < n; i++) {
    row[i] *= s;
  }
}

void factor_solve(mjtNum* X, int columns, int ld, const mjtNum* factor, int n) {
  for (int r = n - 2; r >= 0; r--) {
    add_rows(X + (size_t)r * ld, factor + (size_t)r * n, r + 1, n, X, columns, ld, -1);
  }
  for (int r = 0; r < n; r++) {
    const mjtNum* row = factor + (size_t)r * n;
    add_rows(X + (size_t)r * ld, row, 0, r, X, columns, ld, -1);
    scale_row(X + (size_t)r * ld, 1 / row[r], columns);
  }
}

void multiply_add(mjtNum* Y, const mjtNum* A, const mjtNum* X, int n, int inner, int columns,
                  int ld, mjtNum scale) {
  for (int r = 0; r < n; r++) {
    add_rows(Y + (size_t)r * ld, A + (size_t)r * inner, 0, inner, X, columns, ld, scale);
  }
}
