#pragma STDC FP_CONTRACT OFF  // rounding decides which features tie

#include <mujoco/api/base.h>

#include "collision/convex/shape.h"

// S(u) = (r u_xy / |u_xy|, +-h): a point of the rim on the side of u.
static int support(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  const mjtNum* s = shape->size;
  mjtNum l[3];
  shape_direction(l, shape, u);
  mjtNum square = l[0] * l[0] + l[1] * l[1];
  mjtNum scale = square > (mjtNum)(mjMINVAL * mjMINVAL) ? s[0] / mju_sqrt(square) : 0;
  v3_set(l, l[0] * scale, l[1] * scale, l[2] >= 0 ? s[1] : -s[1]);
  shape_point(point, shape, l);
  return -1;
}

const ConvexKind convex_cylinder = {.support = support};
