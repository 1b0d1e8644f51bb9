// second_order.h: derivatives of the matrix qDeriv of implicit integrators, that is, second
// derivatives of the smooth forces.

#pragma once

#include "derivative/smooth/forces.h"

// F += d(Q a) at constant a, with the qDeriv Q of the integrator of the model. Entries off its
// pattern and clamps are left out, as in Q.
void smooth_second_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const mjtNum* a);

// G += D (g row row' a) with D row = hessian, for the entries of row row' in the pattern of qDeriv,
// or of M if only_M:
//
//   g (D row_k (sum of row_l a_l) + row_k (sum of D row_l a_l))     l in the pattern of k
void pattern_derivative(mjtNum* G, const mjModel* m, const mjtNum* row, const mjtNum* hessian,
                        const mjtNum* a, mjtNum g, int only_M);

// F += d(B a) at constant a, where B is the part of fluids in the matrix of the integrator.
void fluid_products_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const mjtNum* a);

// Row k of F += derivative of B_kk.
void fluid_diagonal_derivative(ForceJacobian* F, const mjModel* m, mjData* d);

// F -= d(dc/dv a) at constant a, where c is the bias at the joint velocities v.
void bias_products_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const mjtNum* v,
                              const mjtNum* a);
