// The sparse Newton matrix, factored left-looking: row j of L is summed in a dense work row, from
// M, from the Jacobian rows that have column j, and from the finished rows below it. H is never
// stored, so no entry is looked up and no update cancels. If few rows changed, only the dofs above
// them in the elimination tree are computed again.
//
// Most of the work is "sum some rows with the same columns, then scatter the sum". Rows of the
// Jacobian come in groups (the rows of one constraint, often of several), rows of L in supernodes.

#include <limits.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/dense.h"
#include "base/algebra/sparse_row.h"
#include "base/algebra/vec.h"
#include "constraint/law/law.h"
#include "constraint/solver/hessian.h"
#include "model/data/arena.h"
#include "model/data/share.h"

// Finds runs of rows with the same columns.
static void find_groups(SparseHessian* h, const Problem* p) {
  h->ngroup = 0;
  for (int i = 0; i < p->rows.nefc; i += h->groupnum[h->ngroup++]) {
    h->group[h->ngroup] = i;
    h->groupnum[h->ngroup] = 1 + p->J.same[i];
  }
}

// Row i continues a supernode if its columns are those of row i - 1, and i - 1. Comparing counts is
// enough, because one set always includes the other.
static void find_supernodes(SparseHessian* h) {
  const int *parent = h->pattern->parent, *nnz = h->pattern->nnz;
  h->nsuper = 0;
  for (int i = 0; i < h->n; i++) {
    if (!i || parent[i] != i - 1 || nnz[i] != nnz[i - 1] + 1) {
      h->super[h->nsuper++] = (Supernode){.first = i, .nouter = nnz[i]};
    }
    h->super[h->nsuper - 1].last = i;
    h->super_of[i] = h->nsuper - 1;
  }
}

// A list of columns.
typedef struct {
  const int* column;
  int n;
} List;

// Transposes lists of columns: for each column i, the lists that contain it, in descending order,
// and its place in each of them. The first round counts.
static ColumnLists transpose(mjData* d, const List* lists, int nlist, int n) {
  ColumnLists by = {.adr = mj_stackAllocInt(d, n + 1)};
  int* fill = mj_stackAllocInt(d, n);
  for (int round = 0; round < 2; round++) {
    memset(fill, 0, n * sizeof(int));
    for (int l = nlist - 1; l >= 0; l--) {
      for (int k = 0; k < lists[l].n; k++) {
        int column = lists[l].column[k], at = fill[column]++;
        if (round) {
          by.list[by.adr[column] + at] = l;
          by.place[by.adr[column] + at] = k;
        }
      }
    }
    if (!round) {
      by.adr[0] = 0;
      for (int i = 0; i < n; i++) {
        by.adr[i + 1] = by.adr[i] + fill[i];
      }
      by.list = mj_stackAllocInt(d, by.adr[n]);
      by.place = mj_stackAllocInt(d, by.adr[n]);
    }
  }
  return by;
}

static void make_supernodes(SparseHessian* h, mjData* d) {
  int n = h->n;
  h->super = mj_stackAllocByte(d, sizeof(Supernode) * n, _Alignof(Supernode));
  h->super_of = mj_stackAllocInt(d, n);
  find_supernodes(h);
  List* lists = mj_stackAllocByte(d, sizeof(List) * h->nsuper, _Alignof(List));
  for (int s = 0; s < h->nsuper; s++) {
    Supernode* super = h->super + s;
    super->outer = mj_stackAllocInt(d, super->nouter);
    pattern_list(super->outer, h->pattern, super->first);
    lists[s] = (List){super->outer, super->nouter};
  }
  h->below = transpose(d, lists, h->nsuper, n);
}

static void make_groups(SparseHessian* h, mjData* d, const Problem* p) {
  h->group = mj_stackAllocInt(d, p->rows.nefc);
  h->groupnum = mj_stackAllocInt(d, p->rows.nefc);
  find_groups(h, p);
  List* lists = mj_stackAllocByte(d, sizeof(List) * h->ngroup, _Alignof(List));
  for (int g = 0; g < h->ngroup; g++) {
    int row = h->group[g];
    lists[g] = (List){p->J.column + p->J.rowadr[row], p->J.rownnz[row]};
  }
  h->touch = transpose(d, lists, h->ngroup, h->n);
}

