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
}
