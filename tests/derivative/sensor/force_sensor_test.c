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

// Welds and connects to a body that hangs, to the world, and by sites; a contact on the world; all
// read on the world, on a fixed body and on one that moves.
static const char kTied[] =
    "<mujoco><option cone='elliptic'/><default><equality solref='.05 1' solimp='.5 .9 .3 .5 2'/>"
    "<geom solimp='.5 .9 .2 .5 3'/></default><worldbody><geom type='plane' size='2 2 1'/><site "
    "name='w' pos='.3 .2 .1' euler='10 20 30'/><body name='fixed' pos='0 .5 .5'><site name='f' "
    "pos='.1 0 0' euler='0 30 0'/><body name='a'><joint axis='1 .2 0'/><geom type='capsule' "
    "size='.05 .1' pos='.1 0 0' contype='0' conaffinity='0'/><site name='a' pos='0 .1 0' "
    "euler='40 0 0'/></body></body><body name='b' pos='.3 .4 .18'><freejoint/><geom size='.2'/>"
    "<geom type='box' size='.1 .2 .05' pos='.1 0 0' contype='0' conaffinity='0'/><site name='b' "
    "pos='0 .1 .1' euler='0 0 50'/></body></worldbody><equality><weld body1='a' body2='b' "
    "torquescale='2'/><weld body1='b' torquescale='.7'/><weld site1='b' site2='f'/><connect "
    "site1='a' site2='w'/></equality><sensor><force site='w'/><torque site='w'/><force site='f'/>"
    "<torque site='f'/><force site='a'/><torque site='a'/><force site='b'/><torque site='b'/>"
    "</sensor></mujoco>";

TEST(forces_of_ties_are_seen_as_they_are_read) {
  DOUBLE_ONLY();
  Scene s = scene_make(kTied, 0.3);
  assert_int_equal(s.d->ne, 21);
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
