// Elastic and damping forces of deformables.
//                                                      theory/smooth/deformables.md, Elastic forces

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/dense.h"
#include "base/algebra/vec.h"
#include "model/behaviour.h"
#include "model/data/awake.h"
#include "model/plastic.h"
#include "smooth/flex/flex.h"
#include "smooth/flex/rod.h"

// Adds the forces of a spring and of a damper at one point; NULL if one is switched off.
static void push_both(const mjModel* m, mjData* d, const mjtNum* spring, const mjtNum* damper,
                      const mjtNum point[3], int body) {
  if (spring) {
    flex_push(d->qfrc_spring, m, d, spring, point, body);
  }
  if (damper) {
    flex_push(d->qfrc_damper, m, d, damper, point, body);
  }
}

// forces at vertices

// Coordinates of the vertices of a flex in lanes, four numbers each: positions, velocities, and
// forces of springs and of dampers.
typedef struct Vertices_ {
  Simd4 *x, *v, *spring, *damper;
} Vertices;

static Vertices vertices_make(const mjModel* m, mjData* d, int f) {
  size_t n = (size_t)m->flex_vertnum[f];
  Simd4* block = mj_stackAllocByte(d, 4 * n * sizeof(Simd4), 64);
  Vertices at = {block, block + n, block + 2 * n, block + 3 * n};
  memset(block, 0, 4 * n * sizeof(Simd4));
  for (size_t i = 0; i < n; i++) {
    size_t vert = (size_t)m->flex_vertadr[f] + i;
    v3_copy((mjtNum*)(at.x + i), d->flexvert_xpos + 3 * vert);
    if (m->flex_damping[f] != 0) {
      flex_point_velocity((mjtNum*)(at.v + i), m, d, d->flexvert_xpos + 3 * vert,
                          m->flex_vertbodyid[vert]);
    }
  }
  return at;
}

// bending

INLINE void cross(Simd4 out[1], const Simd4 a[1], const Simd4 b[1]) {
  Simd4 z = *a * SIMD4_ORDER(*b, 1, 2, 0, 3) - SIMD4_ORDER(*a, 1, 2, 0, 3) * *b;
  *out = SIMD4_ORDER(z, 1, 2, 0, 3);
}

// Forces of two triangles that share an edge, on its ends and on the two corners beyond:
//
//   f_a = - sum_b B_ab x_b - beta g_a,   g_1 = e1 x e2, g_2 = e2 x e0, g_3 = e0 x e1, sum g = 0
//   and the damper's  - damping sum_b B_ab v_b               theory/smooth/deformables.md, Bending
INLINE void bend_edge(const Vertices* vertices, const mjtNum B[17], const int corner[4],
                      mjtNum damping) {
  Simd4 x[4], v[4], g[4], e[3];
  for (int a = 0; a < 4; a++) {
    x[a] = vertices->x[corner[a]];
    v[a] = vertices->v[corner[a]];
  }
  for (int k = 0; k < 3; k++) {
    e[k] = x[k + 1] - x[0];
  }
  cross(g + 1, e + 1, e + 2);
  cross(g + 2, e + 2, e);
  cross(g + 3, e, e + 1);
  g[0] = -(g[1] + g[2] + g[3]);
  for (int a = 0; a < 4; a++) {
    Simd4 spring = -B[16] * g[a], damper = {0};
    for (int b = 0; b < 4; b++) {
      spring -= B[4 * a + b] * x[b];
      damper -= B[4 * a + b] * v[b];
    }
    vertices->spring[corner[a]] += spring;
    vertices->damper[corner[a]] += damping * damper;
  }
}

// f_a = - sum_b B_ab x_b - beta g_a at every inner edge: see bend_edge.
// Also add_bend in derivative/smooth/flex.c and bend_and_pull in lint/flex.c.
KERNEL static void bend(const Vertices* vertices, const mjModel* m, int f) {
  int first = m->flex_edgeadr[f];
  for (int e = first; e < first + m->flex_edgenum[f]; e++) {
    const int *end = m->flex_edge + 2 * e, *flap = m->flex_edgeflap + 2 * e;
    if (flap[1] >= 0) {
      const int corner[4] = {end[0], end[1], flap[0], flap[1]};
      bend_edge(vertices, m->flex_bending + 17 * (size_t)e, corner, m->flex_damping[f]);
    }
  }
}

