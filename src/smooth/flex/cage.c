// Vertices and forces of the cells of a cage.            theory/smooth/deformables.md, Cages

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "model/plastic.h"
#include "smooth/flex/flex.h"

// Gradients of the shape functions of a cell at its center, times its sides.
static void center_gradients(mjtNum (*g)[3], int order) {
  static const mjtNum value[2][3] = {{0.5, 0.5, 0}, {0, 1, 0}};
  static const mjtNum slope[2][3] = {{-1, 1, 0}, {-1, 0, 1}};
  const mjtNum *v = value[order - 1], *s = slope[order - 1];
  int n = order + 1;
  for (int i = 0; i < n * n * n; i++) {
    const int at[3] = {i / (n * n), i / n % n, i % n};
    for (int k = 0; k < 3; k++) {
      g[i][k] = s[at[k]] * v[at[(k + 1) % 3]] * v[at[(k + 2) % 3]];
    }
  }
}

void flex_cage_corners(mjtNum out[3 * FLEX_NODES], const mjModel* m, int flex) {
  const int *count = m->flex_cellnum + 3 * (size_t)flex, order = m->flex_interp[flex];
  const int last[3] = {order * count[0], order * count[1], order * count[2]};
  for (int i = 0; i < FLEX_NODES; i++) {
    int x = i >> 2 & 1 ? last[0] : 0, y = i >> 1 & 1 ? last[1] : 0, z = i & 1 ? last[2] : 0;
    int node = (x * (last[1] + 1) + y) * (last[2] + 1) + z;
    v3_copy(out + 3 * i, m->flex_node0 + 3 * (size_t)(m->flex_nodeadr[flex] + node));
  }
}

// What the cells of a flex have in common at rest: the axes of the cage and the gradients of the
// shape functions at the center of a cell.
typedef struct CageRest_ {
  mjtNum quat[4], g[FLEX_CELL_NODES][3];
} CageRest;

static void cage_rest(CageRest* rest, const mjModel* m, int flex) {
  const int *count = m->flex_cellnum + 3 * (size_t)flex, order = m->flex_interp[flex];
  mjtNum corner[3 * FLEX_NODES];
  flex_cage_corners(corner, m, flex);
  flex_box_axes(rest->quat, corner);
  center_gradients(rest->g, order);
  for (int k = 0; k < 3; k++) {
    mjtNum edge[3];
    v3_sub(edge, corner + 3 * (4 >> k), corner);
    mjtNum side = num_max(mjMINVAL, v3_norm(edge) / count[k]);
    for (int i = 0; i < FLEX_CELL_NODES; i++) {
      rest->g[i][k] /= side;
    }
  }
}

// Finds quat and away of a cell whose nodes and their positions are known. R is the rotation
// nearest to the gradient of the deformation at the center:
//
//   F = sum_i x_i grad N_i(center)', in the axes R0 of the cage at rest,   quat = R R0 nearest to F
//
// The search begins at the axes at rest.
static void turn_cell(FlexCell* cell, const mjModel* m, int flex, const CageRest* rest) {
  mjtNum F[9] = {0}, back[4];
  const mjtNum* node0 = m->flex_node0 + 3 * (size_t)m->flex_nodeadr[flex];
  for (int i = 0; i < cell->n; i++) {
    for (int r = 0; r < 3; r++) {
      for (int k = 0; k < 3; k++) {
        F[3 * r + k] += cell->x[i][r] * rest->g[i][k];
      }
    }
  }
  q_copy(cell->quat, rest->quat);
  mju_mat2Rot(cell->quat, F);
  q_conj(back, cell->quat);
  for (int i = 0; i < cell->n; i++) {
    mjtNum y[3], start[3];
    v3_sub(y, cell->x[i], cell->x[0]);
    q_rotate(cell->away + 3 * i, y, back);
    v3_sub(y, node0 + 3 * (size_t)cell->node[i], node0 + 3 * (size_t)cell->node[0]);
    q_unrotate(start, y, rest->quat);
    v3_subfrom(cell->away + 3 * i, start);
  }
}

void flex_cell_state(FlexCell* cell, const mjModel* m, const mjData* d, int flex, int index) {
  CageRest rest;
  cage_rest(&rest, m, flex);
  cell->n = flex_cell_nodes(cell->node, m, flex, index);
  for (int i = 0; i < cell->n; i++) {
    flex_node_position(cell->x[i], m, d, flex, cell->node[i]);
  }
  turn_cell(cell, m, flex, &rest);
}

void flex_cell_strain(mjtNum out[9], const mjModel* m, int flex, int index, const mjtNum* x) {
  CageRest rest;
  FlexCell cell;
  mjtNum F[9] = {0}, mat[9];
  cage_rest(&rest, m, flex);
  cell.n = flex_cell_nodes(cell.node, m, flex, index);
  for (int i = 0; i < cell.n; i++) {
    v3_copy(cell.x[i], x + 3 * (size_t)cell.node[i]);
  }
  turn_cell(&cell, m, flex, &rest);
  for (int i = 0; i < cell.n; i++) {
    for (int r = 0; r < 3; r++) {
      v3_addtoscl(F + 3 * r, rest.g[i], cell.x[i][r]);
    }
  }
  mju_quat2Mat(mat, cell.quat);
  mju_mulMatTMat(out, mat, F, 3, 3, 3);
  for (int k = 0; k < 3; k++) {
    out[4 * k] -= 1;
  }
}

