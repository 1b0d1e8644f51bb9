// forward.h: stages that forward dynamics shares with the inverse and with halves of steps.

#pragma once

#include <mujoco/mjdata.h>

// Evaluations of a Runge-Kutta step (mjData.cnd_stage): the first, if all that anybody could see of
// it is replaced by the last one, and the last.
enum {
  FIRST_STAGE = -1,
  LAST_STAGE = 3
};

// Everything that follows from qpos. Only a solver needs islands and the dual matrices: the inverse
// asks for neither with solve = 0.                     theory/time/integration.md, Stages of a step
void position_stage(const mjModel* m, mjData* d, int solve);

// Position and velocity, each with its sensors and then its energy, beyond skipstage (mjtStage).
void evaluate_state(const mjModel* m, mjData* d, int skipstage, int skipsensor);

// What an evaluation of a Runge-Kutta step that nobody looks at has left out.
void complete_frames(const mjModel* m, mjData* d);

// Constraint forces and qacc.
void constraint_stage(const mjModel* m, mjData* d);

// Forward dynamics of the stage in d->cnd_stage; mj_forwardSkip is that of no stage.
void forward_dynamics(const mjModel* m, mjData* d, int skipstage, int skipsensor);

// Whether sensors are computed.
int has_sensors(const mjModel* m);
