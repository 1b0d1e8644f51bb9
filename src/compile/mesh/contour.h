// contour.h: the surface of a shape that a plugin describes by its distance function.

#pragma once

#include <mujoco/mjtnum.h>

// A shape: its distance as a function of a point and of the shape's numbers, and its box (center,
// half sizes).
typedef struct ContourField_ {
  mjtNum (*distance)(const mjtNum point[3], const mjtNum* number);
  const mjtNum* number;
  mjtNum aabb[6];
} ContourField;

typedef struct ContourMesh_ {
  float* vert;    // nvert x 3
  float* normal;  // nvert x 3, unit vectors, zeros where faces have no area
  int* face;      // nface x 3
  int nvert, nface;
} ContourMesh;

// Makes the surface; the caller frees its arrays. There are no vertices if there is no surface in
// the box. A box without extent ends in mju_error.
void contour_make(ContourMesh* mesh, const ContourField* field);
