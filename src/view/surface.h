// surface.h: the surfaces of flexes and skins in a scene, which change shape with the state.

#pragma once

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjvisualize.h>

// Was the scene made for a model with these flexes and skins? Ends in mju_error if not.
int check_surfaces(const char* function, const mjModel* m, const mjvScene* scn);

// The scene fits, for both.
//
// Vertices of all flexes, faces of those that show some; the flags that say which.
void update_flexes(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn);

// Vertices and normals of the skins whose group is shown; zeros for others.
void update_skins(const mjModel* m, const mjData* d, const mjvOption* opt, mjvScene* scn);
