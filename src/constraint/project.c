#include <string.h>

#include "base/check.h"
#include "base/vec.h"
#include "constraint/rows/storage.h"
#include "model/arena.h"

// AR = J M^-1 J' + diag(R). With M = L'DL, row i of J becomes h_i = D^-1/2 L^-T J_i', and A_ij =
// h_i . h_j. The elimination reaches only the ancestors of the row's dofs, so h_i is short, and
// rows that share no dof then have no entry.
//                                                                              spec 06, section 2.7

// All h_i by rows, and the rows that have each dof.
typedef struct {
  int nrow, ndof;
  int *adr, *dof;  // dofs of row i, descending: [adr[i], adr[i+1])
  mjtNum* value;
  int *rowsadr, *row;  // rows of a dof, ascending, and where their values are
  int* place;
} HalfRows;

// Columns and values of row i of efc_J.
static int jacobian_row(const int** column, const mjtNum** value, const mjModel* m, const mjData* d,
                        int i) {
  int sparse = mj_isSparse(m);
  *column = sparse ? d->efc_J_colind + d->efc_J_rowadr[i] : NULL;
  *value = sparse ? d->efc_J + d->efc_J_rowadr[i] : d->efc_J + (size_t)i * m->nv;
  return sparse ? d->efc_J_rownnz[i] : m->nv;
}

// Marks the dofs that row i reaches with stamp i + 1; returns how many.
static int mark_reached(int* stamp, const mjModel* m, const mjData* d, int i) {
  const int* column;
  const mjtNum* value;
  int count = 0, n = jacobian_row(&column, &value, m, d, i);
  for (int k = 0; k < n; k++) {
    int up = column ? column[k] : k;
    for (; (column || value[k] != 0) && up >= 0 && stamp[up] != i + 1; up = m->dof_parentid[up]) {
      stamp[up] = i + 1;
      count++;
    }
  }
  return count;
}

// h_i, in the dense work vector x, which is zero before and after
static void half_solve(HalfRows* h, mjtNum* x, const mjModel* m, const mjData* d, int i) {
  const int* column;
  const mjtNum* value;
  int n = jacobian_row(&column, &value, m, d, i);
  for (int k = 0; k < n; k++) {
    x[column ? column[k] : k] = value[k];
  }
  for (int k = h->adr[i]; k < h->adr[i + 1]; k++) {
    int dof = h->dof[k], adr = m->M_rowadr[dof];
    for (int l = adr; l < adr + m->M_rownnz[dof] - 1; l++) {
      x[m->M_colind[l]] -= d->qLD[l] * x[dof];
    }
    h->value[k] = x[dof] * mju_sqrt(d->qLDiagInv[dof]);
    x[dof] = 0;
  }
}

// Which rows have each dof.
static void transpose(HalfRows* h, mjData* d) {
  h->rowsadr = mj_stackAllocInt(d, h->ndof + 1);
  h->row = mj_stackAllocInt(d, int_max(1, h->adr[h->nrow]));
  h->place = mj_stackAllocInt(d, int_max(1, h->adr[h->nrow]));
  memset(h->rowsadr, 0, (h->ndof + 1) * sizeof(int));
  for (int k = 0; k < h->adr[h->nrow]; k++) {
    h->rowsadr[h->dof[k] + 1]++;
  }
  for (int i = 0; i < h->ndof; i++) {
    h->rowsadr[i + 1] += h->rowsadr[i];
  }
  mj_markStack(d);
  int* next = mj_stackAllocInt(d, int_max(1, h->ndof));
  memcpy(next, h->rowsadr, h->ndof * sizeof(int));
  for (int i = 0; i < h->nrow; i++) {
    for (int k = h->adr[i]; k < h->adr[i + 1]; k++) {
      int at = next[h->dof[k]]++;
      h->row[at] = i;
      h->place[at] = k;
    }
  }
  mj_freeStack(d);
}

static HalfRows half_make(const mjModel* m, mjData* d) {
  int nv = m->nv, nefc = d->nefc;
  HalfRows h = {.nrow = nefc, .ndof = nv};
  h.adr = mj_stackAllocInt(d, nefc + 1);
  int* stamp = mj_stackAllocInt(d, nv);
  memset(stamp, 0, nv * sizeof(int));
  h.adr[0] = 0;
  for (int i = 0; i < nefc; i++) {
    h.adr[i + 1] = h.adr[i] + mark_reached(stamp, m, d, i);
  }
  h.dof = mj_stackAllocInt(d, int_max(1, h.adr[nefc]));
  h.value = mj_stackAllocNum(d, int_max(1, h.adr[nefc]));
  mjtNum* x = mj_stackAllocNum(d, nv);
  memset(x, 0, nv * sizeof(mjtNum));
  memset(stamp, 0, nv * sizeof(int));
  for (int i = 0; i < nefc; i++) {
    mark_reached(stamp, m, d, i);
    int to = h.adr[i];
    for (int dof = nv - 1; dof >= 0 && to < h.adr[i + 1]; dof--) {
      if (stamp[dof] == i + 1) {
        h.dof[to++] = dof;
      }
    }
    half_solve(&h, x, m, d, i);
  }
  transpose(&h, d);
  return h;
}

// Row i of A in product, and stamp[j] = i + 1 where it has an entry; returns how many that are.
static int product_row(mjtNum* product, int* stamp, const HalfRows* h, int i) {
  int count = stamp[i] != i + 1;
  stamp[i] = i + 1;
  product[i] = 0;
  for (int k = h->adr[i]; k < h->adr[i + 1]; k++) {
    for (int l = h->rowsadr[h->dof[k]]; l < h->rowsadr[h->dof[k] + 1]; l++) {
      int j = h->row[l];
      if (stamp[j] != i + 1) {
        stamp[j] = i + 1;
        product[j] = 0;
        count++;
      }
      product[j] += h->value[k] * h->value[h->place[l]];
    }
  }
  return count;
}

static void make_products(const mjModel* m, mjData* d) {
  int nefc = d->nefc, sparse = mj_isSparse(m);
  mj_markStack(d);
  HalfRows h = half_make(m, d);
  int* stamp = mj_stackAllocInt(d, nefc);
  mjtNum* product = mj_stackAllocNum(d, nefc);

  // size, then entries
  memset(stamp, 0, nefc * sizeof(int));
  d->nA = sparse ? 0 : nefc * nefc;
  for (int i = 0; sparse && i < nefc; i++) {
    d->nA += product_row(product, stamp, &h, i);
  }
  if (storage_dual(d)) {
    int to = 0;
    memset(stamp, 0, nefc * sizeof(int));
    for (int i = 0; i < nefc; i++) {
      d->efc_AR_rowadr[i] = to;
      product_row(product, stamp, &h, i);
      for (int j = 0; j < nefc; j++) {
        int linked = stamp[j] == i + 1;
        if (linked || !sparse) {
          d->efc_AR[to] = (linked ? product[j] : 0) + (i == j ? d->efc_R[i] : 0);
          d->efc_AR_colind[to++] = j;
        }
      }
      d->efc_AR_rownnz[i] = to - d->efc_AR_rowadr[i];
    }
  }
  mj_freeStack(d);
}

void mj_projectConstraint(const mjModel* m, mjData* d) {
  check_given(m, d);
  if (d->nefc && mj_isDual(m) && !arena_attempt(make_products, m, d)) {
    storage_full(d);
  }
}
