// integrate.h: the end of a step, when forward dynamics is done.

#pragma once

#include <mujoco/mjdata.h>

// Moves the state one timestep ahead by an integrator (mjtIntegrator). Stages up to skipstage
// (mjtStage) have their results from the last step: a matrix that depends on these only keeps its
// factor.
void integrate(const mjModel* m, mjData* d, int integrator, int skipstage);
