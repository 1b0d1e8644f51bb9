// support.h: convex shapes as the general collider sees them: a centre, and the furthest point in
// any direction.
//
// A shape may carry a margin, half of which inflates it: two shapes with the margin of their
// contact overlap exactly when their distance is less than it. A ball or capsule can be reduced to
// its core (a point, a segment), with which distances are exact and cheap.
//                                                                            spec 05, section 4.3

#ifndef CONDYLE_COLLISION_CONVEX_SUPPORT_H_
#define CONDYLE_COLLISION_CONVEX_SUPPORT_H_

#include "base/vec.h"

typedef struct Shape {
  int type;        // mjtGeom
  int core;        // ball or capsule without its radius
  mjtNum margin;   // half of it is added all round
  mjtNum size[3];  // geom_size
  mjtNum pos[3];   // centre in the world
  mjtNum mat[9];   // axes in the world, as columns
} Shape;

// A vertex of the Minkowski difference A - B: w = a - b with a in A and b in B; corner ids of a and
// b, -1 for smooth shapes.
typedef struct Vertex {
  mjtNum a[3], b[3], w[3];
  int ia, ib;
} Vertex;

Shape shape_of(const mjModel* m, const mjData* d, int geom, mjtNum margin);

// The vertex of A - B furthest in the unit direction u.
void difference_support(Vertex* out, const Shape* a, const Shape* b, const mjtNum u[3]);

#endif  // CONDYLE_COLLISION_CONVEX_SUPPORT_H_
