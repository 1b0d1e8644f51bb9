// forward.h: stages that forward dynamics shares with the inverse and with halves of steps.

#pragma once

#include <mujoco/mjdata.h>

// The last evaluation of a Runge-Kutta step (mjData.cnd_stage).
enum {
  LAST_STAGE = 3
};

// Everything that follows from qpos. Only a solver needs islands and the dual matrices: the inverse
// asks for neither with solve = 0.                          theory/integration.md, Stages of a step
void position_stage(const mjModel* m, mjData* d, int solve);

// Position and velocity, each with its sensors and then its energy, beyond skipstage (mjtStage).
void evaluate_state(const mjModel* m, mjData* d, int skipstage, int skipsensor);

// Constraint forces and qacc.
void constraint_stage(const mjModel* m, mjData* d);
