// band.c: Cholesky factor, solve and products of a symmetric matrix that is banded except for its
// last rows. The lower triangle is stored by rows:
//
//     | * d           |     rows of the band: nband numbers, the last one on the diagonal
//     |   * * d       |     (the first rows use only the end);
//     |     * * d     |
//     | * * * * * d . |     then ndense rows of ntotal numbers, used up to the diagonal
//
// Element (i, j) is at row(i) + j for every stored j.             theory/numerics.md, Band matrices

#include <condyle/dynamics.h>
#include <mujoco/api/base.h>
#include <stdint.h>
#include <string.h>

#include "base/algebra/dense.h"
#include "base/algebra/vec.h"
#include "base/memory/check.h"

// Ends in mju_error if no matrix has these sizes.
static void check_band(const char* function, int ntotal, int nband, int ndense) {
  if (ntotal < 0 || nband < 0 || ndense < 0 || ndense > ntotal) {
    mju_error("%s: ntotal %d, nband %d and ndense %d are no band: must be >= 0, ndense <= ntotal",
              function, ntotal, nband, ndense);
  }
}

static int64_t row(int64_t i, int64_t ntotal, int64_t nband, int64_t ndense) {
  int64_t nsparse = ntotal - ndense;
  return i < nsparse ? i * nband + nband - 1 - i : nsparse * nband + (i - nsparse) * ntotal;
}

// first stored column
static int first(int i, int ntotal, int nband, int ndense) {
  return i < ntotal - ndense ? int_max(0, i - nband + 1) : 0;
}

int mju_bandDiag(int i, int ntotal, int nband, int ndense) {
  check_band(__func__, ntotal, nband, ndense);
  check_index(__func__, "row", i, ntotal);
  return (int)row(i, ntotal, nband, ndense) + i;
}

// L_ij = (a_ij - sum_k L_ik L_jk) / L_jj over the columns k < j that both rows store
mjtNum mju_cholFactorBand(mjtNum* mat, int ntotal, int nband, int ndense, mjtNum diagadd,
                          mjtNum diagmul) {
  check_band(__func__, ntotal, nband, ndense);
  mjtNum smallest = 0;
  for (int i = 0; i < ntotal; i++) {
    mjtNum* Li = mat + row(i, ntotal, nband, ndense);
    int start = first(i, ntotal, nband, ndense);
    for (int j = start; j < i; j++) {
      const mjtNum* Lj = mat + row(j, ntotal, nband, ndense);
      int both = int_max(start, first(j, ntotal, nband, ndense));
      Li[j] = (Li[j] - dot_n(Li + both, Lj + both, j - both)) / Lj[j];
    }
    mjtNum pivot = Li[i] + diagadd + diagmul * Li[i] - dot_n(Li + start, Li + start, i - start);
    if (pivot < mjMINVAL) {
      return 0;
    }
    if (i == 0 || pivot < smallest) {
      smallest = pivot;
    }
    Li[i] = mju_sqrt(pivot);
  }
  return smallest;
}

mjtNum cnd_cholFactorBand(mjtNum* mat, int ntotal, int nband, int ndense, mjtNum diagadd,
                          mjtNum diagmul) {
  check_arrays(ntotal, mat);
  return mju_sqrt(mju_cholFactorBand(mat, ntotal, nband, ndense, diagadd, diagmul));
}

void mju_cholSolveBand(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband,
                       int ndense) {
  check_band(__func__, ntotal, nband, ndense);
  if (res != vec) {
    mju_copy(res, vec, ntotal);
  }
  for (int i = 0; i < ntotal; i++) {
    const mjtNum* Li = mat + row(i, ntotal, nband, ndense);
    int start = first(i, ntotal, nband, ndense);
    res[i] = (res[i] - dot_n(Li + start, res + start, i - start)) / Li[i];
  }
  for (int i = ntotal - 1; i >= 0; i--) {
    const mjtNum* Li = mat + row(i, ntotal, nband, ndense);
    int start = first(i, ntotal, nband, ndense);
    res[i] /= Li[i];
    axpy_n(res + start, Li + start, -res[i], i - start);
  }
}

void mju_band2Dense(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense,
                    mjtByte flg_sym) {
  check_band(__func__, ntotal, nband, ndense);
  mjtNum* Di = res;
  for (int i = 0; i < ntotal; i++, Di += ntotal) {
    const mjtNum* Ai = mat + row(i, ntotal, nband, ndense);
    mju_zero(Di, ntotal);
    for (int j = first(i, ntotal, nband, ndense); j <= i; j++) {
      Di[j] = Ai[j];
      if (flg_sym) {
        res[(size_t)j * ntotal + i] = Ai[j];
      }
    }
  }
}

void mju_dense2Band(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense) {
  check_band(__func__, ntotal, nband, ndense);
  memset(res, 0, (size_t)row(ntotal, ntotal, nband, ndense) * sizeof(mjtNum));
  for (int i = 0; i < ntotal; i++, mat += ntotal) {
    mjtNum* Ai = res + row(i, ntotal, nband, ndense);
    for (int j = first(i, ntotal, nband, ndense); j <= i; j++) {
      Ai[j] = mat[j];
    }
  }
}

void mju_bandMulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband,
                       int ndense, int nvec, mjtByte flg_sym) {
  check_band(__func__, ntotal, nband, ndense);
  for (int v = 0; v < nvec; v++, res += ntotal, vec += ntotal) {
    for (int i = 0; i < ntotal; i++) {
      const mjtNum* Ai = mat + row(i, ntotal, nband, ndense);
      int start = first(i, ntotal, nband, ndense);
      res[i] = dot_n(Ai + start, vec + start, i + 1 - start);
      if (flg_sym) {
        axpy_n(res + start, Ai + start, vec[i], i - start);
      }
    }
  }
}
