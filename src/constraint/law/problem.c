// Views of the whole problem, and products with its matrices, dense or compressed.

#include "constraint/law/problem.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/sparse_row.h"
#include "base/algebra/vec.h"
#include "constraint/law/dense_rows.h"
#include "model/data/jacobian.h"
#include "model/data/share.h"
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
  if (rows_are_sparse(m, d)) {
    J.rownnz = d->efc_J_rownnz;
    J.rowadr = d->efc_J_rowadr;
    J.column = d->efc_J_colind;
    J.same = d->efc_J_rowsuper;
  }
  return J;
}

int problem_is_whole(const mjModel* m, const mjData* d) {
  return d->nisland == 1 && (d->nidof == m->nv || (m->nv <= SMALL_DOFS && !rows_are_sparse(m, d)));
}

// dense products, rows padded to whole vectors

KERNEL
static void padded_mulv(mjtNum* res, const Matrix* A, const mjtNum* x) {
  dense_rows_dot(res, A->value, x, A->nrow, A->ld);
}

KERNEL
static void padded_tmulv(mjtNum* res, const mjtNum* A, const mjtNum* x, int nrow, ptrdiff_t ld) {
  dense_rows_sum(res, A, x, nrow, ld);
}

// either layout

static SparseRows compressed_rows(const Matrix* A) {
  return (SparseRows){A->nrow, A->rownnz, A->rowadr, A->column, A->value, A->same};
}

void matrix_mulv(mjtNum* res, const Matrix* A, const mjtNum* x) {
  if (!A->rownnz && A->ld % SIMD_N == 0) {
    padded_mulv(res, A, x);
    return;
  }
  if (!A->rownnz) {
    mju_mulMatVec(res, A->value, x, A->nrow, A->ncolumn);
    return;
  }
  SparseRows rows = compressed_rows(A);
  rows_dot(res, &rows, x);
}

// Products of sparse rows with one or two vectors.
typedef struct Product {
  SparseRows rows;
  mjtNum* res[2];
  const mjtNum* x[2];
  const mjtNum* minus;
} Product;

// The first row from a given one on whose columns are not those of the row before.
static int first_of_columns(const SparseRows* rows, int row) {
  while (row > 0 && row < rows->n && rows->same[row - 1]) {
    row++;
  }
  return row;
}

// Pieces end between rows with different columns, so that the same rows are multiplied together
// with any number of threads.
static void product_rows(void* argument, int begin, int end) {
  const Product* product = argument;
  const SparseRows* all = &product->rows;
  begin = first_of_columns(all, begin);
  end = first_of_columns(all, end);
  SparseRows rows = {end - begin, all->num + begin, all->adr + begin,
                     all->column, all->value,       all->same + begin};
  for (int k = 0; k < 2 && product->res[k]; k++) {
    mjtNum* res = product->res[k];
    rows_dot(res + begin, &rows, product->x[k]);
    for (int i = begin; product->minus && i < end; i++) {
      res[i] -= product->minus[i];
    }
  }
}

enum {
  PRODUCT_ROWS = 256  // of a piece
};

void matrix_mulv_shared(mjtNum* res, mjData* d, const Matrix* A, const mjtNum* x,
                        const mjtNum* minus) {
  const int least = 2048;
  if (A->rownnz && share_pays(d, A->nrow, least)) {
    Product product = {compressed_rows(A), {res, NULL}, {x, NULL}, minus};
    share_for(d, A->nrow, PRODUCT_ROWS, product_rows, &product);
    return;
  }
  matrix_mulv(res, A, x);
  for (int i = 0; minus && i < A->nrow; i++) {
    res[i] -= minus[i];
  }
}

void matrix_mulv_two(mjtNum* const res[2], mjData* d, const Matrix* A, const mjtNum* const x[2],
                     const mjtNum* minus) {
  const int least = 2048;
  if (!A->rownnz || A->nrow < least) {
    matrix_mulv_shared(res[0], d, A, x[0], minus);
    matrix_mulv_shared(res[1], d, A, x[1], minus);
    return;
  }
  Product product = {compressed_rows(A), {res[0], res[1]}, {x[0], x[1]}, minus};
  if (share_pays(d, A->nrow, least)) {
    share_for(d, A->nrow, PRODUCT_ROWS, product_rows, &product);
    return;
  }
  for (int i = 0; i < A->nrow; i += PRODUCT_ROWS) {
    product_rows(&product, i, int_min(A->nrow, i + PRODUCT_ROWS));
  }
}

void matrix_tmulv(mjtNum* res, const Matrix* A, const mjtNum* x) {
  if (!A->rownnz) {
    padded_tmulv(res, A->value, x, A->nrow, A->ld);
    return;
  }
  memset(res, 0, A->ncolumn * sizeof(mjtNum));
  SparseRows rows = compressed_rows(A);
  rows_add_to(res, &rows, x);
}

void problem_mul_M(mjtNum* res, const Problem* p, const mjtNum* x) {
  if (p->M_dense) {
    padded_tmulv(res, p->M_dense, x, p->n, SIMD_PADDED(p->n));
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
