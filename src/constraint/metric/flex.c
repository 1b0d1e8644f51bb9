// flex.c: stiffness of elastic flexes in the metric, as 3 x 3 blocks between vertices or nodes.
//
//   membranes and solids   2 sum K_ee' (u_e)(u_e')' + sum max(0, t_e) (laplacian of edge e)
//                          u_e = x_a - x_b of an edge e, t_e its tension
//   bending                B_ab E
//   cells of a cage        R K_ab R', R the turn of the cell
//
// Of the second derivative of the energy these are the parts that are never negative: compressed
// edges have none, nor has the curvature of bent shells. Their sum S enters as (h^2 + h damping) S,
// and the shift of forces is - h S v.              theory/time/integration.md, Discrete

#include "constraint/metric/flex.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "model/behaviour.h"
#include "model/checks/discrete.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "model/derived/flex_graph.h"
#include "model/plastic.h"
#include "smooth/flex/flex.h"
#include "smooth/jacobian.h"

// A vertex or node: where it is, its velocity, the dofs that move it with 3 x n numbers, and the
// force on it.
typedef struct MetricPoint_ {
  int body, n;
  const int* dof;
  mjtNum *J, x[3], v[3], force[3];
} MetricPoint;

typedef struct MetricSum_ {
  const mjModel* m;
  mjData* d;
  mjtNum* matrix;  // NULL: the shift is summed
  const int* depth;
  mjtNum scale;
  MetricPoint* point;
} MetricSum;

// points

static int point_count(const mjModel* m, int f) {
  return m->flex_interp[f] ? m->flex_nodenum[f] : m->flex_vertnum[f];
}

static int point_body(const mjModel* m, int f, int i) {
  return m->flex_interp[f] ? m->flex_nodebodyid[m->flex_nodeadr[f] + i]
                           : m->flex_vertbodyid[m->flex_vertadr[f] + i];
}

static MetricPoint* points_make(const mjModel* m, mjData* d, int f) {
  int n = point_count(m, f);
  MetricPoint* points =
      mj_stackAllocByte(d, (size_t)n * sizeof(MetricPoint), _Alignof(MetricPoint));
  for (int i = 0; i < n; i++) {
    MetricPoint* p = points + i;
    const mjtNum zero[3] = {0, 0, 0};
    p->body = point_body(m, f, i);
    p->dof = jac_body_chain(&p->n, m, p->body);
    if (m->flex_interp[f]) {
      flex_node_position(p->x, m, d, f, i);
    } else {
      v3_copy(p->x, d->flexvert_xpos + 3 * (size_t)(m->flex_vertadr[f] + i));
    }
    flex_point_velocity(p->v, m, d, p->x, p->body);
    v3_zero(p->force);
    p->J = mj_stackAllocNum(d, 3 * (size_t)p->n);
    if (p->n) {
      jac_difference(p->J, NULL, p->n, 1, m, d, 0, zero, p->body, p->x, NULL);
    }
  }
  return points;
}

// Adds a block K of S between points a and b: to the entries below the diagonal of the matrix, or
// to the force on a.
static void add_block(const MetricSum* s, int ia, int ib, const mjtNum K[9]) {
  MetricPoint *a = s->point + ia, *b = s->point + ib;
  mjtNum Kv[3];
  if (!s->matrix) {
    m3_mulv(Kv, K, b->v);
    v3_addtoscl(a->force, Kv, s->scale);
    return;
  }
  for (int j = 0; j < b->n; j++) {
    const mjtNum column[3] = {b->J[j], b->J[b->n + j], b->J[2 * b->n + j]};
    int at = s->depth[b->dof[j]];
    m3_mulv(Kv, K, column);
    for (int i = 0; i < a->n; i++) {
      if (a->dof[i] >= b->dof[j]) {
        metric_row(s->matrix, s->d, s->depth, a->dof[i])[at] +=
            s->scale * (a->J[i] * Kv[0] + a->J[a->n + i] * Kv[1] + a->J[2 * a->n + i] * Kv[2]);
      }
    }
  }
}

static void add_identity(const MetricSum* s, int a, int b, mjtNum k) {
  const mjtNum K[9] = {k, 0, 0, 0, k, 0, 0, 0, k};
  add_block(s, a, b, K);
}

// elements

