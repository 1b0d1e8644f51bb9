// dense_solve.h: solves small dense systems in place, general ones by Gaussian elimination,
// symmetric ones by Cholesky factorization. The latter is inline, because its systems have a few
// rows only.

#pragma once

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"

// X = A^-1 X for `columns` right-hand sides, by elimination with partial pivoting. A has row stride
// ld, X has ldx. A is overwritten. Returns 0 if a pivot isn't above `least`.
int pivoted_solve(mjtNum* X, mjtNum* A, int n, int columns, int ldx, int ld, mjtNum least);

// A = L L' in place of its lower triangle, for symmetric A, n x n. A row that depends on the rows
// before it gets a pivot of 0: its pivot is not above `least`, or not above `relative` times its
// diagonal element. Returns the product of all pivots of A.
INLINE mjtNum small_factor(mjtNum* A, int n, int ld, mjtNum least, mjtNum relative) {
  mjtNum determinant = 1;
  for (int r = 0; r < n; r++) {
    mjtNum *row = A + r * ld, lowest = num_max(least, relative * row[r]);
    for (int c = 0; c <= r; c++) {
      const mjtNum* other = A + c * ld;
      mjtNum sum = row[c];
      for (int k = 0; k < c; k++) {
        sum -= row[k] * other[k];
      }
      if (c < r) {
        row[c] = other[c] > 0 ? sum / other[c] : 0;
      } else {
        row[r] = sum > lowest ? mju_sqrt(sum) : 0;
        determinant *= sum > lowest ? sum : 0;
      }
    }
  }
  return determinant;
}

// x = (L L')^-1 b, with L from small_factor; rows of pivot 0 have x = 0.
INLINE void small_solve(mjtNum* x, const mjtNum* L, const mjtNum* b, int n, int ld) {
  for (int r = 0; r < n; r++) {
    mjtNum sum = b[r];
    for (int k = 0; k < r; k++) {
      sum -= L[r * ld + k] * x[k];
    }
    x[r] = L[r * ld + r] > 0 ? sum / L[r * ld + r] : 0;
  }
  for (int r = n - 1; r >= 0; r--) {
    mjtNum sum = x[r];
    for (int k = r + 1; k < n; k++) {
      sum -= L[k * ld + r] * x[k];
    }
    x[r] = L[r * ld + r] > 0 ? sum / L[r * ld + r] : 0;
  }
}
