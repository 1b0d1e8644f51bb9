// Bodies put together from pieces, the promises of the principal frame, and the numbers of the
// reference.

#include "compile/derive/inertia.h"

#include "support/near.h"
#include "support/test.h"

static double random_number(void) {
  return 2.0 * rand() / RAND_MAX - 1;
}

TEST(pieces_moved_and_turned_add_up_like_points) {
  // two opposite masses on the y axis, seen from the origin, as one piece turned by a quarter about
  // z
  const double quat[4] = {sqrt(0.5), 0, 0, sqrt(0.5)}, offset[3] = {0, 0, 2};
  const double pair[3] = {0, 2, 2};  // two unit masses at x = +-1
  double full[6] = {0};
  inertia_accumulate(full, 2, offset, quat, pair);
  const double expected[6] = {2 + 8, 0 + 8, 2, 0, 0, 0};
  for (int i = 0; i < 6; i++) {
    assert_that(fabs(full[i] - expected[i]), <, 1e-14);
  }
}

TEST(the_principal_frame_rebuilds_the_matrix) {
  const double zero[3] = {0};
  for (int trial = 0; trial < 1000; trial++) {
    double full[6], scale = pow(10, 3 * random_number());
    for (int i = 0; i < 6; i++) {
      full[i] = scale * random_number();
    }
    double eigenvalue[3], quat[4], rebuilt[6] = {0};
    inertia_eigen3(eigenvalue, quat, full, INERTIA_EARLY);
    assert_that(eigenvalue[0] + 1e-12, >=, eigenvalue[1]);
    assert_that(eigenvalue[1] + 1e-12, >=, eigenvalue[2]);
    double norm = 0;
    for (int i = 0; i < 4; i++) {
      norm += quat[i] * quat[i];
    }
    assert_relative(norm, 1, 1e-12, 1e-12);
    inertia_accumulate(rebuilt, 0, zero, quat, eigenvalue);
    // the iteration ends with turns below 1.5e-6 rad left undone
    for (int i = 0; i < 6; i++) {
      assert_that(fabs(rebuilt[i] - full[i]), <, 1e-5 * scale);
    }
  }
}

TEST(the_exact_frame_rebuilds_the_matrix_to_its_last_digits) {
  DOUBLE_ONLY();
  const double zero[3] = {0};
  for (int trial = 0; trial < 1000; trial++) {
    double full[6], eigenvalue[3], quat[4], rebuilt[6] = {0}, scale = pow(10, 9 * random_number());
    for (int i = 0; i < 6; i++) {
      full[i] = scale * random_number();
    }
    inertia_eigen3(eigenvalue, quat, full, INERTIA_BODY);
    inertia_accumulate(rebuilt, 0, zero, quat, eigenvalue);
    for (int i = 0; i < 6; i++) {
      assert_that(fabs(rebuilt[i] - full[i]), <, 1e-13 * scale);
    }
  }
}

TEST(tiny_matrices_are_neither_turned_nor_sorted) {
  const double full[6] = {1e-14, 2e-14, 3e-14, 5e-13, -5e-13, 5e-13};
  double eigenvalue[3], quat[4];
  inertia_eigen3(eigenvalue, quat, full, INERTIA_EARLY);
  assert_that(quat[0], ==, 1);
  assert_that(quat[1], ==, 0);
  assert_that(quat[2], ==, 0);
  assert_that(quat[3], ==, 0);
  assert_that(eigenvalue[0], ==, 1e-14);
  assert_that(eigenvalue[2], ==, 3e-14);
}

TEST(the_principal_frame_is_the_one_of_the_reference) {
  const double full[6] = {2, 3, 2.5, 0.3, -0.2, 0.4};
  const double expected[3] = {3.24571571208011, 2.477757399714229, 1.7765268882056624},
               frame[4] = {0.5609866479498551, 0.5069955533504193, 0.17885098004587707,
                           0.6294933015064734};
  double eigenvalue[3], quat[4];
  inertia_eigen3(eigenvalue, quat, full, INERTIA_EARLY);
  for (int i = 0; i < 3; i++) {
    assert_relative(eigenvalue[i], expected[i], 1e-12, 1e-12);
  }
  for (int i = 0; i < 4; i++) {
    assert_relative(quat[i], frame[i], 1e-10, 1e-12);
  }
}