// A cell that has yielded is at rest with its plastic strain P: away -= P (X_i - X_0).
static void take_plastic(FlexCell* cell, const mjModel* m, int flex, const CageRest* rest,
                         const mjtNum P[6]) {
  const mjtNum* node0 = m->flex_node0 + 3 * (size_t)m->flex_nodeadr[flex];
  const mjtNum E[9] = {P[0],     P[3] / 2, P[4] / 2, P[3] / 2, P[1],
                       P[5] / 2, P[4] / 2, P[5] / 2, P[2]};
  for (int i = 0; i < cell->n; i++) {
    mjtNum y[3], start[3], way[3];
    v3_sub(y, node0 + 3 * (size_t)cell->node[i], node0 + 3 * (size_t)cell->node[0]);
    q_unrotate(start, y, rest->quat);
    m3_mulv(way, E, start);
    v3_subfrom(cell->away + 3 * i, way);
  }
}

// f = R K (R' x - R0' X), damper: R (damping K) R' v. K has the minus sign, and translations in its
// kernel.
static void add_cell(mjtNum* spring, mjtNum* damper, const FlexCell* cell, const mjtNum* rate,
                     const mjtNum* K, mjtNum damping) {
  int size = 3 * cell->n;
  for (int i = 0; i < cell->n; i++) {
    mjtNum f[3] = {0}, b[3] = {0};
    for (int k = 0; k < 3; k++) {
      const mjtNum* row = K + (size_t)size * (size_t)(3 * i + k);
      for (int j = 0; j < size; j++) {
        f[k] += row[j] * cell->away[j];
        b[k] += row[j] * rate[j];
      }
    }
    q_rotate(f, f, cell->quat);
    q_rotate(b, b, cell->quat);
    v3_addto(spring + 3 * (size_t)cell->node[i], f);
    v3_addtoscl(damper + 3 * (size_t)cell->node[i], b, damping);
  }
}

void flex_node_states(mjtNum* x, mjtNum* v, const mjModel* m, const mjData* d, int flex) {
  const int* body = m->flex_nodebodyid + m->flex_nodeadr[flex];
  for (int i = 0; i < m->flex_nodenum[flex]; i++) {
    flex_node_position(x + 3 * (size_t)i, m, d, flex, i);
    flex_point_velocity(v + 3 * (size_t)i, m, d, x + 3 * (size_t)i, body[i]);
  }
}

// Forces of all cells at their nodes.
static void sum_cells(mjtNum* pull, mjtNum* drag, const mjtNum* x, const mjtNum* v,
                      const mjtNum* plastic, const mjModel* m, int flex) {
  const int* count = m->flex_cellnum + 3 * (size_t)flex;
  int ncell = count[0] * count[1] * count[2];
  const mjtNum* K = m->cnd_flex_cell + m->cnd_flex_celladr[flex];
  CageRest rest;
  cage_rest(&rest, m, flex);
  for (int c = 0; c < ncell; c++) {
    FlexCell cell;
    mjtNum rate[3 * FLEX_CELL_NODES], back[4];
    cell.n = flex_cell_nodes(cell.node, m, flex, c);
    if (K[0] != 0) {
      for (int i = 0; i < cell.n; i++) {
        v3_copy(cell.x[i], x + 3 * (size_t)cell.node[i]);
      }
      turn_cell(&cell, m, flex, &rest);
      if (plastic) {
        take_plastic(&cell, m, flex, &rest, plastic + 6 * (size_t)c);
      }
      q_conj(back, cell.quat);
      for (int i = 0; i < cell.n; i++) {
        q_rotate(rate + 3 * i, v + 3 * (size_t)cell.node[i], back);
      }
      add_cell(pull, drag, &cell, rate, K, m->flex_damping[flex]);
    }
    K += 9 * cell.n * cell.n;
  }
}

void flex_cell_forces(const mjModel* m, mjData* d, int f, int spring, int damper) {
  size_t n = 3 * (size_t)m->flex_nodenum[f];
  const int* body = m->flex_nodebodyid + m->flex_nodeadr[f];
  mj_markStack(d);
  mjtNum *x = mj_stackAllocNum(d, 4 * n), *v = x + n, *pull = v + n, *drag = pull + n;
  memset(pull, 0, 2 * n * sizeof(mjtNum));
  flex_node_states(x, v, m, d, f);
  sum_cells(pull, drag, x, v, plastic_stretch_of(m, d, f), m, f);
  for (int i = 0; i < m->flex_nodenum[f]; i++) {
    size_t at = 3 * (size_t)i;
    if (spring) {
      flex_push(d->qfrc_spring, m, d, pull + at, x + at, body[i]);
    }
    if (damper) {
      flex_push(d->qfrc_damper, m, d, drag + at, x + at, body[i]);
    }
  }
  mj_freeStack(d);
}
