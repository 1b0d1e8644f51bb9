// primitive.h: what the compiler asks of a shape, one row of a table for each.
//
// size is as in geom_size: sphere r; capsule and cylinder radius r and half-length l; ellipsoid
// semi-axes and box half sizes a, b, c.                                      theory/model/shapes.md

#pragma once

#include <mujoco/mjmodel.h>

// Mass that fills a shape, or covers it.
typedef struct {
  double (*measure)(const double size[3]);  // volume, or area of the surface
  void (*inertia)(double inertia[3], const double size[3], double mass);  // principal, about the
} PrimitiveMass;                                                          // centre

typedef struct {
  int nsize;  // how many sizes it has; 0: planes and what has its shape from an asset
  PrimitiveMass solid, shell;

  // half sizes of the box around it, which are the semi-axes of an ellipsoid like it
  void (*half)(double half[3], const double size[3]);

  // radius of the bounding sphere, by those half sizes; 0: none
  double (*radius)(const double half[3]);

  // sizes of the one in a box (encloses), or of the one with the inertia of that box
  void (*fit)(double size[3], const double box[3], int encloses);
} Primitive;

// The row of a type, which may be any.
const Primitive* primitive(mjtGeom type);
