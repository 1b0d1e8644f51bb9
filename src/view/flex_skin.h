// flex_skin.h: the smooth surface of a flex.

#pragma once

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjvisualize.h>

#include "view/flex_parts.h"

// Writes the smooth surface of a sheet or solid to its place in the scene. Returns the number of
// faces. Uses the stack of d.
int flex_skin(const mjModel* m, mjData* d, int flex, mjvScene* scn, const FlexParts* parts);

// The same of a rod with a box section; 0 of any other flex.                          flex_rod.c
int flex_rod_skin(const mjModel* m, mjData* d, int flex, mjvScene* scn, const FlexParts* parts);

// Ends in mju_error, and returns 0, if the scene has no room for n faces of a flex.
int flex_has_room(const mjvScene* scn, int flex, int n);

// Coordinates of the texture at three corners, by number.
void flex_set_texture(float out[6], const mjModel* m, int flex, int a, int b, int c);
