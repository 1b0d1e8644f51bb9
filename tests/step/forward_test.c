// The order of a step: halves, checks, callbacks, counters.

#include "support/caught.h"
#include "support/zoo.h"

static int calls, warning_count;

static void count_warning(const char* text) {
  (void)text;
  warning_count++;
}

static void count_call(const mjModel* m, mjData* d) {
  (void)m;
  (void)d;
  calls++;
}

// two legs that hit their limits, so that the comparison with inverse dynamics has rows
static const char kLegs[] =
    "<mujoco><worldbody><body><joint axis='0 1 0' range='-5 5' damping='.1'/>"
    "<geom type='capsule' size='.05' fromto='0 0 0 0 0 -.4'/><body pos='0 0 -.4'>"
    "<joint name='knee' axis='0 1 0' range='-3 8' damping='.2'/>"
    "<geom type='capsule' size='.04' fromto='0 0 0 0 0 -.4'/></body></body></worldbody>"
    "<actuator><general joint='knee' dyntype='filter' dynprm='.1' "
    "gainprm='3'/></actuator></mujoco>";

TEST(two_halves_make_a_step) {
  static const char* const xml[] = {ZOO_XML, kLegs};
  static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  for (int k = 0; k < 6; k++) {
    mjModel* m = test_model(xml[k / 3]);
    mjData *whole = mj_makeData(m), *halves = mj_makeData(m);
    m->opt.integrator = integrators[k % 3];
    m->opt.enableflags |= mjENBL_FWDINV;
    zoo_randomize(m, whole, 4);
    zoo_randomize(m, halves, 4);
    for (int i = 0; i < 20; i++) {
      mj_step(m, whole);
      mj_step1(m, halves);
      mj_step2(m, halves);
    }
    assert_memory_equal(whole->qpos, halves->qpos, m->nq * sizeof(mjtNum));
    assert_memory_equal(whole->qvel, halves->qvel, m->nv * sizeof(mjtNum));
    assert_memory_equal(whole->act, halves->act, m->na * sizeof(mjtNum));
    assert_memory_equal(whole->solver_fwdinv, halves->solver_fwdinv, 2 * sizeof(mjtNum));
    assert_int_equal(halves->timer[mjTIMER_STEP].number, 20);
    assert_int_equal(halves->timer[mjTIMER_ADVANCE].number, 20);
    assert_int_equal(whole->timer[mjTIMER_FORWARD].number, 20);
    mj_deleteData(whole);
    mj_deleteData(halves);
    test_release(m);
  }
}

// Runge-Kutta needs more than the two halves give: together they are a step of Euler
TEST(halves_of_runge_kutta_are_euler) {
  mjModel* m = test_model(kLegs);
  mjData *euler = mj_makeData(m), *halves = mj_makeData(m);
  zoo_randomize(m, euler, 7);
  zoo_randomize(m, halves, 7);
  mj_step(m, euler);
  m->opt.integrator = mjINT_RK4;
  mj_step1(m, halves);
  mj_step2(m, halves);
  assert_memory_equal(euler->qpos, halves->qpos, m->nq * sizeof(mjtNum));
  assert_memory_equal(euler->qvel, halves->qvel, m->nv * sizeof(mjtNum));
  mj_deleteData(euler);
  mj_deleteData(halves);
}

// The inverse of another acceleration than the solver's: both norms by hand; what forward dynamics
// has found stays.
TEST(comparison_with_the_inverse_measures_both_differences) {
  mjModel* m = test_model(kLegs);
  mjData *d = mj_makeData(m), *inverse = mj_makeData(m);
  zoo_randomize(m, d, 4);
  d->qpos[0] = (mjtNum)0.2;
  d->xfrc_applied[6 * 2 + 1] = 3;
  mj_forward(m, d);
  assert_that(d->nefc, >, 0);
  mju_scl(d->qacc, d->qacc, (mjtNum)0.5, m->nv);
  mj_copyData(inverse, m, d);
  mj_inverse(m, inverse);
  mj_compareFwdInv(m, d);
  mjtNum applied[2] = {d->qfrc_actuator[0], d->qfrc_actuator[1]}, gap[2];
  mj_applyFT(m, d, d->xfrc_applied + 12, d->xfrc_applied + 15, d->xipos + 6, 2, applied);
  mju_sub(gap, d->qfrc_constraint, inverse->qfrc_constraint, 2);
  assert_that(mju_norm(gap, 2), >, 0.01);
  assert_near(d->solver_fwdinv[0], mju_norm(gap, 2), 1e-12);
  mju_sub(gap, applied, inverse->qfrc_inverse, 2);
  assert_near(d->solver_fwdinv[1], mju_norm(gap, 2), 1e-12);
  mj_deleteData(d);
  mj_deleteData(inverse);
}

