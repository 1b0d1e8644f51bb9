// flexcomp.h: from a few numbers, or a file, to the points and elements of a flex, its bodies and
// joints.
//
//   shape, mesh, gmsh file, or numbers --> points, elements, texture coordinates
//      --scale, pose--> in the parent body --pins--> bodies with sliders, flex, equality
//
// Nothing of the macro is left in the editable model. Points are in double, texture coordinates
// single, as they are in files.                          theory/deformables.md, Generated flexes

#ifndef CONDYLE_MJCF_FLEXCOMP_FLEXCOMP_H_
#define CONDYLE_MJCF_FLEXCOMP_FLEXCOMP_H_

#include <mujoco/mjspec.h>
#include <stddef.h>

#include "mjcf/read/values.h"

// values of the keywords of type and dof in the schema
typedef enum FlexcompType_ {
  FLEXCOMP_GRID,
  FLEXCOMP_BOX,
  FLEXCOMP_CYLINDER,
  FLEXCOMP_ELLIPSOID,
  FLEXCOMP_SQUARE,
  FLEXCOMP_DISC,
  FLEXCOMP_CIRCLE,
  FLEXCOMP_MESH,
  FLEXCOMP_GMSH,
  FLEXCOMP_DIRECT,
} FlexcompType;

typedef enum FlexcompDof_ {
  FLEXCOMP_FULL,
  FLEXCOMP_RADIAL,
  FLEXCOMP_TRILINEAR,
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
  int textured;  // texture coordinates are wanted

  mjDoubleVec point;    // 3 per point
  mjIntVec element;     // dim + 1 per element
  mjFloatVec texcoord;  // 2 per point, or per what elemtexcoord counts
  mjIntVec elemtexcoord;
  char* pinned;  // by point; NULL until pins are read
} Flexcomp;

enum {
  FLEXCOMP_MAX = 1 << 24,  // points, and elements
};

// Points, elements and texture coordinates of a shape of count, spacing and dim. 0 if there are too
// many or if count doesn't fit the shape, with the reason in error.                         shape.c
int flexcomp_shape(Flexcomp* comp, char* error, size_t error_size);

// The same of the content of a Gmsh file, which also sets dim. bytes has a 0 behind its end. gmsh.c
int flexcomp_gmsh(Flexcomp* comp, const char* bytes, size_t size, char* error, size_t error_size);

// The same of a triangle mesh, with points at the same place made one. texcoord and elemtexcoord of
// the mesh replace those that are there.                                                     mesh.c
int flexcomp_mesh(Flexcomp* comp, const char* file, const char* bytes, size_t size, char* error,
                  size_t error_size);

// Appends.
void flexcomp_addpoint(Flexcomp* comp, double x, double y, double z);
void flexcomp_addelement(Flexcomp* comp, const int* vertex, int n);

// A <flexcomp> of a body, with everything it generates.                                read.c
void read_flexcomp(const Reader* reader, const Node* node, mjsBody* parent);

#endif  // CONDYLE_MJCF_FLEXCOMP_FLEXCOMP_H_
