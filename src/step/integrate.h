// integrate.h: the end of a step, when forward dynamics is done.

#pragma once

#include <mujoco/mjdata.h>

// Moves the state one timestep ahead by an integrator (mjtIntegrator). Stages up to skipstage
// (mjtStage) have not been computed again, so a matrix that depends on these alone keeps its
// factor.
void integrate(const mjModel* m, mjData* d, int integrator, int skipstage);
