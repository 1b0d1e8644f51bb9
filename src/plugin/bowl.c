// bowl.c: mujoco.sdf.bowl, a spherical shell with a thickness, open above a height.
//                                                                 theory/plugins/plugins.md, Shapes
//
//   rim at (rho, z) = (w, h),  w^2 = r^2 - h^2
//   d = |(rho - w, z - h)| - t   if h rho < w z: the rim is nearest
//       ||(rho, z)| - r| - t     elsewhere

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it rounds distances differently

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "plugin/list.h"
#include "plugin/shape.h"

static const char* const names[] = {"height", "radius", "thickness"};

INLINE mjtNum distance(const mjtNum p[3], const mjtNum* param) {
  mjtNum height = param[0], radius = param[1], thickness = param[2];
  mjtNum width = mju_sqrt(radius * radius - height * height);
  mjtNum rho = mju_sqrt(p[0] * p[0] + p[1] * p[1]), z = p[2];
  if (height * rho < width * z) {
    mjtNum x = rho - width, y = z - height;
    return mju_sqrt(x * x + y * y) - thickness;
  }
  return mju_abs(mju_sqrt(rho * rho + z * z) - radius) - thickness;
}

KERNEL static void sdf_distances(mjtNum out[SHAPE_LANES], const mjtNum point[3][SHAPE_LANES],
                                 const mjData* d, int instance) {
  shape_lanes(out, point, shape_params(d, instance), distance);
}

static void box(mjtNum aabb[6], const mjtNum* param) {
  aabb[0] = aabb[1] = aabb[2] = 0;
  aabb[3] = aabb[4] = aabb[5] = param[1] + param[2];
}

static const char* check(const mjtNum* param) {
  return param[1] > 0 && param[2] > 0 && mju_abs(param[0]) <= param[1]
             ? NULL
             : "radius and thickness must be positive, height at most the radius";
}

static const Shape shape = {names, 3, {(mjtNum)0.4, 1, (mjtNum)0.02}, check, distance, NULL, NULL};

SHAPE_HOOKS(plugin_bowl, "mujoco.sdf.bowl", shape, names, box, sdf_distances);
