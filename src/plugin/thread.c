// thread.c: distances to a thread, the cone at its end and a hexagonal head.
//                                                                 theory/plugins/plugins.md, Shapes
//
//   r      = rho - radius,  a = atan2(y, x)
//   T      = |frac(12 z - a / 2 pi) - 1/2|           a ridge that climbs 1/12 in a turn
//   thread = (r - T / 12) s,  cone = (z - r) s       s = sqrt(1/2): slanted by 45 degrees
//   head   : the point is rotated into the sector of one side; the head is the intersection of that
//            side, top, bottom and a cone

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it rounds distances differently

#include "plugin/thread.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/mjmodel.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"

static const mjtNum SECTORS = (mjtNum)(3 / mjPI);  // sectors per radian
enum {
  MOST_SECTOR = 3  // sectors are numbered from -3 to 3
};
static mjtNum known_turns[2 * MOST_SECTOR + 1][2];

// The cosine and sine that turn sector `number` to sector 0.
static void sector_turn(mjtNum turn[2], mjtNum number) {
  mjtNum angle = -number / SECTORS;
  turn[0] = num_sin(angle + (mjtNum)mjPI / 2);
  turn[1] = num_sin(angle);
}

__attribute__((constructor)) static void turns_make(void) {
  for (int i = -MOST_SECTOR; i <= MOST_SECTOR; i++) {
    sector_turn(known_turns[i + MOST_SECTOR], (mjtNum)i);
  }
}

static void turn_to(mjtNum turn[2], mjtNum number) {
  if (mju_abs(number) <= MOST_SECTOR) {
    const mjtNum* known = known_turns[(int)number + MOST_SECTOR];
    turn[0] = known[0];
    turn[1] = known[1];
  } else {
    sector_turn(turn, number);  // the angle is NaN
  }
}

Screw screw_distances(const mjtNum p[3], mjtNum radius) {
  const mjtNum slant = SCREW_SLANT;
  Screw screw;
  mjtNum r = mju_sqrt(p[0] * p[0] + p[1] * p[1]) - radius, angle = num_atan2(p[1], p[0]);
  mjtNum turns = 12 * p[2] - angle / (2 * (mjtNum)mjPI);
  mjtNum ridge = mju_abs((turns - mju_floor(turns)) - (mjtNum)0.5);
  screw.thread = (r - ridge / 12) * slant;
  screw.cone = (p[2] - r) * slant;

  mjtNum turn[2], number = mju_floor(angle * SECTORS + (mjtNum)0.5);
  turn_to(turn, number);
  screw.head = turn[0] * p[0] - turn[1] * p[1] - (mjtNum)0.5;
  screw.head = num_max(screw.head, mju_abs(p[2] + (mjtNum)0.25) - (mjtNum)0.25);
  screw.head = num_max(screw.head, (p[2] + r - (mjtNum)0.22) * slant);
  return screw;
}

void screw_box(mjtNum aabb[6], const mjtNum* param) {
  (void)param;
  aabb[0] = aabb[1] = aabb[2] = 0;
  aabb[3] = aabb[4] = (mjtNum)0.6;
  aabb[5] = 1;
}

const char* screw_check(const mjtNum* param) {
  return param[0] > 0 ? NULL : "radius must be positive";
}