// Hinges that have yielded have a larger coefficient beta, which is all that is left of B.
static void add_plastic_hinges(const Vertices* vertices, const mjModel* m, int f,
                               const mjtNum* plastic) {
  int first = m->flex_edgeadr[f];
  for (int i = 0; plastic && i < m->flex_edgenum[f]; i++) {
    int e = first + i;
    const int *end = m->flex_edge + 2 * e, *flap = m->flex_edgeflap + 2 * e;
    mjtNum B[17] = {0};
    B[16] = plastic[i];
    if (flap[1] >= 0 && plastic[i] != 0) {
      const int corner[4] = {end[0], end[1], flap[0], flap[1]};
      bend_edge(vertices, B, corner, 0);
    }
  }
}

// membranes and solids

// D_e = l^2 - L^2 + (damping / h) (l^2 - (l - h l')^2): the squared elongation of an edge, and a
// damping term, its change over a step.
KERNEL static void elongations(mjtNum* restrict out, const mjModel* m, const mjData* d, int f,
                               mjtNum damping) {
  mjtNum h = m->opt.timestep, rate = h > 0 ? damping / h : 0;
  int first = m->flex_edgeadr[f];
  const mjtNum *length = d->flexedge_length + first, *rest = m->flexedge_length0 + first;
  const mjtNum* velocity = d->flexedge_velocity + first;
  for (int i = 0; i < m->flex_edgenum[f]; i++) {
    mjtNum square = length[i] * length[i], before = length[i] - h * velocity[i];
    out[i] = square - rest[i] * rest[i] + rate * (square - before * before);
  }
}

// The damping term of elongations alone.
KERNEL static void elongation_rates(mjtNum* restrict out, const mjModel* m, const mjData* d,
                                    int f) {
  mjtNum h = m->opt.timestep, rate = h > 0 ? m->flex_damping[f] / h : 0;
  int first = m->flex_edgeadr[f];
  const mjtNum *length = d->flexedge_length + first, *velocity = d->flexedge_velocity + first;
  for (int i = 0; i < m->flex_edgenum[f]; i++) {
    mjtNum before = length[i] - h * velocity[i];
    out[i] = rate * (length[i] * length[i] - before * before);
  }
}

// Saint-Venant-Kirchhoff (StVK) forces of an element, f = -dW/dx of the energy W. D_e: squared
// elongation of edge e = (a, b) (elongations), K: stiffness of the element (stiffen_elements).
//
//   W = 1/4 D' K D      f_a = - sum over edges e = (a, b) of (sum_e' K_ee' D_e') (x_a - x_b)
//                                                theory/smooth/deformables.md, Membranes and solids
INLINE void stretch_element(const Vertices* at, const mjtNum* K, const mjtNum* D, const int* vertex,
                            const int* edge, const int (*end)[2], int n) {
  mjtNum tension[6] = {0};
  for (int a = 0; a < n; a++) {
    tension[a] += *K++ * D[edge[a]];
    for (int b = a + 1; b < n; b++, K++) {
      tension[a] += *K * D[edge[b]];
      tension[b] += *K * D[edge[a]];
    }
  }
  for (int a = 0; a < n; a++) {
    int v0 = vertex[end[a][0]], v1 = vertex[end[a][1]];
    Simd4 pull = tension[a] * (at->x[v0] - at->x[v1]);
    at->spring[v0] -= pull;
    at->spring[v1] += pull;
  }
}