// Files may ask for the comparison where inverse dynamics is undefined: steps go on without it,
// with a warning.
TEST(steps_without_an_inverse_go_on_with_a_warning) {
  static const char* const flags[] = {
      "<option integrator='RK4'><flag fwdinv='enable' invdiscrete='enable'/></option>",
      "<option><flag fwdinv='enable'/></option><custom><text name='condyle.contact' data='hard'/>"
      "</custom>",
      "<option integrator='RK4'><flag fwdinv='enable' invdiscrete='enable'/></option><custom><text "
      "name='condyle.contact' data='hard'/></custom>",
  };
  for (int k = 0; k < 3; k++) {
    char text[1000];
    snprintf(text, sizeof text,
             "<mujoco>%s<worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .09'>"
             "<freejoint/><geom size='.1'/></body></worldbody></mujoco>",
             flags[k]);
    mjModel* m = test_model(text);
    mjData *d = mj_makeData(m), *plain = mj_makeData(m);
    warning_count = 0;
    mju_user_warning = count_warning;
    for (int i = 0; i < 3; i++) {
      mj_step(m, d);
    }
    mj_step1(m, d);
    mj_step2(m, d);
    mju_user_warning = NULL;
    assert_int_equal(warning_count, 1);
    assert_int_equal(d->cnd_warning[cndWARN_INVERSE - cndWARN_FIRST].number, 4);
    assert_that(d->solver_fwdinv[0], ==, 0);
    assert_that(d->solver_fwdinv[1], ==, 0);

    // the comparison has no part in the step
    m->opt.enableflags &= ~mjENBL_FWDINV;
    for (int i = 0; i < 3; i++) {
      mj_step(m, plain);
    }
    mj_step1(m, plain);
    mj_step2(m, plain);
    assert_memory_equal(d->qpos, plain->qpos, m->nq * sizeof(mjtNum));
    mj_deleteData(d);
    mj_deleteData(plain);
    test_release(m);
  }
}

// a force that nothing withstands: the step is made from the initial state instead
TEST(a_bad_acceleration_is_reset_before_the_step) {
  mjModel* m = test_model(kLegs);
  mjData *d = mj_makeData(m), *fresh = mj_makeData(m);
  zoo_randomize(m, d, 4);
  d->qfrc_applied[0] = (mjtNum)1e15;
  mj_step(m, d);
  mj_step(m, fresh);
  assert_int_equal(d->warning[mjWARN_BADQACC].number, 1);
  assert_int_equal(d->warning[mjWARN_BADQACC].lastinfo, 0);
  assert_memory_equal(d->qpos, fresh->qpos, m->nq * sizeof(mjtNum));
  assert_memory_equal(d->qacc, fresh->qacc, m->nv * sizeof(mjtNum));
  mj_deleteData(d);
  mj_deleteData(fresh);
}

static mjtNum ticks;

static mjtNum tick(void) {
  return ticks += 1;
}

