// Fields of meshes: trilinear interpolation in the leaves of an octree or, without one, rays.
//                                                                     theory/contact/sdf.md, Meshes

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it ends the descent elsewhere

#include <mujoco/api/collision.h>
#include <stdint.h>

#include "base/algebra/vec.h"
#include "collision/sdf/field.h"

// How far, in m, a point projected to the root box is moved inwards, so that it lies inside of a
// cell.
static const mjtNum INSET = (mjtNum)1e-6;

// Step of forward differences, m.
static const mjtNum STEP = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-8 : (mjtNum)1e-4;

// Distance to a face of a cell, as a part of its side, within which rounding may decide the cell.
static const mjtNum BORDER = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-7 : (mjtNum)1e-2;

// Nearest point of the root box, moved inwards by INSET; x itself if it is inside. Returns the
// distance to the box.
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

// The coordinates of x within a cell, 0..1 along each axis.
static void place_in(mjtNum c[3], const FieldTree* tree, int cell, const mjtNum x[3]) {
  const mjtNum *center = tree->box + 6 * (size_t)cell, *half = center + 3;
  for (int k = 0; k < 3; k++) {
    mjtNum lower = center[k] - half[k];
    c[k] = (x[k] - lower) / (center[k] + half[k] - lower);
  }
}

// The leaf that holds x, by comparing x with the boxes on the way down. Bits 0, 1, 2 of a subcell:
// the upper half in x, y, z.
static int compare_down(mjtNum c[3], const FieldTree* tree, const mjtNum x[3]) {
  for (int cell = 0;;) {
    const mjtNum *center = tree->box + 6 * (size_t)cell, *half = center + 3;
    int slot = 0;
    for (int k = 0; k < 3; k++) {
      mjtNum lower = center[k] - half[k];
      slot |= (x[k] - lower >= (center[k] + half[k] - lower) / 2) << k;
    }
    int child = tree->child[8 * (size_t)cell + slot];
    if (child < 0) {
      place_in(c, tree, cell, x);
      return cell;
    }
    cell = child;
  }
}

// The leaf that holds x, and the coordinates of x in it. Cells halve their parents, so the binary
// digits of x, relative to the root box, are the way down:
//
//    x = 0.101..., y = 0.011..., z = 0.110...      subcell 5, then 6, then 3, ...
//
// Where rounding may change a digit, the boxes are compared instead.
static int leaf_at(mjtNum c[3], const FieldTree* tree, const mjtNum x[3]) {
  uint32_t digits[3];
  for (int k = 0; k < 3; k++) {
    mjtNum part = (x[k] - tree->lower[k]) * tree->scale[k];
    if (!(part >= 0 && part < (1 << FIELD_DIGITS))) {
      return compare_down(c, tree, x);
    }
    digits[k] = (uint32_t)part;
  }
  for (int cell = 0, i = FIELD_DIGITS - 1; i >= 0; i--) {
    int slot = (digits[0] >> i & 1) | (digits[1] >> i & 1) << 1 | (digits[2] >> i & 1) << 2;
    int child = tree->child[8 * (size_t)cell + slot];
    if (child < 0) {
      place_in(c, tree, cell, x);
      mjtNum least = num_min(num_min(c[0], c[1]), c[2]), most = num_max(num_max(c[0], c[1]), c[2]);
      if (least > BORDER && most < 1 - BORDER) {
        return cell;
      }
      break;
    }
    cell = child;
  }
  return compare_down(c, tree, x);
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

// The gradient outside of the root box, by forward differences.
static void gradient_outside(mjtNum gradient[3], const Field* field, const mjtNum x[3]) {
  mjtNum near[3], here = tree_distance(field, x);
  for (int k = 0; k < 3; k++) {
    v3_copy(near, x);
    near[k] += STEP;
    gradient[k] = (tree_distance(field, near) - here) / STEP;
  }
}

// Gradient. Inside the root box it is taken with respect to c, not x: the sides of cells count as
// 1, as in 3.3.7. Returns the cell, -1 outside.
static int tree_slope(mjtNum gradient[3], const Field* field, const mjtNum x[3]) {
  const FieldTree* tree = &field->tree;
  mjtNum near[3], c[3];
  if (to_box(near, tree->box, x) > 0) {
    gradient_outside(gradient, field, x);
    return -1;
  }
  int cell = leaf_at(c, tree, near);
  const mjtNum* value = tree->value + 8 * (size_t)cell;
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
  return cell;
}

static void tree_gradient(mjtNum gradient[3], const Field* field, const mjtNum x[3]) {
  tree_slope(gradient, field, x);
}

// By the behaviour gjkepa with respect to x: df/dx = df/dc / side.
static void tree_gradient_in_space(mjtNum gradient[3], const Field* field, const mjtNum x[3]) {
  int cell = tree_slope(gradient, field, x);
  if (cell >= 0) {
    const mjtNum *center = field->tree.box + 6 * (size_t)cell, *half = center + 3;
    for (int k = 0; k < 3; k++) {
      gradient[k] /= center[k] + half[k] - (center[k] - half[k]);
    }
  }
}

const FieldKind field_octree = {tree_distance, tree_gradient, NULL};
const FieldKind field_octree_in_space = {tree_distance, tree_gradient_in_space, NULL};

// without an octree

// Distance from a world point P to the mesh along the ray to the world's origin, in units of |P|;
// -1 if the ray misses. For a mesh behind P, ray_distance uses more than |P|.
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
