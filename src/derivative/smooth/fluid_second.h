// fluid_second.h: second derivatives of fluid forces.

#pragma once

#include "smooth/fluid.h"

// T[36 i + 6 m + n] = d(B_im) / dV_n, with the B of fluid_derivative and a piece of fluid_visit.
void fluid_second_derivative(mjtNum T[216], const mjModel* m, const FluidPart* part);

// The same of the B of fluid_drag_derivative.
void fluid_drag_second_derivative(mjtNum T[216], const mjModel* m, const FluidPart* part);

// B = d(wrench)/dV. Where a denominator is at its floor it differs from that of fluid_derivative
// and is still the derivative of the force.
void fluid_wrench_derivative(mjtNum B[36], const mjModel* m, const FluidPart* part);
