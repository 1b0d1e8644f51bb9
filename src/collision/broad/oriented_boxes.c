// oriented_boxes.c: separating axes of two boxes among their six face normals.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it rounds boxes that just touch differently

#include "collision/broad/oriented_boxes.h"

#include <math.h>
#include <mujoco/mjmodel.h>

// Elements 1, 2 and 3 of a vector, followed by an undefined one.
INLINE void shift(Simd4* out, const Simd4* v) {
  *out = SIMD4_ORDER(*v, 1, 2, 3, 3);
}

// The rows and the columns of a 3 x 3 matrix as vectors; their fourth number is undefined.
INLINE void rows_and_columns(Simd4 row[3], Simd4 column[3], const mjtNum mat[9]) {
  row[0] = SIMD_READ(Simd4, mat);
  row[1] = SIMD_READ(Simd4, mat + 3);
  row[2] = SIMD_READ(Simd4, mat + 5);
  shift(row + 2, row + 2);
  simd4_columns(column, mat);
}

// v_0 x_0 + v_1 x_1 + v_2 x_2
INLINE void combine(Simd4* out, const Simd4 v[3], const mjtNum* x, int step) {
  *out = v[0] * x[0] + v[1] * x[step] + v[2] * x[2 * step];
}

INLINE void box_frames(BoxFrames* f, const mjtNum* pos1, const mjtNum* mat1, const mjtNum* pos2,
                       const mjtNum* mat2) {
  f->pos1 = pos1;
  f->pos2 = pos2;
  rows_and_columns(f->row1, f->column1, mat1);
  rows_and_columns(f->row2, f->column2, mat2);
  for (int j = 0; j < 3; j++) {
    combine(f->relative[0] + j, f->row1, mat2 + j, 3);
    simd4_abs(f->relative[0] + j, f->relative[0] + j);
    combine(f->relative[1] + j, f->row2, mat1 + j, 3);
    simd4_abs(f->relative[1] + j, f->relative[1] + j);
  }
}

// Whether |t|_k > s_k + reach_k + margin for some k, reach = sum_j s'_j |W_j|.
INLINE int are_apart(Simd4* t, const mjtNum* aabb, const mjtNum* other, const Simd4 W[3],
                     mjtNum margin) {
  const Simd4 none = {INFINITY, INFINITY, INFINITY, INFINITY};
  Simd4 reach, half = SIMD_READ(Simd4, aabb + 2);
  half = SIMD4_ZIP(half, none, 1, 2, 3, 4);
  simd4_abs(t, t);
  combine(&reach, W, other + 3, 1);
  Simd4Mask apart = *t > half + reach + margin;
  apart |= SIMD4_ORDER(apart, 2, 3, 0, 1);
  return (apart[0] | apart[1]) != 0;
}

// Whether two boxes, each (centre, half sizes) in one of the frames, are more than margin apart
// along one of their six face normals n:
//
//     |n . c21| > sum_k s1_k |n . a_k| + sum_k s2_k |n . b_k| + margin
//
// A half size of mjMAXVAL is infinite. The normals of the other box are not tested against an
// infinite one; a box that is infinite along all axes is apart from nothing.
INLINE int boxes_apart(const BoxFrames* f, const mjtNum* a, const mjtNum* b, mjtNum margin) {
  const mjtNum *s1 = a + 3, *s2 = b + 3;
  int inf1 = (s1[0] >= mjMAXVAL) + (s1[1] >= mjMAXVAL) + (s1[2] >= mjMAXVAL);
  int inf2 = (s2[0] >= mjMAXVAL) + (s2[1] >= mjMAXVAL) + (s2[2] >= mjMAXVAL);
  if (inf1 == 3 || inf2 == 3) {
    return 0;
  }
  Simd4 center1, center2, t;
  mjtNum gap[3];
  combine(&center1, f->column1, a, 1);
  combine(&center2, f->column2, b, 1);
  for (int k = 0; k < 3; k++) {
    gap[k] = (center2[k] + f->pos2[k]) - (center1[k] + f->pos1[k]);
  }
  if (!inf2) {
    combine(&t, f->row1, gap, 1);
    if (are_apart(&t, a, b, f->relative[0], margin)) {
      return 1;
    }
  }
  if (!inf1) {
    combine(&t, f->row2, gap, 1);
    return are_apart(&t, b, a, f->relative[1], margin);
  }
  return 0;
}

KERNEL void make_frames(BoxFrames* f, const mjtNum* pos1, const mjtNum* mat1, const mjtNum* pos2,
                        const mjtNum* mat2) {
  box_frames(f, pos1, mat1, pos2, mat2);
}

KERNEL int nodes_apart(const BoxFrames* f, const mjtNum* a, const mjtNum* b, mjtNum margin) {
  return boxes_apart(f, a, b, margin);
}

KERNEL int oriented_boxes_apart(const OrientedBox* a, const OrientedBox* b, mjtNum margin) {
  BoxFrames f;
  box_frames(&f, a->pos, a->mat, b->pos, b->mat);
  return boxes_apart(&f, a->box, b->box, margin);
}
