// flex_edge.h: derivatives of the length of a flex edge whose two vertices are fixed to bodies.
//                                                     theory/time/exact-derivatives.md, Deformables

#pragma once

#include "derivative/tree/dynamics.h"
#include "derivative/tree/kinematics.h"

// An edge between two vertices that are points of bodies: the bodies and places of its ends, the
// unit vector n from the first to the second, and its length. `edge` counts through all flexes.
typedef struct {
  int body[2];
  const mjtNum* x[2];
  mjtNum n[3], length;
} FlexEdge;

FlexEdge flex_edge(const mjModel* m, const mjData* d, int flex, int edge);

// G += D (J' force), with J = d(length) and a number `force`. The part that is due to constant
// forces at the ends of the edge goes into loads instead.
void flex_edge_derivative(mjtNum* G, Load* loads, const mjModel* m, mjData* d, const FlexEdge* edge,
                          mjtNum force);

// out += scale D (J z) with constant z, nv numbers; W: twists of the bodies at the joint velocities
// z.
void flex_edge_rate(mjtNum* out, const mjModel* m, mjData* d, const FlexEdge* edge, const Twists* W,
                    mjtNum scale);
