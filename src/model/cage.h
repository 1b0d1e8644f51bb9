// cage.h: which nodes of a cage a vertex follows.               theory/smooth/deformables.md, Cages

#pragma once

#include <mujoco/mjmodel.h>

enum {
  FLEX_CELL_NODES = 27,   // most nodes of one cell of a cage (mjMAXFLEXNODES)
  FLEX_FACE_NODES = 9,    // most nodes of one face of a cell
  FLEX_SHARE_NODES = 98,  // most nodes that a vertex follows, on the faces, edges and corners
  FLEX_HINGE = 10,        // numbers of a hinge between faces: see FlexFace
  FLEX_STRAIN = 3,        // flex_edgeequality of a flex whose cells are modes
};

// The nodes that a vertex follows, counted from the first of the flex, and their weights in the
// vertex: those of the cell that it is in. In a shell, inner nodes follow the outer ones.
typedef struct FlexShare_ {
  int n, node[FLEX_SHARE_NODES];
  mjtNum weight[FLEX_SHARE_NODES];
} FlexShare;
void flex_share(FlexShare* of, const mjModel* m, int flex, const mjtNum vert0[3]);

// The nodes of a cell, in the order of the rows of its stiffness.
int flex_cell_nodes(int* node, const mjModel* m, int flex, int cell);

// The outer faces of a cage, side by side: first those at x = 0, at the end of x, at y = 0 ... A
// face across an axis has the coordinates u and v along the next two, v fastest.
//
// Two that meet are a hinge: both faces, u and v of the middle of their edge in each, stiffness,
// and the difference of their normals at rest. A normal is along the axis on both ends.
typedef struct FlexFace_ {
  int axis, n, node[FLEX_FACE_NODES];
} FlexFace;
int flex_face_count(const int count[3]);
void flex_face(FlexFace* face, int order, const int count[3], int index);

// Is a node inside of the cage? at: its place in the grid.
int flex_node_is_inside(int order, const int count[3], int node);

// Numbers of a shell in cnd_flex_cell: matrices of the faces, number of hinges, hinges.
long long flex_shell_numbers(int order, const int count[3]);
