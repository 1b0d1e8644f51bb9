// oriented_boxes.h: whether boxes along the axes of two bodies or geoms are apart.
//
// Many boxes of the same two bodies share what their frames give.
//                                                            theory/contact/collision.md, Mid phase

#pragma once

#include <mujoco/mjtnum.h>

#include "base/algebra/matrix_simd.h"

// A box (centre, half sizes) in a frame.
typedef struct OrientedBox {
  const mjtNum *pos, *mat, *box;
} OrientedBox;

// Whether two boxes are more than margin apart along an axis of either. A half size of mjMAXVAL is
// infinite.
int oriented_boxes_apart(const OrientedBox* a, const OrientedBox* b, mjtNum margin);

// The frames of two boxes. relative[0]: columns of |R1' R2|, relative[1]: columns of |R2' R1|.
typedef struct BoxFrames {
  const mjtNum *pos1, *pos2;
  Simd4 row1[3], row2[3], column1[3], column2[3], relative[2][3];
} BoxFrames;

// The frames (position, axes) of the boxes of two bodies.
void make_frames(BoxFrames* f, const mjtNum* pos1, const mjtNum* mat1, const mjtNum* pos2,
                 const mjtNum* mat2);

// Whether box a of the first body and box b of the second are more than margin apart.
int nodes_apart(const BoxFrames* f, const mjtNum* a, const mjtNum* b, mjtNum margin);
