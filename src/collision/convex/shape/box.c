#pragma STDC FP_CONTRACT OFF  // rounding decides which features tie

#include <mujoco/mjtnum.h>

#include "collision/convex/shape.h"

// S(u) = (+-s_x, +-s_y, +-s_z) with the signs of u; they are the bits of the vertex's id.
static int support(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  const mjtNum* s = shape->size;
  mjtNum l[3];
  shape_direction(l, shape, u);
  int id = (l[0] >= 0 ? 1 : 0) | (l[1] >= 0 ? 2 : 0) | (l[2] >= 0 ? 4 : 0);
  v3_set(l, id & 1 ? s[0] : -s[0], id & 2 ? s[1] : -s[1], id & 4 ? s[2] : -s[2]);
  shape_point(point, shape, l);
  return id;
}

const ConvexKind convex_box = {.support = support, .has_vertices = 1};
