// tasks.h: what the optimizer is asked for.

#pragma once

#include "ilqr.h"

// Swing a pole up and hold it above the middle of the rail: a model with a site named tip, whose
// highest place is above the origin. Sets d to the pole hanging at rest. Returns 0, with a message,
// for other models.
int task_cartPole(Task* task, mjModel* m, mjData* d, char* error, int error_size);

// Stand up: a model with a free joint, whose pose of qpos0 is standing, with bodies and a geom
// named as in the humanoid. Sets d to lying on a side, settled. Returns 0, with a message, for
// other models.
int task_standUp(Task* task, mjModel* m, mjData* d, char* error, int error_size);

// Height of the pole's tip or the humanoid's head as a share of what it is to reach.
mjtNum task_height(const Task* task, const mjData* d);
