// Axis and angle, axes and Euler angles as quaternions.

#include "support/near.h"
#include "support/test.h"

static const char* resolve(double quat[4], mjtOrientation type, const double* values, int n,
                           const char* sequence) {
  mjsOrientation alt;
  mjs_defaultOrientation(&alt);
  alt.type = type;
  double* to = type == mjORIENTATION_AXISANGLE ? alt.axisangle
               : type == mjORIENTATION_XYAXES  ? alt.xyaxes
               : type == mjORIENTATION_ZAXIS   ? alt.zaxis
                                               : alt.euler;
  memcpy(to, values, (size_t)n * sizeof(double));
  return mjs_resolveOrientation(quat, 1, sequence, &alt);
}

TEST(alternatives_become_quaternions) {
  double q[4] = {2, 0, 0, 0};
  const double h = 0.70710678118654752;
  mjsOrientation none;
  mjs_defaultOrientation(&none);
  assert_null(mjs_resolveOrientation(q, 1, "xyz", &none));
  assert_near(q[0], 2, 0);

  assert_null(resolve(q, mjORIENTATION_AXISANGLE, (const double[]){0, 0, 5, 90}, 4, "xyz"));
  assert_numbers(q, ((const double[]){h, 0, 0, h}), 4, 1e-15, 1);
  assert_null(resolve(q, mjORIENTATION_XYAXES, (const double[]){0, 2, 0, 1, 1, 0}, 6, "xyz"));
  assert_numbers(q, ((const double[]){0, h, h, 0}), 4, 1e-15, 1);
  assert_null(resolve(q, mjORIENTATION_ZAXIS, (const double[]){0, 0, -3}, 3, "xyz"));
  assert_numbers(q, ((const double[]){0, 1, 0, 0}), 4, 1e-15, 1);
  assert_null(resolve(q, mjORIENTATION_ZAXIS, (const double[]){1, 0, 0}, 3, "xyz"));
  assert_numbers(q, ((const double[]){h, 0, h, 0}), 4, 1e-15, 1);

  // turning axes and fixed axes in opposite order are the same rotation
  double fixed[4];
  assert_null(resolve(q, mjORIENTATION_EULER, (const double[]){30, 40, 50}, 3, "xyz"));
  assert_null(resolve(fixed, mjORIENTATION_EULER, (const double[]){50, 40, 30}, 3, "ZYX"));
  assert_numbers(q, fixed, 4, 1e-15, 1);
  assert_numbers(q,
                 ((const double[]){0.7852207150935987, 0.36004217369767888, 0.19662822552874049,
                                   0.46382691025032902}),
                 4, 1e-15, 1);
}

TEST(directions_that_are_none_are_errors) {
  double q[4];
  const double zero[6] = {0};
  assert_string_equal(resolve(q, mjORIENTATION_AXISANGLE, zero, 4, "xyz"), "axisangle too small");
  assert_string_equal(resolve(q, mjORIENTATION_XYAXES, zero, 6, "xyz"), "xaxis too small");
  assert_string_equal(
      resolve(q, mjORIENTATION_XYAXES, (const double[]){1, 0, 0, 2, 0, 0}, 6, "xyz"),
      "yaxis too small");
  assert_string_equal(resolve(q, mjORIENTATION_ZAXIS, zero, 3, "xyz"), "zaxis too small");
  assert_string_equal(resolve(q, mjORIENTATION_EULER, zero, 3, "xyq"),
                      "euler sequence can only contain x, y, z, X, Y, Z");
  assert_non_null(resolve(q, mjORIENTATION_EULER, zero, 3, "xy"));
}

// The z axis goes to the axis that is asked for, x and y to those of xyaxes, of any length.
TEST(axes_end_where_they_are_told_to) {
  const double given[6] = {1, 2, -1, 3, -1, 2}, z[3] = {0, 0, 1};
  double quat[4];
  mjtNum q[4], out[3], axes[9];
  assert_null(resolve(quat, mjORIENTATION_ZAXIS, given, 3, "xyz"));
  for (int k = 0; k < 4; k++) {
    q[k] = (mjtNum)quat[k];
  }
  const mjtNum unit[3] = {(mjtNum)z[0], (mjtNum)z[1], (mjtNum)z[2]};
  mju_rotVecQuat(out, unit, q);
  for (int k = 0; k < 3; k++) {
    assert_near(out[k] * sqrt(6), given[k], 1e-12);
  }
  assert_null(resolve(quat, mjORIENTATION_XYAXES, given, 6, "xyz"));
  for (int k = 0; k < 4; k++) {
    q[k] = (mjtNum)quat[k];
  }
  mju_quat2Mat(axes, q);
  double along = 0, across = 0;
  for (int k = 0; k < 3; k++) {
    assert_near(axes[3 * k] * sqrt(6), given[k], 1e-12);
    along += (double)axes[3 * k + 1] * given[3 + k];
    across += (double)axes[3 * k + 2] * given[3 + k];
  }
  // y is what is left of the second one
  assert_that(along, >, 0);
  assert_near(across, 0, 1e-12);
}

TEST(degrees_are_a_hundred_and_eightieth_of_a_half_turn) {
  const double degrees[3] = {30, 40, 50};
  double radians[3], q[4], r[4];
  for (int k = 0; k < 3; k++) {
    radians[k] = degrees[k] * mjPI / 180;
  }
  mjsOrientation alt;
  mjs_defaultOrientation(&alt);
  alt.type = mjORIENTATION_EULER;
  memcpy(alt.euler, radians, sizeof(radians));
  assert_null(mjs_resolveOrientation(r, 0, "xyz", &alt));
  assert_null(resolve(q, mjORIENTATION_EULER, degrees, 3, "xyz"));
  assert_numbers(q, r, 4, 1e-15, 1);
}
