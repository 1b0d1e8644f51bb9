// Sensors of limits, touch, and forces between bodies, against differences.

#include "derivative/sensor/sensed.h"

static const char kLimits[] =
    "<mujoco><default><joint solimplimit='.5 .9 2 .4 3'/><tendon solimplimit='.5 .9 2 .4 3'/>"
    "</default><worldbody><site name='w' pos='1 0 1'/><body pos='0 0 1'>"
    "<joint name='a' axis='0 1 0' range='20 90'/><geom size='.1'/><body pos='.5 0 0'>"
    "<joint name='b' type='ball' range='0 5'/><geom type='capsule' size='.1 .2'/>"
    "<site name='s' pos='.1 .2 0'/></body></body></worldbody><tendon><spatial name='t' "
    "limited='true' range='0 .2'><site site='w'/><site site='s'/></spatial></tendon><sensor>"
    "<jointlimitpos joint='a'/><jointlimitvel joint='a'/><jointlimitfrc joint='a'/>"
    "<tendonlimitpos tendon='t'/><tendonlimitvel tendon='t'/><tendonlimitfrc tendon='t'/>"
    "</sensor></mujoco>";

TEST(limits_are_seen_to_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = scene_make(kLimits, 0.3);
  assert_that(s.d->nefc, >=, 3);
  check_sensors(&s, limit_sensor, 1e-6);
  scene_free(&s);
}

// A ball that an arm presses on another one; both feel it.
#define PRESSED(SENSORS)                                                                          \
  "<mujoco><option cone='elliptic'/><default><geom solimp='.5 .9 .2 .5 3' friction='.8'/>"        \
  "</default><worldbody><geom size='.3' pos='.05 .1 .27'/><body pos='-.5 0 .7'>"                  \
  "<joint axis='0 1 0' damping='1'/><geom type='capsule' size='.05 .1' contype='0' "              \
  "conaffinity='0'/><body pos='.5 0 0'><joint type='ball'/><geom size='.2'/>"                     \
  "<site name='all' size='.4'/><site name='s' pos='.1 .05 0' euler='10 20 30'/><body "            \
  "pos='0 0 .4'><joint axis='1 0 0'/><geom size='.1' contype='0' conaffinity='0'/></body></body>" \
  "</body></worldbody><sensor>" SENSORS "</sensor></mujoco>"

TEST(forces_between_bodies_are_seen_to_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = scene_make(PRESSED("<force site='s'/><torque site='s'/>"), 0.05);
  assert_int_equal(s.d->ncon, 1);
  check_sensors(&s, wrench_sensor, 1e-6);
  scene_free(&s);
}

TEST(touch_is_seen_to_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = scene_make(PRESSED("<touch site='all'/>"), 0.05);
  assert_that(s.d->sensordata[0], >, 1);
  check_sensors(&s, touch_sensor, 1e-6);
  scene_free(&s);
}
