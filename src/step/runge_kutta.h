// runge_kutta.h: the classical method of order 4, for the step and for its derivatives.
//
//    0  |
//   1/2 | 1/2
//   1/2 |  0  1/2
//    1  |  0   0   1
//   ----+----------------
//       | 1/6 1/3 1/3 1/6                                       theory/integration.md, Runge-Kutta

#ifndef CONDYLE_STEP_RUNGE_KUTTA_H_
#define CONDYLE_STEP_RUNGE_KUTTA_H_

#include <mujoco/mjdata.h>

enum {
  STAGES = 4
};

// Times of the stages as parts of the step, each reached with the rates of the stage before, and
// the weights of their rates in the result.
static const mjtNum NODE[STAGES] = {0, 0.5, 0.5, 1};
static const mjtNum WEIGHT[STAGES] = {(mjtNum)1 / 6, (mjtNum)1 / 3, (mjtNum)1 / 3, (mjtNum)1 / 6};

#endif  // CONDYLE_STEP_RUNGE_KUTTA_H_
