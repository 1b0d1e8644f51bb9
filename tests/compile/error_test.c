// The catalogue of what a compiler refuses: each model has one mistake, and the message that
// clients look for.

#include <condyle/diagnostic.h>
#include <condyle/load.h>

#include "support/test.h"

// contents of <mujoco>, message
static const struct {
  const char* xml;
  const char* message;
} catalogue[] = {
    {"<worldbody><body><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 0 0 0' diaginertia='1 1 "
     "1'/></body></worldbody>",
     "fullinertia and diagonal inertia cannot both be specified"},
    {"<worldbody><body><inertial pos='0 0 0' mass='1' fullinertia='1 1 -1 0 0 "
     "0'/></body></worldbody>",
     "error 'inertia must have positive eigenvalues' in fullinertia"},
    {"<worldbody><body><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/></body></worldbody>",
     "inertia must satisfy A + B >= C; use 'balanceinertia' to fix"},
    {"<compiler boundmass='-2' boundinertia='-2'/><worldbody><body><inertial pos='0 0 0' mass='-1' "
     "diaginertia='1 1 1'/></body></worldbody>",
     "mass and inertia cannot be negative"},
    {"<worldbody><body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='1 0 0'/><joint "
     "type='slide' axis='1 0 0'/><joint type='slide' axis='1 0 0'/><joint type='slide' axis='1 0 "
     "0'/><joint type='slide' axis='1 0 0'/><joint type='slide' axis='1 0 0'/><geom "
     "size='.1'/></body></worldbody>",
     "more than 6 dofs in body ''"},
    {"<worldbody><body name='b'><joint type='ball'/><joint type='hinge'/><geom "
     "size='.1'/></body></worldbody>",
     "ball followed by rotation in body 'b'"},
    {"<worldbody><body name='b' mocap='true'><joint/><geom size='.1'/></body></worldbody>",
     "mocap body 'b' is not a fixed child of world"},
    {"<worldbody><body><body name='b' mocap='true'><geom size='.1'/></body></body></worldbody>",
     "mocap body 'b' is not a fixed child of world"},
    {"<worldbody><body><freejoint/><joint/><geom size='.1'/></body></worldbody>",
     "more than 6 dofs in body ''"},
    {"<worldbody><body><body><freejoint/><geom size='.1'/></body></body></worldbody>",
     "free joint can only be used on top level"},
    {"<worldbody><body name='q'><joint/></body></worldbody>",
     "mass and inertia of moving bodies must be larger than mjMINVAL (1e-15): the mass is 0 kg, "
     "the "
     "principal inertias are 0 0 0 kg m2"},
    {"<worldbody><body><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1e-16 "
     "1'/></body></worldbody>",
     "the mass is 1 kg, the principal inertias are 1 1e-16 1 kg m2"},
    {"<worldbody><frame name='f' zaxis='0 0 0'><geom size='1'/></frame></worldbody>",
     "orientation specification error 'zaxis too small'"},
    {"<worldbody><body name='f' zaxis='0 0 0'><geom size='1'/></body></worldbody>",
     "error 'zaxis too small' in frame alternative"},
    {"<worldbody><body name='f'><inertial zaxis='0 0 0' pos='0 0 0' mass='1' diaginertia='1 1 "
     "1'/></body></worldbody>",
     "error 'zaxis too small' in inertia alternative"},
    {"<worldbody><geom size='1' xyaxes='1 0 0 2 0 0'/></worldbody>",
     "orientation specification error 'yaxis too small' in geom 0"},
    {"<worldbody><geom size='1' axisangle='0 0 0 2'/></worldbody>",
     "orientation specification error 'axisangle too small' in geom 0"},
    {"<worldbody><geom size='1' xyaxes='0 0 0 2 0 0'/></worldbody>",
     "orientation specification error 'xaxis too small' in geom 0"},
    {"<compiler eulerseq='abc'/><worldbody><geom size='1' euler='0 0 0'/></worldbody>",
     "euler sequence can only contain x, y, z, X, Y, Z"},
    {"<worldbody><site size='1' xyaxes='1 0 0 2 0 0'/></worldbody>",
     "orientation specification error 'yaxis too small' in site 0"},
    {"<worldbody><camera xyaxes='1 0 0 2 0 0'/></worldbody>",
     "orientation specification error 'yaxis too small' in camera 0"},
    {"<size nuser_geom='100000' memory='1M'/><worldbody><replicate count='30000'><geom size='.1' "
     "contype='0' conaffinity='0'/></replicate></worldbody>",
     "sizes are impossible"},
    {"<size njmax='1684624772'/>", "could not create mjData"},
    {"<size nuser_jnt='1'/><worldbody><body><joint user='1 2 3'/><geom "
     "size='.1'/></body></worldbody>",
     "user has more values than nuser_jnt in joint"},
    {"<size nuser_body='1'/><worldbody><body user='1 2 3'/></worldbody>",
     "user has more values than nuser_body in body"},
    {"<size nuser_site='1'/><worldbody><site size='1' user='1 2 3'/></worldbody>",
     "user has more values than nuser_site in site"},
    {"<size nuser_cam='1'/><worldbody><camera user='1 2 3'/></worldbody>",
     "user has more values than nuser_cam in camera"},
    {"<worldbody><body><joint springdamper='1 0'/><geom size='.1'/></body></worldbody>",
     "when defined, springdamper values must be positive in joint"},
    {"<compiler autolimits='false'/><worldbody><body><joint range='0 1'/><geom "
     "size='.1'/></body></worldbody>",
     "joint has `range` but not `limited`"},
    {"<compiler autolimits='false'/><worldbody><body><joint actuatorfrcrange='0 1'/><geom "
     "size='.1'/></body></worldbody>",
     "joint has `range` but not `limited`"},
    {"<worldbody><body><joint limited='true' range='1 0'/><geom size='.1'/></body></worldbody>",
     "range[0] should be smaller than range[1] in joint"},
    {"<worldbody><body><joint type='ball' limited='true' range='1 2'/><geom "
     "size='.1'/></body></worldbody>",
     "range[0] should be 0 in ball joint: it is "},
    {"<worldbody><body><joint actuatorfrclimited='true' actuatorfrcrange='1 0'/><geom "
     "size='.1'/></body></worldbody>",
     "actfrcrange[0] should be smaller than actfrcrange[1] in joint: it is 1 0"},
    {"<worldbody><body><joint axis='0 0 0'/><geom size='.1'/></body></worldbody>",
     "axis too small in joint: 0 0 0 is shorter than 1e-14"},
    {"<worldbody><geom size='1' condim='2'/></worldbody>",
     "invalid condim in geom: it is 2, not 1, 3, 4 or 6"},
    {"<worldbody><geom size='1' material='a'/></worldbody>", "material 'a' not found in geom 0"},
    {"<worldbody><body><joint/><geom type='plane' size='1 1 1'/><geom "
     "size='.1'/></body></worldbody>",
     "plane only allowed in static bodies"},
    {"<worldbody><geom type='sphere' size='1' fromto='0 0 0 1 1 1'/></worldbody>",
     "fromto requires capsule, cylinder, box or ellipsoid in geom"},
    {"<worldbody><geom type='capsule' size='1' pos='1 0 0' fromto='0 0 0 1 1 1'/></worldbody>",
     "both pos and fromto defined in geom"},
    {"<worldbody><geom type='capsule' size='1' fromto='0 0 0 0 0 0'/></worldbody>",
     "fromto points too close in geom"},
    {"<worldbody><site type='sphere' size='1' fromto='0 0 0 1 1 1'/></worldbody>",
     "fromto requires capsule, cylinder, box or ellipsoid in geom"},
    {"<worldbody><site type='capsule' size='1' pos='1 0 0' fromto='0 0 0 1 1 1'/></worldbody>",
     "both pos and fromto defined in geom"},
    {"<worldbody><site type='capsule' size='1' fromto='0 0 0 0 0 0'/></worldbody>",
     "fromto points too close in geom"},
    {"<worldbody><geom type='plane' size='1 1 0'/></worldbody>",
     "plane size(3) must be positive: it is 0"},
    {"<worldbody><geom type='sphere' size='0'/></worldbody>",
     "size 0 must be positive in geom: it is 0"},
    {"<worldbody><geom type='capsule' size='1 0'/></worldbody>", "size 1 must be positive in geom"},
    {"<worldbody><geom type='box' size='1 1 -1'/></worldbody>",
     "size 2 must be positive in geom: it is -1"},
    {"<worldbody><site type='box' size='1 1 -1'/></worldbody>", "size 2 must be positive in geom"},
    {"<worldbody><site type='capsule' size='1 -1'/></worldbody>",
     "size 1 must be positive in geom"},
    {"<worldbody><site type='plane'/></worldbody>",
     "meshes, hfields and planes not allowed in site"},
    {"<worldbody><geom type='sphere' size='nan'/></worldbody>", "nan size in geom"},
    {"<worldbody><body><geom size='1' mass='-1'/></body></worldbody>",
     "mass, inertia or density are negative in geom: mass -1, "},
    {"<worldbody><body><geom size='1' density='-1'/></body></worldbody>",
     "mass, inertia or density are negative in geom"},
    {"<worldbody><camera mode='targetbody' target='x'/></worldbody>",
     "unknown target body in camera"},
    {"<worldbody><camera fovy='180'/></worldbody>",
     "fovy too large in camera '' (id = 0, value = 180)"},
    {"<worldbody><camera orthographic='true' fovy='180'/></worldbody>",
     "fovy too large in camera '' (id = 0, value = 180)"},
    {"<worldbody><light mode='targetbody' target='x'/></worldbody>",
     "unknown target body in light"},
    {"<worldbody><light dir='0 0 0'/></worldbody>", "zero direction in light"},
    {"<worldbody><light texture='x'/></worldbody>", "unknown texture in light"},
    {"<asset><texture name='a' type='2d' builtin='flat' "
     "height='1'/></asset><worldbody></worldbody>",
     "Invalid width of builtin texture"},
    {"<asset><texture name='a' type='2d' builtin='flat' width='1'/></asset><worldbody></worldbody>",
     "Invalid height of builtin texture"},
    {"<asset><texture name='a' type='cube'/></asset><worldbody></worldbody>",
     "No cubefiles_ defined in cube or skybox texture"},
    {"<asset><texture name='a' type='2d'/></asset><worldbody></worldbody>",
     "Cannot load 2D texture from separate files, texture"},
    {"<asset><material name='a' texture='b'/></asset><worldbody></worldbody>",
     "texture 'b' not found in material 0"},
    {"<asset><texture type='2d' builtin='flat' width='1' "
     "height='1'/></asset><worldbody></worldbody>",
     "empty name in texture"},
    {"<asset><material name=''/></asset><worldbody></worldbody>", "empty name in material"},
    {"<contact><pair geom1='a' geom2='b' condim='2'/></contact><worldbody><geom name='a' "
     "size='1'/><geom name='b' size='1'/></worldbody>",
     "invalid condim in contact pair"},
    {"<contact><pair geom1='a' geom2='c'/></contact><worldbody><geom name='a' size='1'/><geom "
     "name='b' size='1'/></worldbody>",
     "geom 'c' not found in collision 0"},
    {"<contact><exclude body1='a' body2='c'/></contact><worldbody><geom name='a' size='1'/><geom "
     "name='b' size='1'/></worldbody>",
     "body 'a' not found in bodypair 0"},
    {"<tendon><fixed/></tendon><worldbody></worldbody>",
     "tendon '' (id = 0): path cannot be empty"},
    {"<tendon><fixed><joint joint='a' coef='1'/></fixed></tendon><worldbody></worldbody>",
     "joint 'a' not found in tendon 0, wrap 0"},
    {"<worldbody><site name='a' material='m'/></worldbody>", "material 'm' not found in site 0"},
    {"<actuator><motor joint='j'/></actuator><worldbody></worldbody>",
     "unknown transmission target 'j' for actuator id = 0"},
    {"<actuator><motor tendon='j'/></actuator><worldbody></worldbody>",
     "transmission target 'j' not found in actuator 0"},
    {"<actuator><motor site='j'/></actuator><worldbody></worldbody>",
     "transmission target 'j' not found in actuator 0"},
    {"<actuator><motor site='a' refsite='c'/></actuator><worldbody><site name='a'/></worldbody>",
     "reference site 'c' not found for actuator 0"},
    {"<actuator><motor cranksite='a' slidersite='c'/></actuator><worldbody><site "
     "name='a'/></worldbody>",
     "base site 'c' not found for actuator 0"},
    {"<actuator><motor cranksite='a' slidersite='a'/></actuator><worldbody><site "
     "name='a'/></worldbody>",
     "crank length must be positive in actuator '' (id = 0)"},
    {"<actuator><motor cranksite='a' cranklength='1'/></actuator><worldbody><site "
     "name='a'/></worldbody>",
     "missing base site for slider-crank '' (id = 0)"},
    {"<actuator><motor cranksite='q' slidersite='a' cranklength='1'/></actuator><worldbody><site "
     "name='a'/></worldbody>",
     "transmission target 'q' not found in actuator 0"},
    {"<actuator><position joint='k' inheritrange='1'/></actuator><worldbody><body><joint name='j' "
     "range='0 1'/><geom size='1'/></body><body><joint name='k'/><joint name='b' "
     "type='ball'/><geom size='1'/></body><site name='s'/></worldbody>",
     "inheritrange used but target 'k' has no range defined in actuator 0"},
    {"<actuator><position joint='b' inheritrange='1'/></actuator><worldbody><body><joint name='j' "
     "range='0 1'/><geom size='1'/></body><body><joint name='k'/><joint name='b' "
     "type='ball'/><geom size='1'/></body><site name='s'/></worldbody>",
     "inheritrange can only be used with hinge and slide joints, actuator"},
    {"<actuator><position site='s' inheritrange='1'/></actuator><worldbody><body><joint name='j' "
     "range='0 1'/><geom size='1'/></body><body><joint name='k'/><joint name='b' "
     "type='ball'/><geom size='1'/></body><site name='s'/></worldbody>",
     "inheritrange can only be used with joint and tendon transmission, actuator"},
    {"<compiler autolimits='false'/><actuator><motor joint='j' ctrlrange='0 "
     "1'/></actuator><worldbody><body><joint name='j' range='0 1'/><geom "
     "size='1'/></body><body><joint name='k'/><joint name='b' type='ball'/><geom "
     "size='1'/></body><site name='s'/></worldbody>",
     "joint has `range` but not `limited`"},
    {"<compiler autolimits='false'/><actuator><motor joint='j' forcerange='0 "
     "1'/></actuator><worldbody><body><joint name='j' range='0 1'/><geom "
     "size='1'/></body><body><joint name='k'/><joint name='b' type='ball'/><geom "
     "size='1'/></body><site name='s'/></worldbody>",
     "joint has `range` but not `limited`"},
    {"<compiler autolimits='false'/><actuator><general joint='j' actrange='0 1' "
     "dyntype='integrator'/></actuator><worldbody><body><joint name='j' range='0 1'/><geom "
     "size='1'/></body><body><joint name='k'/><joint name='b' type='ball'/><geom "
     "size='1'/></body><site name='s'/></worldbody>",
     "joint has `range` but not `limited`"},
    {"<actuator><motor joint='j' ctrlrange='1 0' "
     "ctrllimited='true'/></actuator><worldbody><body><joint name='j' range='0 1'/><geom "
     "size='1'/></body><body><joint name='k'/><joint name='b' type='ball'/><geom "
     "size='1'/></body><site name='s'/></worldbody>",
     "invalid control range for actuator"},
    {"<actuator><motor joint='j' forcerange='1 0' "
     "forcelimited='true'/></actuator><worldbody><body><joint name='j' range='0 1'/><geom "
     "size='1'/></body><body><joint name='k'/><joint name='b' type='ball'/><geom "
     "size='1'/></body><site name='s'/></worldbody>",
     "invalid force range for actuator"},
    {"<actuator><general joint='j' actrange='1 0' "
     "actlimited='true'/></actuator><worldbody><body><joint name='j' range='0 1'/><geom "
     "size='1'/></body><body><joint name='k'/><joint name='b' type='ball'/><geom "
     "size='1'/></body><site name='s'/></worldbody>",
     "invalid actrange for actuator"},
    {"<actuator><general joint='j' actrange='0 1' "
     "actlimited='true'/></actuator><worldbody><body><joint name='j' range='0 1'/><geom "
     "size='1'/></body><body><joint name='k'/><joint name='b' type='ball'/><geom "
     "size='1'/></body><site name='s'/></worldbody>",
     "actrange specified but dyntype is 'none' in actuator"},
    {"<actuator><general joint='j' actdim='2'/></actuator><worldbody><body><joint name='j' "
     "range='0 1'/><geom size='1'/></body><body><joint name='k'/><joint name='b' "
     "type='ball'/><geom size='1'/></body><site name='s'/></worldbody>",
     "actdim > 1 is only allowed for dyntype 'user' in actuator"},
    {"<actuator><general joint='j' actdim='1'/></actuator><worldbody><body><joint name='j' "
     "range='0 1'/><geom size='1'/></body><body><joint name='k'/><joint name='b' "
     "type='ball'/><geom size='1'/></body><site name='s'/></worldbody>",
     "invalid actdim 1 in stateless actuator"},
    {"<actuator><general joint='j' dyntype='filter' actdim='0'/></actuator><worldbody><body><joint "
     "name='j' range='0 1'/><geom size='1'/></body><body><joint name='k'/><joint name='b' "
     "type='ball'/><geom size='1'/></body><site name='s'/></worldbody>",
     "invalid actdim 0 in stateful actuator"},
    {"<worldbody><geom name='a' size='1'/><geom name='a' size='1'/></worldbody>",
     "repeated name 'a' in geom"},
    {"<worldbody><frame name='a'/>\n<frame name='a'/></worldbody>",
     "repeated name 'a' in frame: it is taken, in line 1"},
    {"<worldbody><body name='world'/></worldbody>", "repeated name 'world' in body"},
    {"<worldbody><body><joint name='a'/><joint name='a'/><geom size='1'/></body></worldbody>",
     "repeated name 'a' in joint"},
    {"<worldbody><body><joint name='j' range='0 1'/><geom size='1'/></body><body><joint "
     "name='k'/><joint name='b' type='ball'/><geom size='1'/></body><site "
     "name='s'/></worldbody><keyframe><key qpos='1 1 1 1 1 1 1 1 1 1 1 1 1 1'/></keyframe>",
     "keyframe '': invalid qpos size, expected 6, got 14"},
    {"<worldbody><body><joint name='j' range='0 1'/><geom size='1'/></body><body><joint "
     "name='k'/><joint name='b' type='ball'/><geom size='1'/></body><site "
     "name='s'/></worldbody><keyframe><key qvel='1 1 1 1 1 1 1 1 1 1 1 1 1 1'/></keyframe>",
     "keyframe '': invalid qvel size, expected 5, got 14"},
    {"<worldbody><body><joint name='j' range='0 1'/><geom size='1'/></body><body><joint "
     "name='k'/><joint name='b' type='ball'/><geom size='1'/></body><site "
     "name='s'/></worldbody><keyframe><key act='1 1 1 1 1 1 1 1 1 1 1 1 1 1'/></keyframe>",
     "keyframe '': invalid act size, expected 0, got 14"},
    {"<custom><tuple name='a'/></custom><worldbody></worldbody>", "tuple 'a' (id = 0) is empty"},
    {"<custom><tuple name='a'><element objtype='body' "
     "objname='q'/></tuple></custom><worldbody></worldbody>",
     "unrecognized object 'q' in tuple 0"},
};

