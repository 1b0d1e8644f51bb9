// Spheres: support points and normals.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include <mujoco/mjtnum.h>

#include "collision/convex/shape.h"

// S(u) = r u, which needs no turn into the frame of the sphere.
static int support(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  v3_addscl(point, shape->pos, u, shape->radius);
  return -1;
}

static int legacy(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  mjtNum l[3];
  shape_direction(l, shape, u);
  v3_scl(point, l, shape->radius);
  legacy_point(point, shape, point, l);
  return -1;
}

static int normal(mjtNum normal[3], const ConvexShape* shape, const mjtNum x[3]) {
  (void)shape;
  v3_copy(normal, x);
  return 1;
}

const ConvexKind convex_sphere = {
    .support = support, .legacy = legacy, .normal = normal, .has_core = 1, .is_strict = 1};
