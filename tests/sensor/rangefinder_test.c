// Rangefinders with fields and of cameras, against numbers of MuJoCo 4.0.0 for the model
// tests/models/since/rangefinder.xml.

#include <string.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

// clang-format off
static const struct {
  int fields, dim;
  mjtNum data[130];
} expected[] = {
  {49, 60, {-1, 0, 0, 0, -1, -1, 0, 0, 0, -1, -1, 0, 0, 0, -1, -1, 0, 0, 0, -1, 3.872983346207, 0, 0, 1, 3.35410196625, 3.41565025532, 0, 0, 1, 3.35410196625, 3.41565025532, 0, 0, 1, 3.35410196625, 3.872983346207, 0, 0, 1, 3.35410196625, 2.306747698442, 0, 0, 1, 1.895186623364, 2.063217864263, 0, 0, 1, 1.895186623364, 2.063217864263, 0, 0, 1, 1.895186623364, 2.306747698442, 0, 0, 1, 1.895186623364}},
  {10, 120, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -0.4325391585803, 0.8595637175623, -0.2721398385851, -2.384100546409, 2.737805324818, 2.22044604925e-16, -0.2461636358747, 0.9240233676789, -0.2925479112149, -1.262170877511, 2.737805324818, 0, -0.02820865963586, 0.952980505168, -0.3017158071616, -0.1402412086123, 2.737805324818, 0, 0.1937943142652, 0.9352862656423, -0.2961137704655, 0.9816884602862, 2.737805324818, 0, 0.3898129319037, 0.8779434626626, -0.2779589079137, 2.103618129185, 2.737805324818, 0, -0.4354262800893, 0.7650732202867, -0.4744121859815, -1.376734070991, 0.4190142334891, 0, -0.2480653798762, 0.8233053423565, -0.5105211852158, -0.7288592140539, 0.4190142334891, 0, -0.02844063084049, 0.8495256770771, -0.5267800817268, -0.05375825758321, -0.394233221197, 0.5042844168261, 0.1953286350507, 0.8334991476237, -0.5168422343808, 0.4382403933495, -0.1299567561292, 0.3404099376628, 0.3925285033413, 0.7816588046009, -0.4846966961456, 1.214765356756, 0.4190142334891, 0, -0.4176259174407, 0.6376662054037, -0.6472792315283, -0.9678031453008, -0.5222771541007, 0, -0.236432982131, 0.6818995917097, -0.6921794505667, -0.5123663710416, -0.5222771541007, -2.22044604925e-16, -0.02702701011958, 0.701540719895, -0.7121166751686, -0.0569295967824, -0.5222771541007, -2.22044604925e-16, 0.185957137537, 0.6895562389523, -0.6999515242651, 0.3985071774768, -0.5222771541007, 0, 0.3758228119552, 0.6503494217709, -0.6601536515209, 0.853943951736, -0.5222771541007, 0}},
  {37, 45, {4.487435299583, -0.5666666666667, -1.74657896255, 2.0068420749, 4.487435299583, 4.487435299583, 0, -1.74657896255, 2.0068420749, 4.487435299583, 4.487435299583, 0.5666666666667, -1.74657896255, 2.0068420749, 4.487435299583, 3.35410196625, -0.5666666666667, -2, 1.5, 3.35410196625, 2.030789175336, 0, -2, 1.5, 2.030789175336, 3.35410196625, 0.5666666666667, -2, 1.5, 3.35410196625, 2.220768632916, -0.5666666666667, -2.25342103745, 0.9931579251, 2.220768632916, 2.220768632916, 0, -2.25342103745, 0.9931579251, 2.220768632916, 2.220768632916, 0.5666666666667, -2.25342103745, 0.9931579251, 2.220768632916}},
  {1, 12, {-1, -1, -1, -1, 3, 3, 3, 3, 2.306747698442, 2.063217864263, 2.063217864263, 2.306747698442}},
  {63, 14, {1.471183272162, 0.09938079899999, -0.0496903995, -0.9938079899999, 0.1, 0.1, 2, 0.2462073690629, 0.02689631546854, 0.5379263093708, 0.3420201433257, -0.1631759111665, 0.9254165783983, 1.471183272162}},
  {63, 14, {-1, 0, 0, 0, 0.1, 0.1, 2, 0, 0, 0, 0, 0, 0, -1}},
  {0, 1, {1.471183272162}},
};
// clang-format on

