// discrete.h: from the derivative of accelerations to that of what an integrator makes of them.

#ifndef CONDYLE_DERIVATIVE_DISCRETE_H_
#define CONDYLE_DERIVATIVE_DISCRETE_H_

#include "derivative/system.h"

// Makes of dx, for all columns, da of the acceleration with which the integrator moves velocities, and returns
// that acceleration:                                    (M - h Q) a = M x,  Q of the integrator
const mjtNum* discrete_acceleration(mjtNum* dx, System* s, Columns c);

#endif  // CONDYLE_DERIVATIVE_DISCRETE_H_
