// dense_solve.c: Gaussian elimination with partial pivoting.

#include "base/algebra/dense_solve.h"

// row -= factor pivot, n numbers
static KERNEL void subtract_row(mjtNum* row, const mjtNum* pivot, mjtNum factor, int n) {
  for (int k = 0; k < n; k++) {
    row[k] -= factor * pivot[k];
  }
}

static void swap_rows(mjtNum* a, mjtNum* b, int n) {
  for (int k = 0; k < n; k++) {
    mjtNum x = a[k];
    a[k] = b[k];
    b[k] = x;
  }
}

int pivoted_solve(mjtNum* X, mjtNum* A, int n, int columns, int ldx, int ld, mjtNum least) {
  for (int k = 0; k < n; k++) {
    mjtNum *pivot = A + (size_t)k * ld, *x = X + (size_t)k * ldx;
    int best = k;
    for (int i = k + 1; i < n; i++) {
      mjtNum a = mju_abs(A[(size_t)i * ld + k]);
      best = a > mju_abs(A[(size_t)best * ld + k]) ? i : best;
    }
    if (best != k) {
      swap_rows(pivot + k, A + (size_t)best * ld + k, n - k);
      swap_rows(x, X + (size_t)best * ldx, columns);
    }
    if (!(mju_abs(pivot[k]) > least)) {
      return 0;
    }
    for (int i = k + 1; i < n; i++) {
      mjtNum *row = A + (size_t)i * ld, *y = X + (size_t)i * ldx;
      if (row[k] != 0) {
        mjtNum factor = row[k] / pivot[k];
        subtract_row(row + k + 1, pivot + k + 1, factor, n - k - 1);
        for (int c = 0; c < columns; c++) {
          y[c] -= factor * x[c];
        }
      }
    }
  }
  // A is upper triangular now. Substitute from the last row to the first.
  for (int k = n - 1; k >= 0; k--) {
    const mjtNum* row = A + (size_t)k * ld;
    mjtNum* x = X + (size_t)k * ldx;
    for (int c = 0; c < columns; c++) {
      for (int j = k + 1; j < n; j++) {
        x[c] -= row[j] * X[(size_t)j * ldx + c];
      }
      x[c] /= row[k];
    }
  }
  return 1;
}
