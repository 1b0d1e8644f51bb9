// runge_kutta.h: the classical method of order 4, for the step and for its derivatives.
//
//    0  |
//   1/2 | 1/2
//   1/2 |  0  1/2
//    1  |  0   0   1
//   ----+----------------
//       | 1/6 1/3 1/3 1/6                                   theory/time/integration.md, Runge-Kutta

#pragma once

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>

enum {
  STAGES = 4
};

// Times of the stages as parts of the step, each reached with the rates of the stage before, and
// the weights of their rates in the result.
static const mjtNum NODE[STAGES] = {0, 0.5, 0.5, 1};
static const mjtNum WEIGHT[STAGES] = {(mjtNum)1 / 6, (mjtNum)1 / 3, (mjtNum)1 / 3, (mjtNum)1 / 6};

// The rates of a stage: velocities, which are part of its state, accelerations, activations.
typedef struct {
  mjtNum *qvel, *qacc, *act_dot;
} StageRates;

// A step in progress: the state at its beginning, and the rates of the stages so far.
typedef struct {
  mjtNum time, *qpos, *act, *correction;
  StageRates stage[STAGES], mean;
} RungeKutta;

// The first stage, whose forward dynamics is in d; everything is on the stack of d.
RungeKutta runge_kutta_make(const mjModel* m, mjData* d);

// Runs forward dynamics of a stage after the first, without sensors; d then holds that stage.
void runge_kutta_stage(RungeKutta* rk, const mjModel* m, mjData* d, int stage);

// Sets the state in d to that of a stage, without computing anything from it; stage 0 is the
// beginning.
void runge_kutta_place(mjData* d, const RungeKutta* rk, const mjModel* m, int stage);

// Computes the weighted mean of the rates of all stages.
void runge_kutta_mean(RungeKutta* rk, const mjModel* m);
