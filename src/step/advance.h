// advance.h: the common end of every integrator.

#pragma once

#include <mujoco/mjdata.h>

#include "step/plastic.h"

// Moves the state one timestep ahead: activations with act_dot, velocities with qacc, then
// positions with qvel or, if it is NULL, with the new velocities. Other computed quantities stay.
// begin: paths of tendons at the beginning of the step, NULL if they are those of d.
//                                                               theory/time/integration.md, Advance
void advance(const mjModel* m, mjData* d, const mjtNum* act_dot, const mjtNum* qacc,
             const mjtNum* qvel, const PlasticPaths* begin);
