// box_axis.h: the separating axis of two boxes.
//
// Two convex shapes are apart if some axis separates them; two boxes are apart if one of fifteen
// does: three face normals of each box and nine cross products of edges. Otherwise the shortest
// translation that separates them is along the axis of least overlap, which tells the features that
// touch.
//                                                             theory/contact/collision.md, Box axes

#pragma once

#include <mujoco/mjtnum.h>

enum {
  AXIS_NONE,   // nothing found yet
  AXIS_EDGES,  // an edge of each
  AXIS_FACE1,  // a face of box 1
  AXIS_FACE2   // a face of box 2
};

typedef struct BoxAxis {
  mjtNum overlap;
  int kind;
  int i, j;          // face: axis i; edges: axis i of box 1, axis j of box 2
  int neg;           // face: its normal is -axis; edges: the normal has to be negated
  mjtNum normal[3];  // edges: unit normal in the frame of box 1
  int h1[3], h2[3];  // edges: which of the parallel edges, by the sign of the remaining coordinates
} BoxAxis;

// Least overlap over the fifteen axes; returns 0 if the boxes are further apart than margin along
// one of them, or if there is no axis at all (infinite or NaN sizes).
//   W[i][j] = axis i of box 1 . axis j of box 2
//   c21, c12: centre of box 2 in the frame of box 1, and of box 1 in the frame of box 2
//   s1, s2: half sizes
int box_axis(BoxAxis* axis, const mjtNum W[9], const mjtNum c21[3], const mjtNum c12[3],
             const mjtNum s1[3], const mjtNum s2[3], mjtNum margin);
