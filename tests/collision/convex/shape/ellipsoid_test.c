// Support points and normals of ellipsoids, against their definition.

#include "collision/convex/shape/extreme.h"

static double outside(const mjtNum size[3], const mjtNum x[3]) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    sum += (double)(x[k] * x[k] / (size[k] * size[k]));
  }
  return sqrt(sum) - 1;
}

static const Defined kThis = {&convex_ellipsoid, {(mjtNum)0.2, (mjtNum)0.3, (mjtNum)0.5}, outside};

TEST(no_point_of_an_ellipsoid_is_beyond_its_support_point) {
  check_support_is_extreme(&kThis);
}

TEST(half_of_the_margin_is_added_to_an_ellipsoid) {
  check_margin_adds(&kThis);
}

TEST(normal_of_an_ellipsoid_is_the_direction_of_its_support_point) {
  check_normals_are_those_of_supports(&kThis, 150);
}
