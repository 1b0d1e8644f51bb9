// cube.h: the layout of pixels in a texture.
//
//   2D                 cube and skybox: six squares, one below the other,
//   +------> column    right, left, up, down, front, back
//   |
//   v row                                                  theory/model/textures.md, Texture layout

#pragma once

// The faces of a cube in the order of their squares.
enum {
  CUBE_RIGHT,
  CUBE_LEFT,
  CUBE_UP,
  CUBE_DOWN,
  CUBE_FRONT,
  CUBE_BACK,
  CUBE_FACES,
};
