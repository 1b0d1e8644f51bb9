// Zeros that programs print have the sign of the reference: -0 only where a product makes it.

#include <math.h>

#include "support/load.h"
#include "support/test.h"

// No number of the array is -0.
static void assert_unsigned(const char* what, const mjtNum* x, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] == 0 && signbit(x[i])) {
      fail_msg("%s[%d] is -0", what, i);
    }
  }
}

TEST(a_shape_along_x_has_no_negative_zero_in_its_quaternion) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><geom type='capsule' size='.1' fromto='0 0 0 1 0 0'/>"
      "<site zaxis='-1 0 0'/></body><geom type='capsule' size='.1' fromto='0 0 0 0 1 0'/>"
      "</worldbody></mujoco>");
  assert_unsigned("geom_quat", m->geom_quat + 4, 4);
  assert_unsigned("site_quat", m->site_quat, 4);
  assert_int_not_equal(signbit(m->geom_quat[3]), 0);  // along y: 0 v_y - 0 v_x
}

TEST(the_derivative_of_a_quaternion_has_the_zeros_of_its_sums) {
  const mjtNum quat[4] = {0, 0, (mjtNum).3, 0}, vel[3] = {0, (mjtNum).1, 0};
  mjtNum rate[4];
  mju_derivQuat(rate, quat, vel);
  assert_unsigned("rate", rate, 4);
}

TEST(forces_that_are_not_there_are_positive_zeros) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 .09'><freejoint/>"
      "<geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  d->qvel[2] = 5;
  mj_forward(m, d);
  assert_unsigned("qfrc_damper", d->qfrc_damper, m->nv);
  assert_unsigned("qfrc_passive", d->qfrc_passive, m->nv);
  assert_int_equal(d->nefc, 16);
  assert_unsigned("efc_force", d->efc_force, d->nefc);
}

TEST(speeds_and_inertias_at_rest_are_positive_zeros) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint name='j'/><geom type='capsule' size='.1' "
      "fromto='0 0 0 1 0 0'/><body pos='1 0 0'><joint axis='0 1 0'/><geom type='capsule' size='.1' "
      "fromto='0 0 0 1 0 0'/></body></body></worldbody><actuator><motor joint='j' gear='-1'/>"
      "</actuator></mujoco>");
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_unsigned("actuator_velocity", d->actuator_velocity, m->nu);
  assert_unsigned("cinert", d->cinert, 10 * m->nbody);
}

TEST(jacobians_that_are_sums_have_no_negative_zeros) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><freejoint/><geom size='.1'/><body pos='1 0 0'><joint/>"
      "<geom size='.1'/></body></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  mjtNum jacp[21], jacr[21], point[3] = {0};
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = i % 3 - 1;
  }
  mj_forward(m, d);
  for (int body = 0; body < m->nbody; body++) {
    mj_jacSubtreeCom(m, d, jacp, body);
    assert_unsigned("jacp", jacp, 3 * m->nv);
    mj_jacDot(m, d, NULL, jacr, point, body);
    assert_unsigned("jacr", jacr, 3 * m->nv);
  }
}
