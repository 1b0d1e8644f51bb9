// Frames in double precision: group laws, and the guards that are part of the format.

#include "base/algebra/pose.h"

#include "support/near.h"
#include "support/test.h"

static double random_number(void) {
  return 2.0 * rand() / RAND_MAX - 1;
}

static Pose random_pose(void) {
  Pose pose;
  for (int i = 0; i < 3; i++) {
    pose.pos[i] = random_number();
  }
  for (int i = 0; i < 4; i++) {
    pose.quat[i] = random_number();
  }
  pose_normalize(pose.quat, 4);
  return pose;
}

TEST(composition_is_a_group) {
  for (int trial = 0; trial < 100; trial++) {
    Pose a = random_pose(), b = random_pose(), c = random_pose(), left, right, inverse, one;
    pose_compose(&left, &a, &b);
    pose_compose(&left, &left, &c);
    pose_compose(&right, &b, &c);
    pose_compose(&right, &a, &right);
    assert_numbers(left.pos, right.pos, 3, 1e-12, 1);
    assert_numbers(left.quat, right.quat, 4, 1e-12, 1);
    pose_inverse(&inverse, &a);
    pose_compose(&one, &inverse, &a);
    assert_numbers(one.pos, POSE_IDENTITY.pos, 3, 1e-12, 1);
    assert_numbers(one.quat, POSE_IDENTITY.quat, 4, 1e-12, 1);
  }
}

TEST(long_vectors_have_a_direction) {
  double v[4] = {3e200, 0, -4e200, 0}, longest[3] = {-1.7e308, 0, 0};
  assert_that(fabs(pose_normalize(v, 4) / 5e200 - 1), <, 1e-15);
  assert_numbers(v, ((const double[]){0.6, 0, -0.8, 0}), 4, 1e-12, 1);
  assert_that(pose_normalize(longest, 3), ==, 1.7e308);
  assert_numbers(longest, ((const double[]){-1, 0, 0}), 3, 1e-12, 1);
}

// as a saved model has it
TEST(a_rounded_pose_is_taken_off_without_a_rest) {
  for (int trial = 0; trial < 100; trial++) {
    Pose whole = random_pose(), inner = random_pose(), outer, again;
    pose_round(inner.pos, 3);
    for (int i = 0; i < 4; i++) {
      inner.quat[i] = (float)inner.quat[i];
    }
    pose_outer(&outer, &whole, &inner);
    pose_rotate(again.pos, inner.pos, outer.quat);
    for (int i = 0; i < 3; i++) {
      again.pos[i] += outer.pos[i];
    }
    pose_product(again.quat, outer.quat, inner.quat);
    assert_numbers(again.pos, whole.pos, 3, 1e-12, 1);
    assert_numbers(again.quat, whole.quat, 4, 1e-12, 1);
  }
}

TEST(the_matrix_turns_like_the_quaternion) {
  for (int trial = 0; trial < 100; trial++) {
    Pose pose = random_pose();
    double matrix[9], turned[3], expected[3];
    pose_matrix(matrix, pose.quat);
    pose_rotate(turned, pose.pos, pose.quat);
    for (int i = 0; i < 3; i++) {
      expected[i] = matrix[3 * i] * pose.pos[0] + matrix[3 * i + 1] * pose.pos[1] +
                    matrix[3 * i + 2] * pose.pos[2];
    }
    assert_numbers(turned, expected, 3, 1e-12, 1);
  }
}

TEST(axes_give_back_their_quaternion) {
  for (int trial = 0; trial < 1000; trial++) {
    Pose pose = random_pose();
    double m[9], quat[4];
    pose_matrix(m, pose.quat);
    const double x[3] = {m[0], m[3], m[6]}, y[3] = {m[1], m[4], m[7]}, z[3] = {m[2], m[5], m[8]};
    pose_from_axes(quat, x, y, z);
    double sign = 0;
    for (int i = 0; i < 4; i++) {
      sign += quat[i] * pose.quat[i];
    }
    for (int i = 0; i < 4; i++) {
      quat[i] *= sign < 0 ? -1 : 1;
    }
    assert_numbers(quat, pose.quat, 4, 1e-12, 1);
  }
}

TEST(the_smallest_turn_takes_z_to_the_vector) {
  const double z[3] = {0, 0, 1};
  for (int trial = 0; trial < 100; trial++) {
    Pose pose = random_pose();
    double quat[4], turned[3];
    pose_normalize(pose.pos, 3);
    pose_from_z(quat, pose.pos);
    pose_rotate(turned, z, quat);
    assert_numbers(turned, pose.pos, 3, 1e-12, 1);
    assert_that(fabs(quat[3]), <, 1e-15);
  }
  const double down[3] = {0, 0, -1}, half_turn[4] = {0, 1, 0, 0};
  double quat[4];
  pose_from_z(quat, down);
  assert_numbers(quat, half_turn, 4, 1e-12, 1);
}

TEST(short_vectors_count_as_zero) {
  double v[3] = {9e-8, 0, 0};
  assert_that(pose_normalize(v, 3), ==, 0);
  assert_that(v[0], ==, 9e-8);
  v[0] = 2e-7;
  assert_that(pose_normalize(v, 3), >, 0);
  assert_that(v[0], ==, 1);
}
