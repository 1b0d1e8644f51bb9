// flex.h: forces between points of bodies, as the edges and elements of deformables make them.
//
//   f_a = f_a(x, v)    of the places and velocities of few points, each of a body
//
//   D_j (J' f) = sum_a D_j J_a' f_a + sum_ab J_a' (df_a/dx_b u_bj + df_a/dv_b D_j v_b)
//                  u_bj = S_j at x_b
//                                                       theory/exact-derivatives.md, Deformables

#ifndef CONDYLE_DERIVATIVE_SMOOTH_FLEX_H_
#define CONDYLE_DERIVATIVE_SMOOTH_FLEX_H_

#include "derivative/smooth/forces.h"
#include "derivative/tree/flex_edge.h"
#include "smooth/flex/flex.h"

// F += derivative of elastic and damping forces of all flexes; spring and damper: whether each is
// enabled.
void flex_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const Twists* W, int spring,
                     int damper);

#endif  // CONDYLE_DERIVATIVE_SMOOTH_FLEX_H_
