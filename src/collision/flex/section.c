// Contacts of rods with a box section: their elements are boxes, as wide as the section and as long
// as the edge, and at a plane their vertices are sections.
//                                                  theory/smooth/deformables.md, Contacts of flexes

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: aligned boxes are decided by rounding

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "collision/collide.h"
#include "collision/flex/flex.h"
#include "model/behaviour.h"

int flex_section_box(RodBox* box, const mjModel* m, const mjData* d, int flex, int elem) {
  mjtNum half[2];
  Rod rod;
  if (!rod_section(half, m, flex) || !rod_of(&rod, m, flex)) {
    return 0;
  }
  rod_boxes(box, m, d, &rod, flex, rod_element(m, &rod, flex, elem), 1, half);
  return 1;
}

static int two_boxes(mjContact* con, const mjModel* m, const Solid* a, const Solid* b,
                     mjtNum margin) {
  if (behaves(m, cndBEHAVIOUR_boxclip)) {
    return box_clip(con, a, b, margin);
  }
  int num = box_box(con, a, b, margin);
  return num ? box_box_clean(con, num, a, b, margin) : 0;
}

int flex_section_solid(mjContact* con, const mjModel* m, int type, const Solid* other,
                       const RodBox* box, mjtNum margin) {
  Solid solid = {box->pos, box->mat, box->size};
  switch (type) {
    case mjGEOM_SPHERE:
      return sphere_box(con, other->pos, other->size[0], &solid, margin);
    case mjGEOM_CAPSULE:
      return capsule_box(con, other, &solid, margin);
    default:
      return two_boxes(con, m, other, &solid, margin);
  }
}

// The two corners of a section that are lowest, of equals the first of
// (-,-), (+,-), (-,+), (+,+).
static void lowest_corners(mjtNum corner[2][3], mjtNum height[2], const RodBox* section,
                           const mjtNum x[3], const mjtNum origin[3], const mjtNum n[3]) {
  height[0] = height[1] = INFINITY;
  for (int k = 0; k < 4; k++) {
    mjtNum at[3], away[3], axis[3];
    v3_copy(at, x);
    for (int j = 0; j < 2; j++) {
      m3_column(axis, section->mat, j);
      v3_addtoscl(at, axis, k >> j & 1 ? section->size[j] : -section->size[j]);
    }
    v3_sub(away, at, origin);
    mjtNum h = v3_dot(away, n);
    if (h < height[0]) {
      v3_copy(corner[1], corner[0]);
      height[1] = height[0];
    }
    int place = h < height[0] ? 0 : 1;
    if (h < height[place]) {
      v3_copy(corner[place], at);
      height[place] = h;
    }
  }
}

int flex_section_corners(mjtNum corner[2][3], mjtNum height[2], const mjModel* m, const mjData* d,
                         int flex, int vert, const mjtNum origin[3], const mjtNum n[3]) {
  mjtNum half[2];
  Rod rod;
  RodBox section;
  if (!rod_section(half, m, flex) || !rod_of(&rod, m, flex)) {
    return 0;
  }
  rod_boxes(&section, m, d, &rod, flex, rod_vertex(&rod, vert), 1, half);
  lowest_corners(corner, height, &section,
                 d->flexvert_xpos + 3 * (size_t)(m->flex_vertadr[flex] + vert), origin, n);
  return 1;
}
