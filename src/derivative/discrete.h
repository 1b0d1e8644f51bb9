// discrete.h: derivative of the acceleration with which the integrator updates velocities, computed
// from the derivative of forward dynamics.

#pragma once

#include "derivative/system.h"

// Matrices of Euler and the implicit integrators, nv x nv: Q, and A = M - h Q.
typedef struct {
  mjtNum *Q, *A;
  int symmetric;
} DiscreteMatrices;

// Computes both on the stack of d.
DiscreteMatrices discrete_matrices(const mjModel* m, mjData* d);

// Whether the integrator uses the accelerations of forward dynamics as they are: a = x.
int discrete_is_plain(const mjModel* m);

// Adds to D the derivatives of M z + h Q a by state and controls. The vectors z = x - a and a are
// held fixed (x: acceleration of forward dynamics, a: that of the integrator).
void discrete_products(ForceJacobian* D, const mjModel* m, mjData* d, const mjtNum* z,
                       const mjtNum* a);

// Turns dx into da for all columns, and returns the acceleration a of the integrator:
// (M - h Q) a = M x.
const mjtNum* discrete_acceleration(mjtNum* dx, System* s, StateColumns c);
