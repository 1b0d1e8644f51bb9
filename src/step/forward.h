// position.h: the position stage, which forward and inverse dynamics share.

#ifndef CONDYLE_STEP_POSITION_H_
#define CONDYLE_STEP_POSITION_H_

#include <mujoco/mjdata.h>

// Everything that follows from qpos. Only a solver needs islands and the dual matrices: the inverse
// asks for neither with solve = 0.                          theory/integration.md, Stages of a step
void position_stage(const mjModel* m, mjData* d, int solve);

#endif  // CONDYLE_STEP_POSITION_H_
