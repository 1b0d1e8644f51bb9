// matrix.c: general dense matrices, row-major. Products that add scaled rows skip rows whose factor
// is 0, so that 0 times NaN does not spread.

#include <mujoco/api/base.h>
#include <stdio.h>

#include "base/algebra/dense.h"

mjtNum mju_mulVecMatVec(const mjtNum* vec1, const mjtNum* mat, const mjtNum* vec2, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++, mat += n) {
    sum += vec1[i] * dot_n(mat, vec2, n);
  }
  return sum;
}

void mju_transpose(mjtNum* res, const mjtNum* mat, int nr, int nc) {
  for (int i = 0; i < nr; i++) {
    for (int j = 0; j < nc; j++) {
      res[(size_t)j * nr + i] = *mat++;
    }
  }
}

void mju_symmetrize(mjtNum* res, const mjtNum* mat, int n) {
  size_t size = n > 0 ? (size_t)n : 0;
  for (size_t i = 0; i < size; i++) {
    res[i * size + i] = mat[i * size + i];
    for (size_t j = 0; j < i; j++) {
      res[i * size + j] = res[j * size + i] = (mat[i * size + j] + mat[j * size + i]) / 2;
    }
  }
}

void mju_eye(mjtNum* mat, int n) {
  for (int i = 0; i < n; i++, mat += n) {
    mju_zero(mat, n);
    mat[i] = 1;
  }
}

void mju_mulMatMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2) {
  for (int i = 0; i < r1; i++, res += c2, mat1 += c1) {
    mju_mulMatTVec(res, mat2, mat1, c1, c2);
  }
}

void mju_mulMatMatT(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int r2) {
  for (int i = 0; i < r1; i++, res += r2, mat1 += c1) {
    mju_mulMatVec(res, mat2, mat1, r2, c1);
  }
}

static void zero_rows(mjtNum* res, int nr, int nc) {
  for (int r = 0; r < nr; r++, res += nc) {
    mju_zero(res, nc);
  }
}

void mju_mulMatTMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2) {
  zero_rows(res, c1, c2);
  for (int r = 0; r < r1; r++, mat1 += c1, mat2 += c2) {
    for (int i = 0; i < c1; i++) {
      if (mat1[i] != 0) {
        axpy_n(res + (size_t)i * c2, mat2, mat1[i], c2);
      }
    }
  }
}

void mju_sqrMatTD(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc) {
  zero_rows(res, nc, nc);
  for (int r = 0; r < nr; r++, mat += nc) {
    mjtNum scale = diag ? diag[r] : 1;
    for (int i = 0; scale != 0 && i < nc; i++) {
      if (mat[i] != 0) {
        axpy_n(res + (size_t)i * nc, mat, scale * mat[i], i + 1);
      }
    }
  }
  dense_mirror(res, nc);
}

void mju_printMat(const mjtNum* mat, int nr, int nc) {
  for (int r = 0; r < nr; r++) {
    for (int c = 0; c < nc; c++) {
      printf("%.8f ", (double)*mat++);
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