// The same of elements that have yielded: their elongations are those beyond the plastic ones,
// which each element has of its own.
static void stretch_plastic(const Vertices* at, const mjModel* m, const mjtNum* D, int f,
                            const mjtNum* plastic) {
  static const int own[6] = {0, 1, 2, 3, 4, 5};
  int dim = m->flex_dim[f], per = flex_element_edges(dim);
  const int* vertex = m->flex_elem + m->flex_elemdataadr[f];
  const int* edge = m->flex_elemedge + m->flex_elemedgeadr[f];
  const mjtNum* K = m->flex_stiffness + 21 * (size_t)m->flex_elemadr[f];
  for (int e = 0; e < m->flex_elemnum[f]; e++, K += 21, vertex += dim + 1, edge += per) {
    mjtNum elastic[6];
    for (int k = 0; k < per; k++) {
      elastic[k] = D[edge[k]] - *plastic++;
    }
    stretch_element(at, K, elastic, vertex, own, flex_edge_ends(dim), per);
  }
}

// Adds the Saint-Venant-Kirchhoff (StVK) forces of all elements of a flex (stretch_element).
// Also add_stretch in derivative/smooth/flex.c and stretch in lint/flex.c.
KERNEL static void stretch(const Vertices* at, const mjModel* m, const mjtNum* D, int f) {
  int dim = m->flex_dim[f], per = flex_element_edges(dim);
  const int* vertex = m->flex_elem + m->flex_elemdataadr[f];
  const int* edge = m->flex_elemedge + m->flex_elemedgeadr[f];
  const int(*end)[2] = flex_edge_ends(dim);
  const mjtNum* K = m->flex_stiffness + 21 * (size_t)m->flex_elemadr[f];
  for (int e = 0; e < m->flex_elemnum[f]; e++, K += 21, vertex += dim + 1, edge += per) {
    if (dim == 2) {
      stretch_element(at, K, D, vertex, edge, end, 3);
    } else {
      stretch_element(at, K, D, vertex, edge, end, 6);
    }
  }
}

// cages

// The box of the nodes deforms linearly in a corotated frame, which turns from its axes R0 at rest:
//
//   F = sum_i y_i grad N_i(center)', y_i = x_i - mean    R = rotation nearest to F
//   f = R K (R' y + center - R0' node0),   damper: R (damping K) R' v    (K has the minus sign)
//
// quat is R0 on entry and R on return: the iteration for R begins at the axes at rest.
static void turn_of_box(mjtNum quat[4], mjtNum centered[FLEX_NODES][3]) {
  mjtNum F[9] = {0};
  for (int i = 0; i < FLEX_NODES; i++) {
    for (int k = 0; k < 3; k++) {
      // at the center the other two factors of a shape function are 1/2 each
      mjtNum slope = i >> (2 - k) & 1 ? (mjtNum)0.25 : (mjtNum)-0.25;
      for (int r = 0; r < 3; r++) {
        F[3 * r + k] += centered[i][r] * slope;
      }
    }
  }
  mju_mat2Rot(quat, F);
}

static void node_states(mjtNum x[FLEX_NODES][3], mjtNum v[FLEX_NODES][3], const mjModel* m,
                        const mjData* d, int f) {
  for (int i = 0; i < FLEX_NODES; i++) {
    flex_node_position(x[i], m, d, f, i);
    flex_point_velocity(v[i], m, d, x[i], m->flex_nodebodyid[m->flex_nodeadr[f] + i]);
  }
}

void flex_box_turn(mjtNum quat[4], const mjModel* m, const mjData* d, int f) {
  mjtNum x[FLEX_NODES][3], mean[3] = {0};
  for (int i = 0; i < FLEX_NODES; i++) {
    flex_node_position(x[i], m, d, f, i);
    v3_addtoscl(mean, x[i], (mjtNum)1 / FLEX_NODES);
  }
  for (int i = 0; i < FLEX_NODES; i++) {
    v3_subfrom(x[i], mean);
  }
  flex_box_axes(quat, m->flex_node0 + 3 * (size_t)m->flex_nodeadr[f]);
  turn_of_box(quat, x);
}

