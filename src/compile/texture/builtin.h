// builtin.h: pixels of the procedural textures (gradient, checker, flat) and of the marks
// drawn over them.
//                                                          theory/model/textures.md, Texture layout

#pragma once

#include <mujoco/mjspec.h>

// Writes width x height RGB pixels. For a cube or a skybox height is 6 width. spec->width and
// spec->height are ignored.
void texture_builtin(mjtByte* rgb, const mjsTexture* spec, int width, int height);
