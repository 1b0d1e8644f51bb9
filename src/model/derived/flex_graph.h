// flex_graph.h: which vertices of flexes elasticity couples, by the dofs that move them.
//
// A vertex counts whose body slides along three axes of its own frame and hangs on what doesn't
// move: then its part of the inertia is diagonal. A graph has one node for each such body, in the
// order of their dofs.
//                                          theory/smooth/deformables.md, Factors of release 4.0

#pragma once

#include <mujoco/mjmodel.h>
#include <stddef.h>

enum {
  FLEX_CLIQUE = 4,  // most vertices that one piece of elasticity couples
};

// The vertices that a piece of elasticity couples, all of them with each other, as the first dofs
// of their bodies; -1 for none.
typedef struct FlexClique_ {
  int dof[FLEX_CLIQUE];
} FlexClique;

typedef struct FlexGraph_ {
  int n;          // nodes
  int* dof;       // n, the first dof of each, ascending
  int* node;      // nv, the node that begins at a dof, -1: none
  int* start;     // n + 1, where the neighbors of a node begin
  int* neighbor;  // ascending for each node, without itself
} FlexGraph;

// The first dof of a body, or of that of a vertex, that slides along three axes, -1 if it doesn't.
int flex_body_dof(const mjModel* m, int body);
int flex_vertex_dof(const mjModel* m, int vert);

// Is this a flex of triangles that bend and whose vertices are fixed or slide along x, y, z?
int flex_has_constant_bends(const mjModel* m, int flex);

// Lists what couples vertices: elements, bends, edges that an equality keeps, rods; or only the
// bends of flexes that have constant ones. Returns how many there are. clique may be NULL.
size_t flex_cliques(FlexClique* clique, const mjModel* m);
size_t flex_bend_cliques(FlexClique* clique, const mjModel* m);

// Makes the graph of the nodes in cliques and, if `all`, of all vertices of flexes with constant
// bends. Returns 0 if memory runs out. flex_graph_free frees what there is of it.
int flex_graph_make(FlexGraph* graph, const mjModel* m, const FlexClique* clique, size_t n,
                    int all);
void flex_graph_free(FlexGraph* graph);

// Sorts n numbers, the smallest first.
void flex_sort(int* list, int n);
