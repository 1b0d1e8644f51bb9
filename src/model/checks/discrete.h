// discrete.h: what the discrete integrator can't do.

#pragma once

#include <mujoco/mjmodel.h>

// Has a flex elastic forces that are part of the metric?
int discrete_is_elastic(const mjModel* m, int flex);

// Why a model can't be integrated in discrete steps; NULL if it can.
//                                                      theory/time/integration.md, Discrete
const char* discrete_obstacle(const mjModel* m);
