// advance.h: the common end of every integrator.

#pragma once

#include <mujoco/mjdata.h>

// Moves the state one timestep ahead: activations with act_dot, velocities with qacc, then
// positions with qvel or, if it is NULL, with the new velocities. Other computed quantities stay.
//                                                               theory/time/integration.md, Advance
void advance(const mjModel* m, mjData* d, const mjtNum* act_dot, const mjtNum* qacc,
             const mjtNum* qvel);
