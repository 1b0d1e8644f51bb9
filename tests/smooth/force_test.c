// Bias, passive and actuator forces.

#include "smooth/actuation.h"
#include "support/zoo.h"

// bias

// rne(1) - rne(0) = M qacc without what turns with the motors and tendons
static void check_bias(mjModel* m, mjData* d) {
  int nv = m->nv;
  mjtNum *with = malloc(nv * sizeof *with), *without = malloc(nv * sizeof *without);
  mjtNum* inertial = malloc(nv * sizeof *inertial);
  mju_zero(m->tendon_armature, m->ntendon);
  mj_makeM(m, d);
  mj_rne(m, d, 1, with);
  mj_rne(m, d, 0, without);
  mj_mulM(m, d, inertial, d->qacc);
  for (int i = 0; i < nv; i++) {
    with[i] -= without[i];
    inertial[i] -= m->dof_armature[i] * d->qacc[i];
  }
  assert_close(with, inertial, nv, 1e-11);
  free(with);
  free(without);
  free(inertial);
}

TEST(newton_euler_agrees_with_the_inertia_matrix) {
  zoo_each_state(check_bias);
}

// a pendulum at rest, held by its hinge: the joint carries the weight
TEST(joint_force_carries_the_weight) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.1' mass='2' pos='0 0 -1'/></body>"
      "</worldbody></mujoco>");
  mjData* d = test_data(m);
  mj_forward(m, d);
  mj_rnePostConstraint(m, d);
  assert_near(d->cfrc_int[6 + 5], -2 * m->opt.gravity[2], 1e-12);
  assert_near(d->cacc[6 + 5], -m->opt.gravity[2], 1e-12);
}

// passive

// springs and gravity pull down their potential; lift is not part of it
static void check_potential(mjModel* m, mjData* d) {
  const mjtNum h = (mjtNum)1e-6;
  int nv = m->nv;
  mjtNum* step = malloc(nv * sizeof *step);
  mjtNum* bias = malloc(nv * sizeof *bias);
  mjData* moved = mj_copyData(NULL, m, d);
  mju_zero(d->qvel, nv);
  mj_fwdVelocity(m, d);
  memcpy(bias, d->qfrc_bias, nv * sizeof *bias);
  for (int j = 0; j < nv; j++) {
    mjtNum energy[2];
    for (int side = 0; side < 2; side++) {
      mju_zero(step, nv);
      step[j] = side ? h : -h;
      memcpy(moved->qpos, d->qpos, m->nq * sizeof(mjtNum));
      mj_integratePos(m, moved->qpos, step, 1);
      mj_fwdPosition(m, moved);
      mj_energyPos(m, moved);
      energy[side] = moved->energy[0];
    }
    assert_near(d->qfrc_spring[j] - bias[j], -(energy[1] - energy[0]) / (2 * h), 1e-5);
  }
  free(step);
  free(bias);
  mj_deleteData(moved);
}

TEST(springs_and_gravity_are_minus_the_gradient_of_the_potential) {
  DOUBLE_ONLY();
  zoo_each_state(check_potential);
}

// the longer the quaternion, the same force; none at all is the identity, here the rest of the
// spring
TEST(spring_of_a_ball_asks_for_no_unit_quaternion) {
  const mjtNum lengths[] = {1, (mjtNum)1e-3, (mjtNum)1e6, -2};
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint type='ball' stiffness='2'/><geom size='.1'/></body>"
      "</worldbody></mujoco>");
  mjData* d = test_data(m);
  for (int i = 0; i < 4; i++) {
    mju_scl(d->qpos, (mjtNum[]){(mjtNum)0.8, 0, (mjtNum)0.6, 0}, lengths[i], 4);
    mj_passive(m, d);
    mj_energyPos(m, d);
    mjtNum angle = 2 * mju_atan2((mjtNum)0.6, (mjtNum)0.8);
    assert_near(d->qfrc_spring[1], -2 * angle, 1e-14);
    assert_near(d->energy[0], angle * angle, 1e-14);
  }
  mju_zero4(d->qpos);
  mj_passive(m, d);
  mj_energyPos(m, d);
  assert_near(mju_norm(d->qfrc_spring, 3) + d->energy[0], 0, 0);
}

// E = 1/2 sum k angle^2, however many balls there are; each turns by another angle up to pi
TEST(springs_of_balls_add_up) {
  enum {
    MOST = 9
  };
  char bodies[1000] = "", xml[1200];
  mjtNum sum = 0;
  for (int n = 1; n <= MOST; n++) {
    snprintf(bodies + strlen(bodies), sizeof bodies - strlen(bodies),
             "<body><joint type='ball' stiffness='%d'/><geom size='.1'/></body>", n);
    snprintf(xml, sizeof xml, "<mujoco><option gravity='0 0 0'/><worldbody>%s</worldbody></mujoco>",
             bodies);
    mjModel* m = test_model(xml);
    mjData* d = test_data(m);
    for (int i = 0; i < n; i++) {
      mjtNum angle = mjPI * (mjtNum)(i + 1) / MOST;
      mju_axisAngle2Quat(d->qpos + 4 * i, (mjtNum[]){0, (mjtNum)0.6, (mjtNum)-0.8}, angle);
    }
    mjtNum angle = mjPI * (mjtNum)n / MOST;
    sum += (mjtNum)n * angle * angle / 2;
    mj_energyPos(m, d);
    assert_near(d->energy[0] / sum, 1, 1e-14);
    test_release(m);
  }
}

TEST(full_gravity_compensation_cancels_the_weight) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body gravcomp='1'><freejoint/><geom "
      "size='.1'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_near(mju_norm(d->qacc, 6), 0, 1e-13);
}

