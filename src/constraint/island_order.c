// Trees, dofs and rows in the order of islands: theory/contact/islands.md, Island order.

#include "constraint/island_order.h"

#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/sparse_row.h"
#include "base/algebra/vec.h"
#include "constraint/rows/storage.h"
#include "model/data/arena.h"
#include "model/data/jacobian.h"
#include "model/data/share.h"
#include "model/data/tree_runs.h"

enum {
  LEAST_SHARED_ROWS = 4096  // rows that are worth waking other threads
};

// What is sorted, and its maps.
typedef struct Runs_ {
  Run* run;
  int n;
  int *sorted, *original, *island;
} Runs;

// Gives each run its place: by island, in the old order within an island; those in no island come
// last. count: things per island; address: the first of each island. Returns whether all stay where
// they are, as those of things that touch nothing but the world.
static int place_runs(Runs* runs, int* address, mjData* d, const int* count) {
  int nisland = d->nisland, total = 0, stay = 1;
  size_t top = arena_top(d);
  int* next = arena_int(d, nisland + 1);
  for (int b = 0; b < nisland; b++) {
    next[b] = address[b] = total;
    total += count[b];
  }
  next[nisland] = total;
  for (int i = 0; i < runs->n; i++) {
    Run* run = runs->run + i;
    int* place = next + (run->island >= 0 ? run->island : nisland);
    run->place = *place;
    stay &= *place == run->begin;
    *place += run->end - run->begin;
  }
  arena_pop(d, top);
  return stay;
}

// Writes both maps, and the island of each thing, of a run in vectors of which the last may
// overlap.
INLINE void write_run(const Runs* s, const Run* run) {
  enum {
    WIDE = 4
  };
  const Int4 steps = {0, 1, 2, 3}, island = (Int4){0} + run->island;
  int shift = run->place - run->begin, last = run->end - WIDE;
  if (last < run->begin) {
    for (int i = run->begin; i < run->end; i++) {
      s->sorted[i] = i + shift;
      s->original[i + shift] = i;
      s->island[i] = run->island;
    }
    return;
  }
  for (int i = run->begin; i < run->end; i += WIDE) {
    int at = int_min(i, last);
    SIMD_AT(Int4, s->sorted + at) = steps + (at + shift);
    SIMD_AT(Int4, s->original + at + shift) = steps + at;
    SIMD_AT(Int4, s->island + at) = island;
  }
}

static KERNEL void write_runs(void* argument, int begin, int end) {
  const Runs s = *(const Runs*)argument;
  for (int r = begin; r < end; r++) {
    write_run(&s, s.run + r);
  }
}

// The same on the threads of a pool, if there are many things.
static void map_runs(mjData* d, Runs* runs, int things) {
  const int least = 2048, piece = 64;
  if (share_pays(d, things, least) && runs->n > piece) {
    share_for(d, runs->n, piece, write_runs, runs);
  } else {
    write_runs(runs, 0, runs->n);
  }
}

// Sorts trees and their dofs by island. Returns whether all dofs stay where they are.
static int map_trees(const mjModel* m, mjData* d, const int* island_of) {
  int ntree = m->ntree, nisland = d->nisland;
  memset(d->island_nv, 0, nisland * sizeof(int));
  memset(d->island_ntree, 0, nisland * sizeof(int));
  size_t top = arena_top(d);
  int* place = arena_int(d, ntree);
  Run* run = arena_take(d, 2 * (size_t)ntree * sizeof(Run), _Alignof(Run));
  for (int i = 0; i < ntree; i++) {
    int b = island_of[i], dof = m->tree_dofadr[i], n = m->tree_dofnum[i];
    run[i] = (Run){i, i + 1, i, b, 0, 0};
    run[ntree + i] = (Run){dof, dof + n, i, b, 0, 0};
    if (b >= 0) {
      d->island_ntree[b]++;
      d->island_dofadr[b] = d->island_nv[b] ? d->island_dofadr[b] : dof;
      d->island_nv[b] += n;
    }
  }
  Runs trees = {run, ntree, place, d->map_itree2tree, d->tree_island};
  place_runs(&trees, d->island_itreeadr, d, d->island_ntree);
  map_runs(d, &trees, ntree);
  Runs dofs = {run + ntree, ntree, d->map_dof2idof, d->map_idof2dof, d->dof_island};
  int stay = place_runs(&dofs, d->island_idofadr, d, d->island_nv);
  map_runs(d, &dofs, m->nv);
  arena_pop(d, top);
  return stay;
}

