// flex.h: deformables: from vertices on bodies to edges, neighbours and elastic constants.
//
// A flex is a set of vertices, each fixed to a body, and elements of dim + 1 vertices: segments,
// triangles or tetrahedra. Everything else follows from these two lists and from where the vertices
// are when no joint is displaced:
//
//   element --facets--> neighbours, boundary (shell), layers
//      |    --edges---> what stretches; with the two triangles at an edge, what bends
//      `--positions---> stiffness of elements and edges, tree of boxes
//
// Positions need the frames of bodies, so flexes are made when bodies are compiled; their sizes are
// then known for the final model, as those of meshes are. Computed in double.
//                                                         theory/deformables.md, What a flex is

#ifndef CONDYLE_COMPILE_FLEX_FLEX_H_
#define CONDYLE_COMPILE_FLEX_FLEX_H_

#include "compile/context.h"

// Makes all flexes and writes their rows of the draft; errors are counted.
void compile_flexes(Compile* c);

void flexes_free(Compile* c);

// Sizes of what the flexes hold, added to m's; 0 and an error if there is too much.
int flexes_sizes(Compile* c, mjModel* m);

// Arrays of vertices, edges, elements, and the trees of boxes behind the `start` nodes of bodies
// and meshes. Needs body_weldid of the final model.
void flexes_write(Compile* c, int start);

#endif  // CONDYLE_COMPILE_FLEX_FLEX_H_
