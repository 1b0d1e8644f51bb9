// second_order.h: second derivatives of the smooth forces, of which implicit integrators take the
// first.

#ifndef CONDYLE_DERIVATIVE_SMOOTH_SECOND_ORDER_H_
#define CONDYLE_DERIVATIVE_SMOOTH_SECOND_ORDER_H_

#include "derivative/smooth/forces.h"
#include "smooth/fluid.h"

// F += d(Q a) at constant a, Q the qDeriv of the model's implicit integrator: what that leaves out
// (entries off its pattern, clamps) is left out.
void smooth_second_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const mjtNum* a);

// T[36 i + 6 m + n] = d(B_im) / dV_n of the B that fluid_derivative gives for a piece of
// fluid_visit.
void fluid_second_derivative(mjtNum T[216], const mjModel* m, const FluidPart* part);

// B as fluid_derivative gives it, but the derivative of the force also where a denominator is at
// its floor.
void fluid_wrench_derivative(mjtNum B[36], const mjModel* m, const FluidPart* part);

#endif  // CONDYLE_DERIVATIVE_SMOOTH_SECOND_ORDER_H_