// Whether row j and the two before it are on the same lists, at consecutive places.
static int on_same(const ColumnLists* by, int j) {
  int n = by->adr[j + 1] - by->adr[j];
  const int *list = by->list + by->adr[j], *place = by->place + by->adr[j];
  for (int t = 1; t <= 2; t++) {
    int adr = by->adr[j - t];
    if (by->adr[j - t + 1] - adr != n) {
      return 0;
    }
    for (int k = 0; k < n; k++) {
      if (by->list[adr + k] != list[k] || by->place[adr + k] != place[k] - t) {
        return 0;
      }
    }
  }
  return 1;
}

// Finds triples of rows in a supernode that appear together in all lists: the dofs of a vertex, or
// half of a free joint's.
static void find_triples(SparseHessian* h) {
  memset(h->triple, 0, (size_t)h->n);
  for (int j = h->n - 1; j >= 2; j--) {
    if (h->super_of[j - 2] == h->super_of[j] && on_same(&h->below, j) && on_same(&h->touch, j)) {
      h->triple[j] = 1;
      j -= 2;
    }
  }
}

void sparse_make(SparseHessian* h, mjData* d, const Problem* p) {
  int n = p->n;
  int64_t nnz = 0;
  h->n = n;
  h->done = NULL;
  h->pattern = p->pattern;
  h->stale = mj_stackAllocInt(d, n);
  h->rowadr = mj_stackAllocInt(d, n);
  make_supernodes(h, d);
  for (int i = 0; i < n; i++) {
    // whole vectors of a supernode's rows are read, also behind the last: not what another thread
    // writes
    nnz += i && h->super_of[i] != h->super_of[i - 1] ? SIMD_N : 0;
    h->rowadr[i] = (int)nnz;
    nnz += p->pattern->nnz[i];
  }
  // a matrix too large for int addresses is treated as one for which the stack has no room
  h->L = mj_stackAllocNum(d, nnz <= INT_MAX ? (size_t)nnz + SIMD_N : SIZE_MAX / sizeof(mjtNum));
  h->D = mj_stackAllocNum(d, n);
  h->DInv = mj_stackAllocNum(d, n);
  h->work = mj_stackAllocNum(d, n);
  h->sum = mj_stackAllocNum(d, n);
  h->scale = mj_stackAllocNum(d, 3 * (size_t)int_max(n, p->rows.nefc));
  h->triple = mj_stackAllocByte(d, (size_t)n, 1);
  h->work3 = mj_stackAllocByte(d, (size_t)n * sizeof(Simd4), 64);
  h->scale3 = mj_stackAllocByte(d, (size_t)int_max(n, p->rows.nefc) * sizeof(Simd4), 64);
  h->active = mj_stackAllocInt(d, p->rows.nefc);
  for (int t = 0; t < 3; t++) {
    h->pack[t] = mj_stackAllocByte(d, SIMD_PADDED((size_t)n + 1) * sizeof(mjtNum), 64);
  }
  memset(h->work, 0, n * sizeof(mjtNum));
  memset(h->work3, 0, (size_t)n * sizeof(Simd4));
  make_groups(h, d, p);
  find_triples(h);
}

// sum_k = sum_r scale_r row_r[k] for k < n, row_r = value + adr[r]; rows with scale 0 are skipped.
INLINE void add_up(mjtNum* sum, const mjtNum* value, const int* adr, const mjtNum* scale, int nrow,
                   int n) {
  int k = 0;
  for (; k + 2 * SIMD_N <= n; k += 2 * SIMD_N) {
    SimdN s = {0}, t = {0};
    for (int r = 0; r < nrow; r++) {
      const mjtNum* row = value + adr[r] + k;
      s += scale[r] * SIMD_READ(SimdN, row);
      t += scale[r] * SIMD_READ(SimdN, row + SIMD_N);
    }
    SIMD_AT(SimdN, sum + k) = s;
    SIMD_AT(SimdN, sum + k + SIMD_N) = t;
  }
  if (k + SIMD_N <= n) {
    SimdN s = {0};
    for (int r = 0; r < nrow; r++) {
      s += scale[r] * SIMD_READ(SimdN, value + adr[r] + k);
    }
    SIMD_AT(SimdN, sum + k) = s;
    k += SIMD_N;
  }
  for (; k < n; k++) {
    mjtNum s = 0;
    for (int r = 0; r < nrow; r++) {
      s += scale[r] * value[adr[r] + k];
    }
    sum[k] = s;
  }
}