TEST(both_flags_off_leave_no_passive_force_at_all) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  zoo_randomize(m, d, 2);
  mj_forward(m, d);
  assert_that(mju_norm(d->qfrc_gravcomp, m->nv), >, 0);
  assert_that(mju_norm(d->qfrc_spring, m->nv), >, 0);
  m->opt.disableflags |= mjDSBL_SPRING;
  mj_forward(m, d);
  assert_that(mju_norm(d->qfrc_gravcomp, m->nv), >, 0);
  assert_that(mju_norm(d->qfrc_spring, m->nv), ==, 0);
  m->opt.disableflags |= mjDSBL_DAMPER;
  mj_forward(m, d);
  assert_that(mju_norm(d->qfrc_passive, m->nv), ==, 0);
  assert_that(mju_norm(d->qfrc_gravcomp, m->nv), ==, 0);
}

// a medium takes energy out of a body moving through it
static void check_fluid(mjModel* m, mjData* d) {
  m->opt.density = 1;
  m->opt.viscosity = (mjtNum)0.1;
  mj_forward(m, d);
  assert_that(mju_dot(d->qfrc_fluid, d->qvel, m->nv), <, 0);
}

TEST(still_fluid_brakes) {
  zoo_each_state(check_fluid);
}

// actuation

static void check_moment(mjModel* m, mjData* d) {
  const mjtNum h = difference_step(1e-6);
  int nv = m->nv;
  mjData* moved = mj_copyData(NULL, m, d);
  const char* scalar[] = {"servo", "hold", "lag", "exact", "sum", "pull"};
  for (size_t k = 0; k < sizeof scalar / sizeof scalar[0]; k++) {
    int i = zoo_id(m, mjOBJ_ACTUATOR, scalar[k]);
    mjtNum ends[2], *step = calloc(nv, sizeof *step);
    for (int side = 0; side < 2; side++) {
      for (int j = 0; j < nv; j++) {
        step[j] = side ? h * d->qvel[j] : -h * d->qvel[j];
      }
      memcpy(moved->qpos, d->qpos, m->nq * sizeof(mjtNum));
      mj_integratePos(m, moved->qpos, step, 1);
      mj_fwdPosition(m, moved);
      ends[side] = moved->actuator_length[i];
    }
    assert_near(d->actuator_velocity[i], (ends[1] - ends[0]) / (2 * h), slope_error(1e-7));
    free(step);
  }
  mj_deleteData(moved);
}

TEST(moment_is_the_gradient_of_the_length) {
  zoo_each_state(check_moment);
}

TEST(controls_and_forces_are_clamped) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  int servo = zoo_id(m, mjOBJ_ACTUATOR, "servo"), hold = zoo_id(m, mjOBJ_ACTUATOR, "hold");
  d->ctrl[servo] = 7;
  d->ctrl[hold] = -100;
  mj_forward(m, d);
  assert_near(d->actuator_force[servo], 0.5, 0);
  assert_near(d->actuator_force[hold], -2, 0);
  assert_near(d->ctrl[servo], 7, 0);
  m->opt.disableflags |= mjDSBL_CLAMPCTRL;
  mj_forward(m, d);
  assert_near(d->actuator_force[servo], 7, 0);
}

TEST(disabled_group_gives_no_force) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  int servo = zoo_id(m, mjOBJ_ACTUATOR, "servo"), hold = zoo_id(m, mjOBJ_ACTUATOR, "hold");
  d->ctrl[servo] = d->ctrl[hold] = (mjtNum)0.1;
  m->opt.disableactuator = 1 << 2;
  mj_forward(m, d);
  assert_near(d->actuator_force[servo], 0.1, 1e-15);
  assert_near(d->actuator_force[hold], 0, 0);
  assert_true(actuator_is_disabled(m, hold));
  assert_true(!actuator_is_disabled(m, servo));
}

TEST(one_bad_control_silences_all) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  int servo = zoo_id(m, mjOBJ_ACTUATOR, "servo"), sum = zoo_id(m, mjOBJ_ACTUATOR, "sum");
  d->ctrl[servo] = (mjtNum)0.1;
  d->ctrl[sum] = (mjtNum)NAN;
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
  d->warning[mjWARN_BADCTRL].number = 1;
  mj_fwdActuation(m, d);
  assert_int_equal(d->warning[mjWARN_BADCTRL].number, 2);
  assert_int_equal(d->warning[mjWARN_BADCTRL].lastinfo, sum);
  assert_near(d->actuator_force[servo], 0, 0);
}

// dynamics: integrator u, filters (u - act) / tau; the exact filter lands where the exponential
// does, inside its range
TEST(activations_follow_their_dynamics) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  int lag = zoo_id(m, mjOBJ_ACTUATOR, "lag"), exact = zoo_id(m, mjOBJ_ACTUATOR, "exact");
  int sum = zoo_id(m, mjOBJ_ACTUATOR, "sum");
  d->ctrl[lag] = (mjtNum)0.4;
  d->ctrl[exact] = (mjtNum)0.2;
  d->ctrl[sum] = (mjtNum)0.3;
  d->act[m->actuator_actadr[lag]] = (mjtNum)0.1;
  mj_forward(m, d);
  int a = m->actuator_actadr[exact];
  assert_near(d->act_dot[m->actuator_actadr[lag]], 3, 1e-13);
  assert_near(d->act_dot[m->actuator_actadr[sum]], 0.3, 1e-15);
  assert_near(d->act_dot[a], 2, 1e-13);
  assert_near(actuator_next_activation(m, d, exact, a, d->act_dot[a]),
              0.2 * (1 - exp(-(double)m->opt.timestep / 0.1)), 1e-14);
  assert_near(actuator_next_activation(m, d, exact, a, 1e6), (mjtNum)0.3, 0);
}
