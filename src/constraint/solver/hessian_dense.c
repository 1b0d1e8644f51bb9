#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/vec.h"
#include "constraint/law.h"
#include "constraint/solver/hessian.h"

// Rows that are added to H together: as many as a contact has, so that each entry of H is read and
// written once for all.
enum {
  TOGETHER = 6
};

// H_j += sum_r c_r(j) J_r for all rows j, c_r(j) = sum_s W_rs J_s[j]; W k x k, or its diagonal if
// diagonal != 0
INLINE void add_rows_of(mjtNum* H, int n, ptrdiff_t ld, const mjtNum* const* J, const mjtNum* W,
                        int diagonal, int k) {
  for (int j = 0; j < n; j++) {
    mjtNum c[TOGETHER], any = 0;
    for (int r = 0; r < k; r++) {
      if (diagonal) {
        c[r] = W[r] * J[r][j];
      } else {
        c[r] = 0;
        for (int s = 0; s < k; s++) {
          c[r] += W[r * k + s] * J[s][j];
        }
      }
      any += mju_abs(c[r]);
    }
    if (any == 0) {
      continue;
    }
    mjtNum* to = H + j * ld;
    for (int b = 0; b <= j; b += SIMD_N) {
      SimdN sum = SIMD_READ(SimdN, to + b);
      for (int r = 0; r < k; r++) {
        sum += c[r] * SIMD_READ(SimdN, J[r] + b);
      }
      SIMD_AT(SimdN, to + b) = sum;
    }
  }
}

KERNEL
static void add_rows(mjtNum* H, int n, ptrdiff_t ld, const mjtNum* const* J, const mjtNum* W,
                     int diagonal, int k) {
  switch (k) {
    case 1:
      add_rows_of(H, n, ld, J, W, diagonal, 1);
      break;
    case 2:
      add_rows_of(H, n, ld, J, W, diagonal, 2);
      break;
    case 3:
      add_rows_of(H, n, ld, J, W, diagonal, 3);
      break;
    case 4:
      add_rows_of(H, n, ld, J, W, diagonal, 4);
      break;
    default:
      add_rows_of(H, n, ld, J, W, diagonal, k);
      break;
  }
}

// In place, from the last pivot: row_j -= (H_ij / D_i) row_i for every ancestor j of i, then row_i
// /= D_i. Returns 0 if a pivot was too small.
KERNEL
static int factor(mjtNum* L, mjtNum* DInv, int n, ptrdiff_t ld) {
  int sound = 1;
  for (int i = n - 1; i >= 0; i--) {
    mjtNum* row = L + i * ld;
    mjtNum pivot = row[i];
    if (!(pivot >= mjMINVAL)) {
      pivot = mjMINVAL;
      sound = 0;
    }
    mjtNum inverse = DInv[i] = 1 / pivot;
    for (int k = i; k < SIMD_PADDED(i + 1); k++) {
      row[k] = 0;
    }
    for (int j = i - 1; j >= 0; j--) {
      if (row[j] != 0) {
        mjtNum c = row[j] * inverse;
        mjtNum* to = L + j * ld;
        for (int b = 0; b <= j; b += SIMD_N) {
          SIMD_AT(SimdN, to + b) -= c * SIMD_READ(SimdN, row + b);
        }
      }
    }
    for (int b = 0; b < i; b += SIMD_N) {
      SIMD_AT(SimdN, row + b) *= inverse;
    }
  }
  return sound;
}

// L' y = x, z = y / D, L x = z
KERNEL
static void solve(mjtNum* x, const mjtNum* L, const mjtNum* DInv, int n, ptrdiff_t ld) {
  for (int i = n - 1; i > 0; i--) {
    const mjtNum* row = L + i * ld;
    mjtNum xi = x[i];
    for (int b = 0; b < i; b += SIMD_N) {
      SIMD_AT(SimdN, x + b) -= xi * SIMD_READ(SimdN, row + b);
    }
  }
  for (int i = 0; i < n; i++) {
    x[i] *= DInv[i];
  }
  for (int i = 1; i < n; i++) {
    const mjtNum* row = L + i * ld;
    SimdN sum = {0};
    for (int b = 0; b < i; b += SIMD_N) {
      sum += SIMD_READ(SimdN, row + b) * SIMD_READ(SimdN, x + b);
    }
    x[i] -= simdn_sum(&sum);
  }
}

void dense_make(DenseHessian* hessian, mjData* d, const Problem* p) {
  int n = p->n, ld = SIMD_PADDED(n);
  hessian->n = n;
  hessian->ld = ld;
  hessian->H = mj_stackAllocByte(d, sizeof(mjtNum) * n * ld, 64);
  hessian->L = mj_stackAllocByte(d, sizeof(mjtNum) * n * ld, 64);
  hessian->DInv = mj_stackAllocByte(d, sizeof(mjtNum) * ld, 64);
}

// adds the rows whose weight differs from that of `before`
static void add_changes(DenseHessian* hessian, const Problem* p, const int* before) {
  const Rows* rows = &p->rows;
  const mjtNum* J[TOGETHER];
  mjtNum W[TOGETHER];
  int k = 0;
  for (int i = 0; i < rows->nefc; i++) {
    mjtNum old = before ? law_curvature(rows->D[i], before[i]) : 0;
    mjtNum change = law_curvature(rows->D[i], p->state[i]) - old;
    if (change != 0) {
      J[k] = p->J.value + i * p->J.ld;
      W[k++] = change;
    }
    if (k == 4 || (k && i + 1 == rows->nefc)) {
      add_rows(hessian->H, hessian->n, hessian->ld, J, W, 1, k);
      k = 0;
    }
  }
}

static void add_cones(DenseHessian* hessian, const Problem* p) {
  const Rows* rows = &p->rows;
  for (int i = rows->ne + rows->nf; rows->elliptic && i < rows->nefc; i += law_rows(rows, i)) {
    if (p->state[i] == mjCNSTRSTATE_CONE) {
      const mjtNum* J[TOGETHER];
      int dim = law_rows(rows, i);
      for (int r = 0; r < dim; r++) {
        J[r] = p->J.value + (i + r) * p->J.ld;
      }
      add_rows(hessian->L, hessian->n, hessian->ld, J, rows->contact[rows->id[i]].H, 0, dim);
    }
  }
}

void dense_update(DenseHessian* hessian, const Problem* p, const int* before) {
  size_t bytes = sizeof(mjtNum) * hessian->n * hessian->ld;
  if (!before) {
    memcpy(hessian->H, p->M_dense, bytes);
  }
  add_changes(hessian, p, before);
  memcpy(hessian->L, hessian->H, bytes);
  add_cones(hessian, p);

  // the differences of many updates may leave a pivot without meaning: sum again
  if (!factor(hessian->L, hessian->DInv, hessian->n, hessian->ld) && before) {
    dense_update(hessian, p, NULL);
  }
}

void dense_solve(const DenseHessian* hessian, mjtNum* x) {
  solve(x, hessian->L, hessian->DInv, hessian->n, hessian->ld);
}