// work_c += value_c over a list of columns. Most columns come in runs, which are added as vectors.
INLINE void scatter_add(mjtNum* work, const int* column, const mjtNum* value, int n) {
  int k = 0;
  while (k + SIMD_N <= n) {
    if (column[k + SIMD_N - 1] - column[k] == SIMD_N - 1) {
      SIMD_AT(SimdN, work + column[k]) += SIMD_READ(SimdN, value + k);
      k += SIMD_N;
    } else {
      work[column[k]] += value[k];
      k++;
    }
  }
  for (; k < n; k++) {
    work[column[k]] += value[k];
  }
}

// Row weights of a group at its column a: c_r = sum_s W_rs J_s[a].
static void group_weights(mjtNum* c, const Problem* p, int first, int count, int a) {
  const Rows* rows = &p->rows;
  for (int r = 0; r < count;) {
    int i = first + r, dim = rows->elliptic ? law_rows(rows, i) : 1;
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
    } else {
      for (int s = 0; s < dim; s++) {
        c[r + s] = law_curvature(rows->D[i + s], p->state[i + s]) * J[s * nnz];
      }
    }
    r += dim;
  }
}

// group_weights, add_up and scatter_add for a group of one row, as edges of flexes are.
INLINE void add_alone(mjtNum* work, const Problem* p, int i, int place) {
  const mjtNum* J = p->J.value + p->J.rowadr[i];
  const int* column = p->J.column + p->J.rowadr[i];
  mjtNum c = law_curvature(p->rows.D[i], p->state[i]) * J[place];
  for (int k = 0; c != 0 && k <= place; k++) {
    work[column[k]] += c * J[k];
  }
}

// Whether a group has cones in their middle zone.
static int has_middle(const Problem* p, int first, int count) {
  int any = 0;
  for (int i = first; p->rows.elliptic && i < first + count; i++) {
    any |= p->state[i] == mjCNSTRSTATE_CONE;
  }
  return any;
}

// Rows of a group that have curvature: where they are, and their weights at a column. Returns their
// number.
INLINE int active_at_column(SparseHessian* h, const Problem* p, int first, int count, int place) {
  int n = 0;
  for (int i = first; i < first + count; i++) {
    mjtNum c = law_curvature(p->rows.D[i], p->state[i]);
    h->active[n] = p->J.rowadr[i];
    h->scale[n] = c * p->J.value[p->J.rowadr[i] + place];
    n += c != 0;
  }
  return n;
}

// The same for a group with cones in their middle zone: all rows.
INLINE int cone_at_column(SparseHessian* h, const Problem* p, int first, int count, int place) {
  group_weights(h->scale, p, first, count, place);
  for (int r = 0; r < count; r++) {
    h->active[r] = p->J.rowadr[first + r];
  }
  return count;
}

// Adds the Jacobian rows with column j to row j of H.
INLINE void add_groups(SparseHessian* h, const Problem* p, int j) {
  for (int k = h->touch.adr[j]; k < h->touch.adr[j + 1]; k++) {
    int g = h->touch.list[k], place = h->touch.place[k], first = h->group[g],
        count = h->groupnum[g];
    if (count == 1 && p->state[first] != mjCNSTRSTATE_CONE) {
      add_alone(h->work, p, first, place);
      continue;
    }
    int n = has_middle(p, first, count) ? cone_at_column(h, p, first, count, place)
                                        : active_at_column(h, p, first, count, place);
    if (n) {
      add_up(h->sum, p->J.value, h->active, h->scale, n, place + 1);
      scatter_add(h->work, p->J.column + p->J.rowadr[first], h->sum, place + 1);
    }
  }
}