TEST(every_mistake_has_its_message) {
  int wrong = 0;
  for (size_t i = 0; i < sizeof(catalogue) / sizeof(catalogue[0]); i++) {
    char text[4000], error[600];
    snprintf(text, sizeof(text), "<mujoco>%s</mujoco>", catalogue[i].xml);
    mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
    mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
    const char* found = m ? "no error" : spec ? mjs_getError(spec) : error;
    if (m || !strstr(found, catalogue[i].message)) {
      print_error("%s\n  expected: %s\n  found: %s\n", text, catalogue[i].message, found);
      wrong++;
    }
    mj_deleteModel(m);
    mj_deleteSpec(spec);
  }
  assert_int_equal(wrong, 0);
}

TEST(mistakes_of_different_elements_are_found_together) {
  const char* text =
      "<mujoco>\n<worldbody>\n<geom size='0'/>\n<geom size='1' condim='2'/>\n"
      "<site zaxis='0 0 0'/>\n</worldbody>\n</mujoco>";
  cndDiagnostics* list = cnd_makeDiagnostics();
  assert_null(cnd_loadXMLString(text, NULL, list));
  assert_int_equal(cnd_diagnosticCount(list, cndSEVERITY_ERROR), 3);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(cnd_diagnostic(list, i)->line, 3 + i);
  }
  cnd_deleteDiagnostics(list);
}

