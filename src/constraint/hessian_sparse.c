#include <string.h>

#include "base/vec.h"
#include "constraint/cost.h"
#include "constraint/hessian.h"

// Left-looking: row j of L is gathered in a dense work row, straight from M, from the Jacobian rows that touch j, and from the
// finished rows below it. H itself is never stored, so there is nothing to look up and nothing to cancel, and when few
// rows changed only the dofs above them in the elimination tree are computed again.
//
// Rows of the Jacobian come in groups with the same columns (the rows of one constraint, often of several): pattern work is
// done once for a group.                                             Davis, Direct Methods for Sparse Linear Systems, ch. 4

// runs of rows with the same columns; an elliptic contact is never cut
static void find_groups(SparseHessian* h, const Problem* p) {
  int nefc = p->rows.nefc, i = 0;
  h->ngroup = 0;
  while (i < nefc) {
    int count = 1 + p->J.same[i];
    h->group[h->ngroup] = i;
    h->groupnum[h->ngroup++] = count;
    i += count;
  }
}

// rows of L with their columns, and columns with their rows
static void list_rows(SparseHessian* h) {
  int n = h->n;
  int* fill = h->stale;
  memset(fill, 0, n * sizeof(int));
  for (int i = 0; i < n; i++) {
    pattern_list(h->column + h->rowadr[i], h->pattern, i);
    for (int k = 0; k < h->rownnz[i]; k++) {
      fill[h->column[h->rowadr[i] + k]]++;
    }
  }
  h->belowadr[0] = 0;
  for (int i = 0; i < n; i++) {
    h->belowadr[i + 1] = h->belowadr[i] + fill[i];
    fill[i] = 0;
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = h->rowadr[i]; k < h->rowadr[i] + h->rownnz[i]; k++) {
      int at = h->belowadr[h->column[k]] + fill[h->column[k]]++;
      h->below[at] = i;
      h->position[at] = k;
    }
  }
}

static void list_touches(SparseHessian* h, const Problem* p) {
  int n = h->n;
  int* fill = h->stale;
  memset(fill, 0, n * sizeof(int));
  for (int pass = 0; pass < 2; pass++) {
    for (int g = 0; g < h->ngroup; g++) {
      const int* column = p->J.column + p->J.rowadr[h->group[g]];
      for (int k = 0; k < p->J.rownnz[h->group[g]]; k++) {
        if (pass) {
          int at = h->touchadr[column[k]] + fill[column[k]];
          h->touch[at] = g;
          h->place[at] = k;
        }
        fill[column[k]]++;
      }
    }
    if (!pass) {
      h->touchadr[0] = 0;
      for (int i = 0; i < n; i++) {
        h->touchadr[i + 1] = h->touchadr[i] + fill[i];
        fill[i] = 0;
      }
    }
  }
}

void sparse_make(SparseHessian* h, mjData* d, const Problem* p) {
  int n = p->n, nefc = p->rows.nefc;
  h->n = n;
  h->pattern = p->pattern;
  h->rownnz = p->pattern->nnz;
  h->rowadr = mj_stackAllocInt(d, n);
  h->belowadr = mj_stackAllocInt(d, n + 1);
  h->touchadr = mj_stackAllocInt(d, n + 1);
  h->stale = mj_stackAllocInt(d, n);
  h->D = mj_stackAllocNum(d, n);
  h->DInv = mj_stackAllocNum(d, n);
  h->work = mj_stackAllocNum(d, n);
  memset(h->work, 0, n * sizeof(mjtNum));
  h->group = mj_stackAllocInt(d, nefc);
  h->groupnum = mj_stackAllocInt(d, nefc);
  find_groups(h, p);

  int nnz = 0, ntouch = 0;
  for (int i = 0; i < n; i++) {
    h->rowadr[i] = nnz;
    nnz += h->rownnz[i];
  }
  for (int g = 0; g < h->ngroup; g++) {
    ntouch += p->J.rownnz[h->group[g]];
  }
  h->column = mj_stackAllocInt(d, nnz);
  h->below = mj_stackAllocInt(d, nnz);
  h->position = mj_stackAllocInt(d, nnz);
  h->L = mj_stackAllocNum(d, nnz);
  h->touch = mj_stackAllocInt(d, ntouch);
  h->place = mj_stackAllocInt(d, ntouch);
  list_rows(h);
  list_touches(h, p);
}

// work_c += s value_c over a list of columns; most columns come in runs, so neighbours are tried as a vector
INLINE void scatter_add(mjtNum* work, const int* column, const mjtNum* value, mjtNum s, int n) {
  int k = 0;
  while (k + HALF <= n) {
    if (column[k + HALF - 1] - column[k] == HALF - 1) {
      HALF_AT(work + column[k]) += s * HALF_READ(value + k);
      k += HALF;
    } else {
      work[column[k]] += s * value[k];
      k++;
    }
  }
  for (; k < n; k++) {
    work[column[k]] += s * value[k];
  }
}

