// flex_order.c: the order in which release 4.0 factors the stiffness of flexes: by minimum degree.
//
// The node with the fewest neighbors is eliminated; then its neighbors are all neighbors of each
// other. Of nodes with the same number the one comes that got this number last. The order is
// written from its end. Instead of new neighbors each node keeps the eliminated ones next to it,
// whose neighbors it has: so no list grows (the quotient graph).
//                                               A. George, J. Liu, SIAM Review 31(1), 1989, 1-19

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/memory/memory.h"
#include "model/behaviour.h"
#include "model/cage.h"
#include "model/derived/flex_graph.h"
#include "model/derived/parts.h"

typedef struct Elimination_ {
  FlexGraph graph;
  int** front;       // for each eliminated node its neighbors then, ascending; NULL: absorbed
  int* size;         // their number
  int* nfront;       // for each node how many eliminated ones its list of neighbors begins with
  int* count;        // length of that list
  int* degree;       // number of neighbors, those through eliminated nodes too
  int* head;         // first node of each degree, -1: none
  int *next, *prev;  // of nodes with the same degree
  int* seen;         // stamp of the last visit
  int stamp;
  int* list;  // scratch
} Elimination;

// nodes by degree

static void insert(Elimination* e, int i) {
  int* head = e->head + e->degree[i];
  e->prev[i] = -1;
  e->next[i] = *head;
  if (*head >= 0) {
    e->prev[*head] = i;
  }
  *head = i;
}

static void take_out(Elimination* e, int i) {
  if (e->prev[i] >= 0) {
    e->next[e->prev[i]] = e->next[i];
  } else {
    e->head[e->degree[i]] = e->next[i];
  }
  if (e->next[i] >= 0) {
    e->prev[e->next[i]] = e->prev[i];
  }
}

// elimination

static void visit(Elimination* e, int* n, int i) {
  if (e->seen[i] != e->stamp) {
    e->seen[i] = e->stamp;
    e->list[(*n)++] = i;
  }
}

// Lists the neighbors of a node, also those through eliminated ones. Returns their number.
static int reach(Elimination* e, int i) {
  const int* near = e->graph.neighbor + e->graph.start[i];
  int n = 0;
  e->stamp++;
  e->seen[i] = e->stamp;
  for (int k = 0; k < e->count[i]; k++) {
    if (k >= e->nfront[i]) {
      visit(e, &n, near[k]);
      continue;
    }
    for (int j = 0; j < e->size[near[k]]; j++) {
      visit(e, &n, e->front[near[k]][j]);
    }
  }
  return n;
}

// Gives a neighbor of p the eliminated p for what p's list covers: p itself, eliminated nodes that
// p was next to, and nodes in the list, which all have the stamp of p.
static void absorb(Elimination* e, int i, int p) {
  int *near = e->graph.neighbor + e->graph.start[i], nfront = 0, n = 0;
  for (int k = 0; k < e->nfront[i]; k++) {
    if (e->front[near[k]]) {
      near[nfront++] = near[k];
    }
  }
  n = nfront;
  for (int k = e->nfront[i]; k < e->count[i]; k++) {
    if (e->seen[near[k]] != e->stamp) {
      near[n++] = near[k];
    }
  }
  // something was left out: p itself, or an eliminated node that led to it
  memmove(near + nfront + 1, near + nfront, (size_t)(n - nfront) * sizeof(int));
  near[nfront] = p;
  e->nfront[i] = nfront + 1;
  e->count[i] = n + 1;
}

// Returns 0 if memory runs out.
static int eliminate(Elimination* e, int p) {
  int *near = e->graph.neighbor + e->graph.start[p], n = reach(e, p);
  int* front = memory_take((size_t)n * sizeof(int) + 1);
  if (!front) {
    return 0;
  }
  memcpy(front, e->list, (size_t)n * sizeof(int));
  flex_sort(front, n);
  for (int k = 0; k < e->nfront[p]; k++) {
    mju_free(e->front[near[k]]);
    e->front[near[k]] = NULL;
  }
  for (int k = 0; k < n; k++) {
    absorb(e, front[k], p);
  }
  e->front[p] = front;
  e->size[p] = n;
  for (int k = 0; k < n; k++) {
    take_out(e, front[k]);
    e->degree[front[k]] = reach(e, front[k]);
    insert(e, front[k]);
  }
  return 1;
}