TEST(a_spec_that_is_compiled_again_tells_all_its_problems) {
  char error[500];
  mjSpec* spec = mj_parseXMLString(
      "<mujoco>\n<worldbody>\n<geom size='0'/>\n<body name='arm'/>\n</worldbody>\n</mujoco>", NULL,
      error, sizeof(error));
  assert_null(cnd_specDiagnostics(spec));
  mjs_addGeom(mjs_findBody(spec, "arm"), NULL);
  mjsGeom* named = mjs_addGeom(mjs_findBody(spec, "arm"), NULL);
  mjs_setName(named->element, "hand");
  for (int round = 0; round < 2; round++) {
    assert_null(mj_compile(spec, NULL));
    assert_non_null(strstr(mjs_getError(spec), "Element name '', id 0, line 3"));
    const cndDiagnostics* list = cnd_specDiagnostics(spec);
    assert_int_equal(cnd_diagnosticCount(list, cndSEVERITY_ERROR), 3);
    assert_int_equal(cnd_diagnostic(list, 0)->line, 3);
    assert_string_equal(cnd_diagnostic(list, 0)->element, "geom");
    assert_int_equal(cnd_diagnostic(list, 1)->line, 0);
    assert_string_equal(cnd_diagnostic(list, 1)->element, "geom in body 'arm'");
    assert_string_equal(cnd_diagnostic(list, 2)->element, "geom 'hand'");
  }
  mj_deleteSpec(spec);
}