// Sorts the rows by island; every row has one. Returns whether all stay where they are.
static int map_rows(mjData* d, const int* island_of, Run* run, int nrun) {
  int nisland = d->nisland, ne = d->ne, nef = d->ne + d->nf;
  memset(d->island_ne, 0, nisland * sizeof(int));
  memset(d->island_nf, 0, nisland * sizeof(int));
  memset(d->island_nefc, 0, nisland * sizeof(int));
  for (Run* r = run; r < run + nrun; r++) {
    int b = r->island = island_of[r->tree];
    d->island_nefc[b] += r->end - r->begin;
    d->island_ne[b] += int_max(0, int_min(r->end, ne) - r->begin);
    d->island_nf[b] += int_max(0, int_min(r->end, nef) - int_max(r->begin, ne));
  }
  Runs rows = {run, nrun, d->map_efc2iefc, d->map_iefc2efc, d->efc_island};
  int stay = place_runs(&rows, d->island_iefcadr, d, d->island_nefc);
  map_runs(d, &rows, d->nefc);
  return stay;
}

// to = from - first
static KERNEL void shift_numbers(int* restrict to, const int* restrict from, int n, int first) {
  for (int k = 0; k < n; k++) {
    to[k] = from[k] - first;
  }
}

// Columns of M, counted from the island's first dof, where the order of islands is that of all
// dofs: those of an island follow each other.
static void shift_columns(void* argument, int begin, int end) {
  const RunData* s = argument;
  const mjModel* m = s->m;
  mjData* d = s->d;
  for (int i = begin, next; i < end; i = next) {
    int island = d->dof_island[i], first = d->island_idofadr[island], adr = m->M_rowadr[i];
    next = int_min(end, first + d->island_nv[island]);
    int num = m->M_rowadr[next - 1] + m->M_rownnz[next - 1] - adr;
    shift_numbers(d->iM_colind + adr, m->M_colind + adr, num, first);
  }
}

// The inertia of islands whose order is that of all dofs: M and its factor are what they are.
static void share_inertia(const mjModel* m, mjData* d) {
  const int least = 4096, piece = 512;  // dofs
  RunData s = {m, d};
  storage_share_dofs(d);
  memcpy(d->iM_rownnz, m->M_rownnz, m->nv * sizeof(int));
  memcpy(d->iM_rowadr, m->M_rowadr, m->nv * sizeof(int));
  if (share_pays(d, m->nv, least)) {
    share_for(d, m->nv, piece, shift_columns, &s);
  } else {
    shift_columns(&s, 0, m->nv);
  }
}

// Copies M and its factor by island, with columns counted from the island's first dof. Trees are
// contiguous, and so are chains of dofs: a run of consecutive dofs is copied as a whole.
static void gather_inertia(const mjModel* m, mjData* d) {
  int to = 0;
  for (int i = 0, end; i < d->nidof; i = end) {
    int dof = d->map_idof2dof[i], adr = m->M_rowadr[dof], shift = to - adr;
    for (end = i + 1; end < d->nidof && d->map_idof2dof[end] == dof + end - i; end++) {
    }
    for (int k = i; k < end; k++) {
      int row = dof + k - i, nnz = m->M_rownnz[row], first = m->M_rowadr[row];
      int left = k - d->island_idofadr[d->dof_island[row]] - row;
      d->iM_rownnz[k] = nnz;
      d->iM_rowadr[k] = first + shift;
      for (int c = first; c < first + nnz; c++) {
        d->iM_colind[c + shift] = m->M_colind[c] + left;
      }
    }
    int last = dof + end - i - 1, nM = m->M_rowadr[last] + m->M_rownnz[last] - adr;
    memcpy(d->iLDiagInv + i, d->qLDiagInv + dof, (size_t)(end - i) * sizeof(mjtNum));
    memcpy(d->iM + to, d->M + adr, (size_t)nM * sizeof(mjtNum));
    memcpy(d->iLD + to, d->qLD + adr, (size_t)nM * sizeof(mjtNum));
    to += nM;
  }
}