// sum = what the finished rows [first, last] subtract from row j. `place` is j's place in their
// common list of columns.
INLINE void eliminate(SparseHessian* h, int first, int last, int place) {
  for (int i = first; i <= last; i++) {
    h->scale[i - first] = -h->L[h->rowadr[i] + place] * h->D[i];
  }
  add_up(h->sum, h->L, h->rowadr + first, h->scale, last - first + 1, place + 1);
}

// Waits until a supernode's rows from `first` on are done, if several threads compute rows: the
// first is the last to be computed.
static void wait_for_rows(const SparseHessian* h, int first) {
  if (h->done && pool_wait(h->done + first)) {
    __atomic_store_n(h->stalled, 1, __ATOMIC_RELAXED);
  }
}

// Row j of the factor; the work row is left zero.
KERNEL
static void compute_row(SparseHessian* h, const Problem* p, int j) {
  mjtNum* work = h->work;
  int adr = p->tree.rowadr[j];
  scatter_add(work, p->tree.colind + adr, p->M + adr, p->tree.rownnz[j]);
  add_groups(h, p, j);
  for (int k = h->below.adr[j]; k < h->below.adr[j + 1]; k++) {
    const Supernode* super = h->super + h->below.list[k];
    int place = h->below.place[k];
    wait_for_rows(h, super->first);
    eliminate(h, super->first, super->last, place);
    scatter_add(work, super->outer, h->sum, place + 1);
  }
  const Supernode* own = h->super + h->super_of[j];
  int inner = j - own->first;
  if (own->last > j) {
    wait_for_rows(h, j + 1);
    eliminate(h, j + 1, own->last, own->nouter + inner);
    scatter_add(work, own->outer, h->sum, own->nouter);
    for (int k = 0; k <= inner; k++) {
      work[own->first + k] += h->sum[own->nouter + k];
    }
  }

  h->D[j] = num_max(work[j], mjMINVAL);
  h->DInv[j] = 1 / h->D[j];
  work[j] = 0;
  mjtNum* L = h->L + h->rowadr[j];
  for (int k = 0; k < own->nouter; k++) {
    L[k] = work[own->outer[k]] * h->DInv[j];
    work[own->outer[k]] = 0;
  }
  for (int k = 0; k < inner; k++) {
    L[own->nouter + k] = work[own->first + k] * h->DInv[j];
    work[own->first + k] = 0;
  }
}

// Three rows j, j - 1, j - 2 at once: row j - t is component t of the work rows. Entries behind its
// diagonal are undefined.

// work_c += sum_r scale_r row_r[c] over a list of columns, row_r = value + adr[r]. nrow, at most
// four, is constant where this is inlined, so that scales stay in registers.
INLINE void add_few3(Simd4* work, const int* column, int n, const mjtNum* value, const int* adr,
                     const Simd4* scale, int nrow) {
  const mjtNum* row[4];
  Simd4 factor[4];
  for (int r = 0; r < nrow; r++) {
    row[r] = value + adr[r];
    factor[r] = scale[r];
  }
  for (int k = 0; k < n; k++) {
    Simd4 sum = work[column[k]];
    for (int r = 0; r < nrow; r++) {
      sum += factor[r] * row[r][k];
    }
    work[column[k]] = sum;
  }
}

INLINE void add_up3(Simd4* work, const int* column, int n, const mjtNum* value, const int* adr,
                    const Simd4* scale, int nrow) {
  for (; nrow >= 4; nrow -= 4, adr += 4, scale += 4) {
    add_few3(work, column, n, value, adr, scale, 4);
  }
  switch (nrow) {
    case 1:
      add_few3(work, column, n, value, adr, scale, 1);
      break;
    case 2:
      add_few3(work, column, n, value, adr, scale, 2);
      break;
    case 3:
      add_few3(work, column, n, value, adr, scale, 3);
      break;
    default:
      break;
  }
}

