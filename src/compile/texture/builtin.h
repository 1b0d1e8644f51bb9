// builtin.h: pixels of the procedural textures (gradient, checker, flat) and of the marks
// drawn over them.
//
//   2D                 cube and skybox: six squares, one below the other,
//   +------> column    right, left, up, down, front, back
//   |
//   v row                                                        theory/textures.md, Texture layout

#ifndef CONDYLE_COMPILE_TEXTURE_BUILTIN_H_
#define CONDYLE_COMPILE_TEXTURE_BUILTIN_H_

#include <mujoco/mjspec.h>

// The faces of a cube, as they stand one below the other.
enum {
  CUBE_RIGHT,
  CUBE_LEFT,
  CUBE_UP,
  CUBE_DOWN,
  CUBE_FRONT,
  CUBE_BACK,
  CUBE_FACES,
};

// Writes width x height RGB pixels; for a cube or a skybox height is 6 width. spec->width and
// height are not read.
void texture_builtin(mjtByte* rgb, const mjsTexture* spec, int width, int height);

#endif  // CONDYLE_COMPILE_TEXTURE_BUILTIN_H_