// Columns of the rows [row, end) of an island, counted from its first dof. Dofs ascend, so if the
// last minus the first equals their number less one, they have no gaps. Else once for all rows that
// have the same columns.
static void map_rows_columns(int* to, const mjData* d, int row, int end, int island) {
  const int *nnz = d->efc_J_rownnz, *adr = d->efc_J_rowadr, *column = d->efc_J_colind;
  int first = d->island_idofadr[island], last = first + d->island_nv[island] - 1;
  const int* dof = d->map_idof2dof;
  if (dof[last] - dof[first] == last - first) {
    shift_numbers(to, column + adr[row], adr[end - 1] + nnz[end - 1] - adr[row], dof[first]);
    return;
  }
  for (int next; row < end; row = next) {
    int n = nnz[row];
    next = int_min(end, row + 1 + d->efc_J_rowsuper[row]);
    for (int k = 0; k < n; k++) {
      to[k] = d->map_dof2idof[column[adr[row] + k]] - first;
    }
    repeat_columns(to + n, to, n, next - row - 1);
    to += (size_t)(next - row) * (size_t)n;
  }
}

// What sparse rows are gathered with.
typedef struct Gather_ {
  mjData* d;
  const Run* run;
} Gather;

// The entries of J in a run of rows.
static int run_entries(const mjData* d, const Run* run) {
  int last = run->end - 1;
  return d->efc_J_rowadr[last] + d->efc_J_rownnz[last] - d->efc_J_rowadr[run->begin];
}

// Copies n numbers, few mostly: in vectors, of which the last may overlap those before.
INLINE void copy_numbers(mjtNum* to, const mjtNum* from, int n) {
  enum {
    WIDE = 4
  };
  if (n < WIDE) {
    for (int k = 0; k < n; k++) {
      to[k] = from[k];
    }
    return;
  }
  for (int k = 0; k < n; k += WIDE) {
    int at = int_min(k, n - WIDE);
    SIMD_AT(Simd4, to + at) = SIMD_READ(Simd4, from + at);
  }
}

// Copies the rows of a run, which stay together, to their place.
INLINE void copy_rows(mjData* d, const Run* run) {
  int row = run->begin, i = run->place, n = run->end - row, adr = d->efc_J_rowadr[row];
  memcpy(d->iefc_J + run->adr, d->efc_J + adr, (size_t)run_entries(d, run) * sizeof(mjtNum));
  copy_columns(d->iefc_J_rownnz + i, d->efc_J_rownnz + row, n);
  int* restrict to = d->iefc_J_rowadr + i, shift = run->adr - adr;
  const int* restrict from = d->efc_J_rowadr + row;
  for (int k = 0; k < n; k++) {
    to[k] = from[k] + shift;
  }
  if (d->nisland > 1) {
    copy_columns(d->iefc_type + i, d->efc_type + row, n);
    copy_columns(d->iefc_id + i, d->efc_id + row, n);
    copy_numbers(d->iefc_frictionloss + i, d->efc_frictionloss + row, n);
    copy_numbers(d->iefc_D + i, d->efc_D + row, n);
    copy_numbers(d->iefc_R + i, d->efc_R + row, n);
  }
}

