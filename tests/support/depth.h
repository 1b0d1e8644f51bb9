// depth.h: how deep two convex shapes overlap, found in long double without any collider.
//
// The overlap of A and B along a unit direction u, by which B must move along u to be free of A, is
//
//     e(u) = h_A(u) + h_B(-u) - u . (c_B - c_A),     h(u) = max over x in the shape of u . (x - c)
//
// and the depth is its minimum over all directions; it is negative for shapes that are apart. The
// widths h have closed forms or are maxima over vertices, so the minimum is searched on the sphere
// alone: from directions spread evenly, from the axes of the shapes, from their directions across
// each other and from one the caller believes in; the best are improved by steps that shrink. What
// is found is the overlap along some direction, so never less than the depth.

#pragma once

#include <mujoco/mujoco.h>

// One placed shape: a plane (the first of a pair only), a primitive or the vertices of a mesh.
typedef struct DepthShape {
  int type;  // mjtGeom
  const mjtNum *size, *pos, *mat;
  const float* vert;  // of a mesh, nvert of them
  int nvert;
} DepthShape;

// A pair of them; its overlap is larger by the margin, m.
typedef struct Overlap {
  DepthShape shape[2];
  long double margin;
} Overlap;

// The pair of geoms of a model, as placed in d now and whenever it is asked.
Overlap overlap_of_geoms(const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin);

// h of shape k in the unit direction u of the world.
long double overlap_reach(const Overlap* o, int k, const long double u[3]);

// e of a direction, which need not be of length 1.
long double overlap_along(const Overlap* o, const long double u[3]);
double overlap_along_normal(const Overlap* o, const mjtNum n[3]);

// The least overlap of all directions, and its direction in u if that isn't NULL; believed is
// another direction to start from, or NULL.
long double overlap_least(long double u[3], const Overlap* o, const mjtNum* believed);

// How far a point is outside of shape k, as far as many directions tell; negative inside.
long double overlap_outside(const Overlap* o, int k, const mjtNum point[3]);