// Also bend_edge in smooth/flex/passive.c.
static void add_bending(const MetricSum* s, int f) {
  const mjModel* m = s->m;
  int first = m->flex_edgeadr[f];
  for (int e = first; m->flex_dim[f] == 2 && e < first + m->flex_edgenum[f]; e++) {
    const int *end = m->flex_edge + 2 * e, *flap = m->flex_edgeflap + 2 * e;
    const mjtNum* B = m->flex_bending + 17 * (size_t)e;
    if (flap[1] < 0 || B[0] == 0) {
      continue;
    }
    const int corner[4] = {end[0], end[1], flap[0], flap[1]};
    for (int a = 0; a < 4; a++) {
      for (int b = 0; b < 4; b++) {
        add_identity(s, corner[a], corner[b], B[4 * a + b]);
      }
    }
  }
}

typedef struct Stretch_ {
  int n, edges;
  mjtNum u[6][3], K[6][6], D[6];
  const int (*end)[2];
} Stretch;

// S of an element of n vertices, E (3 n)^2 = sum over edges a of 2 U_a (sum_b K_ab U_b)', with
// U_a = u_a at the first and - u_a at the second end, and of max(0, t_a) at the ends.
static void element_matrix(mjtNum E[144], const Stretch* t) {
  int size = 3 * t->n;
  memset(E, 0, sizeof(mjtNum) * (size_t)(size * size));
  for (int a = 0; a < t->edges; a++) {
    mjtNum along[12] = {0}, tension = 0;
    for (int b = 0; b < t->edges; b++) {
      tension += t->K[a][b] * t->D[b];
      v3_addtoscl(along + 3 * t->end[b][0], t->u[b], 2 * t->K[a][b]);
      v3_addtoscl(along + 3 * t->end[b][1], t->u[b], -2 * t->K[a][b]);
    }
    int p = 3 * t->end[a][0], q = 3 * t->end[a][1];
    for (int r = 0; r < 3; r++) {
      mjtNum *first = E + (p + r) * size, *second = E + (q + r) * size;
      for (int c = 0; c < size; c++) {
        first[c] += t->u[a][r] * along[c];
        second[c] -= t->u[a][r] * along[c];
      }
      if (tension > 0) {
        first[p + r] += tension;
        first[q + r] -= tension;
        second[p + r] -= tension;
        second[q + r] += tension;
      }
    }
  }
}

// Adds S of an element to the public arrays: blocks of vertices, and of the ends of edges.
static void write_hessian(const MetricSum* s, int f, const Stretch* t, const mjtNum* E,
                          const int* vertex, const int* edge) {
  int size = 3 * t->n;
  mjtNum* own = s->d->flexvert_hessian + 6 * (size_t)s->m->flex_vertadr[f];
  mjtNum* other = s->d->flexedge_hessian + 9 * (size_t)s->m->flex_edgeadr[f];
  for (int a = 0; a < t->n; a++) {
    mjtNum* to = own + 6 * (size_t)vertex[a];
    for (int r = 0; r < 3; r++) {
      for (int c = r; c < 3; c++) {
        *to++ += E[(3 * a + r) * size + 3 * a + c];
      }
    }
  }
  for (int e = 0; e < t->edges; e++) {
    int p = t->end[e][0], q = t->end[e][1];
    int turned = s->m->flex_edge[2 * (s->m->flex_edgeadr[f] + edge[e])] != vertex[p];
    mjtNum* to = other + 9 * (size_t)edge[e];
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++) {
        *to++ += turned ? E[(3 * q + r) * size + 3 * p + c] : E[(3 * p + r) * size + 3 * q + c];
      }
    }
  }
}

static void add_element(const MetricSum* s, int f, const Stretch* t, const int* vertex,
                        const int* edge) {
  mjtNum E[144], K[9];
  element_matrix(E, t);
  if (s->matrix && behaves(s->m, cndBEHAVIOUR_flex)) {
    write_hessian(s, f, t, E, vertex, edge);
  }
  for (int a = 0; a < t->n; a++) {
    for (int b = 0; b < t->n; b++) {
      for (int r = 0; r < 3; r++) {
        v3_copy(K + 3 * r, E + (3 * a + r) * 3 * t->n + 3 * b);
      }
      add_block(s, vertex[a], vertex[b], K);
    }
  }
}

