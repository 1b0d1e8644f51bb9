// Cylinders: support points, and normals of the side.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

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

static int legacy(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  const mjtNum* s = shape->size;
  mjtNum l[3];
  shape_direction(l, shape, u);
  mjtNum rho = mju_sqrt(l[0] * l[0] + l[1] * l[1]);
  v3_set(point, 0, 0, num_sign(l[2]) * s[1]);
  if (rho > mjMINVAL) {
    point[0] = l[0] / rho * s[0];
    point[1] = l[1] / rho * s[0];
  }
  legacy_point(point, shape, point, l);
  return -1;
}

// The normal of the side. 0 if the cap may be what touches: in the last 5% of the half length, or
// where the cap is nearer than a quarter of the distance from the side (both as in MuJoCo).
static int normal(mjtNum normal[3], const ConvexShape* shape, const mjtNum x[3]) {
  mjtNum radius = shape->size[0], half = shape->size[1], z = mju_abs(x[2]);
  if (z > (mjtNum)0.95 * half ||
      mju_abs(half - z) < (mjtNum)0.25 * mju_abs(radius - mju_sqrt(x[0] * x[0] + x[1] * x[1]))) {
    return 0;
  }
  v3_set(normal, x[0], x[1], 0);
  return 1;
}

const ConvexKind convex_cylinder = {.support = support, .legacy = legacy, .normal = normal};