// Rows of a group that have curvature: where they are, and their weights at columns place,
// place - 1, place - 2. Returns their number.
INLINE int active_at_three(SparseHessian* h, const Problem* p, int first, int count, int place) {
  int n = 0;
  for (int i = first; i < first + count; i++) {
    mjtNum c = law_curvature(p->rows.D[i], p->state[i]);
    const mjtNum* J = p->J.value + p->J.rowadr[i] + place;
    h->active[n] = p->J.rowadr[i];
    h->scale3[n] = (Simd4){c * J[0], c * J[-1], c * J[-2], 0};
    n += c != 0;
  }
  return n;
}

// The same for a group with cones in their middle zone: all rows.
INLINE int cone_at_three(SparseHessian* h, const Problem* p, int first, int count, int place) {
  mjtNum* c = h->scale;
  for (int t = 0; t < 3; t++) {
    group_weights(c + (size_t)t * count, p, first, count, place - t);
  }
  for (int r = 0; r < count; r++) {
    h->scale3[r] = (Simd4){c[r], c[count + r], c[2 * (size_t)count + r], 0};
    h->active[r] = p->J.rowadr[first + r];
  }
  return count;
}

INLINE void add_groups3(SparseHessian* h, const Problem* p, int j) {
  for (int k = h->touch.adr[j]; k < h->touch.adr[j + 1]; k++) {
    int g = h->touch.list[k], place = h->touch.place[k], first = h->group[g],
        count = h->groupnum[g];
    int n = has_middle(p, first, count) ? cone_at_three(h, p, first, count, place)
                                        : active_at_three(h, p, first, count, place);
    const int* column = p->J.column + p->J.rowadr[first];
    add_up3(h->work3, column, place + 1, p->J.value, h->active, h->scale3, n);
  }
}

// scale3 = factors of the finished rows [first, last] in three rows at once. `place` is j's place
// in their common list of columns.
INLINE void take3(SparseHessian* h, int first, int last, int place) {
  for (int i = first; i <= last; i++) {
    const mjtNum* L = h->L + h->rowadr[i] + place;
    mjtNum D = -h->D[i];
    h->scale3[i - first] = (Simd4){D * L[0], D * L[-1], D * L[-2], 0};
  }
}

// Moves the work rows to `pack`, by their columns; leaves them zero.
INLINE void pack3(SparseHessian* h, const Supernode* own, int inner) {
  for (int k = 0; k <= own->nouter + inner; k++) {
    Simd4* from = h->work3 + (k < own->nouter ? own->outer[k] : own->first + k - own->nouter);
    for (int t = 0; t < 3; t++) {
      h->pack[t][k] = (*from)[t];
    }
    *from = (Simd4){0};
  }
}

// pack_t += sum_r scale_r[t] row_r over n columns, in whole vectors
INLINE void eliminate_own(SparseHessian* h, int first, int last, int n) {
  for (int c = 0; c < n; c += SIMD_N) {
    SimdN sum[3];
    for (int t = 0; t < 3; t++) {
      sum[t] = SIMD_READ(SimdN, h->pack[t] + c);
    }
    for (int i = first; i <= last; i++) {
      SimdN row = SIMD_READ(SimdN, h->L + h->rowadr[i] + c);
      for (int t = 0; t < 3; t++) {
        sum[t] += h->scale3[i - first][t] * row;
      }
    }
    for (int t = 0; t < 3; t++) {
      SIMD_AT(SimdN, h->pack[t] + c) = sum[t];
    }
  }
}

// Row j - t of the factor from its packed sum, after the rows before it; n columns before its
// diagonal.
INLINE void finish_packed(SparseHessian* h, int j, int t, int n) {
  mjtNum* row = h->pack[t];
  for (int s = 0; s < t; s++) {
    const mjtNum* L = h->L + h->rowadr[j - s];
    mjtNum scale = -L[n] * h->D[j - s];
    for (int k = 0; k <= n; k++) {
      row[k] += scale * L[k];
    }
  }
  mjtNum *L = h->L + h->rowadr[j - t], D = num_max(row[n], mjMINVAL), inverse = 1 / D;
  h->D[j - t] = D;
  h->DInv[j - t] = inverse;
  for (int k = 0; k < n; k++) {
    L[k] = row[k] * inverse;
  }
}

