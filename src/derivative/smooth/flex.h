// flex.h: derivatives of the elastic and damping forces of deformables.
//                                                     theory/time/exact-derivatives.md, Deformables

#pragma once

#include "derivative/smooth/forces.h"
#include "derivative/tree/flex_edge.h"
#include "smooth/flex/flex.h"

// F += derivative of elastic and damping forces of all flexes. spring, damper: whether each is
// enabled. W: twists of the bodies.
void flex_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const Twists* W, int spring,
                     int damper);
