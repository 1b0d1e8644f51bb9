// Support points and normals of cylinders, against their definition.

#include "collision/convex/shape/extreme.h"

static double outside(const mjtNum size[3], const mjtNum x[3]) {
  double rim = hypot((double)x[0], (double)x[1]) - (double)size[0];
  return fmax(rim, fabs((double)x[2]) - (double)size[1]);
}

static const Defined kThis = {&convex_cylinder, {(mjtNum)0.3, (mjtNum)0.5, 0}, outside};

TEST(no_point_of_a_cylinder_is_beyond_its_support_point) {
  check_support_is_extreme(&kThis);
}

TEST(half_of_the_margin_is_added_to_a_cylinder) {
  check_margin_adds(&kThis);
}

// Beside, the normal is level; near to a cap nothing is told.
TEST(normal_of_a_cylinder_is_told_beside_it_alone) {
  const mjtNum zero[3] = {0, 0, 0}, side[3] = {(mjtNum)0.2, (mjtNum)-0.1, (mjtNum)0.1};
  const mjtNum cap[3] = {0, 0, (mjtNum)0.48}, rim[3] = {(mjtNum)0.31, 0, (mjtNum)0.499};
  ConvexShape s = placed(kThis.kind, kThis.size, zero);
  mjtNum n[3] = {0, 0, 1}, level[3] = {2, -1, 0};
  assert_true(s.kind->normal(n, &s, side));
  v3_normalize(n);
  v3_normalize(level);
  assert_close(n, level, 3, 1e-12);
  assert_false(s.kind->normal(n, &s, cap));
  assert_false(s.kind->normal(n, &s, rim));
}

// Along the axis there is no rim to choose.
TEST(support_point_along_the_axis_is_the_middle_of_the_cap) {
  const mjtNum zero[3] = {0, 0, 0}, up[3] = {0, 0, 1}, top[3] = {0, 0, kThis.size[1]};
  ConvexShape s = placed(kThis.kind, kThis.size, zero);
  mjtNum x[3];
  support_point(x, &s, up);
  assert_close(x, top, 3, 0);
}
