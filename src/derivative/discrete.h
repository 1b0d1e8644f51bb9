// discrete.h: from the derivative of accelerations to that of what an integrator makes of them.

#ifndef CONDYLE_DERIVATIVE_DISCRETE_H_
#define CONDYLE_DERIVATIVE_DISCRETE_H_

#include "derivative/system.h"

// Matrices of an integrator that is not Runge-Kutta, nv x nv: Q, and A = M - h Q.
typedef struct {
  mjtNum *Q, *A;
  int symmetric;
} DiscreteMatrices;

// On the stack of d.
DiscreteMatrices discrete_matrices(const mjModel* m, mjData* d);

// Does the integrator take accelerations as they are?
int discrete_is_plain(const mjModel* m);

// D += d(M z) + h d(Q a) at constant z and a.
void discrete_products(ForceJacobian* D, const mjModel* m, mjData* d, const mjtNum* z,
                       const mjtNum* a);

// Makes of dx, for all columns, da of the acceleration with which the integrator moves velocities,
// and returns
// that acceleration:                                    (M - h Q) a = M x,  Q of the integrator
const mjtNum* discrete_acceleration(mjtNum* dx, System* s, StateColumns c);

#endif  // CONDYLE_DERIVATIVE_DISCRETE_H_
