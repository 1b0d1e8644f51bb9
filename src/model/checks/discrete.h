// discrete.h: what the discrete integrator can't do.

#pragma once

#include <mujoco/mjmodel.h>

// Why a model can't be integrated in discrete steps; NULL if it can.
//                                                      theory/time/integration.md, Discrete
const char* discrete_obstacle(const mjModel* m);
