// node.h: which of two nodes is opened where two trees of boxes are descended together.
//
// Any choice finds the same overlaps, but the order of self-contacts of a flex and the marks of
// nodes depend on it. So this is MuJoCo's choice, which passes (centre, half sizes) to a formula
// for the area of a box given by two corners.

#pragma once

#include <mujoco/mjtnum.h>

static inline mjtNum node_extent(const mjtNum box[6]) {
  mjtNum x = box[3] - box[0], y = box[4] - box[1], z = box[5] - box[2];
  return x * y + y * z + z * x;
}

// Whether the first node is opened rather than the second. leaf: the object that a leaf holds,
// negative for inner nodes. At least one node is an inner node.
static inline int opens_first(const mjtNum box1[6], int leaf1, const mjtNum box2[6], int leaf2) {
  return leaf2 >= 0 || (leaf1 < 0 && node_extent(box1) > node_extent(box2));
}
