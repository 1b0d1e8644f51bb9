// Support points and normals of spheres, against their definition.

#include "collision/convex/shape/extreme.h"

static double outside(const mjtNum size[3], const mjtNum x[3]) {
  return (double)(v3_norm(x) - size[0]);
}

static const Defined kThis = {&convex_sphere, {(mjtNum)0.4, 0, 0}, outside};

TEST(no_point_of_a_sphere_is_beyond_its_support_point) {
  check_support_is_extreme(&kThis);
}

TEST(half_of_the_margin_is_added_to_a_sphere) {
  check_margin_adds(&kThis);
}

TEST(normal_of_a_sphere_is_the_direction_of_its_support_point) {
  check_normals_are_those_of_supports(&kThis, 150);
}
