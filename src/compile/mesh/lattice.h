// lattice.h: lattices of points with their simplices, and shapes that are deformed lattices: what
// <flexcomp> and generated meshes are made of.
//                                                    theory/smooth/deformables.md, Generated flexes

#pragma once

#include <mujoco/mjspec.h>
#include <stddef.h>

typedef enum LatticeType_ {
  LATTICE_GRID,
  LATTICE_BOX,
  LATTICE_CYLINDER,
  LATTICE_ELLIPSOID,
  LATTICE_SQUARE,
  LATTICE_DISC,
  LATTICE_CIRCLE,
} LatticeType;

typedef struct Lattice_ {
  LatticeType type;
  int dim;  // 1 lines, 2 triangles, 3 tetrahedra
  int count[3];
  double spacing[3];
  int textured;  // 1 if texture coordinates are made

  mjDoubleVec point;    // 3 per point
  mjIntVec element;     // dim + 1 per element
  mjFloatVec texcoord;  // 2 per point
} Lattice;

enum {
  LATTICE_MAX = 1 << 24,  // most points, and most elements
};

// Appends points, elements and texture coordinates. Returns 0, with the reason in error, if there
// are too many or if count doesn't fit the type.
int lattice_make(Lattice* lattice, char* error, size_t error_size);
