// geoms.h: all that is drawn of a model.

#pragma once

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjvisualize.h>

// mjv_addGeoms for arguments that have been checked.
void draw_model(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert,
                int catmask, mjvScene* scn);
