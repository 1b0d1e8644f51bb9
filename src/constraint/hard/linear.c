// Gaussian elimination with partial pivoting: the equations of Newton's step have no symmetry.

#include "constraint/hard/linear.h"

#include <math.h>
#include <mujoco/api/base.h>

#include "base/simd.h"
#include "base/vec.h"

void linear_gather(mjtNum* A, int ld, const int* place, const HardProblem* p, const int* list,
                   int nlist) {
  const HardMatrix* K = p->K;
  for (int l = 0; l < nlist; l++) {
    int i = list[l];
    const HardBlock* block = p->block + i;
    for (int c = 0; c < block->dim; c++) {
      int to = place[block->first + c];
      const mjtNum* column = K->value + K->adr[i] + (int64_t)c * K->length[i];
      for (int k = K->runadr[i]; to >= 0 && k < K->runadr[i + 1]; k++) {
        // K is symmetric: a column is a row
        for (int r = 0; r < K->run[k].n; r++) {
          int from = place[K->run[k].first + r];
          if (from >= 0) {
            A[(size_t)to * ld + from] = column[r];
          }
        }
        column += K->run[k].n;
      }
    }
  }
}

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

int linear_solve(mjtNum* A, int ld, mjtNum* x, int n) {
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      mjtNum a = mju_abs(A[(size_t)i * ld + k]);
      best = a > mju_abs(A[(size_t)best * ld + k]) ? i : best;
    }
    mjtNum* pivot = A + (size_t)k * ld;
    if (best != k) {
      swap_rows(pivot + k, A + (size_t)best * ld + k, n - k);
      swap_rows(x + k, x + best, 1);
    }
    if (!(mju_abs(pivot[k]) > mjMINVAL)) {
      return 0;
    }
    for (int i = k + 1; i < n; i++) {
      mjtNum* row = A + (size_t)i * ld;
      if (row[k] != 0) {
        mjtNum factor = row[k] / pivot[k];
        subtract_row(row + k + 1, pivot + k + 1, factor, n - k - 1);
        x[i] -= factor * x[k];
      }
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    const mjtNum* row = A + (size_t)k * ld;
    for (int c = k + 1; c < n; c++) {
      x[k] -= row[c] * x[c];
    }
    x[k] /= row[k];
    if (!isfinite(x[k])) {
      return 0;
    }
  }
  return 1;
}
