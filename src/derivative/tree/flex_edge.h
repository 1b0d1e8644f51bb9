// flex_edge.h: edges of a flex whose vertices are points of bodies, as these move.
//                                                       theory/exact-derivatives.md, Deformables

#ifndef CONDYLE_DERIVATIVE_TREE_FLEX_EDGE_H_
#define CONDYLE_DERIVATIVE_TREE_FLEX_EDGE_H_

#include "derivative/tree/dynamics.h"
#include "derivative/tree/kinematics.h"

// The ends of an edge (counted through all flexes) of a flex whose vertices are points of bodies,
// the unit vector from the first to the second, and how far it is; 0 if they are at one place.
typedef struct {
  int body[2];
  const mjtNum* x[2];
  mjtNum n[3], length;
} FlexEdge;

FlexEdge flex_edge(const mjModel* m, const mjData* d, int flex, int edge);

// G += D (J' force), J = d(length), force a number, but what is due to constant forces at its ends:
// these go into loads.
void flex_edge_derivative(mjtNum* G, Load* loads, const mjModel* m, mjData* d, const FlexEdge* edge,
                          mjtNum force);

// out += scale D (J z) with constant z, nv numbers; W are the velocities that z gives.
void flex_edge_rate(mjtNum* out, const mjModel* m, mjData* d, const FlexEdge* edge, const Twists* W,
                    mjtNum scale);

#endif  // CONDYLE_DERIVATIVE_TREE_FLEX_EDGE_H_
