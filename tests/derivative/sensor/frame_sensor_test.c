// Sensors of frames, alone and seen from others, against differences.

#include "derivative/sensor/sensed.h"

#define OF(NAME)                                     \
  "<" NAME " objtype='site' objname='tip'/><" NAME   \
  " objtype='body' objname='shin' "                  \
  "reftype='site' refname='tip'/><" NAME             \
  " objtype='geom' objname='trunk' reftype='xbody' " \
  "refname='wrist'/>"

static const char kFrames[] =
    "<mujoco><option><flag contact='disable'/></option>" ZOO_WORLD "<sensor>" OF("framepos")
        OF("framequat") OF("framexaxis") OF("frameyaxis") OF("framezaxis") OF("framelinvel")
            OF("frameangvel") "<framelinacc objtype='body' objname='shin'/>"
    "<frameangacc objtype='site' objname='tip'/><velocimeter site='tip'/><gyro site='tip'/>"
    "<accelerometer site='tip'/><magnetometer site='tip'/>"
    "</sensor></mujoco>";

TEST(frames_are_seen_to_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = scene_make(kFrames, 0.3);
  check_sensors(&s, frame_sensor, 1e-6);
  scene_free(&s);
}

TEST(pixels_of_a_site_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = scene_make(
      "<mujoco><worldbody><body pos='0 0 2'><joint type='ball'/><geom size='.1'/>"
      "<camera name='eye' pos='.1 0 0' euler='5 3 0'/></body><body pos='.1 .2 0'>"
      "<freejoint/><geom size='.1'/><site name='seen' pos='.1 0 0'/></body>"
      "</worldbody><sensor><camprojection site='seen' camera='eye'/></sensor>"
      "</mujoco>",
      0.1);
  check_sensors(&s, frame_sensor, 1e-6);
  scene_free(&s);
}
