#include "base/numbers.h"
#include "support/caught.h"

static void a_turned_vector_is_the_matrix_times_it(void** state) {
  (void)state;
  for (int i = 0; i < 100; i++) {
    mjtNum q[4], v[3], turned[3], mat[9], product[3];
    random_quat(q);
    random_numbers(v, 3);
    mju_rotVecQuat(turned, v, q);
    mju_quat2Mat(mat, q);
    mju_mulMatVec3(product, mat, v);
    check_near(turned, product, 3, 10);
    mju_mulMatTVec3(product, mat, turned);
    check_near(product, v, 3, 10);
  }
}

static void a_matrix_gives_its_quaternion_back(void** state) {
  (void)state;
  // half turns lie on every branch
  for (int i = 0; i < 200; i++) {
    mjtNum q[4], back[4], mat[9];
    random_quat(q);
    if (i % 4) {
      mjtNum half[3][4] = {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
      mju_addToScl(q, half[i % 4 - 1], 20, 4);
      mju_normalize4(q);
    }
    mju_quat2Mat(mat, q);
    mju_mat2Quat(back, mat);
    if (mju_dot(q, back, 4) < 0) {
      mju_scl(back, back, -1, 4);
    }
    check_near(back, q, 4, 50);
  }
}

static void integration_is_undone_by_the_difference(void** state) {
  (void)state;
  for (int i = 0; i < 100; i++) {
    mjtNum q[4], start[4], velocity[3], found[3];
    random_quat(q);
    mju_copy4(start, q);
    random_numbers(velocity, 3);
    mju_quatIntegrate(q, velocity, 1);
    mju_subQuat(found, q, start);
    check_near(found, velocity, 3, 50);

    // -q is the same rotation
    mju_scl(q, q, -1, 4);
    mju_subQuat(found, q, start);
    check_near(found, velocity, 3, 50);
  }
}

static void the_derivative_takes_outer_axes_and_integration_inner_ones(void** state) {
  (void)state;
  mjtNum q[4], outer[3] = {1, 2, 3}, inner[3], inverse[4], rate[4], moved[4];
  const mjtNum h = (mjtNum)1e-4;
  random_quat(q);
  mju_negQuat(inverse, q);
  mju_rotVecQuat(inner, outer, inverse);
  mju_derivQuat(rate, q, outer);
  mju_addScl(moved, q, rate, h, 4);
  mju_quatIntegrate(q, inner, h);
  check_near(q, moved, 4, 1e-7 / NUMBER_EPS);
}

static void z_is_turned_onto_a_vector(void** state) {
  (void)state;
  const mjtNum z[3] = {0, 0, 1};
  for (int i = 0; i < 100; i++) {
    mjtNum v[3], q[4], turned[3];
    random_numbers(v, 3);
    mju_quatZ2Vec(q, v);
    mju_rotVecQuat(turned, z, q);
    mju_normalize3(v);
    check_near(turned, v, 3, 10);
  }
  mjtNum q[4];
  mju_quatZ2Vec(q, (mjtNum[]){0, 0, 0});
  check_near(q, (mjtNum[]){1, 0, 0, 0}, 4, 0);
  mju_quatZ2Vec(q, (mjtNum[]){0, 0, 2});
  check_near(q, (mjtNum[]){1, 0, 0, 0}, 4, 0);
  mju_quatZ2Vec(q, (mjtNum[]){0, 0, -2});
  check_near(q, (mjtNum[]){0, 1, 0, 0}, 4, 0);
}

static void the_rotation_nearest_to_a_stretched_one_is_found(void** state) {
  (void)state;
  mjtNum q[4], mat[9], found[4] = {1, 0, 0, 0};
  random_quat(q);
  mju_quat2Mat(mat, q);
  mju_scl(mat, mat, 3, 9);
  assert_in_range(mju_mat2Rot(found, mat), 1, 499);
  if (mju_dot(q, found, 4) < 0) {
    mju_scl(found, found, -1, 4);
  }
  check_near(found, q, 4, sizeof(mjtNum) == 8 ? 1e7 : 10);
  assert_int_equal(mju_mat2Rot(found, (mjtNum[9]){0}), 0);
}

static void euler_angles_turn_about_moving_or_fixed_axes(void** state) {
  (void)state;
  mjtNum q[4], p[4];
  const mjtNum angles[3] = {(mjtNum)0.3, (mjtNum)-0.7, (mjtNum)1.1};
  const mjtNum reversed[3] = {angles[2], angles[1], angles[0]};
  mju_euler2Quat(q, angles, "xyz");
  mju_euler2Quat(p, reversed, "ZYX");
  check_near(q, p, 4, 3);
  mju_euler2Quat(q, (mjtNum[]){(mjtNum)0.3, 0, 0}, "xyz");
  mju_axisAngle2Quat(p, (mjtNum[]){1, 0, 0}, (mjtNum)0.3);
  check_near(q, p, 4, 1);
  assert_error(mju_euler2Quat(q, angles, "xy"), "sequence 'xy'");
  assert_error(mju_euler2Quat(q, angles, "xyw"), "sequence 'xyw'");
}

static void a_pose_times_its_inverse_is_nothing(void** state) {
  (void)state;
  mjtNum pos[3], quat[4], ipos[3], iquat[4], p[3], q[4];
  random_numbers(pos, 3);
  random_quat(quat);
  mju_negPose(ipos, iquat, pos, quat);
  mju_mulPose(p, q, pos, quat, ipos, iquat);
  check_near(p, (mjtNum[]){0, 0, 0}, 3, 10);
  check_near(q, (mjtNum[]){1, 0, 0, 0}, 4, 10);

  mjtNum v[3], there[3], back[3];
  random_numbers(v, 3);
  mju_trnVecPose(there, pos, quat, v);
  mju_trnVecPose(back, ipos, iquat, there);
  check_near(back, v, 3, 10);
}

// power = force . motion is the same seen from anywhere
static void power_does_not_depend_on_the_frame(void** state) {
  (void)state;
  mjtNum motion[6], force[6], from[3], to[3], q[4], rot[9], motion2[6], force2[6];
  random_numbers(motion, 6);
  random_numbers(force, 6);
  random_numbers(from, 3);
  random_numbers(to, 3);
  random_quat(q);
  mju_quat2Mat(rot, q);
  mju_transformSpatial(motion2, motion, 0, to, from, rot);
  mju_transformSpatial(force2, force, 1, to, from, rot);
  check_number(mju_dot(motion2, force2, 6), mju_dot(motion, force, 6), 20);

  // in place, and without a turn
  mju_transformSpatial(motion2, motion, 0, to, from, NULL);
  mju_transformSpatial(motion, motion, 0, to, from, NULL);
  check_near(motion, motion2, 6, 0);
}

static void what_has_no_direction_points_along_x(void** state) {
  (void)state;
  mjtNum v[3] = {0, 0, 0}, q[4] = {0, 0, 0, 0}, n[5] = {0};
  assert_true(mju_normalize3(v) == 0 && mju_normalize4(q) == 0 && mju_normalize(n, 5) == 0);
  check_near(v, (mjtNum[]){1, 0, 0}, 3, 0);
  check_near(q, (mjtNum[]){1, 0, 0, 0}, 4, 0);
  check_near(n, (mjtNum[]){1, 0, 0, 0, 0}, 5, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_turned_vector_is_the_matrix_times_it),
      cmocka_unit_test(a_matrix_gives_its_quaternion_back),
      cmocka_unit_test(integration_is_undone_by_the_difference),
      cmocka_unit_test(the_derivative_takes_outer_axes_and_integration_inner_ones),
      cmocka_unit_test(z_is_turned_onto_a_vector),
      cmocka_unit_test(the_rotation_nearest_to_a_stretched_one_is_found),
      cmocka_unit_test(euler_angles_turn_about_moving_or_fixed_axes),
      cmocka_unit_test(a_pose_times_its_inverse_is_nothing),
      cmocka_unit_test(power_does_not_depend_on_the_frame),
      cmocka_unit_test(what_has_no_direction_points_along_x),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
