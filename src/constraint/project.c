// AR = J M^-1 J' + diag(R), from one sparse vector h_i for each row J_i of the Jacobian:
//
//   M = L'DL      h_i = D^-1/2 L^-T J_i'      A_ij = h_i . h_j
//
// h_i has entries only at the dofs of J_i and their ancestors. A_ij is stored only if h_i and h_j
// have a dof in common.                                          theory/constraints.md, Dual matrix

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <stdint.h>
#include <string.h>

#include "base/vec.h"
#include "constraint/rows/storage.h"
#include "model/arena.h"
#include "model/pair.h"
#include "smooth/ldl.h"

// The sparse vectors h_i of all rows, stored twice: by rows and by dofs (the transpose). Their
// number of entries can exceed an int even if that of J does not, because of the ancestors.
typedef struct {
  int nrow, ndof;
  int64_t* adr;  // dofs of row i, descending: [adr[i], adr[i+1])
  int* dof;
  mjtNum* value;
  int64_t* dofadr;  // rows that have dof i, ascending: [dofadr[i], dofadr[i+1])
  int* row;
  mjtNum* dofvalue;
} HalfRows;

// The interval of indices [low, high].
typedef struct {
  int low, high;
} Range;

static void widen(Range* range, int i) {
  range->low = int_min(range->low, i);
  range->high = int_max(range->high, i);
}

static int64_t* counts_make(mjData* d, int n) {
  return mj_stackAllocByte(d, (size_t)n * sizeof(int64_t), _Alignof(int64_t));
}

// Columns and values of row i of efc_J.
static int jacobian_row(const int** column, const mjtNum** value, const mjModel* m, const mjData* d,
                        int i) {
  int sparse = mj_isSparse(m);
  *column = sparse ? d->efc_J_colind + d->efc_J_rowadr[i] : NULL;
  *value = sparse ? d->efc_J + d->efc_J_rowadr[i] : d->efc_J + (size_t)i * m->nv;
  return sparse ? d->efc_J_rownnz[i] : m->nv;
}

// Marks the dofs at which h_i has an entry by stamp[dof] = i + 1. Returns their number and the
// range that contains them.
static int mark_reached(int* stamp, Range* range, const mjModel* m, const mjData* d, int i) {
  const int* column;
  const mjtNum* value;
  int count = 0, n = jacobian_row(&column, &value, m, d, i);
  *range = (Range){m->nv, -1};
  for (int k = 0; k < n; k++) {
    int up = column ? column[k] : k;
    for (; (column || value[k] != 0) && up >= 0 && stamp[up] != i + 1; up = m->dof_parentid[up]) {
      stamp[up] = i + 1;
      widen(range, up);
      count++;
    }
  }
  return count;
}

// Computes the entries of h_i. x (nv) is a dense work vector, all zero on entry and on return.
static void half_solve(HalfRows* h, mjtNum* x, const mjModel* m, const mjData* d, int i) {
  const int* column;
  const mjtNum* value;
  int n = jacobian_row(&column, &value, m, d, i);
  for (int k = 0; k < n; k++) {
    x[column ? column[k] : k] = value[k];
  }
  for (int64_t k = h->adr[i]; k < h->adr[i + 1]; k++) {
    int dof = h->dof[k];
    ldl_eliminate(x, tree_pattern(m), d->qLD, dof);
    h->value[k] = x[dof] * mju_sqrt(d->qLDiagInv[dof]);
    x[dof] = 0;
  }
}

// Fills the copy of all h_i that is sorted by dofs.
static void transpose(HalfRows* h, mjData* d) {
  size_t n = (size_t)h->adr[h->nrow];
  h->dofadr = counts_make(d, h->ndof + 1);
  h->row = mj_stackAllocInt(d, n);
  h->dofvalue = mj_stackAllocNum(d, n);
  memset(h->dofadr, 0, (h->ndof + 1) * sizeof(int64_t));
  for (size_t k = 0; k < n; k++) {
    h->dofadr[h->dof[k] + 1]++;
  }
  for (int i = 0; i < h->ndof; i++) {
    h->dofadr[i + 1] += h->dofadr[i];
  }
  mj_markStack(d);
  int64_t* next = counts_make(d, h->ndof);
  memcpy(next, h->dofadr, h->ndof * sizeof(int64_t));
  for (int i = 0; i < h->nrow; i++) {
    for (int64_t k = h->adr[i]; k < h->adr[i + 1]; k++) {
      int64_t at = next[h->dof[k]]++;
      h->row[at] = i;
      h->dofvalue[at] = h->value[k];
    }
  }
  mj_freeStack(d);
}

