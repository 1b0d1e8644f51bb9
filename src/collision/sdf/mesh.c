// Fields of meshes: distances at the corners of cells, interpolated; or, without an octree, by rays.
//                                                                            theory/sdf.md, Meshes

#pragma STDC FP_CONTRACT OFF  // a descent stops where rounding decides

#include <mujoco/api/collision.h>

#include "base/vec.h"
#include "collision/sdf/field.h"

// Moves points outside of the root box so far behind its faces, in m: they are in a cell then.
static const mjtNum INSET = (mjtNum)1e-6;

// Step of forward differences, m.
static const mjtNum STEP = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-8 : (mjtNum)1e-4;

// Nearest point of the root box, a little inside; x itself if x is. Returns the distance to the box.
static mjtNum to_box(mjtNum near[3], const mjtNum box[6], const mjtNum x[3]) {
  mjtNum q[3], square = 0;
  for (int k = 0; k < 3; k++) {
    q[k] = mju_abs(x[k] - box[k]) - box[3 + k];
  }
  v3_copy(near, x);
  if (q[0] <= 0 && q[1] <= 0 && q[2] <= 0) {
    return 0;
  }
  for (int k = 0; k < 3; k++) {
    if (q[k] >= 0) {
      near[k] += x[k] > box[k] ? -(q[k] + INSET) : q[k] + INSET;
      square += q[k] * q[k];
    }
  }
  return mju_sqrt(square);
}

// The leaf around x, and where in it x is, 0..1 along each axis. Of the eight subcells, bit 0, 1, 2
// is the upper half in x, y, z.
static int leaf_at(mjtNum c[3], const FieldTree* tree, const mjtNum x[3]) {
  int cell = 0;
  for (;;) {
    const mjtNum *center = tree->box + 6 * cell, *half = center + 3;
    __builtin_prefetch(tree->child + 8 * cell);  // beside the box, not behind it
    mjtNum from[3], side[3];
    int slot = 0;
    for (int k = 0; k < 3; k++) {
      mjtNum lower = center[k] - half[k];
      from[k] = x[k] - lower;
      side[k] = center[k] + half[k] - lower;
      slot |= (from[k] >= side[k] / 2) << k;
    }
    int child = tree->child[8 * cell + slot];
    if (child < 0) {
      v3_set(c, from[0] / side[0], from[1] / side[1], from[2] / side[2]);
      return cell;
    }
    cell = child;
  }
}

// f = sum over corners of value prod (c or 1 - c), plus the distance to the root box
static mjtNum tree_distance(const Field* field, const mjtNum x[3]) {
  const FieldTree* tree = &field->tree;
  mjtNum near[3], c[3];
  mjtNum outside = to_box(near, tree->box, x);
  const mjtNum* value = tree->value + 8 * leaf_at(c, tree, near);
  mjtNum sum = 0;
  for (int j = 0; j < 8; j++) {
    sum += (j & 1 ? c[0] : 1 - c[0]) * (j & 2 ? c[1] : 1 - c[1]) * (j & 4 ? c[2] : 1 - c[2]) *
           value[j];
  }
  return sum + outside;
}

// Inside of the root box by c, not by x: the sides of cells count as 1. Outside, forward differences.
static void tree_gradient(mjtNum gradient[3], const Field* field, const mjtNum x[3]) {
  const FieldTree* tree = &field->tree;
  mjtNum near[3], c[3];
  if (to_box(near, tree->box, x) > 0) {
    mjtNum here = tree_distance(field, x);
    for (int k = 0; k < 3; k++) {
      v3_copy(near, x);
      near[k] += STEP;
      gradient[k] = (tree_distance(field, near) - here) / STEP;
    }
    return;
  }
  const mjtNum* value = tree->value + 8 * leaf_at(c, tree, near);
  v3_zero(gradient);
  for (int j = 0; j < 8; j++) {
    mjtNum w[3], s[3];
    for (int k = 0; k < 3; k++) {
      int upper = j >> k & 1;
      w[k] = upper ? c[k] : 1 - c[k];
      s[k] = upper ? 1 : -1;
    }
    gradient[0] += s[0] * w[1] * w[2] * value[j];
    gradient[1] += w[0] * s[1] * w[2] * value[j];
    gradient[2] += w[0] * w[1] * s[2] * value[j];
  }
}

const FieldKind field_octree = {tree_distance, tree_gradient, NULL};

// without an octree

// Length from a point P of the world to the mesh along the ray to the world's origin, in units of
// |P|; -1 if it misses. Beyond the origin the mesh is taken to lie behind.
static mjtNum to_origin(mjtNum point[3], const Field* field, const mjtNum x[3]) {
  mjtNum inward[3];
  m3_mulv(point, field->d->geom_xmat + 9 * field->id, x);
  v3_addto(point, field->d->geom_xpos + 3 * field->id);
  v3_scl(inward, point, -1);
  return mj_rayMesh(field->m, field->d, field->id, point, inward);
}

static mjtNum ray_distance(const Field* field, const mjtNum x[3]) {
  mjtNum point[3], length = to_origin(point, field, x);
  return length > v3_norm(point) ? -mj_rayMesh(field->m, field->d, field->id, point, point)
                                 : length;
}

static void ray_gradient(mjtNum gradient[3], const Field* field, const mjtNum x[3]) {
  mjtNum point[3], length = to_origin(point, field, x);
  mjtNum s = length > v3_norm(point) ? 1 : -1;
  v3_set(gradient, s, s, s);
}

const FieldKind field_rays = {ray_distance, ray_gradient, NULL};
