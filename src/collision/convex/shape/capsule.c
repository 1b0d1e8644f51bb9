// Capsules: support points and normals.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include <mujoco/mjtnum.h>

#include "collision/convex/shape.h"

// S(u) = r u + (0, 0, +-h): the end of the segment on the side of u, plus the radius along u.
static int support(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  mjtNum l[3], half = shape->size[1];
  shape_direction(l, shape, u);
  mjtNum end = l[2] >= 0 ? half : -half;
  v3_scl(l, l, shape->radius);
  l[2] += end;
  shape_point(point, shape, l);
  return -1;
}

static int legacy(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  mjtNum l[3];
  shape_direction(l, shape, u);
  v3_scl(point, l, shape->radius);
  point[2] += num_sign(l[2]) * shape->size[1];
  legacy_point(point, shape, point, l);
  return -1;
}

// The normal points from the nearest point of the segment to x.
static int normal(mjtNum normal[3], const ConvexShape* shape, const mjtNum x[3]) {
  v3_set(normal, x[0], x[1], x[2] - num_clamp(x[2], -shape->size[1], shape->size[1]));
  return 1;
}

const ConvexKind convex_capsule = {
    .support = support, .legacy = legacy, .normal = normal, .has_core = 1};
