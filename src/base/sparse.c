#include <mujoco/api/base.h>

// Compressed rows: row r has rownnz[r] elements from rowadr[r] on, with ascending columns colind.
//                                                                   theory/numerics.md, Sparse rows

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