// Of the rows of a run, how many follow within it that have the same columns.
INLINE void copy_supernodes(mjData* d, const Run* run) {
  int* restrict to = d->iefc_J_rowsuper + run->place, n = run->end - run->begin;
  const int* restrict from = d->efc_J_rowsuper + run->begin;
  for (int k = 0; k < n; k++) {
    to[k] = int_min(from[k], n - 1 - k);
  }
}

// Copies the rows of runs [begin, end), columns counted from the island's first dof.
static KERNEL void gather_sparse_rows(void* argument, int begin, int end) {
  const Gather* s = argument;
  mjData* d = s->d;
  for (int r = begin; r < end; r++) {
    const Run* run = s->run + r;
    copy_rows(d, run);
    map_rows_columns(d->iefc_J_colind + run->adr, d, run->begin, run->end, run->island);
    copy_supernodes(d, run);
  }
}

// Rows with the same columns may go on in the next run of the island.
static void join_supernodes(mjData* d, const Run* run, int nrun) {
  int* super = d->iefc_J_rowsuper;
  for (int r = nrun - 1; r >= 0; r--) {
    int next = run[r].place + run[r].end - run[r].begin, last = next - 1, b = run[r].island;
    int nnz = d->iefc_J_rownnz[last];
    if (next < d->island_iefcadr[b] + d->island_nefc[b] && nnz == d->iefc_J_rownnz[next] &&
        same_columns(d->iefc_J_colind + d->iefc_J_rowadr[last],
                     d->iefc_J_colind + d->iefc_J_rowadr[next], nnz)) {
      for (int i = last; i >= run[r].place && super[i] == last - i; i--) {
        super[i] += 1 + super[next];
      }
    }
  }
}

// Of rows that are where they were: their columns, once for all that have the same.
static void map_sparse_rows(void* argument, int begin, int end) {
  mjData* d = argument;
  for (int row = begin, next; row < end; row = next) {
    next = int_min(end, row + 1 + d->efc_J_rowsuper[row]);
    map_rows_columns(d->iefc_J_colind + d->efc_J_rowadr[row], d, row, next, d->efc_island[row]);
  }
}

// Where the entries of each run begin: those of an island follow each other, island by island.
static void place_entries(mjData* d, Run* run, int nrun) {
  int nisland = d->nisland, total = 0;
  size_t top = arena_top(d);
  int* next = arena_int(d, nisland);
  memset(next, 0, (size_t)nisland * sizeof(int));
  for (const Run* r = run; r < run + nrun; r++) {
    next[r->island] += run_entries(d, r);
  }
  for (int b = 0; b < nisland; b++) {
    int n = next[b];
    next[b] = total;
    total += n;
  }
  for (Run* r = run; r < run + nrun; r++) {
    r->adr = next[r->island];
    next[r->island] += run_entries(d, r);
  }
  arena_pop(d, top);
}

// Copies sparse rows to the order of islands.
static void gather_sparse(mjData* d, Run* run, int nrun) {
  const int piece = 32;
  Gather s = {d, run};
  place_entries(d, run, nrun);
  if (share_pays(d, d->nefc, LEAST_SHARED_ROWS) && nrun > piece) {
    share_for(d, nrun, piece, gather_sparse_rows, &s);
  } else {
    gather_sparse_rows(&s, 0, nrun);
  }
  join_supernodes(d, run, nrun);
}

// The same where each row stays where it was.
static void stay_sparse(mjData* d) {
  const int piece = 512;
  storage_share_rows(d);
  if (share_pays(d, d->nefc, LEAST_SHARED_ROWS)) {
    share_for(d, d->nefc, piece, map_sparse_rows, d);
  } else {
    map_sparse_rows(d, 0, d->nefc);
  }
}

