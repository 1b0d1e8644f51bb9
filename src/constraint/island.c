// Islands: sets of kinematic trees that constraints couple; each is a problem of its own.
//
// Trees are nodes, and every constraint is an edge (from a tree to itself, if it acts on one
// alone). An island is a connected component with at least one edge. Islands are numbered by their
// smallest tree. The union-find forest points every tree to a smaller one, so that roots come in
// this order.                                             theory/contact/islands.md, Graph of trees

#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "constraint/island_order.h"
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
#include "model/flex/rod.h"

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

// Adds the rows [row, end) with a tree to the runs, the last of which may go on. Returns their
// number.
static int add_run(Run* run, int nrun, int row, int end, int tree) {
  if (nrun && run[nrun - 1].tree == tree) {
    run[nrun - 1].end = end;
    return nrun;
  }
  run[nrun] = (Run){.begin = row, .end = end, .tree = tree};
  return nrun + 1;
}

// Joins the trees of a flex equality's sparse rows, from a given row on. Returns the number of
// rows. The columns of an edge ascend and belong to two bodies, so its first and last column give
// both trees.
static int join_edges(Run* run, int* nrun, Forest* forest, const mjModel* m, const mjData* d,
                      int row) {
  const int *nnz = d->efc_J_rownnz, *adr = d->efc_J_rowadr, *column = d->efc_J_colind;
  const int *id = d->efc_id, *tree = m->dof_treeid, ne = d->ne, equality = id[row];
  int i = row;
  for (; i < ne && id[i] == equality; i++) {
    int first = tree[column[adr[i]]], last = tree[column[adr[i] + nnz[i] - 1]];
    // usually an earlier edge has joined these two trees
    if (first == last || forest->root[first] != forest->root[last]) {
      join(forest, first, last);
    }
    *nrun = add_run(run, *nrun, i, i + 1, last);
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

// Consecutive contact rows with the same columns, which ascend and belong to one or two trees.
typedef struct Edge_ {
  int end;          // the row after them
  int first, last;  // trees of their first and last column; 0 if they have none
} Edge;

typedef struct Edges_ {
  const mjModel* m;
  const mjData* d;
  int row;     // the first of contacts
  Edge* edge;  // of all contact rows, one piece of rows after the other
} Edges;

// The edges of contact rows [begin, end), from entry `begin` on.
static void list_edges(void* argument, int begin, int end) {
  const Edges* s = argument;
  const mjData* d = s->d;
  const int* tree = s->m->dof_treeid;
  Edge* edge = s->edge + begin;
  for (int i = s->row + begin, next; i < s->row + end; i = next) {
    next = int_min(s->row + end, i + 1 + d->efc_J_rowsuper[i]);
    int n = d->efc_J_rownnz[i];
    const int* column = d->efc_J_colind + d->efc_J_rowadr[i];
    *edge++ = n ? (Edge){next, tree[column[0]], tree[column[n - 1]]} : (Edge){next, 0, 0};
  }
}

// Joins the trees of sparse contact rows from `row` on, if there is room to list them: by the
// threads of a pool, in whose caches they are. Returns the number of rows.
static int join_contacts(Run* run, int* nrun, Forest* forest, const mjModel* m, mjData* d,
                         int row) {
  const int least = 4096, piece = 512;
  int n = d->nefc - row;
  size_t top = arena_top(d);
  Edges s = {m, d, row, arena_push(d, (size_t)n * sizeof(Edge), _Alignof(Edge))};
  if (!s.edge) {
    return 0;
  }
  int pooled = share_pays(d, n, least), size = pooled ? piece : n;
  if (pooled) {
    share_for(d, n, size, list_edges, &s);
  } else {
    list_edges(&s, 0, n);
  }
  for (int begin = 0, i = row; begin < n; begin += size) {
    for (const Edge* edge = s.edge + begin; i < row + int_min(n, begin + size); edge++) {
      join(forest, edge->first, edge->last);
      *nrun = add_run(run, *nrun, i, edge->end, edge->last);
      i = edge->end;
    }
  }
  arena_pop(d, top);
  return n;
}

// Joins the trees of all rows. Returns the number of runs.
static int join_rows(Run* run, Forest* forest, const mjModel* m, mjData* d) {
  int sparse = rows_are_sparse(m, d), nrun = 0, contacts = d->ne + d->nf + d->nl;
  for (int i = 0, n; i < d->nefc; i += n) {
    if (sparse && i < d->ne && m->eq_type[d->efc_id[i]] == mjEQ_FLEX) {
      n = join_edges(run, &nrun, forest, m, d, i);
      continue;
    }
    n = sparse && i == contacts && !m->nflex ? join_contacts(run, &nrun, forest, m, d, i) : 0;
    if (!n) {
      n = constraint_rows(m, d, i);
      nrun = add_run(run, nrun, i, i + n, join_constraint(forest, m, d, i));
    }
  }
  return nrun;
}

// Numbers the islands and counts their dofs. island_of[tree]: island of each tree, -1 if free.
// Returns the number of runs of rows.
static int find_islands(int* island_of, Run* run, const mjModel* m, mjData* d) {
  size_t top = arena_top(d);
  int flexes = m->nflex && behaves(m, cndBEHAVIOUR_flex);
  Forest forest = {arena_int(d, m->ntree), arena_int(d, m->ntree), flexes};
  for (int i = 0; i < m->ntree; i++) {
    forest.root[i] = i;
    forest.used[i] = 0;
  }
  int nrun = join_rows(run, &forest, m, d);
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
  for (int i = 0; i < m->ntree; i++) {
    d->nidof += island_of[i] >= 0 ? m->tree_dofnum[i] : 0;
  }
  arena_pop(d, top);
  return nrun;
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
    islands_sort(m, d, NULL, NULL, 0);
    return;
  }
  size_t top = arena_top(d);
  size_t most = (size_t)int_min(d->nefc, d->ne + d->nf + d->nl + d->ncon);  // one a constraint
  Run* run = arena_push(d, most * sizeof(Run), _Alignof(Run));
  if (!run) {
    storage_full(d);
    return;
  }
  int* island_of = arena_int(d, m->ntree);
  int nrun = find_islands(island_of, run, m, d);
  islands_sort(m, d, island_of, run, nrun);
  arena_pop(d, top);
}
