// Islands: sets of kinematic trees that constraints couple; each is a problem of its own.
//
// Trees are nodes, and every constraint is an edge (from a tree to itself, if it acts on one
// alone). An island is a connected component with at least one edge. Islands are numbered by their
// smallest tree. The union-find forest points every tree to a smaller one, so that roots come in
// this order.                                             theory/contact/islands.md, Graph of trees

#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/sparse_row.h"
#include "base/algebra/vec.h"
#include "constraint/metric/metric.h"
#include "constraint/rows/extent.h"
#include "constraint/rows/makers.h"
#include "constraint/rows/storage.h"
#include "model/behaviour.h"
#include "model/checks/discrete.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "model/data/jacobian.h"
#include "model/data/share.h"
#include "model/data/tree_runs.h"
#include "model/flex/rod.h"

enum {
  LEAST_SHARED_ROWS = 4096,  // rows that are worth waking other threads
  SHARED_ROWS = 512,         // of a piece
};

typedef struct {
  int* root;  // union-find: the root of a component is its smallest tree              (ntree)
  int* used;  // whether a component has an edge; only valid at roots                 (ntree)
  int whole;  // do contacts join the trees of all corners of an element of a flex?
} Forest;

static int find_root(const Forest* forest, int tree) {
  while (forest->root[tree] != tree) {
    forest->root[tree] = forest->root[forest->root[tree]];
    tree = forest->root[tree];
  }
  return tree;
}

// Makes one component of that with root a and that of tree b; returns its root.
static int unite(Forest* forest, int a, int b) {
  b = find_root(forest, b);
  int low = int_min(a, b), used = forest->used[a] | forest->used[b];
  forest->root[int_max(a, b)] = low;
  forest->used[low] = used;
  return low;
}

// The same by an edge.
static int join_root(Forest* forest, int a, int b) {
  int root = unite(forest, a, b);
  forest->used[root] = 1;
  return root;
}

static void join(Forest* forest, int a, int b) {
  join_root(forest, find_root(forest, a), b);
}

// Joins the trees of the nonzeros of a row; returns one of them.
static int join_row(Forest* forest, const mjModel* m, const mjData* d, int row) {
  int sparse = rows_are_sparse(m, d), last = -1, root = -1;
  int n = sparse ? d->efc_J_rownnz[row] : m->nv;
  const int* column = sparse ? d->efc_J_colind + d->efc_J_rowadr[row] : NULL;
  for (int k = 0; k < n; k++) {
    if (sparse || d->efc_J[(size_t)row * m->nv + k] != 0) {
      int tree = m->dof_treeid[sparse ? column[k] : k];
      if (tree != last) {
        root = join_root(forest, root < 0 ? find_root(forest, tree) : root, tree);
      }
      last = tree;
    }
  }
  if (last < 0) {
    join(forest, 0, 0);
  }
  return int_max(last, 0);
}

// Joins the trees of a flex equality's sparse rows, from a given row on. Returns the number of
// rows. The columns of an edge ascend and belong to two bodies, so its first and last column give
// both trees.
static int join_edges(int* efc_tree, Forest* forest, const mjModel* m, const mjData* d, int row) {
  const int *nnz = d->efc_J_rownnz, *adr = d->efc_J_rowadr, *column = d->efc_J_colind;
  const int *id = d->efc_id, *tree = m->dof_treeid, ne = d->ne, equality = id[row];
  int i = row;
  for (; i < ne && id[i] == equality; i++) {
    int first = tree[column[adr[i]]], last = tree[column[adr[i] + nnz[i] - 1]];
    // usually an earlier edge has joined these two trees
    if (first == last || forest->root[first] != forest->root[last]) {
      join(forest, first, last);
    }
    efc_tree[i] = last;
  }
  return i - row;
}

// Joins the trees of all corners of the elements that a contact is on, whatever their weights.
static void join_corners(Forest* forest, const mjModel* m, const mjContact* con, int tree) {
  for (int side = 0; side < 2; side++) {
    int flex = con->flex[side], elem = con->elem[side];
    if (flex < 0 || elem < 0 || m->flex_interp[flex]) {
      continue;
    }
    int corners = m->flex_dim[flex] + 1;
    const int* vert = m->flex_elem + m->flex_elemdataadr[flex] + corners * elem;
    for (int i = 0; i < corners; i++) {
      int other = m->body_treeid[m->flex_vertbodyid[m->flex_vertadr[flex] + vert[i]]];
      join(forest, tree, other < 0 ? tree : other);
    }
  }
}