// Compact blocks: island b has island_nefc x island_nv numbers, at nidof * island_iefcadr.
static void gather_dense_J(const mjModel* m, mjData* d) {
  for (int b = 0; b < d->nisland; b++) {
    const int* dof = d->map_idof2dof + d->island_idofadr[b];
    int nv = d->island_nv[b];
    mjtNum* to = d->iefc_J + (size_t)d->nidof * d->island_iefcadr[b];
    for (int i = 0; i < d->island_nefc[b]; i++, to += nv) {
      const mjtNum* row = d->efc_J + (size_t)d->map_iefc2efc[d->island_iefcadr[b] + i] * m->nv;
      if (dof[nv - 1] - dof[0] == nv - 1) {
        memcpy(to, row + dof[0], nv * sizeof(mjtNum));
        continue;
      }
      for (int k = 0; k < nv; k++) {
        to[k] = row[dof[k]];
      }
    }
  }
}

static void gather_numbers(mjtNum* restrict to, const mjtNum* restrict from,
                           const int* restrict index, int n) {
  for (int i = 0; i < n; i++) {
    to[i] = from[index[i]];
  }
}

static void gather_ints(int* restrict to, const int* restrict from, const int* restrict index,
                        int n) {
  for (int i = 0; i < n; i++) {
    to[i] = from[index[i]];
  }
}

static void gather_rows(mjData* d) {
  const int *row = d->map_iefc2efc, n = d->nefc;
  gather_ints(d->iefc_type, d->efc_type, row, n);
  gather_ints(d->iefc_id, d->efc_id, row, n);
  gather_numbers(d->iefc_frictionloss, d->efc_frictionloss, row, n);
  gather_numbers(d->iefc_D, d->efc_D, row, n);
  gather_numbers(d->iefc_R, d->efc_R, row, n);
}

// The rows of a single island, which has them in their order.
static void fill_rows(mjData* d) {
  for (int i = 0, nefc = d->nefc; i < nefc; i++) {
    d->efc_island[i] = 0;
    d->map_efc2iefc[i] = d->map_iefc2efc[i] = i;
  }
  d->island_ne[0] = d->ne;
  d->island_nf[0] = d->nf;
  d->island_nefc[0] = d->nefc;
  d->island_iefcadr[0] = 0;
}

// The dofs of an island that has all of them.
static void fill_dofs(const mjModel* m, mjData* d) {
  int nv = m->nv;
  for (int i = 0; i < nv; i++) {
    d->dof_island[i] = 0;
    d->map_dof2idof[i] = d->map_idof2dof[i] = i;
  }
  d->island_nv[0] = nv;
  d->island_dofadr[0] = d->island_idofadr[0] = 0;
  memcpy(d->iM_rownnz, m->M_rownnz, nv * sizeof(int));
  memcpy(d->iM_rowadr, m->M_rowadr, nv * sizeof(int));
  memcpy(d->iM_colind, m->M_colind, m->nC * sizeof(int));
}

// The trees of a single island that has all of them.
static void fill_trees(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->ntree; i++) {
    d->tree_island[i] = 0;
    d->map_itree2tree[i] = i;
  }
  d->island_ntree[0] = m->ntree;
  d->island_itreeadr[0] = 0;
}

void islands_sort(const mjModel* m, mjData* d, const int* island_of, Run* run, int nrun) {
  int whole = storage_is_whole(m, d), rows_stay = 1;
  if (!storage_islands(m, d)) {
    return;
  }
  if (whole) {
    fill_dofs(m, d);
    fill_trees(m, d);
  } else {
    int dofs_stay = map_trees(m, d, island_of);
    if (dofs_stay && d->nidof == m->nv) {
      share_inertia(m, d);
    } else {
      gather_inertia(m, d);
    }
  }
  if (d->nisland == 1) {
    fill_rows(d);
  } else {
    rows_stay = map_rows(d, island_of, run, nrun);
  }
  if (!whole && rows_are_sparse(m, d)) {
    if (rows_stay) {
      stay_sparse(d);
    } else {
      gather_sparse(d, run, nrun);
    }
  } else if (!whole) {
    if (d->nisland > 1) {
      gather_rows(d);
    }
    gather_dense_J(m, d);
  }
}
