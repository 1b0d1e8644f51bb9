// work.h: a flex while it is compiled.

#pragma once

#include <condyle/behaviour.h>

#include "compile/context.h"

enum {
  FLEX_STIFFNESS = 21,  // numbers per element
  FLEX_BENDING = 17,    // numbers per edge
};

typedef struct FlexWork_ {
  int dim;
  int nvert, nnode, nelem, nedge, nshell, nevpair, ntexcoord, nbvh;
  int rigid;     // 1 if all vertices are on one body
  int centered;  // 1 if every vertex (or node, if interpolated) is at its body's origin
  int interp;    // 1 or 2 if vertices follow nodes: the order of a cell's shape functions
  int count[3];  // cells of the cage
  int yields;    // PLASTIC_BEND, PLASTIC_STRETCH
  int strained;  // 1 if an equality keeps its strains
  int later;     // 1 if elasticity is that of the behaviour flex
  int rod;       // 1 if it is of dim 1, and bends
  int twists;    // 1 if its edges have hinges
  double radius;
  int hollow;  // 1 if the outer faces of a cage are elastic instead of its cells
  int ncell;   // cells with a stiffness of their own

  int* vertbody;     // nvert body ids
  int* nodebody;     // nnode
  double* position;  // nvert x 3, reference configuration, in the world's axes or, if interpolated,
                     // those of the box of the nodes
  double* node;      // nnode x 3, positions of nodes in the world frame
  double box_node[3 * 8];  // the corners of the cage in its own axes, if interpolated

  int* elem;      // nelem x (dim + 1) vertices
  int* edge;      // nedge x 2 vertices, the smaller first
  int* stencil;   // nedge x 4 vertices, triangles only: the edge in the direction of its first
                  // triangle, the opposite corners of the first and the other one (-1: none)
  int* elemedge;  // nelem x (1, 3 or 6) edges
  int* layer;     // nelem
  int* shell;     // nshell x dim vertices
  int* evpair;    // nevpair x (element, vertex)

  double* stiffness;  // nelem x FLEX_STIFFNESS
  double* bending;    // nedge x FLEX_BENDING
  double* cell;       // ncell x (3 nodes of a cell) squared
  double* vert0;      // nvert x 3
  int *bvhdepth, *bvhchild, *bvhnodeid;
} FlexWork;

// Does the model follow the behaviour flex?
static inline int flex_behaves(const Compile* c) {
  return c->tree->spec.option.behaviour >> cndBEHAVIOUR_flex & 1;
}

// Checks everything that needs no computation. Sets the counts of vertices and nodes.     check.c
int flex_check(Compile* c, const SpecObject* object, FlexWork* flex);

// Checks what the later rules of elasticity and contact don't have here. Needs flex_place.
int flex_check_later(Compile* c, const SpecObject* object, const FlexWork* flex);

// Finds the bodies and positions of vertices and nodes.                                   place.c
int flex_place(Compile* c, const SpecObject* object, FlexWork* flex, const Pose* body);

// Makes the tree of boxes over the elements that collide, and vert0. Needs flex_connect.
int flex_add_tree(Compile* c, const SpecObject* object, FlexWork* flex);

// Numbers of the stiffness of all cells.                                                   flex.c
int64_t flex_cell_numbers(const FlexWork* flex);

// Numbers of the plastic state, or of the frames of a rod.
int64_t flex_yield_numbers(const FlexWork* flex);

// Orients tetrahedra and lists edges, stencils, neighbours, layers and the boundary. Needs elem and
// position. (topology.c)
void flex_connect(FlexWork* flex);

// Computes stiffness and bending from the author's material. Needs flex_connect. (stiffness.c)
void flex_stiffen(FlexWork* flex, const mjsFlex* spec);

// Computes the numbers of a shell in `cell`.                                               shell.c
void flex_stiffen_shell(FlexWork* flex, const mjsFlex* spec);

// Rods: flexes of dim 1 that bend and twist.                                             rod.c

// Does a flex bend, by its words or by the behaviour flex?
int rod_is_meant(const mjsFlex* spec, int behaves);

// Checks section and shear. Sets the radius.
int rod_check(Compile* c, const SpecObject* object, FlexWork* flex);

// Finds the hinges of edges and writes the records into bending. Needs flex_stiffen.
int rod_stiffen(Compile* c, const SpecObject* object, FlexWork* flex, const Pose* body);
