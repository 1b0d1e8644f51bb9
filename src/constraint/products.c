#include <string.h>

#include "base/dense.h"
#include "constraint/problem.h"
#include "constraint/storage.h"

// Products with the constraint Jacobian, and what follows from them alone.                  spec 06, sections 2.6, 2.7 and 7

static Matrix sparse_J(const mjModel* m, const mjData* d) {
  return (Matrix){.nrow = d->nefc,
                  .ncolumn = m->nv,
                  .value = d->efc_J,
                  .rownnz = d->efc_J_rownnz,
                  .rowadr = d->efc_J_rowadr,
                  .column = d->efc_J_colind};
}

void mj_mulJacVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  if (!d->nefc) {
    return;
  }
  if (mj_isSparse(m)) {
    Matrix J = sparse_J(m, d);
    matrix_mulv(res, &J, vec);
  } else {
    dense_mulv(res, d->efc_J, vec, d->nefc, m->nv);
  }
}

void mj_mulJacTVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  if (!d->nefc) {
    return;
  }
  if (mj_isSparse(m)) {
    Matrix J = sparse_J(m, d);
    matrix_tmulv(res, &J, vec);
  } else {
    dense_tmulv(res, d->efc_J, vec, d->nefc, m->nv);
  }
}

// aref = -B vel - K I (pos - margin)
void mj_referenceConstraint(const mjModel* m, mjData* d) {
  mj_mulJacVec(m, d, d->efc_vel, d->qvel);
  for (int i = 0; i < d->nefc; i++) {
    const mjtNum* KBIP = d->efc_KBIP + 4 * i;
    d->efc_aref[i] =
        -KBIP[1] * d->efc_vel[i] - KBIP[0] * KBIP[2] * (d->efc_pos[i] - d->efc_margin[i]);
  }
}

// Row i of J, dense, and the dofs where D^-1/2 L^-T of it can be nonzero: its own and their ancestors. The product of two such
// rows is an entry of J M^-1 J'.
static void expand_row(mjtNum* dense, char* reached, const mjModel* m, const mjData* d, int i) {
  int sparse = mj_isSparse(m);
  int n = sparse ? d->efc_J_rownnz[i] : m->nv;
  for (int k = 0; k < n; k++) {
    int dof = sparse ? d->efc_J_colind[d->efc_J_rowadr[i] + k] : k;
    dense[dof] = sparse ? d->efc_J[d->efc_J_rowadr[i] + k] : d->efc_J[(size_t)i * m->nv + k];
    for (int up = dof; reached && up >= 0 && !reached[up]; up = m->dof_parentid[up]) {
      reached[up] = 1;
    }
  }
}

static int share_dof(const char* a, const char* b, int nv) {
  for (int k = 0; k < nv; k++) {
    if (a[k] & b[k]) {
      return 1;
    }
  }
  return 0;
}

// AR = (D^-1/2 L^-T J')' (D^-1/2 L^-T J') + diag(R), symmetric; sparse: rows that share a dof, or an ancestor of one.
void mj_projectConstraint(const mjModel* m, mjData* d) {
  if (!d->nefc || !mj_isDual(m)) {
    return;
  }
  int nefc = d->nefc, nv = m->nv, sparse = mj_isSparse(m);
  mj_markStack(d);
  mjtNum* half = mj_stackAllocNum(d, nefc * nv);
  mjtNum* scale = mj_stackAllocNum(d, nv);
  char* reached = sparse ? mj_stackAllocByte(d, (size_t)nefc * nv, 1) : NULL;
  memset(half, 0, sizeof(mjtNum) * nefc * nv);
  if (sparse) {
    memset(reached, 0, (size_t)nefc * nv);
  }
  for (int i = 0; i < nv; i++) {
    scale[i] = mju_sqrt(d->qLDiagInv[i]);
  }
  for (int i = 0; i < nefc; i++) {
    expand_row(half + i * nv, sparse ? reached + i * nv : NULL, m, d, i);
  }
  mj_solveM2(m, d, half, half, scale, nefc);

  // size, then entries
  char* linked = mj_stackAllocByte(d, (size_t)nefc * nefc, 1);
  d->nA = 0;
  for (int i = 0; i < nefc; i++) {
    for (int j = 0; j < nefc; j++) {
      linked[i * nefc + j] = !sparse || i == j || share_dof(reached + i * nv, reached + j * nv, nv);
      d->nA += linked[i * nefc + j];
    }
  }
  if (!storage_dual(d)) {
    mj_freeStack(d);
    return;
  }
  int to = 0;
  for (int i = 0; i < nefc; i++) {
    int start = to;
    for (int j = 0; j < nefc; j++) {
      if (linked[i * nefc + j]) {
        d->efc_AR[to] = dot_n(half + i * nv, half + j * nv, nv) + (i == j ? d->efc_R[i] : 0);
        d->efc_AR_colind[to++] = j;
      }
    }
    d->efc_AR_rowadr[i] = start;
    d->efc_AR_rownnz[i] = to - start;
  }
  mj_freeStack(d);
}
