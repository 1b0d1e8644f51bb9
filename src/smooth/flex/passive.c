#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec.h"
#include "smooth/flex/flex.h"
#include "smooth/jacobian.h"

// Elastic and damping forces of deformables.
//                                                         theory/deformables.md, Elastic forces

// a point of a body

// Bodies that only slide move all their points alike: their dofs' axes say how.
static int only_slides(const mjModel* m, int body) {
  return m->body_simple[body] == 2;
}

// Generalized force of a force at a vertex: qfrc += J' force.
static void push(mjtNum* qfrc, const mjModel* m, const mjData* d, const mjtNum force[3],
                 const mjtNum point[3], int body) {
  const mjtNum zero[3] = {0, 0, 0};
  if (!only_slides(m, body)) {
    jac_addForce(qfrc, m, d, force, zero, point, body);
    return;
  }
  int end = m->body_dofadr[body] + m->body_dofnum[body];
  for (int dof = m->body_dofadr[body]; dof < end; dof++) {
    qfrc[dof] += v3_dot(d->cdof + 6 * dof + 3, force);
  }
}

// Forces of a spring and of a damper at one point; NULL: switched off.
static void push_both(const mjModel* m, mjData* d, const mjtNum* spring, const mjtNum* damper,
                      const mjtNum point[3], int body) {
  if (spring) {
    push(d->qfrc_spring, m, d, spring, point, body);
  }
  if (damper) {
    push(d->qfrc_damper, m, d, damper, point, body);
  }
}

static void velocity_of(mjtNum out[3], const mjModel* m, const mjData* d, const mjtNum point[3],
                        int body) {
  if (only_slides(m, body)) {
    v3_copy(out, d->cvel + 6 * body + 3);
  } else {
    jac_pointVelocity(out, m, d, point, body);
  }
}

// bending

// Forces of two triangles that share an edge, on its ends and on the two corners beyond:
//
//   f_a = - sum_b B_ab x_b - beta g_a,   g_1 = e1 x e2, g_2 = e2 x e0, g_3 = e0 x e1, sum g = 0
//   and the damper's  - damping sum_b B_ab v_b               theory/deformables.md, Bending
static void bend(const mjModel* m, mjData* d, int f, int edge, int springs, int dampers) {
  int vert = m->flex_vertadr[f], at[4], body[4];
  const mjtNum *B = m->flex_bending + 17 * (size_t)edge, *x[4];
  mjtNum v[4][3], g[4][3], e[3][3], damping = m->flex_damping[f];
  for (int a = 0; a < 4; a++) {
    at[a] = vert + (a < 2 ? m->flex_edge[2 * edge + a] : m->flex_edgeflap[2 * edge + a - 2]);
    body[a] = m->flex_vertbodyid[at[a]];
    x[a] = d->flexvert_xpos + 3 * at[a];
    velocity_of(v[a], m, d, x[a], body[a]);
  }
  for (int k = 0; k < 3; k++) {
    v3_sub(e[k], x[k + 1], x[0]);
  }
  v3_cross(g[1], e[1], e[2]);
  v3_cross(g[2], e[2], e[0]);
  v3_cross(g[3], e[0], e[1]);
  v3_add(g[0], g[1], g[2]);
  v3_addto(g[0], g[3]);
  v3_scl(g[0], g[0], -1);
  for (int a = 0; a < 4; a++) {
    mjtNum spring[3], damper[3] = {0};
    v3_scl(spring, g[a], -B[16]);
    for (int b = 0; b < 4; b++) {
      v3_addtoscl(spring, x[b], -B[4 * a + b]);
      v3_addtoscl(damper, v[b], -damping * B[4 * a + b]);
    }
    push_both(m, d, springs ? spring : NULL, dampers ? damper : NULL, x[a], body[a]);
  }
}

// membranes and solids

// D_e = l^2 - L^2 + (damping / h) (l^2 - (l - h l')^2), the squared elongation of an edge and what its rate
// adds: a force that grows as the energy changes in a step.
static void elongations(mjtNum* out, const mjModel* m, const mjData* d, int f) {
  mjtNum h = m->opt.timestep, rate = h > 0 ? m->flex_damping[f] / h : 0;
  int first = m->flex_edgeadr[f];
  for (int i = 0; i < m->flex_edgenum[f]; i++) {
    mjtNum length = d->flexedge_length[first + i], rest = m->flexedge_length0[first + i];
    mjtNum before = length - h * d->flexedge_velocity[first + i];
    out[i] = length * length - rest * rest + rate * (length * length - before * before);
  }
}

// f_a = - sum over edges e of a element from a to b: (sum_e' K_ee' D_e') (x_a - x_b)
static void stretch_element(mjtNum* force, const mjtNum* x, const mjtNum* K, const mjtNum* D,
                            const int* vertex, const int* edge, int dim) {
  int n = flex_elementEdges(dim);
  const int(*end)[2] = flex_edgeEnds(dim);
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
    mjtNum along[3];
    v3_sub(along, x + 3 * v0, x + 3 * v1);
    v3_addtoscl(force + 3 * v0, along, -tension[a]);
    v3_addtoscl(force + 3 * v1, along, tension[a]);
  }
}

