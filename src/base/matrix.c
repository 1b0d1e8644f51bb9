#include <stdio.h>
#include <string.h>

#include "base/dense.h"

// General dense matrices, row-major. Products that scale one row by one element leave zero elements
// out, so that nothing multiplied by zero, not even NaN, spreads.

void mju_mulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  dense_mulv(res, mat, vec, nr, nc);
}

void mju_mulMatTVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  dense_tmulv(res, mat, vec, nr, nc);
}

mjtNum mju_mulVecMatVec(const mjtNum* vec1, const mjtNum* mat, const mjtNum* vec2, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) {
    sum += vec1[i] * dot_n(mat + i * n, vec2, n);
  }
  return sum;
}

void mju_transpose(mjtNum* res, const mjtNum* mat, int nr, int nc) {
  for (int i = 0; i < nr; i++) {
    for (int j = 0; j < nc; j++) {
      res[j * nr + i] = mat[i * nc + j];
    }
  }
}

void mju_symmetrize(mjtNum* res, const mjtNum* mat, int n) {
  for (int i = 0; i < n; i++) {
    res[i * n + i] = mat[i * n + i];
    for (int j = 0; j < i; j++) {
      res[i * n + j] = res[j * n + i] = (mat[i * n + j] + mat[j * n + i]) / 2;
    }
  }
}

void mju_eye(mjtNum* mat, int n) {
  mju_zero(mat, n > 0 ? n * n : 0);
  for (int i = 0; i < n; i++) {
    mat[i * n + i] = 1;
  }
}

void mju_mulMatMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2) {
  for (int i = 0; i < r1; i++) {
    dense_tmulv(res + i * c2, mat2, mat1 + i * c1, c1, c2);
  }
}

void mju_mulMatMatT(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int r2) {
  for (int i = 0; i < r1; i++) {
    dense_mulv(res + i * r2, mat2, mat1 + i * c1, r2, c1);
  }
}

void mju_mulMatTMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2) {
  mju_zero(res, c1 > 0 && c2 > 0 ? c1 * c2 : 0);
  for (int r = 0; r < r1; r++) {
    for (int i = 0; i < c1; i++) {
      if (mat1[r * c1 + i] != 0) {
        axpy_n(res + i * c2, mat2 + r * c2, mat1[r * c1 + i], c2);
      }
    }
  }
}

void mju_sqrMatTD(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc) {
  mju_zero(res, nc > 0 ? nc * nc : 0);
  for (int r = 0; r < nr; r++) {
    const mjtNum* row = mat + r * nc;
    mjtNum scale = diag ? diag[r] : 1;
    for (int i = 0; scale != 0 && i < nc; i++) {
      if (row[i] != 0) {
        axpy_n(res + i * nc, row, scale * row[i], i + 1);
      }
    }
  }
  dense_mirror(res, nc);
}

int mju_cholFactor(mjtNum* mat, int n, mjtNum mindiag) {
  return chol_factor(mat, n, mindiag);
}

void mju_cholSolve(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n) {
  chol_solve(res, mat, vec, n);
}

int mju_cholUpdate(mjtNum* mat, mjtNum* x, int n, int flg_plus) {
  return chol_update(mat, x, n, flg_plus);
}

void mju_printMat(const mjtNum* mat, int nr, int nc) {
  for (int r = 0; r < nr; r++) {
    for (int c = 0; c < nc; c++) {
      printf("%.8f ", (double)mat[r * nc + c]);
    }
    printf("\n");
  }
  printf("\n");
}

void mju_printMatSparse(const mjtNum* mat, int nr, const int* rownnz, const int* rowadr,
                        const int* colind) {
  for (int r = 0; r < nr; r++) {
    for (int k = rowadr[r]; k < rowadr[r] + rownnz[r]; k++) {
      printf("(%d %d): %9.6f  ", r, colind[k], (double)mat[k]);
    }
    printf("\n");
  }
  printf("\n");
}
