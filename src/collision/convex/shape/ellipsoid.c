#pragma STDC FP_CONTRACT OFF  // rounding decides which features tie

#include <mujoco/mjmodel.h>

#include "collision/convex/shape.h"

// S(u) = s^2 u / |s u|, componentwise: the unit sphere stretched by the half axes s.
static int support(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  const mjtNum* s = shape->size;
  mjtNum l[3];
  shape_direction(l, shape, u);
  v3_set(l, s[0] * l[0], s[1] * l[1], s[2] * l[2]);
  mjtNum norm = v3_norm(l);
  if (norm < mjMINVAL) {
    v3_set(l, s[0], 0, 0);
  } else {
    mjtNum inv = 1 / norm;
    v3_set(l, l[0] * (inv * s[0]), l[1] * (inv * s[1]), l[2] * (inv * s[2]));
  }
  shape_point(point, shape, l);
  return -1;
}

const ConvexKind convex_ellipsoid = {.support = support, .is_strict = 1};
