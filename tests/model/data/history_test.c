// Controls and sensors as later releases of the interface ask for them.

#include <condyle/state.h>

#include "model/model.h"
#include "support/caught.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

static const char servos[] =
    "<mujoco><worldbody><body><joint name='h'/><geom name='g' size='.1'/></body>"
    "</worldbody><actuator>"
    "<motor joint='h'/><position joint='h' kp='3' kv='1'/><velocity joint='h' kv='3'/>"
    "<intvelocity joint='h' kp='2' actrange='-1 1'/><cylinder joint='h'/>"
    "<damper joint='h' ctrlrange='0 1'/><position joint='h' timeconst='1'/>"
    "<general joint='h' gainprm='3' biastype='affine' biasprm='0 -2 0'/>"
    "<muscle joint='h' lengthrange='0 1'/></actuator>"
    "<sensor><clock/><framepos objtype='geom' objname='g'/></sensor></mujoco>";

TEST(inputs_are_named_by_the_law_of_their_actuator) {
  mjModel* m = test_model(servos);
  static const char* const expected[] = {NULL, "pos", "vel", "vel", "pressure",
                                         NULL, "pos", NULL,  NULL};
  for (int i = 0; i < m->nu; i++) {
    const char* name = mj_actuatorInputName(m, i, 0);
    print_message("actuator %d: %s\n", i, name ? name : "none");
    assert_int_equal(!name, !expected[i]);
    assert_true(!name || !strcmp(name, expected[i]));
    assert_null(mj_actuatorInputName(m, i, 1));
    assert_null(mj_actuatorInputName(m, i, -1));
  }
  assert_error(mj_actuatorInputName(m, m->nu, 0), "mj_actuatorInputName: actuator");
}

TEST(all_times_have_the_present_values) {
  mjModel* m = test_model(servos);
  mjData* d = test_data(m);
  mjtNum result[3] = {-1, -1, -1};
  d->ctrl[3] = 5;
  mj_forward(m, d);
  assert_that(mj_readCtrl(m, d, 3, 0, result, -1), ==, d->ctrl + 3);
  assert_that(mj_readSensor(m, d, 1, -7, result, 2), ==, d->sensordata + m->sensor_adr[1]);
  assert_that(result[0], ==, -1);
  assert_error(mj_readCtrl(m, d, m->nu, 0, result, 0), "mj_readCtrl: actuator");
  assert_error(mj_readSensor(m, d, -1, 0, result, 0), "mj_readSensor: sensor");
  mj_resetCtrl(m, d);
  assert_that(d->ctrl[3], ==, 0);
}

TEST(a_history_that_is_not_there_can_not_be_filled) {
  mjModel* m = test_model(servos);
  mjData* d = test_data(m);
  mjtNum values[3] = {0};
  assert_error(mj_initCtrlHistory(m, d, 0, NULL, values), "actuator 0 has no history");
  assert_error(mj_initSensorHistory(m, d, 1, NULL, values, 0), "sensor 1 has no history");
}

// past samples, as the newest release keeps them

static mjModel* late_model(void) {
  return test_model_file("tests/models/since/history.xml");
}

static void take_steps(const mjModel* m, mjData* d, int n) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < m->nu; k++) {
      d->ctrl[k] = mju_sin((mjtNum)0.1 * i + k);
    }
    mj_step(m, d);
  }
}

TEST(buffers_are_reset_to_times_before_the_start) {
  DOUBLE_ONLY();
  mjModel* m = late_model();
  mjData* d = test_data(m);
  assert_that((int)m->nhistory, ==, 138);
  assert_recorded("history_reset", d->history, 138);
  mjtNum adr[8];
  for (int i = 0; i < m->nu; i++) {
    adr[i] = m->actuator_historyadr[i];
  }
  assert_recorded("history_actuator_historyadr", adr, (size_t)m->nu);
  for (int i = 0; i < m->nsensor; i++) {
    adr[i] = m->sensor_historyadr[i];
  }
  assert_recorded("history_sensor_historyadr", adr, (size_t)m->nsensor);
  take_steps(m, d, 3);
  mj_resetDataDebug(m, d, 7);
  assert_recorded("history_reset", d->history, 138);
}

