// second_order.h: second derivatives of the smooth forces, of which implicit integrators take the
// first.

#ifndef CONDYLE_DERIVATIVE_SMOOTH_SECOND_ORDER_H_
#define CONDYLE_DERIVATIVE_SMOOTH_SECOND_ORDER_H_

#include "derivative/smooth/forces.h"

// F += d(Q a) at constant a, Q the qDeriv of the model's implicit integrator: what that leaves out
// (entries off its pattern, clamps) is left out.
void smooth_second_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const mjtNum* a);

// G += D (g row row' a) for the entries of row row' that are in the pattern of qDeriv, or of M if
// only_M, with D row = hessian:
//
//   g (D row_k (sum of row_l a_l) + row_k (sum of D row_l a_l))     l in the pattern of k
void pattern_derivative(mjtNum* G, const mjModel* m, const mjtNum* row, const mjtNum* hessian,
                        const mjtNum* a, mjtNum g, int only_M);

#endif  // CONDYLE_DERIVATIVE_SMOOTH_SECOND_ORDER_H_
