// flex.h: compiling flexes: edges, neighbours and elastic constants from vertices and elements.
//
// A flex is a set of vertices, each fixed to a body, and elements of dim + 1 vertices: segments,
// triangles or tetrahedra. Everything else follows from these two lists and from the vertices'
// positions in the reference configuration:
//
//   element --facets--> neighbours, boundary (shell), layers
//      |    --edges---> stretching; bending at an edge between two triangles
//      `--positions---> stiffness of elements and edges, bounding volume hierarchy (BVH)
//
// Flexes are compiled after bodies, because positions of vertices need the frames of bodies, and
// before the final model is allocated, because it needs their sizes. All computation is in double.
//                                                      theory/smooth/deformables.md, What a flex is

#pragma once

#include "compile/context.h"

// Compiles all flexes of the spec to c->flex and writes the per-flex fields of the model. Errors
// are reported and counted in c.
void compile_flexes(Compile* c);

void flexes_free(Compile* c);

// Numbers of the plastic states of all flexes, which follow those of springs.
int64_t flexes_plastic(const Compile* c);

// Adds the sizes of all flex arrays to the sizes of m. Returns 0 and reports an error if
// they are too large.
int flexes_sizes(Compile* c, mjModel* m);

// Writes the arrays of vertices, edges, elements and texture coordinates, and the bounding volume
// trees. The first tree begins at node `start` of the bvh arrays, after those of bodies and meshes.
// Reads body_weldid of c->m.
void flexes_write(Compile* c, int start);
