// support.h: support points of shapes and of their difference.
//
//     S_{A-B}(u) = S_A(u) - S_B(-u)                     theory/contact/convex.md, Support functions

#pragma once

#include "collision/convex/shape.h"

// A vertex w = a - b of the Minkowski difference A - B, with a in A and b in B. ia, ib: vertex ids
// of a and b, -1 if they have none.
typedef struct Vertex {
  mjtNum a[3], b[3], w[3];
  int ia, ib;
} Vertex;

// Support point of A - B, each with its margin, in the unit direction u of the world.
void difference_support(Vertex* out, ConvexShape* a, ConvexShape* b, const mjtNum u[3]);

// Support point of A - B that doesn't depend on where earlier searches in meshes ended: of meshes
// whose vertices are copied the highest of all in double precision.
void difference_support_anew(Vertex* out, ConvexShape* a, ConvexShape* b, const mjtNum u[3]);

// The same; in meshes whose vertices aren't copied it starts at vertices that are likely to be
// high.
void difference_support_near(Vertex* out, ConvexShape* a, ConvexShape* b, const mjtNum u[3],
                             int near_a, int near_b);

// Where the supports of a pair have ended in an earlier step. The same search in the next step asks
// in much the same directions, so each support starts a walk (shape/summit.h) where it has ended.
// Results don't depend on it.
enum {
  TRAIL_CLIMB = 0x8000,  // set if many were about as high: the next search climbs at once
  TRAIL_NEW = 0x7fff     // not known yet
};