static void integrator_keeps_alike(int integrator) {
  mjModel* m = late_model();
  m->opt.integrator = integrator;
  mjData* d = test_data(m);
  d->qpos[0] = 0.3;
  take_steps(m, d, 60);
  mjtNum all[200] = {d->qpos[0], d->qvel[0]}, *end = all + 2;
  mju_copy(end, d->actuator_force, m->nu);
  mju_copy(end += m->nu, d->sensordata, m->nsensordata);
  mju_copy(end += m->nsensordata, d->history, (int)m->nhistory);
  char name[40];
  snprintf(name, sizeof(name), "history_steps_%d", integrator);
  assert_recorded(name, all, (size_t)(end - all) + (size_t)m->nhistory);
}

TEST(controls_and_sensors_of_euler_are_late) {
  DOUBLE_ONLY();
  integrator_keeps_alike(mjINT_EULER);
}

TEST(controls_and_sensors_of_runge_kutta_are_late) {
  DOUBLE_ONLY();
  integrator_keeps_alike(mjINT_RK4);
}

TEST(controls_and_sensors_of_implicit_are_late) {
  DOUBLE_ONLY();
  integrator_keeps_alike(mjINT_IMPLICIT);
}

TEST(controls_and_sensors_of_implicitfast_are_late) {
  DOUBLE_ONLY();
  integrator_keeps_alike(mjINT_IMPLICITFAST);
}

TEST(after_a_keyframe_buffers_catch_up) {
  DOUBLE_ONLY();
  mjModel* m = late_model();
  mjData* d = test_data(m);
  mj_resetDataKeyframe(m, d, 0);
  take_steps(m, d, 7);
  mjtNum all[200] = {d->qpos[0]};
  mju_copy(all + 1, d->sensordata, m->nsensordata);
  mju_copy(all + 1 + m->nsensordata, d->history, (int)m->nhistory);
  assert_recorded("history_key", all, (size_t)(1 + m->nsensordata + (int)m->nhistory));
}

static void flag_keeps_alike(int flag, const char* name) {
  mjModel* m = late_model();
  m->opt.disableflags = flag;
  mjData* d = test_data(m);
  take_steps(m, d, 20);
  mjtNum all[200] = {d->qpos[0]};
  mju_copy(all + 1, d->history, (int)m->nhistory);
  assert_recorded(name, all, 1 + (size_t)m->nhistory);
}

TEST(buffers_are_written_without_actuation) {
  DOUBLE_ONLY();
  flag_keeps_alike(mjDSBL_ACTUATION, "history_without_actuation");
}

TEST(buffers_are_written_without_sensors) {
  DOUBLE_ONLY();
  flag_keeps_alike(mjDSBL_SENSOR, "history_without_sensor");
}

TEST(a_program_reads_and_fills_buffers) {
  mjModel* m = late_model();
  mjData* d = test_data(m);
  const mjtNum times[] = {1, 2, 3, 4, 5}, values[] = {10, 20, 40, 30, 0}, none[] = {1, 2, 2, 4, 5};
  mjtNum result = 7, late = m->actuator_delay[0];
  mj_initCtrlHistory(m, d, 0, times, values);
  assert_null(mj_readCtrl(m, d, 0, 2.5 + late, &result, 1));
  assert_near(result, 30, 1e-9);
  assert_near(*mj_readCtrl(m, d, 0, 2.5 + late, &result, -1), 20, 0);
  assert_near(*mj_readCtrl(m, d, 0, 9, &result, 1), 0, 0);
  assert_null(mj_readCtrl(m, d, 0, 2.5 + late, &result, 2));  // slopes 15 and 5
  assert_near(result, 30 + (15.0 - 5.0) / 8, 1e-6);

  // without times, row k is the k-th oldest
  d->history[m->actuator_historyadr[0] + 1] = 1;
  mj_initCtrlHistory(m, d, 0, NULL, values);
  const mjtNum* stored = d->history + m->actuator_historyadr[0] + 7;
  assert_near(stored[2], 10, 0);
  assert_near(stored[1], 0, 0);
  assert_error(mj_initCtrlHistory(m, d, 0, none, values), "times must increase");

  mj_initSensorHistory(m, d, 2, times, values, -3);
  assert_near(d->history[m->sensor_historyadr[2]], -3, 0);
  assert_null(mj_readSensor(m, d, 2, 1.5 + m->sensor_delay[2], &result, -1));
  assert_near(result, 15, 1e-9);
}

