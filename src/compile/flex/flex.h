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
#include "compile/derive/bvh.h"

enum {
  FLEX_STIFFNESS = 21,  // numbers per element
  FLEX_BENDING = 17,    // numbers per edge
};

typedef struct FlexWork_ {
  int dim;
  int nvert, nnode, nelem, nedge, nshell, nevpair, ntexcoord, nbvh;
  int rigid;     // all vertices on one body
  int centered;  // every vertex (interpolated: node) is the origin of its body
  int interp;    // vertices follow nodes

  int* vertbody;     // nvert body ids
  int* nodebody;     // nnode
  double* position;  // nvert x 3, world frame, no joint displaced
  double* node;      // nnode x 3, the same of nodes

  int* elem;      // nelem x (dim + 1) vertices
  int* edge;      // nedge x 2 vertices, the smaller first
  int* stencil;   // nedge x 4 vertices, triangles only: the edge as its first triangle runs along
                  // it, the corner opposite in that triangle, that in the other (-1: none)
  int* elemedge;  // nelem x (1, 3 or 6) edges
  int* layer;     // nelem
  int* shell;     // nshell x dim vertices
  int* evpair;    // nevpair x (element, vertex)

  double* stiffness;  // nelem x FLEX_STIFFNESS
  double* bending;    // nedge x FLEX_BENDING
  double* vert0;      // nvert x 3
  int *bvhdepth, *bvhchild, *bvhnodeid;
} FlexWork;

// Makes all flexes and writes their rows of the draft; errors are counted.
void compile_flexes(Compile* c);

void flexes_free(Compile* c);

// Sizes of what the flexes hold, added to m's; 0 and an error if there is too much.
int flexes_sizes(Compile* c, mjModel* m);

// Arrays of vertices, edges, elements, and the trees of boxes behind the `start` nodes of bodies
// and meshes. Needs body_weldid of the final model.
void flexes_write(Compile* c, int start);

// Turns tetrahedra, lists edges, stencils, neighbours, layers and the boundary. Needs elem and
// position.                                                                            topology.c
void flex_connect(FlexWork* flex);

// Stiffness and bending from the author's material. Needs flex_connect.             stiffness.c
void flex_stiffen(FlexWork* flex, const mjsFlex* spec);

#endif  // CONDYLE_COMPILE_FLEX_FLEX_H_
