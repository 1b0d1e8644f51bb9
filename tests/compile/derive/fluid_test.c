// Added mass of ellipsoids: the sphere's closed form and the reference's numbers.

#include "compile/derive/fluid.h"

#include "support/test.h"

static const mjtNum coefs[5] = {0.5, 0.25, 1.5, 1, 1};

TEST(inactive_geoms_have_no_coefficients) {
  const double size[3] = {1, 1, 1};
  double fluid[mjNFLUID];
  fluid_coefficients(fluid, 0, coefs, mjGEOM_BOX, size);
  for (int i = 0; i < mjNFLUID; i++) {
    assert_that(fluid[i], ==, 0);
  }
}

// potential flow: the added mass of a sphere is half of what it displaces, and turning it moves no
// fluid
TEST(a_sphere_carries_half_its_volume) {
  const double size[3] = {0.3, 0, 0}, volume = 4.0 / 3 * mjPI * 0.027;
  double fluid[mjNFLUID];
  fluid_coefficients(fluid, 1, coefs, mjGEOM_SPHERE, size);
  for (int i = 0; i < 3; i++) {
    assert_that(fabs(fluid[6 + i] - volume / 2), <, 1e-5 * volume);
    assert_that(fluid[9 + i], ==, 0);
  }
}

TEST(coefficients_agree_with_the_reference) {
  static const struct {
    mjtGeom type;
    double size[3];
    double fluid[mjNFLUID];
  } recorded[] = {
      {mjGEOM_ELLIPSOID,
       {0.1, 0.2, 0.3},
       {1.0, 0.5, 0.25, 1.5, 1.0, 1.0, 0.03421892335102304, 0.009161969686093343,
        0.004656001295402555, 3.914190145187043e-05, 0.0003559983762595036, 9.632561918504682e-05}},
      {mjGEOM_CAPSULE,
       {0.1, 0.2, 0},
       {1.0, 0.5, 0.25, 1.5, 1.0, 1.0, 0.010102097498870009, 0.010102097498870009,
        0.0015327026528896307, 0.00011703775774383332, 0.00011703775774383332, 0.0}},
  };
  for (int k = 0; k < 2; k++) {
    double fluid[mjNFLUID];
    fluid_coefficients(fluid, 1, coefs, recorded[k].type, recorded[k].size);
    for (int i = 0; i < mjNFLUID; i++) {
      assert_that(fabs(fluid[i] - recorded[k].fluid[i]), <=, 1e-12 * fabs(recorded[k].fluid[i]));
    }
  }
}