KERNEL
static void compute_triple(SparseHessian* h, const Problem* p, int j) {
  for (int t = 0; t < 3; t++) {
    int adr = p->tree.rowadr[j - t];
    for (int k = adr; k < adr + p->tree.rownnz[j - t]; k++) {
      // whole vectors: reading a vector waits long for single stores
      Simd4 entry = h->work3[p->tree.colind[k]];
      entry[t] += p->M[k];
      h->work3[p->tree.colind[k]] = entry;
    }
  }
  add_groups3(h, p, j);
  for (int k = h->below.adr[j]; k < h->below.adr[j + 1]; k++) {
    const Supernode* super = h->super + h->below.list[k];
    int place = h->below.place[k];
    wait_for_rows(h, super->first);
    take3(h, super->first, super->last, place);
    add_up3(h->work3, super->outer, place + 1, h->L, h->rowadr + super->first, h->scale3,
            super->last - super->first + 1);
  }
  const Supernode* own = h->super + h->super_of[j];
  int inner = j - own->first, n = own->nouter + inner;
  pack3(h, own, inner);
  if (own->last > j) {
    wait_for_rows(h, j + 1);
    take3(h, j + 1, own->last, n);
    eliminate_own(h, j + 1, own->last, n + 1);
  }
  for (int t = 0; t < 3; t++) {
    finish_packed(h, j, t, n - t);
  }
}

// Marks the dofs of a group and all above them in the elimination tree.
static void mark_group(SparseHessian* h, const Problem* p, int g) {
  int i = h->group[g];
  int last = p->J.rownnz[i] ? p->J.column[p->J.rowadr[i] + p->J.rownnz[i] - 1] : -1;
  for (; last >= 0 && !h->stale[last]; last = h->pattern->parent[last]) {
    h->stale[last] = 1;
  }
}

// Rows on several threads. Each takes the next row or triple, from the last to the first, and sums
// what it can; before it reads finished rows it waits for them. The order of sums is the same, so
// the bits are.
typedef struct {
  SparseHessian* h;
  const Problem* p;
  int* unit;  // the last row of each row or triple that is stale, in descending order
  int nunit, next;
  int* done;    // whether a row is up to date: what others wait for
  int stalled;  // a thread has waited for one without a processor: the caller goes on alone
} SharedRows;

// Work rows of a thread of its own. Returns 0 if its stack has no room.
static int take_work(SparseHessian* h, mjData* d, const Problem* p) {
  size_t n = (size_t)h->n, most = (size_t)int_max(h->n, p->rows.nefc), number = sizeof(mjtNum);
  h->work = arena_push(d, n * number, 64);
  h->sum = arena_push(d, n * number, 64);
  h->scale = arena_push(d, 3 * most * number, 64);
  h->work3 = arena_push(d, n * sizeof(Simd4), 64);
  h->scale3 = arena_push(d, most * sizeof(Simd4), 64);
  h->active = arena_push(d, (size_t)p->rows.nefc * sizeof(int), _Alignof(int));
  int fits = h->work && h->sum && h->scale && h->work3 && h->scale3 && h->active;
  for (int t = 0; t < 3; t++) {
    h->pack[t] = arena_push(d, SIMD_PADDED(n + 1) * number, 64);
    fits = fits && h->pack[t];
  }
  if (fits) {
    memset(h->work, 0, n * number);
    memset(h->work3, 0, n * sizeof(Simd4));
  }
  return fits;
}

// Computes the next rows until there are no more, on the caller's thread or on one that helps.
static void compute_rows(SharedRows* s, SparseHessian* own, int helps) {
  while (!helps || !__atomic_load_n(&s->stalled, __ATOMIC_RELAXED)) {
    int k = __atomic_fetch_add(&s->next, 1, __ATOMIC_RELAXED);
    if (k >= s->nunit) {
      break;
    }
    int j = s->unit[k], rows = own->triple[j] ? 3 : 1;
    if (rows == 3) {
      compute_triple(own, s->p, j);
    } else {
      compute_row(own, s->p, j);
    }
    for (int t = 0; t < rows; t++) {
      __atomic_store_n(s->done + j - t, 1, __ATOMIC_RELEASE);
    }
  }
}