// A state with the history goes on as its data do; without it, as if nothing had been before.
TEST(the_history_is_a_part_of_the_state) {
  mjModel* m = late_model();
  mjData *d = test_data(m), *other = test_data(m);
  take_steps(m, d, 9);
  mjtNum* state = malloc((size_t)cnd_stateSize(m) * sizeof(mjtNum));
  assert_int_equal(cnd_stateSize(m), mj_stateSize(m, mjSTATE_INTEGRATION) + 138);
  cnd_getState(m, d, state);
  assert_near(state[3], d->history[0], 0);  // time, qpos, qvel, history
  assert_near(state[3 + 4], d->history[4], 0);
  cnd_setState(m, other, state);
  take_steps(m, d, 4);
  take_steps(m, other, 4);
  assert_memory_equal(d->qpos, other->qpos, sizeof(mjtNum));
  assert_memory_equal(d->history, other->history, 138 * sizeof(mjtNum));
  free(state);
}

TEST(differences_of_a_step_refuse_a_history) {
  mjModel* m = late_model();
  mjData* d = test_data(m);
  mjtNum A[4];
  assert_error(mjd_transitionFD(m, d, 1e-6, 0, A, NULL, NULL, NULL), "mjd_transitionFD: past");
}

#define ARM(actuator, sensor)                                                      \
  "<mujoco><worldbody><body><joint name='h'/><geom "                               \
  "size='.1'/></body></worldbody><actuator>" actuator "</actuator><sensor>" sensor \
  "</sensor></mujoco>"

TEST(delays_and_intervals_must_make_sense) {
  static const char* const cases[][2] = {
      {ARM("<motor joint='h' delay='.1'/>", ""), "a delay needs past samples"},
      {ARM("", "<jointpos joint='h' delay='.1'/>"), "a delay needs past samples"},
      {ARM("<motor joint='h' nsample='16777217'/>", ""), "at most 16777216 past samples"},
      {ARM("", "<jointpos joint='h' nsample='2' interval='-1'/>"), "negative interval"},
      {ARM("", "<jointpos joint='h' nsample='2' interval='1 1'/>"), "positive phase"},
      {ARM("", "<jointpos joint='h' nsample='2' interval='1 -1'/>"), "greater than -period"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    mjSpec* spec = test_spec(cases[i][0]);
    assert_null(mj_compile(spec, NULL));
    if (!strstr(mjs_getError(spec), cases[i][1])) {
      fail_msg("'%s' does not say '%s'", mjs_getError(spec), cases[i][1]);
    }
  }
}

TEST(what_has_no_samples_ignores_the_rest) {
  mjModel* m = test_model(ARM("<motor joint='h' delay='-1' nsample='-4'/>",
                              "<jointpos joint='h' interval='1' nsample='-3'/>"));
  mjData* d = test_data(m);
  assert_that((int)m->nhistory, ==, 0);
  assert_that(m->actuator_historyadr[0], ==, -1);
  d->ctrl[0] = 2;
  d->qpos[0] = 1;
  mj_forward(m, d);
  assert_near(d->actuator_force[0], 2, 0);
  assert_near(d->sensordata[0], 1, 0);
}

TEST(buffers_beyond_the_end_are_invalid) {
  mjModel* m = test_model_file("tests/models/since/history.xml");
  int i = 0;
  while (m->actuator_historyadr[i] < 0) {
    i++;
  }
  assert_null(model_validate(m));
  m->actuator_historyadr[i] = (int)m->nhistory + 5;
  assert_non_null(model_validate(m));
}
