// Elimination from the last row to the first, and solves for many right-hand sides at once, in
// blocks of SIMD width. Zeros in the matrix are skipped.

#include "derivative/tree/factor.h"

#include <math.h>
#include <mujoco/mjmodel.h>
#include <stddef.h>

#include "base/algebra/dense.h"
#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "model/data/share.h"

// y -= s x
INLINE void subtract_scaled(mjtNum* restrict y, const mjtNum* restrict x, mjtNum s, int n) {
  for (int i = 0; i < n; i++) {
    y[i] -= s * x[i];
  }
}

// Subtracts U_ir = A_ir / A_rr times row r, which is final, from every row i above it.
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

enum {
  TERMS = 64  // rows that are added at a time
};

// out += sum of a_k x_k, for n rows and a number of columns that is a multiple of SIMD_N
INLINE void add_terms(mjtNum* restrict out, const mjtNum* a, const mjtNum* const* x, int n,
                      int columns) {
  int c = 0;
  for (; c + 4 * SIMD_N <= columns; c += 4 * SIMD_N) {
    SimdN s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    for (int k = 0; k < n; k++) {
      const mjtNum* row = x[k] + c;
      s0 += a[k] * SIMD_READ(SimdN, row);
      s1 += a[k] * SIMD_READ(SimdN, row + SIMD_N);
      s2 += a[k] * SIMD_READ(SimdN, row + 2 * SIMD_N);
      s3 += a[k] * SIMD_READ(SimdN, row + 3 * SIMD_N);
    }
    SIMD_AT(SimdN, out + c) += s0;
    SIMD_AT(SimdN, out + c + SIMD_N) += s1;
    SIMD_AT(SimdN, out + c + 2 * SIMD_N) += s2;
    SIMD_AT(SimdN, out + c + 3 * SIMD_N) += s3;
  }
  for (; c + 2 * SIMD_N <= columns; c += 2 * SIMD_N) {
    SimdN s0 = {0}, s1 = {0};
    for (int k = 0; k < n; k++) {
      s0 += a[k] * SIMD_READ(SimdN, x[k] + c);
      s1 += a[k] * SIMD_READ(SimdN, x[k] + c + SIMD_N);
    }
    SIMD_AT(SimdN, out + c) += s0;
    SIMD_AT(SimdN, out + c + SIMD_N) += s1;
  }
  for (; c < columns; c += SIMD_N) {
    SimdN sum = {0};
    for (int k = 0; k < n; k++) {
      sum += a[k] * SIMD_READ(SimdN, x[k] + c);
    }
    SIMD_AT(SimdN, out + c) += sum;
  }
}

// out += scale * sum of a_k X_k over k in [from, to); zero a_k are skipped
static KERNEL void add_rows(mjtNum* restrict out, const mjtNum* restrict a, int from, int to,
                            const mjtNum* restrict X, int columns, int ld, mjtNum scale) {
  mjtNum value[TERMS];
  const mjtNum* row[TERMS];
  int whole = columns / SIMD_N * SIMD_N;
  while (from < to) {
    int n = 0;
    for (; from < to && n < TERMS; from++) {
      if (a[from] != 0) {
        value[n] = scale * a[from];
        row[n++] = X + (size_t)from * ld;
      }
    }
    add_terms(out, value, row, n, whole);
    for (int k = 0; whole < columns && k < n; k++) {
      for (int i = whole; i < columns; i++) {
        out[i] += value[k] * row[k][i];
      }
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

void factor_solve_one(mjtNum* x, const mjtNum* factor, int n) {
  for (int r = n - 2; r >= 0; r--) {
    x[r] -= dot_n(factor + (size_t)r * n + r + 1, x + r + 1, n - r - 1);
  }
  for (int r = 0; r < n; r++) {
    const mjtNum* row = factor + (size_t)r * n;
    x[r] = (x[r] - dot_n(row, x, r)) / row[r];
  }
}

void multiply_add(mjtNum* Y, const mjtNum* A, const mjtNum* X, int n, int inner, int columns,
                  int ld, mjtNum scale) {
  for (int r = 0; r < n; r++) {
    add_rows(Y + (size_t)r * ld, A + (size_t)r * inner, 0, inner, X, columns, ld, scale);
  }
}

// columns on threads

// Each column is a sum of its own, in an order that doesn't depend on the others, so blocks of
// columns can be taken in any order. SHARED_WORK: products that are worth to wake a thread.
enum {
  BLOCK = 8 * SIMD_N,
  SHARED_WORK = 1 << 21
};

typedef struct {
  mjtNum* Y;
  const mjtNum *A, *X;
  int n, inner, columns, ld, solves;
  mjtNum scale;
} Columns;

static void do_columns(void* argument, int begin, int end) {
  const Columns* c = argument;
  int first = begin * SIMD_N, count = int_min(end * SIMD_N, c->columns) - first;
  if (!c->solves) {
    multiply_add(c->Y + first, c->A, c->X + first, c->n, c->inner, count, c->ld, c->scale);
  } else {
    factor_solve(c->Y + first, count, c->ld, c->A, c->n);
  }
}

static void share_columns(mjData* d, Columns* c) {
  int blocks = (c->columns + SIMD_N - 1) / SIMD_N;
  if ((double)c->n * c->inner * c->columns > SHARED_WORK && share_threads(d) > 1) {
    share_for(d, blocks, BLOCK / SIMD_N, do_columns, c);
  } else {
    do_columns(c, 0, blocks);
  }
}

void factor_solve_shared(mjtNum* X, mjData* d, int columns, int ld, const mjtNum* factor, int n) {
  share_columns(
      d, &(Columns){
             .Y = X, .A = factor, .n = n, .inner = n, .solves = 1, .columns = columns, .ld = ld});
}

void multiply_add_shared(mjtNum* Y, mjData* d, const mjtNum* A, const mjtNum* X, int n, int inner,
                         int columns, int ld, mjtNum scale) {
  share_columns(d, &(Columns){Y, A, X, n, inner, columns, ld, 0, scale});
}
