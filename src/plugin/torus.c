// torus.c: mujoco.sdf.torus, a ring about z.                      theory/plugins/plugins.md, Shapes
//
//   d = |(rho - radius1, z)| - radius2,   rho = |(x, y)|

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it rounds distances differently

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "plugin/list.h"
#include "plugin/shape.h"

static const char* const names[] = {"radius1", "radius2"};

INLINE mjtNum distance(const mjtNum p[3], const mjtNum* radius) {
  mjtNum q = mju_sqrt(p[0] * p[0] + p[1] * p[1]) - radius[0];
  return mju_sqrt(q * q + p[2] * p[2]) - radius[1];
}

static void gradient(mjtNum gradient[3], const mjtNum p[3], const mjtNum* radius) {
  mjtNum rho = mju_sqrt(p[0] * p[0] + p[1] * p[1]), q = rho - radius[0];
  mjtNum norm = num_max(mju_sqrt(q * q + p[2] * p[2]), mjMINVAL);
  mjtNum outward = rho > 0 ? q / rho : 0;  // on the axis the gradient has no direction
  gradient[0] = outward * p[0] / norm;
  gradient[1] = outward * p[1] / norm;
  gradient[2] = p[2] / norm;
}

KERNEL static void sdf_distances(mjtNum out[SHAPE_LANES], const mjtNum point[3][SHAPE_LANES],
                                 const mjData* d, int instance) {
  shape_lanes(out, point, shape_params(d, instance), distance);
}

static void box(mjtNum aabb[6], const mjtNum* radius) {
  aabb[0] = aabb[1] = aabb[2] = 0;
  aabb[3] = aabb[4] = radius[0] + radius[1];
  aabb[5] = radius[1];
}

static const char* check(const mjtNum* radius) {
  return radius[1] > 0 && radius[0] >= 0 ? NULL : "radius1 must not be negative, radius2 positive";
}

static const Shape shape = {names,    2,   {(mjtNum)0.35, (mjtNum)0.15}, check, distance,
                            gradient, NULL};

SHAPE_HOOKS(plugin_torus, "mujoco.sdf.torus", shape, names, box, sdf_distances);
