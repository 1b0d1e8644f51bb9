// put.h: filling in the numbers of a model, in double precision; see constants.h.

#pragma once

#include <mujoco/mjmodel.h>

typedef mjtNum Constant;
#include "lanes/setup/constants.h"

// A frame attached to a body, in it, as kinematics have it.
//                                                      theory/smooth/kinematics.md, Attached frames
void put_frame(FrameConstants* c, const mjModel* m, const LaneFrame* f);

// A range; infinite where there is none.
void put_range(mjtNum to[2], int limited, const mjtNum range[2]);

// What levers.c makes: actuators, tendons, paths.
void put_levers(Constants* c, const LaneStructure* s, const mjModel* m);
