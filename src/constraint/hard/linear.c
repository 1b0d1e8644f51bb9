// Gaussian elimination with partial pivoting: the matrix of a Newton step is not symmetric.

#include "constraint/hard/linear.h"

#include <math.h>
#include <mujoco/api/base.h>

#include "base/dense_solve.h"

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
        // K is symmetric, so its column is row `to` of A
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

int linear_solve(mjtNum* A, int ld, mjtNum* x, int n) {
  int is_solved = pivoted_solve(x, A, n, 1, 1, ld, mjMINVAL);
  for (int i = 0; i < n; i++) {
    is_solved &= isfinite(x[i]) != 0;
  }
  return is_solved;
}