// Joins the trees of both geoms of a contact; returns one of them. Rows of zeros, between static
// bodies, may belong to any island.
static int join_geoms(Forest* forest, const mjModel* m, const mjContact* con) {
  int a = m->body_treeid[m->geom_bodyid[con->geom[0]]];
  int b = m->body_treeid[m->geom_bodyid[con->geom[1]]];
  int high = int_max(0, int_max(a, b)), low = int_min(a, b);
  join(forest, high, low < 0 ? high : low);
  return high;
}

// Joins the trees of the constraint that begins at a row; returns one of them.
static int join_constraint(Forest* forest, const mjModel* m, const mjData* d, int row) {
  int id = d->efc_id[row], tree;
  RowBodies of;  // too large to be cleared each time
  switch (d->efc_type[row]) {
    case mjCNSTR_FRICTION_DOF:
    case mjCNSTR_LIMIT_JOINT:
      tree = m->dof_treeid[d->efc_type[row] == mjCNSTR_LIMIT_JOINT ? m->jnt_dofadr[id] : id];
      join(forest, tree, tree);
      return tree;
    case mjCNSTR_CONTACT_FRICTIONLESS:
    case mjCNSTR_CONTACT_PYRAMIDAL:
    case mjCNSTR_CONTACT_ELLIPTIC:
      if (d->contact[id].geom[0] >= 0 && d->contact[id].geom[1] >= 0) {
        return join_geoms(forest, m, d->contact + id);
      }
      contact_bodies(&of, m, d, d->contact + id);
      break;
    case mjCNSTR_EQUALITY:
      if (m->eq_type[id] != mjEQ_CONNECT && m->eq_type[id] != mjEQ_WELD) {
        return join_row(forest, m, d, row);
      }
      equality_bodies(&of, m, id);
      break;
    default:
      return join_row(forest, m, d, row);
  }
  // rows of zeros, between static bodies, may belong to any island
  tree = 0;
  for (int i = 0; i < of.n; i++) {
    tree = int_max(tree, m->body_treeid[of.body[i]]);
  }
  join(forest, tree, tree);
  for (int i = 0; i < of.n; i++) {
    int other = m->body_treeid[of.body[i]];
    join(forest, tree, other < 0 ? tree : other);
  }
  if (forest->whole && d->efc_type[row] != mjCNSTR_EQUALITY) {
    join_corners(forest, m, d->contact + id, tree);
  }
  return tree;
}

// Trees that the metric of a discrete step couples are solved together, if any of them has rows.
typedef struct {
  Forest* forest;
  const mjModel* m;
} Coupled;

static void couple(void* arg, const mjtNum* value, const int* column, int n) {
  const Coupled* coupled = arg;
  Forest* forest = coupled->forest;
  int root = -1;
  for (int k = 0; k < n; k++) {
    if (!column && value[k] == 0) {
      continue;
    }
    int tree = coupled->m->dof_treeid[column ? column[k] : k];
    root = root < 0 ? find_root(forest, tree) : unite(forest, root, tree);
  }
}

// The same for the trees of bodies.
static void couple_bodies(Forest* forest, const mjModel* m, const int* body, int n, int tree) {
  for (int i = 0, last = -1; i < n; i++) {
    int next = m->body_treeid[body[i]];
    if (next >= 0 && next != last) {
      tree = tree < 0 ? find_root(forest, next) : unite(forest, find_root(forest, tree), next);
    }
    last = next;
  }
}

// Elastic flexes couple the trees of their vertices or nodes, rods those of their hinges as well.
static void couple_flexes(Forest* forest, const mjModel* m) {
  for (int f = 0; f < m->nflex; f++) {
    Rod rod;
    int is_rod = rod_of(&rod, m, f);
    if (m->flex_rigid[f] || !(is_rod || discrete_is_elastic(m, f))) {
      continue;
    }
    if (m->flex_interp[f]) {
      couple_bodies(forest, m, m->flex_nodebodyid + m->flex_nodeadr[f], m->flex_nodenum[f], -1);
      continue;
    }
    const int* vertex = m->flex_vertbodyid + m->flex_vertadr[f];
    int tree = m->body_treeid[vertex[0]];
    couple_bodies(forest, m, vertex, m->flex_vertnum[f], -1);
    for (int e = 0; is_rod && rod.twists && e < rod.nedge; e++) {
      int joint = rod_joint(&rod, e);
      if (joint >= 0) {
        couple_bodies(forest, m, m->jnt_bodyid + joint, 1, tree);
      }
    }
  }
}