// with a clock that ticks at every look, whatever is part of something takes less time than it
TEST(parts_of_a_step_take_less_time_than_the_whole) {
  mjModel* m = test_model(kLegs);
  mjData* d = test_data(m);
  mjcb_time = tick;
  mj_step(m, d);
  mj_step1(m, d);
  mj_step2(m, d);
  mj_inverse(m, d);
  mjcb_time = NULL;
  const mjTimerStat* t = d->timer;
  mjtNum parts = 0;
  for (int i = mjTIMER_POS_KINEMATICS; i <= mjTIMER_POS_PROJECT; i++) {
    assert_that(t[i].duration, >, 0);
    parts += t[i].duration;
  }
  assert_that(parts, <=, t[mjTIMER_POSITION].duration);
  assert_that(t[mjTIMER_ADVANCE].duration, >, 0);
  assert_that(t[mjTIMER_FORWARD].duration + t[mjTIMER_ADVANCE].duration, <,
              t[mjTIMER_STEP].duration);
  assert_that(t[mjTIMER_INVERSE].duration, >, 0);
  assert_that(t[mjTIMER_INVERSE].number, ==, 1);
}

TEST(what_no_integrator_does_is_an_error) {
  mjModel* m = test_model(kLegs);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  assert_error(mj_implicit(m, d), "not implicit");
  assert_error(mj_RungeKutta(m, d, 3), "order");
  m->opt.integrator = 77;
  assert_error(mj_step(m, d), "mj_step: invalid integrator");
  mj_deleteData(d);
  d = mj_makeData(m);
  m->opt.integrator = mjINT_RK4;
  m->opt.enableflags |= mjENBL_INVDISCRETE;
  mj_forward(m, d);
  assert_error(mj_inverse(m, d), "discrete time");
  mj_deleteData(d);
}

TEST(skipped_stages_are_taken_as_done) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  zoo_randomize(m, d, 4);
  mj_forward(m, d);
  mjtNum height = d->xpos[3 * 2 + 2], qacc = d->qacc[0];
  d->qpos[2] += 1;
  mj_forwardSkip(m, d, mjSTAGE_VEL, 1);
  assert_that(d->xpos[3 * 2 + 2], ==, height);
  assert_that(d->qacc[0], ==, qacc);
  mj_forward(m, d);
  assert_near(d->xpos[3 * 2 + 2], height + 1, 1e-14);
}

// a bad number resets the state and is counted once; without the reset it is counted twice and
// stays
TEST(bad_numbers_are_reset_and_counted) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  d->warning[mjWARN_BADQPOS].number = d->warning[mjWARN_BADQVEL].number = 5;
  d->time = 3;
  d->qpos[2] = (mjtNum)NAN;
  mj_checkPos(m, d);
  assert_int_equal(d->warning[mjWARN_BADQPOS].number, 1);
  assert_int_equal(d->warning[mjWARN_BADQPOS].lastinfo, 2);
  assert_that(d->time, ==, 0);
  assert_that(d->qpos[2], ==, m->qpos0[2]);

  m->opt.disableflags |= mjDSBL_AUTORESET;
  d->warning[mjWARN_BADQVEL].number = 5;
  d->qvel[1] = (mjtNum)1e11;
  mj_checkVel(m, d);
  assert_int_equal(d->warning[mjWARN_BADQVEL].number, 7);
  assert_that(d->qvel[1], ==, (mjtNum)1e11);
}

TEST(control_callback_runs_unless_actuation_is_off) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  mjcb_control = count_call;
  calls = 0;
  mj_forward(m, d);
  assert_int_equal(calls, 1);
  m->opt.disableflags |= mjDSBL_ACTUATION;
  mj_forward(m, d);
  assert_int_equal(calls, 1);
  mj_step1(m, d);
  assert_int_equal(calls, 2);
  mjcb_control = NULL;

  mjcb_passive = count_call;
  mj_forward(m, d);
  assert_int_equal(calls, 3);
  mjcb_passive = NULL;
}

TEST(energy_is_zero_unless_asked_for) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  zoo_randomize(m, d, 4);
  d->energy[0] = d->energy[1] = 1;
  mj_forward(m, d);
  assert_that(d->energy[0], ==, 0);
  assert_that(d->energy[1], ==, 0);
  m->opt.enableflags |= mjENBL_ENERGY;
  mj_forward(m, d);
  assert_that(d->energy[0], !=, 0);
  assert_that(d->energy[1], >, 0);
}
