// contour.h: triangles of a shape that a plugin describes by its distance.

#ifndef CONDYLE_COMPILE_MESH_CONTOUR_H_
#define CONDYLE_COMPILE_MESH_CONTOUR_H_

#include <mujoco/mjtnum.h>

// A shape: its distance as a function of a point and of its numbers, and the box that it is in
// (center, half sizes).
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

// The surface, in memory that the caller frees; without any vertex if there is none in the box. A
// box without extent is an error (mju_error).
void contour_make(ContourMesh* mesh, const ContourField* field);

#endif  // CONDYLE_COMPILE_MESH_CONTOUR_H_
