// file.h: textures from pictures. A plane has one picture. A cube has one for each face, one that
// is repeated on all faces, or one with a grid of all faces.
//
//   grid (rows x columns of squares), e.g. gridsize "3 4", gridlayout ".U..LFRB.D..":
//
//     . U . .
//     L F R B     ->  right, left, up, down, front, back, one below the other
//     . D . .
//
// Faces without a picture have the colour rgb1.             theory/model/textures.md, Texture files

#pragma once

#include <mujoco/mjtnum.h>

#include "compile/asset_set.h"

// Finds the size of a texture made from files, and whether its pictures are marked as sRGB. Returns
// 0, with an error, if they don't fit together.
int texture_measure(int* width, int* height, int* srgb, Compile* c, const SpecObject* object);

// Writes the pixels of a texture made from files.
void texture_compose(mjtByte* out, const Compile* c, const SpecObject* object);