static HalfRows half_rows(const mjModel* m, mjData* d) {
  int nv = m->nv, nefc = d->nefc;
  Range range;
  HalfRows h = {.nrow = nefc, .ndof = nv};
  h.adr = counts_make(d, nefc + 1);
  int* stamp = mj_stackAllocInt(d, nv);
  memset(stamp, 0, nv * sizeof(int));
  h.adr[0] = 0;
  for (int i = 0; i < nefc; i++) {
    h.adr[i + 1] = h.adr[i] + mark_reached(stamp, &range, m, d, i);
  }
  h.dof = mj_stackAllocInt(d, (size_t)h.adr[nefc]);
  h.value = mj_stackAllocNum(d, (size_t)h.adr[nefc]);
  mjtNum* x = mj_stackAllocNum(d, nv);
  memset(x, 0, nv * sizeof(mjtNum));
  memset(stamp, 0, nv * sizeof(int));
  for (int i = 0; i < nefc; i++) {
    mark_reached(stamp, &range, m, d, i);
    int64_t to = h.adr[i];
    for (int dof = range.high; dof >= range.low; dof--) {
      if (stamp[dof] == i + 1) {
        h.dof[to++] = dof;
      }
    }
    half_solve(&h, x, m, d, i);
  }
  transpose(&h, d);
  return h;
}

// Computes row i of A = J M^-1 J' in `product` and marks its entries by stamp[j] = i + 1. Returns
// their number and the range of columns that contains them.
static int product_row(mjtNum* product, int* stamp, Range* range, const HalfRows* h, int i) {
  int count = stamp[i] != i + 1;
  stamp[i] = i + 1;
  product[i] = 0;
  *range = (Range){i, i};
  for (int64_t k = h->adr[i]; k < h->adr[i + 1]; k++) {
    for (int64_t l = h->dofadr[h->dof[k]]; l < h->dofadr[h->dof[k] + 1]; l++) {
      int j = h->row[l];
      if (stamp[j] != i + 1) {
        stamp[j] = i + 1;
        product[j] = 0;
        widen(range, j);
        count++;
      }
      product[j] += h->value[k] * h->dofvalue[l];
    }
  }
  return count;
}

static void make_products(const mjModel* m, mjData* d) {
  int nefc = d->nefc, sparse = mj_isSparse(m);
  mj_markStack(d);
  HalfRows h = half_rows(m, d);
  Range range;
  int* stamp = mj_stackAllocInt(d, nefc);
  mjtNum* product = mj_stackAllocNum(d, nefc);

  // first count the entries, up to what the arena can hold, then compute them
  memset(stamp, 0, nefc * sizeof(int));
  int64_t nA = sparse ? 0 : (int64_t)nefc * nefc;
  int64_t most = (int64_t)(d->narena / (sizeof(mjtNum) + sizeof(int)));
  for (int i = 0; sparse && i < nefc && nA <= most; i++) {
    nA += product_row(product, stamp, &range, &h, i);
  }
  if (storage_dual(d, nA)) {
    int to = 0;
    memset(stamp, 0, nefc * sizeof(int));
    for (int i = 0; i < nefc; i++) {
      d->efc_AR_rowadr[i] = to;
      product_row(product, stamp, &range, &h, i);
      if (!sparse) {
        range = (Range){0, nefc - 1};
      }
      for (int j = range.low; j <= range.high; j++) {
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

// efc_AR = J M^-1 J' + diag(R)
void mj_projectConstraint(const mjModel* m, mjData* d) {
  check_pair(m, d);
  if (d->nefc && mj_isDual(m) && !arena_attempt(make_products, m, d)) {
    storage_full(d);
  }
}
