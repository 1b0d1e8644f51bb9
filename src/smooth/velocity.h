// velocity.h: velocities of bodies as a part of something else.
//                                                      theory/smooth/kinematics.md, Body velocities

#pragma once

#include "model/data/tree_runs.h"

// Does what mj_comVel does, but calls `beside` for trees in groups, which finds more of them than
// their velocities. The argument begins with a RunData.
void velocities_beside(const mjModel* m, mjData* d, GroupCall beside, void* argument);
