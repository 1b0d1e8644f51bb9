// metric_forces.h: derivatives of what a discrete step adds to the balance of forces.
//
//   r = tau + J' f - M x - c - h K (v + h x) - h D x      K, D: springs and dampers of the metric
//
// K and D depend on the state and the controls: through the rows of tendons and actuators, gains
// that multiply a control, the curves of muscles, and the speed of fluids. Nothing of it is held
// constant.
//                                             theory/time/exact-derivatives.md, Discrete integrator
// Symbols: step/discrete.h, system.h.

#pragma once

#include "derivative/smooth/forces.h"

// F += derivatives of - h K (v + h x) - h D x at constant x, and H += h D + h^2 K. W: twists of the
// bodies at the velocities of d.
void metric_forces_derivative(ForceJacobian* F, mjtNum* H, const mjModel* m, mjData* d,
                              const Twists* W, const mjtNum* x);

// Gyroscopic forces of free bodies that nothing holds: F += derivative of - h G x, H += h G, with G
// = d bias / d velocity. Returns 1 if there are any, and H is not symmetric.
int metric_gyroscopic_derivative(ForceJacobian* F, mjtNum* H, const mjModel* m, mjData* d,
                                 const mjtNum* x);

// Derivatives of the diagonal of h D + h^2 K: row k of F is that of entry kk.
void metric_diagonal_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const Twists* W);
