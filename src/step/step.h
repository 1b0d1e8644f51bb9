// step.h: a step that goes on from stages which are done already.

#pragma once

#include <mujoco/mjdata.h>

// Whether mj_step would compute position and velocity stages as forward_to has: the state is good,
// and no callback or plugin looks on.
int step_can_continue(const mjModel* m, const mjData* d);

// mj_step behind the velocity stage, which forward_to has computed at this state. Bits are those of
// mj_step.
void step_continue(const mjModel* m, mjData* d);
