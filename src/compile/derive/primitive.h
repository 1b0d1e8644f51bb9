// primitive.h: the table of primitive shapes, with the volume, inertia and bounds of each.
//
// size is as in geom_size: sphere r; capsule and cylinder radius r and half-length l; ellipsoid
// semi-axes and box half sizes a, b, c.                                      theory/model/shapes.md

#pragma once

#include <mujoco/mjmodel.h>

// Measure and inertia of a shape whose mass fills it (solid) or covers it (shell).
typedef struct {
  double (*measure)(const double size[3]);  // volume, or area of the surface
  void (*inertia)(double inertia[3], const double size[3], double mass);  // principal, about the
} PrimitiveMass;                                                          // centre

typedef struct {
  int nsize;  // number of sizes; 0 for planes and for shapes from assets
  PrimitiveMass solid, shell;

  // half sizes of the box around the shape, also the semi-axes of the ellipsoid that replaces it
  void (*half)(double half[3], const double size[3]);

  // radius of the bounding sphere, from those half sizes; 0: none
  double (*radius)(const double half[3]);

  // sizes of the shape fitted to a bounding box (encloses), or to a box of equal inertia
  void (*fit)(double size[3], const double box[3], int encloses);
} Primitive;

// The row of a type. Types without a shape of their own have a row that measures 0.
const Primitive* primitive(mjtGeom type);

// Box (center, half sizes) around a shape in its own frame.
void primitive_aabb(double aabb[6], mjtGeom type, const double size[3]);
