// sensors.h: derivatives of all sensors by the state and the controls.

#pragma once

#include "derivative/system.h"

// Rows of all sensors, c.ld numbers each, on the stack; dx: rows of the derivative of
// accelerations.
mjtNum* sensors_derivative(int* kinks, System* s, const mjtNum* dx, StateColumns c);