// f = R K a, a_i = R' (x_i - mean) + center - R0' node0_i, with the rotation R nearest to the
// deformation of the box and its axes R0 at rest.
// Also box_forces in derivative/smooth/flex_box.c and deform in lint/flex.c.
static void deform_box(const mjModel* m, mjData* d, int f, int springs, int dampers) {
  const int size = 3 * FLEX_NODES;
  const mjtNum* K = m->flex_stiffness + 21 * (size_t)m->flex_elemadr[f];
  mjtNum x[FLEX_NODES][3], v[FLEX_NODES][3], y[FLEX_NODES][3], mean[3] = {0};
  const mjtNum* node0 = m->flex_node0 + 3 * (size_t)m->flex_nodeadr[f];
  mjtNum quat[4], rest[4], back[4], away[3 * FLEX_NODES], rate[3 * FLEX_NODES];
  node_states(x, v, m, d, f);
  for (int i = 0; i < FLEX_NODES; i++) {
    v3_addtoscl(mean, x[i], (mjtNum)1 / FLEX_NODES);
  }
  for (int i = 0; i < FLEX_NODES; i++) {
    v3_sub(y[i], x[i], mean);
  }
  flex_box_axes(rest, node0);
  q_copy(quat, rest);
  turn_of_box(quat, y);
  q_conj(back, quat);
  for (int i = 0; i < FLEX_NODES; i++) {
    mjtNum start[3];
    q_rotate(away + 3 * i, y[i], back);
    q_unrotate(start, node0 + 3 * i, rest);
    v3_subfrom(away + 3 * i, start);
    for (int k = 0; k < 3; k++) {
      away[3 * i + k] += (mjtNum)0.5;
    }
    q_rotate(rate + 3 * i, v[i], back);
  }
  for (int i = 0; i < FLEX_NODES; i++) {
    mjtNum spring[3] = {0}, damper[3] = {0};
    for (int k = 0; k < 3; k++) {
      const mjtNum* row = K + size * (3 * i + k);
      for (int j = 0; j < size; j++) {
        spring[k] += row[j] * away[j];
        damper[k] += row[j] * rate[j];
      }
    }
    v3_scl(damper, damper, m->flex_damping[f]);
    q_rotate(spring, spring, quat);
    q_rotate(damper, damper, quat);
    int body = m->flex_nodebodyid[m->flex_nodeadr[f] + i];
    push_both(m, d, springs ? spring : NULL, dampers ? damper : NULL, x[i], body);
  }
}

// all

// qfrc += J' tension, of n edges
static void pull_edges(mjtNum* qfrc, const mjModel* m, const mjData* d, int first, int n,
                       const mjtNum* tension) {
  if (mj_isSparse(m)) {
    SparseRows rows = flex_rows(d, first, n);
    rows_add_to(qfrc, &rows, tension);
    return;
  }
  for (int i = 0; i < n; i++) {
    axpy_n(qfrc, d->flexedge_J + (size_t)(first + i) * (size_t)m->nv, tension[i], m->nv);
  }
}

// Also add_edges in derivative/smooth/flex.c.
static void edge_forces(const mjModel* m, mjData* d, int f, int spring, int damper) {
  mjtNum stiffness = spring ? m->flex_edgestiffness[f] : 0;
  mjtNum damping = damper ? m->flex_edgedamping[f] : 0;
  int first = m->flex_edgeadr[f], n = m->flex_edgenum[f];
  if (stiffness == 0 && damping == 0) {
    return;
  }
  mj_markStack(d);
  mjtNum *pull = mj_stackAllocNum(d, (size_t)n), *drag = mj_stackAllocNum(d, (size_t)n);
  for (int i = 0, e = first; i < n; i++, e++) {
    int acts = !m->flexedge_rigid[e];
    pull[i] = acts ? stiffness * (m->flexedge_length0[e] - d->flexedge_length[e]) : 0;
    drag[i] = acts ? -damping * d->flexedge_velocity[e] : 0;
  }
  pull_edges(d->qfrc_spring, m, d, first, n, pull);
  pull_edges(d->qfrc_damper, m, d, first, n, drag);
  mj_freeStack(d);
}