static void stretch(const mjModel* m, mjData* d, int f) {
  int dim = m->flex_dim[f], vert = m->flex_vertadr[f], nvert = m->flex_vertnum[f];
  int per = flex_elementEdges(dim);
  const int* vertex = m->flex_elem + m->flex_elemdataadr[f];
  const int* edge = m->flex_elemedge + m->flex_elemedgeadr[f];
  const mjtNum* x = d->flexvert_xpos + 3 * vert;
  const mjtNum* K = m->flex_stiffness + 21 * (size_t)m->flex_elemadr[f];
  mj_markStack(d);
  mjtNum* force = mj_stackAllocNum(d, 3 * (size_t)nvert);
  mjtNum* D = mj_stackAllocNum(d, (size_t)m->flex_edgenum[f]);
  memset(force, 0, 3 * (size_t)nvert * sizeof(mjtNum));
  elongations(D, m, d, f);
  for (int e = 0; e < m->flex_elemnum[f]; e++) {
    stretch_element(force, x, K + 21 * (size_t)e, D, vertex + (dim + 1) * e, edge + per * e, dim);
  }
  for (int v = 0; v < nvert; v++) {
    push(d->qfrc_spring, m, d, force + 3 * v, x + 3 * v, m->flex_vertbodyid[vert + v]);
  }
  mj_freeStack(d);
}

// cages

// The box of the nodes deforms linearly in a frame that turns with it:
//
//   F = sum_i y_i grad N_i(center)', y_i = x_i - mean    R = rotation nearest to F
//   f = R K (R' y + center - node0),   damper: R (damping K) R' v        (K is negative)
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
  mjtNum identity[4] = {1, 0, 0, 0};
  q_copy(quat, identity);
  mju_mat2Rot(quat, F);
}

static void node_states(mjtNum x[FLEX_NODES][3], mjtNum v[FLEX_NODES][3], const mjModel* m,
                        const mjData* d, int f) {
  for (int i = 0; i < FLEX_NODES; i++) {
    int node = m->flex_nodeadr[f] + i, body = m->flex_nodebodyid[node];
    if (m->flex_centered[f]) {
      v3_copy(x[i], d->xpos + 3 * body);
    } else {
      v3_toworld(x[i], m->flex_node + 3 * node, d->xpos + 3 * body, d->xmat + 9 * body);
    }
    velocity_of(v[i], m, d, x[i], body);
  }
}

static void deform_box(const mjModel* m, mjData* d, int f, int springs, int dampers) {
  const int size = 3 * FLEX_NODES;
  const mjtNum* K = m->flex_stiffness + 21 * (size_t)m->flex_elemadr[f];
  mjtNum x[FLEX_NODES][3], v[FLEX_NODES][3], y[FLEX_NODES][3], mean[3] = {0};
  mjtNum quat[4], back[4], away[3 * FLEX_NODES], rate[3 * FLEX_NODES];
  node_states(x, v, m, d, f);
  for (int i = 0; i < FLEX_NODES; i++) {
    v3_addtoscl(mean, x[i], (mjtNum)1 / FLEX_NODES);
  }
  for (int i = 0; i < FLEX_NODES; i++) {
    v3_sub(y[i], x[i], mean);
  }
  turn_of_box(quat, y);
  q_conj(back, quat);
  for (int i = 0; i < FLEX_NODES; i++) {
    q_rotate(away + 3 * i, y[i], back);
    v3_subfrom(away + 3 * i, m->flex_node0 + 3 * (m->flex_nodeadr[f] + i));
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
    rows_addTo(qfrc, &rows, tension);
    return;
  }
  for (int i = 0; i < n; i++) {
    axpy_n(qfrc, d->flexedge_J + (size_t)(first + i) * (size_t)m->nv, tension[i], m->nv);
  }
}

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

void flex_forces(const mjModel* m, mjData* d, int spring, int damper) {
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_rigid[f] || m->flex_dim[f] == 1) {
      continue;
    }
    int first = m->flex_edgeadr[f];
    for (int e = first; m->flex_dim[f] == 2 && e < first + m->flex_edgenum[f]; e++) {
      if (m->flex_edgeflap[2 * e + 1] >= 0) {
        bend(m, d, f, e, spring, damper);
      }
    }
    if (m->flex_stiffness[21 * (size_t)m->flex_elemadr[f]] == 0) {
      continue;
    }
    if (m->flex_interp[f]) {
      deform_box(m, d, f, spring, damper);
    } else {
      stretch(m, d, f);
    }
  }
  for (int f = 0; f < m->nflex; f++) {
    if (!m->flex_rigid[f]) {
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