static void start(Elimination* e) {
  for (int i = 0; i <= e->graph.n; i++) {
    e->head[i] = -1;
  }
  for (int i = e->graph.n - 1; i >= 0; i--) {
    e->count[i] = e->degree[i] = e->graph.start[i + 1] - e->graph.start[i];
    insert(e, i);
  }
}

static int order_nodes(int* order, Elimination* e) {
  int least = 0;
  for (int to = e->graph.n - 1; to >= 0; to--) {
    while (e->head[least] < 0) {
      least++;
    }
    int p = e->head[least];
    take_out(e, p);
    order[to] = e->graph.dof[p];
    if (!eliminate(e, p)) {
      return 0;
    }
    least = least ? least - 1 : 0;  // a neighbor has lost no more than p
  }
  return 1;
}

static int order_graph(int* order, const FlexGraph* graph) {
  size_t n = (size_t)graph->n + 1;
  int* numbers = memory_take_zero(9 * n * sizeof(int));
  int** front = memory_take_zero(n * sizeof(int*));
  int done = 0;
  if (numbers && front) {
    Elimination e = {.graph = *graph,
                     .front = front,
                     .size = numbers,
                     .nfront = numbers + n,
                     .count = numbers + 2 * n,
                     .degree = numbers + 3 * n,
                     .head = numbers + 4 * n,
                     .next = numbers + 5 * n,
                     .prev = numbers + 6 * n,
                     .seen = numbers + 7 * n,
                     .list = numbers + 8 * n};
    start(&e);
    done = order_nodes(order, &e);
  }
  for (size_t i = 0; front && i < n; i++) {
    mju_free(front[i]);
  }
  mju_free(front);
  mju_free(numbers);
  return done;
}

// model

// Whether any number of the matrices of a cage's cells, or of a shell's faces, isn't 0.
static int has_cells(const mjModel* m, int f) {
  const int* count = m->flex_cellnum + 3 * (size_t)f;
  int n = m->flex_interp[f] + 1, shell = m->cnd_flex_shell[f];
  int parts = shell ? flex_face_count(count) : count[0] * count[1] * count[2];
  int size = 3 * n * n * (shell ? 1 : n), any = 0;
  const mjtNum* K = m->cnd_flex_cell + m->cnd_flex_celladr[f];
  for (int i = 0; m->cnd_flex_celladr[f] >= 0 && i < parts * size * size && !any; i++) {
    any = K[i] != 0;
  }
  return any;
}

mjtSize flex_order_count(const mjModel* m) {
  int n = 0;
  for (int f = 0; f < m->nflex && behaves(m, cndBEHAVIOUR_flex); f++) {
    int bends = m->flex_dim[f] >= 2 || m->flex_bendingadr[f] >= 0;
    n += !m->flex_interp[f] && !m->flex_rigid[f] && bends ? m->flex_vertnum[f] : 0;
  }
  return (mjtSize)int_min(n, m->nv / 3);
}

int write_flex_order(mjModel* m) {
  for (mjtSize i = 0; i < m->nefmCvert; i++) {
    m->efmC_perm[i] = -1;
  }
  // where cages are elastic, release 4.0 factors all in another way
  int other = !m->nefmCvert;
  for (int f = 0; f < m->nflex && !other; f++) {
    other = m->flex_interp[f] && m->flex_edgeequality[f] != FLEX_STRAIN && has_cells(m, f);
  }
  if (other) {
    return 1;
  }
  size_t n = flex_cliques(NULL, m);
  FlexClique* clique = memory_take(n * sizeof(FlexClique) + 1);
  FlexGraph graph = {0};
  int done = clique != NULL;
  if (done) {
    flex_cliques(clique, m);
    done = flex_graph_make(&graph, m, clique, n, 0) && order_graph(m->efmC_perm, &graph);
  }
  flex_graph_free(&graph);
  mju_free(clique);
  return done;
}
