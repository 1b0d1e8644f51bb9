// skin.h: skins, surfaces that follow several bodies at once.

#pragma once

#include <mujoco/mjspec.h>

#include "compile/context.h"

// Reads and checks all skins, and reports problems.
void skins_make(Compile* c);
void skins_free(Compile* c);

// Puts the data of a skin's file in the place of the file's name. Returns 0, with an error, if it
// can't be read.
int skin_embed(Compile* c, SpecObject* object);

// skins_sizes sets nskinvert, ... of a model. skins_write writes all skin_* arrays.
void skins_sizes(Compile* c, mjModel* m);
void skins_write(Compile* c);