// Also stretch_element in smooth/flex/passive.c.
static void add_stretch(const MetricSum* s, int f) {
  const mjModel* m = s->m;
  int dim = m->flex_dim[f], first = m->flex_edgeadr[f];
  Stretch t = {.n = dim + 1, .edges = flex_element_edges(dim), .end = flex_edge_ends(dim)};
  const int* vertex = m->flex_elem + m->flex_elemdataadr[f];
  const int* edge = m->flex_elemedge + m->flex_elemedgeadr[f];
  const mjtNum* packed = m->flex_stiffness + 21 * (size_t)m->flex_elemadr[f];
  const mjtNum* plastic = plastic_stretch_of(m, s->d, f);
  if (s->matrix && behaves(m, cndBEHAVIOUR_flex)) {
    mju_zero(s->d->flexvert_hessian + 6 * (size_t)m->flex_vertadr[f], 6 * m->flex_vertnum[f]);
    mju_zero(s->d->flexedge_hessian + 9 * (size_t)first, 9 * m->flex_edgenum[f]);
    s->d->flex_hessian_valid[f] = 1;
  }
  for (int e = 0; e < m->flex_elemnum[f]; e++) {
    const mjtNum* K = packed;
    for (int a = 0; a < t.edges; a++) {
      int at = first + edge[a];
      mjtNum length = s->d->flexedge_length[at], rest = m->flexedge_length0[at];
      v3_sub(t.u[a], s->point[vertex[t.end[a][0]]].x, s->point[vertex[t.end[a][1]]].x);
      t.D[a] = length * length - rest * rest - (plastic ? *plastic++ : 0);
      for (int b = a; b < t.edges; b++) {
        t.K[a][b] = t.K[b][a] = *K++;
      }
    }
    add_element(s, f, &t, vertex, edge);
    packed += 21;
    vertex += dim + 1;
    edge += t.edges;
  }
}

// cages

// - R K R' of a cell, whose K has the minus sign
static void add_cell(const MetricSum* s, const mjtNum* K, const int* node, int n,
                     const mjtNum quat[4]) {
  mjtNum R[9], block[9], turned[9];
  mju_quat2Mat(R, quat);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      for (int r = 0; r < 3; r++) {
        v3_scl(block + 3 * r, K + (size_t)(3 * n) * (size_t)(3 * i + r) + 3 * j, -1);
      }
      mju_mulMatMat(turned, R, block, 3, 3, 3);
      mju_mulMatMatT(block, turned, R, 3, 3, 3);
      add_block(s, node ? node[i] : i, node ? node[j] : j, block);
    }
  }
}

// Also flex_cell_forces in smooth/flex/cage.c and deform_box in smooth/flex/passive.c.
static void add_cells(const MetricSum* s, int f) {
  const mjModel* m = s->m;
  if (!flex_has_cells(m, f)) {
    mjtNum quat[4];
    flex_box_turn(quat, m, s->d, f);
    add_cell(s, m->flex_stiffness + 21 * (size_t)m->flex_elemadr[f], NULL, FLEX_NODES, quat);
    return;
  }
  const int* count = m->flex_cellnum + 3 * (size_t)f;
  const mjtNum* K = m->cnd_flex_cell + m->cnd_flex_celladr[f];
  for (int c = 0; c < count[0] * count[1] * count[2]; c++) {
    FlexCell cell;
    flex_cell_state(&cell, m, s->d, f, c);
    if (K[0] != 0) {
      add_cell(s, K, cell.node, cell.n, cell.quat);
    }
    K += 9 * (size_t)(cell.n * cell.n);
  }
}

// all

// The sum over all elastic flexes: to a matrix with the metric's pattern or to a vector.
static void sum_flexes(mjtNum* matrix, mjtNum* shift, const mjModel* m, mjData* d) {
  mjtNum h = m->opt.timestep;
  int spring = !(m->opt.disableflags & mjDSBL_SPRING);
  int damper = !(m->opt.disableflags & mjDSBL_DAMPER);
  size_t top = arena_top(d);
  int* depth = arena_int(d, matrix ? m->nv : 0);
  if (matrix) {
    metric_depths(depth, m, d);
  }
  for (int f = 0; f < m->nflex; f++) {
    mjtNum damping = damper ? h * m->flex_damping[f] : 0;
    MetricSum s = {.m = m, .d = d, .matrix = matrix, .depth = depth};
    s.scale = shift ? (spring ? -h : 0) : (spring ? h * h : 0) + damping;
    if (s.scale == 0 || !discrete_is_elastic(m, f) || flex_sleeps(m, d, f)) {
      continue;
    }
    mj_markStack(d);
    s.point = points_make(m, d, f);
    if (m->flex_interp[f]) {
      add_cells(&s, f);
    } else {
      add_bending(&s, f);
      add_stretch(&s, f);
    }
    for (int i = 0; shift && i < point_count(m, f); i++) {
      MetricPoint* p = s.point + i;
      flex_push(shift, m, d, p->force, p->x, p->body);
    }
    mj_freeStack(d);
  }
  arena_pop(d, top);
}

