#pragma STDC FP_CONTRACT OFF

#include "plugin/thread.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/mjmodel.h>

#include "base/vec.h"

// theory/plugins.md, Shapes
//
//   r      = rho - radius,  a = atan2(y, x)
//   T      = |frac(12 z - a / 2 pi) - 1/2|           a ridge that climbs 1/12 in a turn
//   thread = (r - T / 12) s,  cone = (z - r) s       s = sqrt(1/2): slanted by 45 degrees
//   head   : x turned into the sector of its side, cut by the sides, by top and bottom, and by a cone
Screw screw_distances(const mjtNum p[3], mjtNum radius) {
  const mjtNum slant = SCREW_SLANT, sectors = 3 / mjPI;
  Screw screw;
  mjtNum r = mju_sqrt(p[0] * p[0] + p[1] * p[1]) - radius, angle = mju_atan2(p[1], p[0]);
  mjtNum turns = 12 * p[2] - angle / (2 * mjPI);
  mjtNum ridge = mju_abs((turns - floor(turns)) - (mjtNum)0.5);
  screw.thread = (r - ridge / 12) * slant;
  screw.cone = (p[2] - r) * slant;

  mjtNum sector = -floor(angle * sectors + (mjtNum)0.5) / sectors;
  mjtNum x = mju_sin(sector + mjPI / 2) * p[0] - mju_sin(sector) * p[1];
  screw.head = x - (mjtNum)0.5;
  screw.head = num_max(screw.head, mju_abs(p[2] + (mjtNum)0.25) - (mjtNum)0.25);
  screw.head = num_max(screw.head, (p[2] + r - (mjtNum)0.22) * slant);
  return screw;
}

void screw_box(mjtNum aabb[6], const mjtNum* number) {
  (void)number;
  aabb[0] = aabb[1] = aabb[2] = 0;
  aabb[3] = aabb[4] = (mjtNum)0.6;
  aabb[5] = 1;
}

const char* screw_check(const mjtNum* number) {
  return number[0] > 0 ? NULL : "radius must be positive";
}
