// cage.h: which nodes of a cage a vertex follows.               theory/smooth/deformables.md, Cages

#pragma once

#include <mujoco/mjmodel.h>

enum {
  FLEX_CELL_NODES = 27,  // most nodes of one cell of a cage (mjMAXFLEXNODES)
  FLEX_STRAIN = 3,       // flex_edgeequality of a flex whose cells are modes
};

// The nodes of the cell that a vertex is in, counted from the first of the flex, and their weights
// in the vertex.
typedef struct FlexShare_ {
  int n, node[FLEX_CELL_NODES];
  mjtNum weight[FLEX_CELL_NODES];
} FlexShare;
void flex_share(FlexShare* of, const mjModel* m, int flex, const mjtNum vert0[3]);

// The nodes of a cell, in the order of the rows of its stiffness.
int flex_cell_nodes(int* node, const mjModel* m, int flex, int cell);
