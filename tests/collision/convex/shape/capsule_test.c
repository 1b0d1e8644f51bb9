// Support points and normals of capsules, against their definition.

#include "collision/convex/shape/extreme.h"

static double outside(const mjtNum size[3], const mjtNum x[3]) {
  mjtNum z = x[2] - num_clamp(x[2], -size[1], size[1]);
  return sqrt((double)(x[0] * x[0] + x[1] * x[1] + z * z)) - (double)size[0];
}

static const Defined kThis = {&convex_capsule, {(mjtNum)0.2, (mjtNum)0.5, 0}, outside};

TEST(no_point_of_a_capsule_is_beyond_its_support_point) {
  check_support_is_extreme(&kThis);
}

TEST(half_of_the_margin_is_added_to_a_capsule) {
  check_margin_adds(&kThis);
}

TEST(normal_of_a_capsule_is_the_direction_of_its_support_point) {
  check_normals_are_those_of_supports(&kThis, 150);
}