// Row weights of a group at its column a: c_r = sum_s W_rs J_s[a].
static int group_weights(mjtNum* c, const Problem* p, int first, int count, int a) {
  const Rows* rows = &p->rows;
  int any = 0;
  for (int r = 0; r < count;) {
    int i = first + r, dim = rows->elliptic ? rows_block(rows, i) : 1;
    const mjtNum* J = p->J.value + p->J.rowadr[i] + a;
    int nnz = p->J.rownnz[i];
    if (p->state[i] == mjCNSTRSTATE_CONE) {
      const mjtNum* H = rows->contact[rows->id[i]].H;
      for (int s = 0; s < dim; s++) {
        c[r + s] = 0;
        for (int t = 0; t < dim; t++) {
          c[r + s] += H[s * dim + t] * J[t * nnz];
        }
      }
      any = 1;
    } else {
      for (int s = 0; s < dim; s++) {
        c[r + s] = row_weight(rows, i + s, p->state[i + s]) * J[s * nnz];
        any |= c[r + s] != 0;
      }
    }
    r += dim;
  }
  return any;
}

// adds the Jacobian rows of one group to row j of H
INLINE void add_group(SparseHessian* h, const Problem* p, int g, int a, mjtNum* c) {
  int first = h->group[g], count = h->groupnum[g];
  if (!group_weights(c, p, first, count, a)) {
    return;
  }
  const int* column = p->J.column + p->J.rowadr[first];
  for (int r = 0; r < count; r++) {
    if (c[r] != 0) {
      scatter_add(h->work, column, p->J.value + p->J.rowadr[first + r], c[r], a + 1);
    }
  }
}

// row j of the factor; the work row is left zero
KERNEL
static int compute_row(SparseHessian* h, const Problem* p, int j, mjtNum* c) {
  mjtNum* work = h->work;
  int adr = p->M.rowadr[j];
  scatter_add(work, p->M.column + adr, p->M.value + adr, 1, p->M.rownnz[j]);
  for (int k = h->touchadr[j]; k < h->touchadr[j + 1]; k++) {
    add_group(h, p, h->touch[k], h->place[k], c);
  }
  for (int k = h->belowadr[j]; k < h->belowadr[j + 1]; k++) {
    int i = h->below[k], start = h->rowadr[i], at = h->position[k];
    mjtNum scaled = h->L[at] * h->D[i];
    scatter_add(work, h->column + start, h->L + start, -scaled, at - start);
    work[j] -= scaled * h->L[at];
  }

  int sound = work[j] >= mjMINVAL;
  h->D[j] = sound ? work[j] : mjMINVAL;
  h->DInv[j] = 1 / h->D[j];
  work[j] = 0;
  for (int k = h->rowadr[j]; k < h->rowadr[j] + h->rownnz[j]; k++) {
    h->L[k] = work[h->column[k]] * h->DInv[j];
    work[h->column[k]] = 0;
  }
  return sound;
}

// Marks the dofs of a group and all above them.
static void mark_group(SparseHessian* h, const Problem* p, int g) {
  int i = h->group[g];
  int last = p->J.rownnz[i] ? p->J.column[p->J.rowadr[i] + p->J.rownnz[i] - 1] : -1;
  for (; last >= 0 && !h->stale[last]; last = h->pattern->parent[last]) {
    h->stale[last] = 1;
  }
}

void sparse_update(SparseHessian* h, const Problem* p, const int* before) {
  const Rows* rows = &p->rows;
  int largest = 0;
  for (int i = 0; i < h->n; i++) {
    h->stale[i] = !before;
  }
  for (int g = 0; g < h->ngroup; g++) {
    int changed = 0;
    for (int i = h->group[g]; i < h->group[g] + h->groupnum[g]; i++) {
      int old = before ? before[i] : mjCNSTRSTATE_SATISFIED;
      changed |= row_weight(rows, i, p->state[i]) != row_weight(rows, i, old) ||
                 p->state[i] == mjCNSTRSTATE_CONE || old == mjCNSTRSTATE_CONE;
    }
    if (changed && before) {
      mark_group(h, p, g);
    }
    largest = int_max(largest, h->groupnum[g]);
  }

  mj_markStack(p->d);
  mjtNum* c = mj_stackAllocNum(p->d, largest);
  for (int j = h->n - 1; j >= 0; j--) {
    if (h->stale[j]) {
      compute_row(h, p, j, c);
    }
  }
  mj_freeStack(p->d);
}

void sparse_solve(const SparseHessian* h, mjtNum* x) {
  for (int i = h->n - 1; i >= 0; i--) {
    for (int k = h->rowadr[i]; k < h->rowadr[i] + h->rownnz[i]; k++) {
      x[h->column[k]] -= h->L[k] * x[i];
    }
  }
  for (int i = 0; i < h->n; i++) {
    mjtNum sum = x[i] * h->DInv[i];
    for (int k = h->rowadr[i]; k < h->rowadr[i] + h->rownnz[i]; k++) {
      sum -= h->L[k] * x[h->column[k]];
    }
    x[i] = sum;
  }
}
