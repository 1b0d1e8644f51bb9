// Nodes of the cells of a cage and their weights in a vertex.  theory/smooth/deformables.md, Cages

#include "model/cage.h"

// Shape functions along an axis of a cell, x from 0 to 1: of order 1, 1 - x and x; of order 2,
// (1 - x)(1 - 2x), 4x (1 - x) and x (2x - 1).
static void shape(mjtNum out[3], int order, mjtNum x) {
  if (order == 1) {
    out[0] = 1 - x;
    out[1] = x;
    return;
  }
  out[0] = (1 - x) * (1 - 2 * x);
  out[1] = 4 * x * (1 - x);
  out[2] = x * (2 * x - 1);
}

static int list_nodes(int* node, const int count[3], int order, const int cell[3]) {
  int ny = order * count[1] + 1, nz = order * count[2] + 1, n = 0;
  for (int i = 0; i <= order; i++) {
    for (int j = 0; j <= order; j++) {
      for (int k = 0; k <= order; k++) {
        node[n++] = ((order * cell[0] + i) * ny + order * cell[1] + j) * nz + order * cell[2] + k;
      }
    }
  }
  return n;
}

int flex_cell_nodes(int* node, const mjModel* m, int flex, int cell) {
  const int* count = m->flex_cellnum + 3 * (size_t)flex;
  const int at[3] = {cell / (count[1] * count[2]), cell / count[2] % count[1], cell % count[2]};
  return list_nodes(node, count, m->flex_interp[flex], at);
}

// outer faces

int flex_face_count(const int count[3]) {
  return 2 * (count[1] * count[2] + count[2] * count[0] + count[0] * count[1]);
}

void flex_face(FlexFace* face, int order, const int count[3], int index) {
  int axis = 0, last[3];
  for (; index >= 2 * count[(axis + 1) % 3] * count[(axis + 2) % 3]; axis++) {
    index -= 2 * count[(axis + 1) % 3] * count[(axis + 2) % 3];
  }
  int u = (axis + 1) % 3, v = (axis + 2) % 3, all = count[u] * count[v], n = 0;
  for (int k = 0; k < 3; k++) {
    last[k] = order * count[k];
  }
  face->axis = axis;
  face->n = (order + 1) * (order + 1);
  for (int i = 0; i <= order; i++) {
    for (int j = 0; j <= order; j++) {
      int at[3];
      at[axis] = index >= all ? last[axis] : 0;
      at[u] = order * (index % all / count[v]) + i;
      at[v] = order * (index % count[v]) + j;
      face->node[n++] = (at[0] * (last[1] + 1) + at[1]) * (last[2] + 1) + at[2];
    }
  }
}

static void node_place(int at[3], int last[3], int order, const int count[3], int node) {
  for (int k = 2; k >= 0; k--) {
    last[k] = order * count[k];
    at[k] = node % (last[k] + 1);
    node /= last[k] + 1;
  }
}

int flex_node_is_inside(int order, const int count[3], int node) {
  int at[3], last[3], inside = 1;
  node_place(at, last, order, count, node);
  for (int k = 0; k < 3; k++) {
    inside &= at[k] > 0 && at[k] < last[k];
  }
  return inside;
}

long long flex_shell_numbers(int order, const int count[3]) {
  long long faces = flex_face_count(count), size = 3LL * (order + 1) * (order + 1);
  return faces * size * size + 1 + 2 * FLEX_HINGE * faces;
}

static void add_share(FlexShare* of, int node, mjtNum weight) {
  int i = 0;
  while (i < of->n && of->node[i] != node) {
    i++;
  }
  if (i == of->n && of->n < FLEX_SHARE_NODES) {
    of->node[of->n] = node;
    of->weight[of->n++] = 0;
  }
  if (i < of->n) {
    of->weight[i] += weight;
  }
}

// An inner node is the transfinite interpolation of the boundary, (x, y, z) from 0 to 1 in the
// cage:
//
//   P = sum of faces - sum of edges + sum of corners, each with the product of 1 - x or x over the
//   axes along which it lies at an end
static void share_boundary(FlexShare* of, int order, const int count[3], int node, mjtNum weight) {
  int at[3], last[3];
  node_place(at, last, order, count, node);
  for (int ends = 1; ends < 27; ends++) {
    // per axis 0: as it is, 1: at 0, 2: at the end
    const int end[3] = {ends / 9, ends / 3 % 3, ends % 3};
    int place = 0, fixed = 0;
    mjtNum w = weight;
    for (int k = 0; k < 3; k++) {
      mjtNum x = (mjtNum)at[k] / last[k];
      w *= end[k] == 0 ? 1 : end[k] == 1 ? 1 - x : x;
      fixed += end[k] > 0;
      place = place * (last[k] + 1) + (end[k] == 0 ? at[k] : end[k] == 1 ? 0 : last[k]);
    }
    add_share(of, place, fixed == 2 ? -w : w);
  }
}

static void share_shell(FlexShare* of, const mjModel* m, int flex) {
  const int *count = m->flex_cellnum + 3 * (size_t)flex, order = m->flex_interp[flex];
  FlexShare cell = *of;
  of->n = 0;
  for (int i = 0; i < cell.n; i++) {
    if (flex_node_is_inside(order, count, cell.node[i])) {
      share_boundary(of, order, count, cell.node[i], cell.weight[i]);
    } else {
      add_share(of, cell.node[i], cell.weight[i]);
    }
  }
}

void flex_share(FlexShare* of, const mjModel* m, int flex, const mjtNum vert0[3]) {
  const int *count = m->flex_cellnum + 3 * (size_t)flex, order = m->flex_interp[flex];
  mjtNum w[3][3];
  int cell[3], n = order + 1;
  for (int k = 0; k < 3; k++) {
    mjtNum x = vert0[k] * count[k];
    cell[k] = x >= count[k] ? count[k] - 1 : x > 0 ? (int)x : 0;
    shape(w[k], order, x - cell[k]);
  }
  of->n = list_nodes(of->node, count, order, cell);
  for (int i = 0; i < of->n; i++) {
    of->weight[i] = w[0][i / (n * n)] * w[1][i / n % n] * w[2][i % n];
  }
  if (m->cnd_flex_shell[flex]) {
    share_shell(of, m, flex);
  }
}
