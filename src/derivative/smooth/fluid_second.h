// fluid_second.h: second derivatives of fluid forces.

#ifndef CONDYLE_DERIVATIVE_SMOOTH_FLUID_SECOND_H_
#define CONDYLE_DERIVATIVE_SMOOTH_FLUID_SECOND_H_

#include "smooth/fluid.h"

// T[36 i + 6 m + n] = d(B_im) / dV_n of the B that fluid_derivative gives for a piece of
// fluid_visit.
void fluid_second_derivative(mjtNum T[216], const mjModel* m, const FluidPart* part);

// B as fluid_derivative gives it, but the derivative of the force also where a denominator is at
// its floor.
void fluid_wrench_derivative(mjtNum B[36], const mjModel* m, const FluidPart* part);

#endif  // CONDYLE_DERIVATIVE_SMOOTH_FLUID_SECOND_H_
