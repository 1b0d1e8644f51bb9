// flexcomp.h: <flexcomp>, a macro that makes the points and elements of a flex, its bodies and
// joints from a few numbers or a file.
//
//   shape, mesh, gmsh file, or numbers --> points, elements, texture coordinates
//      --scale, pose--> in the parent body --pins--> bodies with sliders, flex, equality
//
// The macro itself is not kept in the editable model. Points are in double precision, texture
// coordinates in single, as in files.                theory/smooth/deformables.md, Generated flexes

#pragma once

#include <mujoco/mjspec.h>
#include <stddef.h>

#include "compile/mesh/context.h"
#include "compile/mesh/lattice.h"
#include "mjcf/read/values.h"
#include "spec/spec.h"

// values of the keywords of type and dof in the schema
typedef enum FlexcompType_ {
  FLEXCOMP_GRID = LATTICE_GRID,
  FLEXCOMP_BOX = LATTICE_BOX,
  FLEXCOMP_CYLINDER = LATTICE_CYLINDER,
  FLEXCOMP_ELLIPSOID = LATTICE_ELLIPSOID,
  FLEXCOMP_SQUARE = LATTICE_SQUARE,
  FLEXCOMP_DISC = LATTICE_DISC,
  FLEXCOMP_CIRCLE = LATTICE_CIRCLE,
  FLEXCOMP_MESH,
  FLEXCOMP_GMSH,
  FLEXCOMP_DIRECT,
} FlexcompType;

typedef enum FlexcompDof_ {
  FLEXCOMP_FULL,
  FLEXCOMP_RADIAL,
  FLEXCOMP_TRILINEAR,
  FLEXCOMP_QUADRATIC,
  FLEXCOMP_PLANAR,
} FlexcompDof;

typedef struct Flexcomp_ {
  FlexcompType type;
  FlexcompDof dof;
  int dim;
  int count[3];
  double spacing[3], scale[3], origin[3];
  double pos[3], quat[4];
  double mass, inertiabox;
  int rigid;
  int shares;    // 1 if only used points share the mass, as those of meshes of the model do
  int textured;  // 1 if texture coordinates are needed
  int order;     // of a cage, 1 or 2; 0: points have bodies themselves
  int cells[3];  // of a cage
  int by_nodes;  // 1 if pins are nodes of a cage, as in later releases

  mjDoubleVec point;    // 3 per point
  mjIntVec element;     // dim + 1 per element
  mjFloatVec texcoord;  // 2 per point, or per entry that elemtexcoord refers to
  mjIntVec elemtexcoord;
  char* pinned;  // 1 for each pinned point or node; NULL until pins are read
} Flexcomp;

enum {
  FLEXCOMP_MAX = LATTICE_MAX,  // most points, and most elements
};

// Makes points, elements and texture coordinates from the content of a Gmsh file, which also sets
// dim. bytes must end with a 0. Returns 0, with the reason in error, if it can't. (gmsh.c)
int flexcomp_gmsh(Flexcomp* comp, const char* bytes, size_t size, char* error, size_t error_size);

// Like flexcomp_gmsh, from a triangle mesh. Points at the same place are merged. texcoord and
// elemtexcoord of the mesh replace present ones. (mesh.c)
int flexcomp_mesh(Flexcomp* comp, const char* file, const char* bytes, size_t size, char* error,
                  size_t error_size);

// Does the tetrahedron of a face and point 0 (the apex) have a positive volume, so that the face is
// seen from outside? (mesh.c)
int flexcomp_issolid(const Flexcomp* comp, const int vertex[4]);

// Takes the texture coordinates of a mesh, if it has some. (mesh.c)
void flexcomp_addtexture(Flexcomp* comp, const Mesh* mesh);

// Like flexcomp_gmsh, from a mesh of the model: its tetrahedra, if it has some, else its triangles.
// (asset.c)
int flexcomp_asset(Flexcomp* comp, SpecObject* mesh, const mjVFS* vfs, char* error,
                   size_t error_size);

// Appends a point, or an element with n vertices. (point.c)
void flexcomp_addpoint(Flexcomp* comp, double x, double y, double z);
void flexcomp_addelement(Flexcomp* comp, const int* vertex, int n);

// Reads a <flexcomp> in a body and adds everything that it generates. (read.c)
void read_flexcomp(const Reader* reader, const Node* node, mjsBody* parent);

// Reads what is shared by <flex> and <flexcomp> and depends on how it is written: materials of
// elements, and one yield for both. (words.c)
void read_flexwords(const Reader* reader, const Node* node, mjsFlex* flex, int interpolated);