static int has_flaps(const mjModel* m, int f) {
  int first = m->flex_edgeadr[f], any = 0;
  if (m->flex_interp[f]) {
    return 0;
  }
  for (int e = first; m->flex_dim[f] == 2 && e < first + m->flex_edgenum[f] && !any; e++) {
    any = m->flex_edgeflap[2 * e + 1] >= 0;
  }
  return any;
}

// Adds the forces of elements. They are summed by vertices first.
static void element_forces(const mjModel* m, mjData* d, int f, int spring, int damper) {
  int bends = has_flaps(m, f), vert = m->flex_vertadr[f];
  int stretches = !m->flex_interp[f] && m->flex_stiffness[21 * (size_t)m->flex_elemadr[f]] != 0;
  if (!bends && !stretches) {
    return;
  }
  mj_markStack(d);
  Vertices at = vertices_make(m, d, f);
  if (bends) {
    bend(&at, m, f);
    add_plastic_hinges(&at, m, f, plastic_bend_of(m, d, f));
  }
  if (!spring) {
    memset(at.spring, 0, (size_t)m->flex_vertnum[f] * sizeof(Simd4));
  }
  int parts = behaves(m, cndBEHAVIOUR_flex);
  if (stretches) {
    mjtNum* D = mj_stackAllocNum(d, (size_t)m->flex_edgenum[f]);
    elongations(D, m, d, f, parts ? 0 : m->flex_damping[f]);
    const mjtNum* plastic = plastic_stretch_of(m, d, f);
    if (plastic) {
      stretch_plastic(&at, m, D, f, plastic);
    } else if (spring || !parts) {
      stretch(&at, m, D, f);
    }
    if (parts && damper && m->flex_damping[f] != 0) {
      const Vertices drag = {at.x, at.v, at.damper, at.damper};
      elongation_rates(D, m, d, f);
      stretch(&drag, m, D, f);
    }
  }
  for (int v = 0; v < m->flex_vertnum[f]; v++) {
    push_both(m, d, (const mjtNum*)(at.spring + v),
              damper && (bends || parts) ? (const mjtNum*)(at.damper + v) : NULL,
              d->flexvert_xpos + 3 * (size_t)(vert + v), m->flex_vertbodyid[vert + v]);
  }
  mj_freeStack(d);
}

// qfrc_spring, qfrc_damper += J_a' f_a of all vertices a
void flex_forces(const mjModel* m, mjData* d, int spring, int damper) {
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_rigid[f] || flex_sleeps(m, d, f)) {
      continue;
    }
    Rod rod;
    if (m->flex_dim[f] == 1) {
      if (rod_of(&rod, m, f)) {
        rod_forces(m, d, &rod, f, spring, damper);
      }
      continue;
    }
    element_forces(m, d, f, spring, damper);
    if (flex_has_cells(m, f) && m->flex_edgeequality[f] == FLEX_STRAIN) {
      continue;
    }
    if (flex_has_cells(m, f) && m->cnd_flex_shell[f]) {
      flex_shell_forces(m, d, f, spring, damper);
    } else if (flex_has_cells(m, f)) {
      flex_cell_forces(m, d, f, spring, damper);
    } else if (m->flex_interp[f] && m->flex_stiffness[21 * (size_t)m->flex_elemadr[f]] != 0) {
      deform_box(m, d, f, spring, damper);
    }
  }
  for (int f = 0; f < m->nflex; f++) {
    if (!m->flex_rigid[f] && !flex_sleeps(m, d, f)) {
      edge_forces(m, d, f, spring, damper);
    }
  }
}

mjtNum flex_energy(const mjModel* m, const mjData* d) {
  mjtNum energy = 0;
  for (int f = 0; f < m->nflex; f++) {
    int first = m->flex_edgeadr[f];
    mjtNum stiffness = m->flex_rigid[f] ? 0 : m->flex_edgestiffness[f];
    for (int e = first; stiffness != 0 && e < first + m->flex_edgenum[f]; e++) {
      if (!m->flexedge_rigid[e]) {
        energy += stiffness * num_square(m->flexedge_length0[e] - d->flexedge_length[e]) / 2;
      }
    }
  }
  return energy;
}
