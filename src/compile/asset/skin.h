// skin.h: skins, surfaces that follow several bodies at once.

#pragma once

#include <mujoco/mjspec.h>

#include "compile/context.h"

// Reads and checks all skins, and reports problems.
void skins_make(Compile* c);
void skins_free(Compile* c);

// skins_sizes sets nskinvert, ... of a model. skins_write writes all skin_* arrays.
void skins_sizes(Compile* c, mjModel* m);
void skins_write(Compile* c);
