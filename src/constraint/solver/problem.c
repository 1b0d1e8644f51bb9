// Views of the whole problem, and products with its matrices, dense or compressed.

#include "constraint/solver/problem.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/sparse_row.h"
#include "smooth/inertia.h"

Rows rows_whole(const mjModel* m, const mjData* d) {
  return (Rows){.nefc = d->nefc,
                .ne = d->ne,
                .nf = d->nf,
                .type = d->efc_type,
                .id = d->efc_id,
                .D = d->efc_D,
                .R = d->efc_R,
                .frictionloss = d->efc_frictionloss,
                .contact = d->contact,
                .elliptic = !mj_isPyramidal(m)};
}

Matrix matrix_whole_J(const mjModel* m, const mjData* d) {
  Matrix J = {.nrow = d->nefc, .ncolumn = m->nv, .ld = m->nv, .value = d->efc_J};
  if (mj_isSparse(m)) {
    J.rownnz = d->efc_J_rownnz;
    J.rowadr = d->efc_J_rowadr;
    J.column = d->efc_J_colind;
    J.same = d->efc_J_rowsuper;
  }
  return J;
}

int problem_is_whole(const mjModel* m, const mjData* d) {
  return d->nisland == 1 && (d->nidof == m->nv || (m->nv <= SMALL_DOFS && !mj_isSparse(m)));
}

// dense products, rows padded to whole vectors

// res_r = A_r . x, four rows at a time to hide the latency of the sums
KERNEL
static void dense_rows_dot(mjtNum* res, const mjtNum* A, const mjtNum* x, int nrow, ptrdiff_t ld) {
  int r = 0;
  for (; r + 4 <= nrow; r += 4, A += 4 * ld) {
    SimdN s[4] = {{0}};
    for (int c = 0; c < ld; c += SIMD_N) {
      SimdN xc = SIMD_READ(SimdN, x + c);
      for (int k = 0; k < 4; k++) {
        s[k] += SIMD_READ(SimdN, A + k * ld + c) * xc;
      }
    }
    simdn_sums(res + r, s);
  }
  for (; r < nrow; r++, A += ld) {
    SimdN s = {0};
    for (int c = 0; c < ld; c += SIMD_N) {
      s += SIMD_READ(SimdN, A + c) * SIMD_READ(SimdN, x + c);
    }
    res[r] = simdn_sum(&s);
  }
}

// columns [c, c + count * SIMD_N) of sum_r x_r A_r, held in registers
INLINE void columns_sum(mjtNum* res, const mjtNum* A, const mjtNum* x, int nrow, ptrdiff_t ld,
                        int count) {
  SimdN sum[4] = {{0}, {0}, {0}, {0}};
  for (int r = 0; r < nrow; r++) {
    if (x[r] != 0) {
      for (int b = 0; b < count; b++) {
        sum[b] += x[r] * SIMD_READ(SimdN, A + r * ld + b * SIMD_N);
      }
    }
  }
  for (int b = 0; b < count; b++) {
    SIMD_AT(SimdN, res + b * SIMD_N) = sum[b];
  }
}

KERNEL
static void dense_rows_sum(mjtNum* res, const mjtNum* A, const mjtNum* x, int nrow, ptrdiff_t ld) {
  int c = 0;
  for (; c + 4 * SIMD_N <= ld; c += 4 * SIMD_N) {
    columns_sum(res + c, A + c, x, nrow, ld, 4);
  }
  switch ((ld - c) / SIMD_N) {
    case 1:
      columns_sum(res + c, A + c, x, nrow, ld, 1);
      break;
    case 2:
      columns_sum(res + c, A + c, x, nrow, ld, 2);
      break;
    case 3:
      columns_sum(res + c, A + c, x, nrow, ld, 3);
      break;
    default:
      break;
  }
}

// either layout

static SparseRows compressed_rows(const Matrix* A) {
  return (SparseRows){A->nrow, A->rownnz, A->rowadr, A->column, A->value};
}

void matrix_mulv(mjtNum* res, const Matrix* A, const mjtNum* x) {
  if (!A->rownnz && A->ld % SIMD_N == 0) {
    dense_rows_dot(res, A->value, x, A->nrow, A->ld);
    return;
  }
  if (!A->rownnz) {
    mju_mulMatVec(res, A->value, x, A->nrow, A->ncolumn);
    return;
  }
  SparseRows rows = compressed_rows(A);
  rows_dot(res, &rows, x);
}

void matrix_tmulv(mjtNum* res, const Matrix* A, const mjtNum* x) {
  if (!A->rownnz) {
    dense_rows_sum(res, A->value, x, A->nrow, A->ld);
    return;
  }
  memset(res, 0, A->ncolumn * sizeof(mjtNum));
  SparseRows rows = compressed_rows(A);
  rows_add_to(res, &rows, x);
}

void problem_mul_M(mjtNum* res, const Problem* p, const mjtNum* x) {
  if (p->M_dense) {
    dense_rows_sum(res, p->M_dense, x, p->n, SIMD_PADDED(p->n));
    return;
  }
  inertia_mul(res, p->tree, p->M, x);
}

void problem_solve_M(mjtNum* x, const Problem* p, mjtNum* path) {
  ldl_solve(x, p->tree, p->LD, p->DInv, path);
}

void problem_warn(mjData* d, const Trouble* trouble) {
  for (int i = 0; i < trouble->count; i++) {
    mj_warning(d, cndWARN_LINESEARCH, i ? trouble->last : trouble->first);
  }
}
