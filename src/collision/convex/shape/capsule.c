#pragma STDC FP_CONTRACT OFF  // rounding decides which features tie

#include <mujoco/mjtnum.h>

#include "collision/convex/shape.h"

// S(u) = r u + (0, 0, +-h): the end of the segment on the side of u, and the radius.
static int support(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  mjtNum l[3], half = shape->size[1];
  shape_direction(l, shape, u);
  mjtNum end = l[2] >= 0 ? half : -half;
  v3_scl(l, l, shape->radius);
  l[2] += end;
  shape_point(point, shape, l);
  return -1;
}

const ConvexKind convex_capsule = {.support = support, .has_core = 1};
