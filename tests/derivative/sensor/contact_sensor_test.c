// Sensors of contacts by every reduction, against differences.

#include "derivative/sensor/sensed.h"

#define ALL "data='found force torque dist pos normal tangent'"

static const char kContacts[] =
    "<mujoco><option cone='elliptic'/><default><geom solimp='.5 .9 .2 .5 3' friction='.8 .2 .1' "
    "condim='6'/></default><worldbody><geom name='floor' type='plane' size='3 3 1' euler='3 2 0'/>"
    "<body name='a' pos='0 0 .19'><freejoint/><geom name='ball' size='.2'/></body>"
    "<body name='b' pos='.35 .1 .14'><freejoint/><geom name='pin' type='capsule' size='.16 .2' "
    "euler='85 0 10'/></body></worldbody><sensor><contact " ALL " num='4'/><contact " ALL
    " num='2' reduce='mindist'/><contact " ALL
    " num='2' reduce='maxforce'/><contact "
    "data='found force torque pos normal tangent' reduce='netforce'/><contact geom1='floor' "
    "geom2='ball' " ALL "/><contact body1='b' body2='a' " ALL "/></sensor></mujoco>";

TEST(contacts_are_seen_to_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = scene_make(kContacts, 0.01);
  assert_in_range(s.d->ncon, 3, 4);
  check_sensors(&s, contact_sensor, 1e-5);
  scene_free(&s);
}