TEST(an_error_names_element_and_id) {
  mjSpec* spec = mj_makeSpec();
  mjsGeom* geom = mjs_addGeom(mjs_findBody(spec, "world"), NULL);
  mjs_setName(geom->element, "foot");
  assert_null(mj_compile(spec, NULL));
  assert_non_null(strstr(mjs_getError(spec), "size 0 must be positive in geom"));
  assert_non_null(strstr(mjs_getError(spec), "Element name 'foot', id 0"));
  assert_int_equal(mjs_isWarning(spec), 0);

  // mended, it compiles, and the error is gone
  geom->size[0] = 1;
  mjModel* m = mj_compile(spec, NULL);
  assert_non_null(m);
  assert_string_equal(mjs_getError(spec), "");
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

TEST(a_range_that_cannot_be_found_is_told_at_its_actuator) {
  char error[500];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  static const char xml[] =
      "<mujoco><worldbody><body><joint name='j' type='slide'/><geom "
      "size='.1'/></body></worldbody>\n"
      "<actuator>\n<muscle name='m' joint='j'/></actuator></mujoco>";
  assert_int_equal(mj_addBufferVFS(&vfs, "m.xml", xml, (int)sizeof(xml) - 1), 0);
  assert_null(mj_loadXML("m.xml", &vfs, error, sizeof(error)));
  mj_deleteVFS(&vfs);
  assert_non_null(strstr(error, "m.xml:3:"));
  assert_non_null(strstr(error, "engthrange"));
}
