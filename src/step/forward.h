// forward.h: stages that forward dynamics shares with the inverse and with halves of steps.

#pragma once

#include <mujoco/mjdata.h>

// Values of mjData.cnd_stage, the present evaluation of a Runge-Kutta step: the first one, if all
// of its visible results will be replaced by the last one, and the last.
enum {
  FIRST_STAGE = -1,
  LAST_STAGE = 3
};

// Computes everything that follows from qpos. Islands and dual matrices are made only for solvers;
// inverse dynamics passes solve = 0.
//                                                      theory/time/integration.md, Stages of a step
void position_stage(const mjModel* m, mjData* d, int solve);

// Computes position and velocity stages after skipstage (mjtStage), each with its sensors, then
// energy.
void evaluate_state(const mjModel* m, mjData* d, int skipstage, int skipsensor);

// Computes the frames that unobserved evaluations of a Runge-Kutta step have left out.
void complete_frames(const mjModel* m, mjData* d);

// Constraint forces and qacc.
void constraint_stage(const mjModel* m, mjData* d);

// Forward dynamics as stage d->cnd_stage of Runge-Kutta; mj_forwardSkip runs it outside of any
// stage.
void forward_dynamics(const mjModel* m, mjData* d, int skipstage, int skipsensor);

// The stages of mj_forward up to one of mjtStage, that one included.
void forward_to(const mjModel* m, mjData* d, int stage);

// Whether sensors are computed.
int has_sensors(const mjModel* m);