// Numbers the islands and counts their dofs. island_of[tree]: island of each tree, -1 if free;
// efc_tree[row]: a tree of the row.
static void find_islands(int* island_of, int* efc_tree, const mjModel* m, mjData* d) {
  size_t top = arena_top(d);
  int flexes = m->nflex && behaves(m, cndBEHAVIOUR_flex);
  Forest forest = {arena_int(d, m->ntree), arena_int(d, m->ntree), flexes};
  for (int i = 0; i < m->ntree; i++) {
    forest.root[i] = i;
    forest.used[i] = 0;
  }
  int sparse = rows_are_sparse(m, d);
  for (int i = 0, n; i < d->nefc; i += n) {
    if (sparse && i < d->ne && m->eq_type[d->efc_id[i]] == mjEQ_FLEX) {
      n = join_edges(efc_tree, &forest, m, d, i);
      continue;
    }
    n = constraint_rows(m, d, i);
    efc_tree[i] = join_constraint(&forest, m, d, i);
    for (int k = 1; k < n; k++) {
      efc_tree[i + k] = efc_tree[i];
    }
  }
  if (d->efm_active) {
    metric_visit(m, d, couple, &(Coupled){&forest, m});
  }
  if (flexes) {
    couple_flexes(&forest, m);
  }
  d->nisland = d->nidof = 0;
  for (int i = 0; i < m->ntree; i++) {
    int root = find_root(&forest, i);
    if (root == i) {
      island_of[i] = forest.used[i] ? d->nisland++ : -1;
    } else {
      island_of[i] = island_of[root];
    }
  }
  for (int i = 0; i < m->nv; i++) {
    d->nidof += island_of[m->dof_treeid[i]] >= 0;
  }
  arena_pop(d, top);
}

// Sorts n trees, dofs or rows by island, keeping their order within an island; those in no island
// come last. count: number per island; address: the first of each island. Returns whether all stay
// where they are, as those of things that touch nothing but the world.
static int sort_by_island(int* sorted, int* original, int* address, mjData* d, const int* island,
                          const int* count, int n) {
  int nisland = d->nisland, total = 0, stay = 1;
  size_t top = arena_top(d);
  int* next = arena_int(d, nisland + 1);
  for (int b = 0; b < nisland; b++) {
    next[b] = address[b] = total;
    total += count[b];
  }
  next[nisland] = total;
  for (int i = 0, end; i < n; i = end) {
    int* place = next + (island[i] >= 0 ? island[i] : nisland);
    int to = *place - i;
    stay &= !to;
    for (end = i; end < n && island[end] == island[i]; end++) {
      sorted[end] = to + end;
      original[to + end] = end;
    }
    *place = to + end;
  }
  arena_pop(d, top);
  return stay;
}

// Sorts the dofs by island, as above.
static int map_dofs(const mjModel* m, mjData* d, const int* island_of) {
  memset(d->island_nv, 0, d->nisland * sizeof(int));
  for (int i = 0; i < m->nv; i++) {
    int island = d->dof_island[i] = island_of[m->dof_treeid[i]];
    if (island >= 0 && !d->island_nv[island]++) {
      d->island_dofadr[island] = i;
    }
  }
  return sort_by_island(d->map_dof2idof, d->map_idof2dof, d->island_idofadr, d, d->dof_island,
                        d->island_nv, m->nv);
}

// Sorts the trees by island. island_of may be NULL: a single island has all trees.
static void map_trees(const mjModel* m, mjData* d, const int* island_of) {
  memset(d->island_ntree, 0, d->nisland * sizeof(int));
  for (int i = 0; i < m->ntree; i++) {
    d->tree_island[i] = island_of ? island_of[i] : 0;
    if (d->tree_island[i] >= 0) {
      d->island_ntree[d->tree_island[i]]++;
    }
  }
  size_t top = arena_top(d);
  int* place = arena_int(d, m->ntree);
  sort_by_island(place, d->map_itree2tree, d->island_itreeadr, d, d->tree_island, d->island_ntree,
                 m->ntree);
  arena_pop(d, top);
}