enum {
  NSENSOR = sizeof(expected) / sizeof(expected[0])
};

TEST(rays_of_pixels_are_those_of_the_newest_release) {
  mjModel* m = test_model_file("tests/models/since/rangefinder.xml");
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_int_equal(m->nsensor, NSENSOR);
  for (int i = 0; i < NSENSOR; i++) {
    assert_int_equal(m->sensor_intprm[mjNSENS * i], expected[i].fields);
    assert_int_equal(m->sensor_dim[i], expected[i].dim);
    assert_close(d->sensordata + m->sensor_adr[i], expected[i].data, expected[i].dim, 1e-10);
  }
}

TEST(an_old_rangefinder_is_positive_and_one_with_fields_is_not) {
  mjModel* m = test_model_file("tests/models/since/rangefinder.xml");
  assert_int_equal(m->sensor_datatype[NSENSOR - 1], mjDATATYPE_POSITIVE);
  assert_int_equal(m->sensor_datatype[NSENSOR - 2], mjDATATYPE_REAL);
}

TEST(cameras_say_what_they_make) {
  mjModel* m = test_model_file("tests/models/since/rangefinder.xml");
  assert_int_equal(m->cam_output[0], mjCAMOUT_DEPTH | mjCAMOUT_NORMAL);
  assert_int_equal(m->cam_output[1], mjCAMOUT_RGB);
  assert_int_equal(m->cam_output[2], 31);
  assert_int_equal(m->cam_orthographic[1], 0);
  assert_int_equal(m->cam_orthographic[2], 1);
}

TEST(files_keep_cameras_and_rangefinders) {
  mjSpec* spec =
      mj_parseXML(CONDYLE_SOURCE_DIR "/tests/models/since/rangefinder.xml", NULL, NULL, 0);
  test_own_spec(spec);
  mjModel* m = test_compile(spec);
  static char xml[20000];
  assert_int_equal(mj_saveXMLString(spec, xml, sizeof xml, NULL, 0), 0);
  mjModel* again = test_model(xml);
  assert_int_equal(again->nsensordata, m->nsensordata);
  for (int i = 0; i < m->nsensor; i++) {
    assert_int_equal(again->sensor_intprm[mjNSENS * i], m->sensor_intprm[mjNSENS * i]);
    assert_int_equal(again->sensor_objtype[i], m->sensor_objtype[i]);
  }
  for (int i = 0; i < m->ncam; i++) {
    assert_int_equal(again->cam_output[i], m->cam_output[i]);
    assert_int_equal(again->cam_orthographic[i], m->cam_orthographic[i]);
  }
}

TEST(what_a_rangefinder_can_not_be_is_an_error_at_its_place) {
  static const struct {
    const char *camera, *sensor, *error;
  } cases[] = {
      {"", "site='s' camera='c'", "at most one of 'site', 'camera' can be specified"},
      {"", "", "one of 'site', 'camera' must be specified"},
      {"", "site='s' data='normal dist'", "must be in order: dist, dir, origin, point, normal"},
      {"", "site='s' data='dist dist'", "duplicate keyword: 'dist'"},
      {"", "site='s' data='far'", "invalid keyword: 'far'"},
      {"output='depth rgb'", "site='s'", "must be in order: rgb, depth, distance"},
      {"resolution='0 2'", "camera='c'", "requires positive camera resolution"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char text[600], error[500] = "";
    snprintf(text, sizeof text,
             "<mujoco><worldbody><site name='s'/><camera name='c' %s/></worldbody><sensor>\n"
             "<rangefinder %s/></sensor></mujoco>",
             cases[i].camera, cases[i].sensor);
    mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof error);
    if (spec) {
      assert_null(mj_compile(spec, NULL));
      snprintf(error, sizeof error, "%s", mjs_getError(spec));
      mj_deleteSpec(spec);
    }
    if (!strstr(error, cases[i].error)) {
      fail_msg("%s: '%s' is not in '%s'", text, cases[i].error, error);
    }
  }
}
