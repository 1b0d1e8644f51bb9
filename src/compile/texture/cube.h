// cube.h: where the pixels of a texture are.
//
//   2D                 cube and skybox: six squares, one below the other,
//   +------> column    right, left, up, down, front, back
//   |
//   v row                                                        theory/textures.md, Texture layout

#ifndef CONDYLE_COMPILE_TEXTURE_CUBE_H_
#define CONDYLE_COMPILE_TEXTURE_CUBE_H_

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

#endif  // CONDYLE_COMPILE_TEXTURE_CUBE_H_
