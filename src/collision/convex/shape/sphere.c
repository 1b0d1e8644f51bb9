#pragma STDC FP_CONTRACT OFF  // rounding decides which features tie

#include <mujoco/mjtnum.h>

#include "collision/convex/shape.h"

// S(u) = r u, without a detour through its frame.
static int support(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  v3_addscl(point, shape->pos, u, shape->radius);
  return -1;
}

const ConvexKind convex_sphere = {.support = support, .has_core = 1, .is_strict = 1};
