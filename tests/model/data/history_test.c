// Controls and sensors as later releases of the interface ask for them.

#include "support/caught.h"
#include "support/load.h"
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