// The rows that one thread computes. The caller's has the work rows of the matrix.
static void compute_shared(void* argument, int i) {
  SharedRows* s = argument;
  mjData* d = s->p->d;
  SparseHessian own = *s->h;
  size_t top = arena_top(d);
  int helps = pool_worker((const mjThreadPool*)d->threadpool) > 0;
  (void)i;
  own.done = s->done;
  own.stalled = &s->stalled;
  if (!helps || take_work(&own, d, s->p)) {
    compute_rows(s, &own, helps);
  }
  arena_pop(d, top);
}

// Computes the stale rows on several threads if that pays; returns 0 if not.
static int share_rows(SparseHessian* h, const Problem* p) {
  const int least = 60;  // stale rows
  mjData* d = p->d;
  if (!p->shared || !share_pays(d, h->n, least)) {
    return 0;
  }
  // threads wait for each other: no more of them than can run
  mjThreadPool* pool = (mjThreadPool*)d->threadpool;
  size_t top = arena_top(d), bytes = (size_t)h->n * sizeof(int);
  SharedRows s = {.h = h, .p = p};
  s.unit = arena_push(d, bytes, _Alignof(int));
  s.done = s.unit ? arena_push(d, bytes, _Alignof(int)) : NULL;
  int stale = 0;
  for (int j = h->n - 1; s.done && j >= 0; j--) {
    s.done[j] = !h->stale[j];
    stale += h->stale[j];
  }
  for (int j = h->n - 1; s.done && j >= 0; j--) {
    if (h->stale[j]) {
      s.unit[s.nunit++] = j;
      j -= h->triple[j] ? 2 : 0;
    }
  }
  int shared = s.done && stale >= least && pool_may_wait(pool);
  if (shared) {
    pool_for(pool, pool_processors(pool), compute_shared, &s);
    pool_has_waited(pool, s.stalled);
  }
  arena_pop(d, top);
  return shared;
}

void sparse_update(SparseHessian* h, const Problem* p, const int* before) {
  const Rows* rows = &p->rows;
  for (int i = 0; i < h->n; i++) {
    h->stale[i] = !before;
  }
  for (int g = 0; before && g < h->ngroup; g++) {
    int changed = 0;
    for (int i = h->group[g]; i < h->group[g] + h->groupnum[g]; i++) {
      changed |= law_curvature(rows->D[i], p->state[i]) != law_curvature(rows->D[i], before[i]) ||
                 p->state[i] == mjCNSTRSTATE_CONE || before[i] == mjCNSTRSTATE_CONE;
    }
    if (changed) {
      mark_group(h, p, g);
    }
  }
  if (share_rows(h, p)) {
    return;
  }
  for (int j = h->n - 1; j >= 0; j--) {
    if (h->stale[j] && h->triple[j]) {
      compute_triple(h, p, j);
      j -= 2;
    } else if (h->stale[j]) {
      compute_row(h, p, j);
    }
  }
}

// L' y = x, z = y / D, L x = z
void sparse_solve(const SparseHessian* h, mjtNum* x) {
  for (int i = h->n - 1; i >= 0; i--) {
    const Supernode* own = h->super + h->super_of[i];
    const mjtNum *L = h->L + h->rowadr[i], *inner = L + own->nouter;
    mjtNum y = x[i], *to = x + own->first;
    row_add_to(x, L, own->outer, own->nouter, -y);
    for (int k = 0; k < i - own->first; k++) {
      to[k] -= inner[k] * y;
    }
  }
  for (int i = 0; i < h->n; i++) {
    const Supernode* own = h->super + h->super_of[i];
    const mjtNum *L = h->L + h->rowadr[i], *inner = L + own->nouter, *from = x + own->first;
    mjtNum sum = x[i] * h->DInv[i] - row_dot(L, own->outer, own->nouter, x);
    x[i] = sum - dot_n(inner, from, i - own->first);
  }
}
