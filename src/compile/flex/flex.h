// flex.h: compiling flexes: edges, neighbours and elastic constants from vertices and elements.
//
// A flex is a set of vertices, each fixed to a body, and elements of dim + 1 vertices: segments,
// triangles or tetrahedra. Everything else follows from these two lists and from the vertices'
// positions in the reference configuration:
//
//   element --facets--> neighbours, boundary (shell), layers
//      |    --edges---> what stretches; with the two triangles at an edge, what bends
//      `--positions---> stiffness of elements and edges, tree of boxes
//
// Positions need the frames of bodies, so flexes are made after bodies are compiled. Their sizes
// are then known for the final model. Computed in double.
//                                                         theory/deformables.md, What a flex is

#ifndef CONDYLE_COMPILE_FLEX_FLEX_H_
#define CONDYLE_COMPILE_FLEX_FLEX_H_

#include "compile/context.h"

// Makes all flexes and writes their rows to the draft. Errors are counted.
void compile_flexes(Compile* c);

void flexes_free(Compile* c);

// Adds the sizes of the flexes' arrays to m's. Returns 0, with an error, if there is too much.
int flexes_sizes(Compile* c, mjModel* m);

// Writes the arrays of vertices, edges and elements, and box trees behind the `start` nodes of
// bodies and meshes. Needs body_weldid of the final model.
void flexes_write(Compile* c, int start);

#endif  // CONDYLE_COMPILE_FLEX_FLEX_H_
