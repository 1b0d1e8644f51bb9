// Contact sensors that tell velocities, against numbers of MuJoCo 4.0.0 for the model
// tests/models/since/contact_velocity.xml with qvel_i = (i + 1)/10.

#include <string.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

enum {
  NSENSOR = 5
};

static const struct {
  int stage, dim;
  mjtNum data[32];
} expected[NSENSOR] = {
    {2, 7, {-0.01, 0.3, 0.278, 0.0025, 0.6, 0.5, 0.4}},
    {2, 6, {0.3, 0.278, -0.0025, 0.6, 0.5, -0.4}},
    {3, 4, {1, 0.3, 0.278, -0.0025}},
    {3, 6, {246.9941219997, -246.9941219997, 0, 0.6, 0.5, -0.4}},
    {2, 32, {4, -0.01, 0.9, 0.8, 0.7, 0, 0, -0, 4, -0.01, 1.2, 1.1, 1,   0, 0, -0,
             4, -0.01, 1.5, 1.4, 1.3, 0, 0, -0, 4, -0.01, 1.8, 1.7, 1.6, 0, 0, -0}},
};

static mjData* moving(const mjModel* m) {
  mjData* d = test_data(m);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)(i + 1) / 10;
  }
  return d;
}

TEST(velocities_of_contacts_are_those_of_the_newest_release) {
  mjModel* m = test_model_file("tests/models/since/contact_velocity.xml");
  mjData* d = moving(m);
  mj_forward(m, d);
  assert_int_equal(m->nsensor, NSENSOR);
  for (int i = 0; i < NSENSOR; i++) {
    assert_int_equal(m->sensor_needstage[i], expected[i].stage);
    assert_int_equal(m->sensor_dim[i], expected[i].dim);
    if (i != 3) {
      assert_close(d->sensordata + m->sensor_adr[i], expected[i].data, m->sensor_dim[i], 1e-10);
    }
  }
  // the force is the solver's, the velocity beside it is not
  assert_close(d->sensordata + m->sensor_adr[3], expected[3].data, 3, 1e-6);
  assert_close(d->sensordata + m->sensor_adr[3] + 3, expected[3].data + 3, 3, 1e-10);
}

TEST(velocities_are_there_after_the_velocity_stage) {
  mjModel* m = test_model_file("tests/models/since/contact_velocity.xml");
  mjData* d = moving(m);
  mj_fwdPosition(m, d);
  mj_sensorPos(m, d);
  mj_fwdVelocity(m, d);
  mj_sensorVel(m, d);
  assert_close(d->sensordata, expected[0].data, expected[0].dim, 1e-10);
}

TEST(old_contact_sensors_keep_their_stage) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom name='g' size='1'/></worldbody><sensor>"
      "<contact geom1='g' data='found dist pos'/><contact geom1='g' "
      "data='force'/></sensor></mujoco>");
  assert_int_equal(m->sensor_needstage[0], mjSTAGE_ACC);
  assert_int_equal(m->sensor_needstage[1], mjSTAGE_ACC);
}

TEST(a_resultant_has_no_velocity) {
  char error[300] = "";
  mjSpec* spec = test_spec(
      "<mujoco><worldbody><geom name='g' size='1'/></worldbody><sensor>"
      "<contact geom1='g' data='angvel' reduce='netforce'/></sensor></mujoco>");
  assert_null(mj_compile(spec, NULL));
  snprintf(error, sizeof error, "%s", mjs_getError(spec));
  assert_non_null(strstr(error, "netforce reduction is incompatible with linvel or angvel"));
}

TEST(files_keep_velocities_of_contacts) {
  mjSpec* spec = test_spec(
      "<mujoco><worldbody><geom name='g' size='1'/></worldbody><sensor>"
      "<contact geom1='g' data='dist linvel angvel' noise='.5' user='2 3'/></sensor></mujoco>");
  mjModel* m = test_compile(spec);
  assert_near(m->sensor_noise[0], 0.5, 0);
  static char xml[5000];
  assert_int_equal(mj_saveXMLString(spec, xml, sizeof xml, NULL, 0), 0);
  mjModel* again = test_model(xml);
  assert_int_equal(again->sensor_intprm[0], m->sensor_intprm[0]);
  assert_near(again->sensor_noise[0], 0.5, 0);
  assert_near(again->sensor_user[1], 3, 0);
}
