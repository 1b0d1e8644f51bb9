// Sensors of nearest points and of rays, against differences.

#include "derivative/sensor/sensed.h"

static const char kApart[] =
    "<mujoco><option><flag contact='disable'/></option><worldbody><geom name='floor' type='plane' "
    "size='3 3 1' pos='0 0 -1' euler='3 2 0'/><body name='a' pos='0 0 .2'><freejoint/>"
    "<geom name='ball' size='.2'/><site name='up' pos='0 0 .3' zaxis='.2 .2 1'/>"
    "<site name='down' pos='0 0 -.3' euler='170 10 0'/></body><body name='b' pos='.1 .1 1'>"
    "<joint axis='1 2 0'/><geom name='pin' type='capsule' size='.1 .2' euler='60 20 0'/></body>"
    "<body name='c' pos='-.8 .3 .3'><freejoint/><geom name='box' type='box' size='.1 .2 .15'/>"
    "</body></worldbody><sensor>%s</sensor></mujoco>";

static void check(const char* sensors, void (*function)(SensorDerivative*)) {
  char xml[3000];
  snprintf(xml, sizeof(xml), kApart, sensors);
  Scene s = scene_make(xml, 0.05);
  for (int i = 0; i < s.m->nsensor; i++) {
    assert_that(s.d->sensordata[s.m->sensor_adr[i]], !=, -1);
  }
  check_sensors(&s, function, 1e-6);
  scene_free(&s);
}

TEST(distances_are_seen_to_change_as_differences_say) {
  DOUBLE_ONLY();
  check(
      "<distance geom1='ball' geom2='pin' cutoff='3'/><distance geom1='box' geom2='ball' "
      "cutoff='3'/><distance geom1='floor' body2='a' cutoff='3'/>",
      distance_sensor);
}

TEST(nearest_points_are_seen_to_change_as_differences_say) {
  DOUBLE_ONLY();
  check(
      "<fromto geom1='ball' geom2='pin' cutoff='3'/><normal geom1='ball' geom2='pin' "
      "cutoff='3'/><fromto geom1='box' geom2='ball' cutoff='3'/><normal geom1='floor' "
      "body2='a' cutoff='3'/>",
      nearest_sensor);
}

TEST(rays_are_seen_to_change_as_differences_say) {
  DOUBLE_ONLY();
  check("<rangefinder site='up'/><rangefinder site='down'/>", range_sensor);
}
