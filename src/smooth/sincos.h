// sincos.h: sines and cosines of many angles at once, several per instruction.
//
// A humanoid's joints need twenty pairs per step; one at a time they are a third of its kinematics.
// Each result is within one unit in the last place of the exact one, and in 98 of 100 cases the
// nearest double. So poses mostly have the same bits as with any good library.

#pragma once

#include <mujoco/mjtnum.h>

enum {
  SINCOS_BLOCK = 4
};

// sine[i] = sin x[i], cosine[i] = cos x[i], angles in radians. The arrays have whole blocks: n is a
// multiple of SINCOS_BLOCK. No aliasing.
void sincos_many(mjtNum* restrict sine, mjtNum* restrict cosine, const mjtNum* restrict x, int n);