void metric_flex_add(mjtNum* matrix, const mjModel* m, mjData* d) {
  sum_flexes(matrix, NULL, m, d);
}

void metric_flex_shift(mjtNum* shift, const mjModel* m, mjData* d) {
  sum_flexes(NULL, shift, m, d);
}

// The dofs of some bodies as one row.
static void visit_bodies(const mjModel* m, mjtByte* moved, int* list, const int* body, int n,
                         MetricVisitor* visit, void* arg) {
  int first = m->nv, last = -1, count = 0;
  for (int i = 0; i < n; i++) {
    int length;
    const int* dof = jac_body_chain(&length, m, body[i]);
    for (int k = 0; k < length; k++) {
      moved[dof[k]] = 1;
      first = int_min(first, dof[k]);
      last = int_max(last, dof[k]);
    }
  }
  for (int i = first; i <= last; i++) {
    list[count] = i;
    count += moved[i];
    moved[i] = 0;
  }
  visit(arg, NULL, list, count);
}

static void visit_flex(const mjModel* m, mjData* d, int f, MetricVisitor* visit, void* arg) {
  mjtByte* moved = arena_take(d, (size_t)m->nv, 1);
  int *list = arena_int(d, m->nv), body[FLEX_CELL_NODES], dim = m->flex_dim[f];
  memset(moved, 0, (size_t)m->nv);
  if (m->flex_interp[f] && !flex_has_cells(m, f)) {
    visit_bodies(m, moved, list, m->flex_nodebodyid + m->flex_nodeadr[f], FLEX_NODES, visit, arg);
  } else if (m->flex_interp[f]) {
    const int* count = m->flex_cellnum + 3 * (size_t)f;
    for (int c = 0; c < count[0] * count[1] * count[2]; c++) {
      int node[FLEX_CELL_NODES], n = flex_cell_nodes(node, m, f, c);
      for (int i = 0; i < n; i++) {
        body[i] = point_body(m, f, node[i]);
      }
      visit_bodies(m, moved, list, body, n, visit, arg);
    }
  } else {
    const int* vertex = m->flex_elem + m->flex_elemdataadr[f];
    for (int e = 0; e < m->flex_elemnum[f]; e++, vertex += dim + 1) {
      for (int i = 0; i <= dim; i++) {
        body[i] = point_body(m, f, vertex[i]);
      }
      visit_bodies(m, moved, list, body, dim + 1, visit, arg);
    }
    for (int e = m->flex_edgeadr[f]; dim == 2 && e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
      const int *end = m->flex_edge + 2 * e, *flap = m->flex_edgeflap + 2 * e;
      const int corner[4] = {end[0], end[1], flap[0], flap[1]};
      for (int i = 0; flap[1] >= 0 && i < 4; i++) {
        body[i] = point_body(m, f, corner[i]);
      }
      visit_bodies(m, moved, list, body, flap[1] >= 0 ? 4 : 0, visit, arg);
    }
  }
}

void metric_flex_visit(const mjModel* m, mjData* d, MetricVisitor* visit, void* arg) {
  for (int f = 0; f < m->nflex; f++) {
    if (discrete_is_elastic(m, f) && !flex_sleeps(m, d, f)) {
      size_t top = arena_top(d);
      visit_flex(m, d, f, visit, arg);
      arena_pop(d, top);
    }
  }
}

int metric_flex_dofs(int* dof, const mjModel* m, mjData* d) {
  size_t top = arena_top(d);
  mjtByte* listed = arena_take(d, (size_t)m->nv, 1);
  int n = 0, all = behaves(m, cndBEHAVIOUR_flex);
  memset(listed, 0, (size_t)m->nv);
  for (int f = 0; f < m->nflex; f++) {
    for (int i = 0; discrete_is_elastic(m, f) && i < point_count(m, f); i++) {
      int body = point_body(m, f, i), first = flex_body_dof(m, body);
      all &= first >= 0 || !m->body_weldid[body];
      if (first >= 0) {
        listed[first] = 1;
      }
    }
  }
  for (int i = 0; all && i < m->nv; i++) {
    if (listed[i] && dof) {
      dof[n] = i;
    }
    n += listed[i];
  }
  arena_pop(d, top);
  return n;
}
