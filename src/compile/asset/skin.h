// skin.h: skins, surfaces that follow several bodies at once.

#ifndef CONDYLE_COMPILE_ASSET_SKIN_H_
#define CONDYLE_COMPILE_ASSET_SKIN_H_

#include <mujoco/mjspec.h>

#include "compile/context.h"

// Reads and checks all skins. What is wrong is reported.
void skins_make(Compile* c);
void skins_free(Compile* c);

// nskinvert, ... of a model; then all skin_* arrays.
void skins_sizes(Compile* c, mjModel* m);
void skins_write(Compile* c);

#endif  // CONDYLE_COMPILE_ASSET_SKIN_H_