// Sorts the rows by island; every row has one.
static int map_rows(mjData* d, const int* island_of, const int* efc_tree) {
  int nisland = d->nisland, nefc = d->nefc, *island = d->efc_island;
  int* count[] = {d->island_ne, d->island_nf, d->island_nefc};
  const int end[] = {d->ne, d->ne + d->nf, nefc};
  for (int k = 0, i = 0; k < 3; k++) {
    memset(count[k], 0, nisland * sizeof(int));
    for (int stop; i < end[k]; i = stop) {
      int tree = efc_tree[i], b = island_of[tree];
      for (stop = i; stop < end[k] && efc_tree[stop] == tree; stop++) {
        island[stop] = b;
      }
      count[k][b] += stop - i;
    }
  }
  for (int b = 0; b < nisland; b++) {
    d->island_nefc[b] += d->island_ne[b] + d->island_nf[b];
  }
  return sort_by_island(d->map_efc2iefc, d->map_iefc2efc, d->island_iefcadr, d, island,
                        d->island_nefc, nefc);
}

// Columns of M, counted from the island's first dof, where the order of islands is that of all
// dofs.
static void shift_columns(void* argument, int begin, int end) {
  const RunData* s = argument;
  const mjModel* m = s->m;
  mjData* d = s->d;
  for (int i = begin; i < end; i++) {
    int first = d->island_idofadr[d->dof_island[i]], adr = m->M_rowadr[i];
    for (int k = adr; k < adr + m->M_rownnz[i]; k++) {
      d->iM_colind[k] = m->M_colind[k] - first;
    }
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

// Columns counted from the island's first dof. Dofs ascend, so if the last minus the first equals
// their number less one, they have no gaps.
static void map_columns(int* restrict to, const mjData* d, const int* restrict column, int n,
                        int island) {
  int first = d->island_idofadr[island], end = first + d->island_nv[island];
  const int* dof = d->map_idof2dof + first;
  if (dof[end - 1 - first] - dof[0] == end - 1 - first) {
    for (int k = 0; k < n; k++) {
      to[k] = column[k] - dof[0];
    }
    return;
  }
  for (int k = 0; k < n; k++) {
    to[k] = d->map_dof2idof[column[k]] - first;
  }
}

// The same for the rows [row, end) of an island: once for all that have the same columns.
static void map_rows_columns(int* to, const mjData* d, int row, int end, int island) {
  for (int next; row < end; row = next) {
    int n = d->efc_J_rownnz[row];
    next = int_min(end, row + 1 + d->efc_J_rowsuper[row]);
    map_columns(to, d, d->efc_J_colind + d->efc_J_rowadr[row], n, island);
    for (int k = row + 1; k < next; k++) {
      copy_columns(to + (size_t)(k - row) * (size_t)n, to, n);
    }
    to += (size_t)(next - row) * (size_t)n;
  }
}

// Whether the row after row i, in the order of islands, belongs to the same island and has the same
// columns.
static int next_is_same(const mjData* d, int i) {
  int row = d->map_iefc2efc[i], next = i + 1 < d->nefc ? d->map_iefc2efc[i + 1] : -1;
  if (next < 0 || d->efc_island[row] != d->efc_island[next]) {
    return 0;
  }
  int nnz = d->efc_J_rownnz[row];
  return next == row + 1 ? d->efc_J_rowsuper[row] > 0
                         : nnz == d->efc_J_rownnz[next] &&
                               same_columns(d->efc_J_colind + d->efc_J_rowadr[row],
                                            d->efc_J_colind + d->efc_J_rowadr[next], nnz);
}

// Copies n rows from `row` on, which stay together, to their place i, unless both are one.
static void copy_rows(mjData* d, int i, int row, size_t n) {
  if (storage_shares_rows(d)) {
    return;
  }
  int last = row + (int)n - 1, adr = d->efc_J_rowadr[row];
  size_t nJ = (size_t)(d->efc_J_rowadr[last] + d->efc_J_rownnz[last] - adr);
  memcpy(d->iefc_J_rownnz + i, d->efc_J_rownnz + row, n * sizeof(int));
  memcpy(d->iefc_J + d->iefc_J_rowadr[i], d->efc_J + adr, nJ * sizeof(mjtNum));
  if (d->nisland > 1) {
    memcpy(d->iefc_type + i, d->efc_type + row, n * sizeof(int));
    memcpy(d->iefc_id + i, d->efc_id + row, n * sizeof(int));
    memcpy(d->iefc_frictionloss + i, d->efc_frictionloss + row, n * sizeof(mjtNum));
    memcpy(d->iefc_D + i, d->efc_D + row, n * sizeof(mjtNum));
    memcpy(d->iefc_R + i, d->efc_R + row, n * sizeof(mjtNum));
  }
}

// Copies the rows [begin, end), in the original order, to their places: runs of rows that stay
// together as a whole, columns island by island. iefc_J_rowsuper becomes next_is_same.
static void gather_sparse_rows(void* argument, int begin, int end) {
  mjData* d = argument;
  for (int row = begin, stop; row < end; row = stop) {
    int i = d->map_efc2iefc[row];
    for (stop = row + 1; stop < end && d->map_efc2iefc[stop] == i + stop - row; stop++) {
    }
    copy_rows(d, i, row, (size_t)(stop - row));
    for (int k = row, next; k < stop; k = next) {
      int island = d->efc_island[k], at = i + k - row;
      for (next = k + 1; next < stop && d->efc_island[next] == island; next++) {
      }
      map_rows_columns(d->iefc_J_colind + d->iefc_J_rowadr[at], d, k, next, island);
      for (int r = k; r < next - 1; r++) {
        d->iefc_J_rowsuper[i + r - row] = d->efc_J_rowsuper[r] > 0;
      }
      d->iefc_J_rowsuper[i + next - 1 - row] = next_is_same(d, i + next - 1 - row);
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

static void walk_rows(mjData* d, SharedCall call) {
  if (share_pays(d, d->nefc, LEAST_SHARED_ROWS)) {
    share_for(d, d->nefc, SHARED_ROWS, call, d);
  } else {
    call(d, 0, d->nefc);
  }
}

// stay: each row is where it was
static void gather_sparse(mjData* d, int stay) {
  int nefc = d->nefc, to = 0;
  if (stay) {
    storage_share_rows(d);
    walk_rows(d, map_sparse_rows);
    return;
  }
  for (int i = 0; i < nefc; i++) {
    d->iefc_J_rowadr[i] = to;
    to += d->efc_J_rownnz[d->map_iefc2efc[i]];
  }
  walk_rows(d, gather_sparse_rows);
  for (int i = nefc - 1; i >= 0; i--) {
    d->iefc_J_rowsuper[i] = d->iefc_J_rowsuper[i] ? d->iefc_J_rowsuper[i + 1] + 1 : 0;
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

// Sorts dofs and rows by island. island_of[tree], efc_tree[row]: as in find_islands, unless a
// single island has all dofs.
static void sort_islands(const mjModel* m, mjData* d, const int* island_of, const int* efc_tree) {
  int whole = storage_is_whole(m, d), rows_stay = 1;
  if (!storage_islands(m, d)) {
    return;
  }
  if (whole) {
    fill_dofs(m, d);
  } else {
    int dofs_stay = map_dofs(m, d, island_of);
    if (dofs_stay && d->nidof == m->nv) {
      share_inertia(m, d);
    } else {
      gather_inertia(m, d);
    }
  }
  map_trees(m, d, island_of);
  if (d->nisland == 1) {
    fill_rows(d);
  } else {
    rows_stay = map_rows(d, island_of, efc_tree);
  }
  if (!whole && rows_are_sparse(m, d)) {
    gather_sparse(d, rows_stay);
  } else if (!whole) {
    if (d->nisland > 1) {
      gather_rows(d);
    }
    gather_dense_J(m, d);
  }
}

// Also islands_find in lanes/solvers/islands.h.
void mj_island(const mjModel* m, mjData* d) {
  check_pair(m, d);
  d->nisland = d->nidof = 0;
  if (m->opt.disableflags & mjDSBL_ISLAND || !d->nefc) {
    return;
  }
  if (m->ntree == 1) {
    d->nisland = 1;
    d->nidof = m->nv;
    sort_islands(m, d, NULL, NULL);
    return;
  }
  size_t top = arena_top(d);
  int* efc_tree = arena_push(d, d->nefc * sizeof(int), _Alignof(int));
  if (!efc_tree) {
    storage_full(d);
    return;
  }
  int* island_of = arena_int(d, m->ntree);
  find_islands(island_of, efc_tree, m, d);
  sort_islands(m, d, island_of, efc_tree);
  arena_pop(d, top);
}
