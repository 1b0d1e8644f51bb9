// Later rules of the compiler, with the numbers of 4.0.0.

#include <condyle/behaviour.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <string.h>

#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

#define MODEL "tests/models/since/compiled.xml"

static const char kModel[] = MODEL;

static void same_numbers(const char* name, const mjtNum* x, int64_t n) {
  assert_recorded(name, x, (size_t)n);
}

static void same_floats(const char* name, const float* x, int n) {
  mjtNum* expected = recorded(name, (size_t)n);
  for (int i = 0; i < n; i++) {
    assert_near((mjtNum)x[i], expected[i], 1e-6);
  }
  free(expected);
}

static void same_ints(const char* name, const int* x, int n) {
  mjtNum* copy = mju_malloc(sizeof(mjtNum) * (size_t)n);
  for (int i = 0; i < n; i++) {
    copy[i] = (mjtNum)x[i];
  }
  assert_recorded(name, copy, (size_t)n);
  mju_free(copy);
}

static void same_bytes(const char* name, const mjtByte* x, int n) {
  int copy[64];
  for (int i = 0; i < n; i++) {
    copy[i] = x[i];
  }
  same_ints(name, copy, n);
}

TEST(meshes_and_inertias_are_those_of_the_newest_release) {
  DOUBLE_ONLY();
  mjModel* m = test_model_file(kModel);
  same_numbers("compiled_body_inertia", m->body_inertia, 3 * m->nbody);
  same_numbers("compiled_body_iquat", m->body_iquat, 4 * m->nbody);
  same_floats("compiled_mesh_vert", m->mesh_vert, 3 * m->nmeshvert);
  same_floats("compiled_mesh_normal", m->mesh_normal, 3 * m->nmeshnormal);
  same_ints("compiled_mesh_face", m->mesh_face, 3 * m->nmeshface);
  same_ints("compiled_mesh_facenormal", m->mesh_facenormal, 3 * m->nmeshface);
  same_ints("compiled_mesh_facetexcoord", m->mesh_facetexcoord, 3 * m->nmeshface);
  same_numbers("compiled_mesh_pos", m->mesh_pos, 3 * m->nmesh);
  same_numbers("compiled_mesh_quat", m->mesh_quat, 4 * m->nmesh);
}

TEST(shortcuts_and_ranges_are_those_of_the_newest_release) {
  mjModel* m = test_model_file(kModel);
  int nu = m->nu;
  same_bytes("compiled_tendon_actfrclimited", m->tendon_actfrclimited, m->ntendon);
  same_bytes("compiled_actuator_actlimited", m->actuator_actlimited, nu);
  same_bytes("compiled_actuator_ctrllimited", m->actuator_ctrllimited, nu);
  same_ints("compiled_actuator_dyntype", m->actuator_dyntype, nu);
  same_ints("compiled_actuator_biastype", m->actuator_biastype, nu);
  same_numbers("compiled_actuator_dynprm", m->actuator_dynprm, mjNDYN * nu);
  same_numbers("compiled_actuator_gainprm", m->actuator_gainprm, mjNGAIN * nu);
  same_numbers("compiled_actuator_biasprm", m->actuator_biasprm, mjNBIAS * nu);
}

// A law written with `general` is inherited if its gain is fixed, and so is its range.
TEST(shortcuts_inherit_from_general_what_fits) {
  mjModel* m = test_model(
      "<mujoco><compiler dialect='4.0'/><default><default class='fixed'><general gainprm='5' "
      "dynprm='.7' "
      "inheritrange='.5'/></default><default class='affine'><general gaintype='affine' "
      "gainprm='5' dynprm='.7'/></default></default><worldbody><body><joint name='j' "
      "range='-1 1'/><geom size='.1'/></body></worldbody><actuator><position joint='j' "
      "class='fixed'/><cylinder joint='j' class='fixed'/><position joint='j' class='affine'/>"
      "<cylinder joint='j' class='affine'/></actuator></mujoco>");
  static const mjtNum gain[] = {5, 5, 1, 1};
  for (int i = 0; i < 4; i++) {
    assert_near(m->actuator_gainprm[mjNGAIN * i], gain[i], 0);
  }
  assert_near(m->actuator_dynprm[mjNDYN], .7, 1e-12);
  assert_near(m->actuator_dynprm[3 * mjNDYN], 1, 0);
  assert_near(m->actuator_ctrlrange[1], mjPI / 360, 1e-12);
  assert_near(m->actuator_ctrlrange[5], 0, 0);
}

// What was written is read as it was: ranges that the rule lets apply, and those it doesn't.
TEST(ranges_survive_saving) {
  mjModel* m = test_model_file(kModel);
  mjSpec* spec = mj_parseXML(CONDYLE_SOURCE_DIR "/" MODEL, NULL, NULL, 0);
  mjModel* first = mj_compile(spec, NULL);
  static char text[100000], error[300];
  if (mj_saveXMLString(spec, text, sizeof(text), error, sizeof(error))) {
    fail_msg("%s", error);
  }
  mjSpec* again = mj_parseXMLString(text, NULL, error, sizeof(error));
  assert_non_null(again);
  mjModel* second = mj_compile(again, NULL);
  assert_non_null(second);
  for (int i = 0; i < m->nu; i++) {
    for (int k = 0; k < 3; k++) {
      assert_near(second->actuator_biasprm[mjNBIAS * i + k], m->actuator_biasprm[mjNBIAS * i + k],
                  1e-9);
    }
  }
  assert_int_equal(second->tendon_actfrclimited[0], 1);
  mj_deleteModel(first);
  mj_deleteModel(second);
  mj_deleteSpec(spec);
  mj_deleteSpec(again);
}

static mjModel* cube_pair(int rule) {
  mjSpec* spec = mj_makeSpec();
  cnd_setDialect(spec, rule ? 400 : 303);
  mjsBody* world = mjs_findBody(spec, "world");
  const mjtNum ref[2][2] = {{(mjtNum)0.1, (mjtNum)0.5}, {(mjtNum)0.2, (mjtNum)0.7}};
  for (int i = 0; i < 2; i++) {
    mjsBody* body = mjs_addBody(world, NULL);
    mjsGeom* geom = mjs_addGeom(body, NULL);
    geom->size[0] = 0.1;
    geom->solmix = i ? 3 : 1;
    memcpy(geom->solref, ref[i], sizeof(ref[i]));
    mjs_setName(geom->element, i ? "b" : "a");
  }
  mjsPair* pair = mjs_addPair(spec, NULL);
  mjs_setString(pair->geomname1, "a");
  mjs_setString(pair->geomname2, "b");
  pair->solref[0] = pair->solref[1] = (mjtNum)NAN;
  mjModel* m = mj_compile(spec, NULL);
  assert_non_null(m);
  mj_deleteSpec(spec);
  return m;
}

TEST(pairs_mix_the_time_constants_of_their_geoms) {
  static const double expected[2][2] = {{0.1, 0.5}, {0.175, 0.65}};
  for (int rule = 0; rule < 2; rule++) {
    mjModel* m = cube_pair(rule);
    assert_near(m->pair_solref[0], expected[rule][0], 1e-6);
    assert_near(m->pair_solref[1], expected[rule][1], 1e-6);
    mj_deleteModel(m);
  }
}

// 3.3.7 has none of it: the class of another shortcut stays, a flat inertia is an error.
TEST(each_part_keeps_the_rule_of_its_own_file) {
  static const char child[] =
      "<mujoco><compiler dialect='%s'/><default><position kp='5'/></default><worldbody>"
      "<body name='b'><joint name='j'/><geom size='.1'/></body></worldbody><actuator>"
      "<motor joint='j'/></actuator></mujoco>";
  for (int rule = 0; rule < 2; rule++) {
    char xml[600], error[300] = "";
    snprintf(xml, sizeof(xml), child, rule ? "4.0" : "3.3");
    mjSpec* part = mj_parseXMLString(xml, NULL, error, sizeof(error));
    mjSpec* whole = mj_makeSpec();
    cnd_setDialect(whole, rule ? 303 : 400);
    mjsFrame* frame = mjs_addFrame(mjs_findBody(whole, "world"), NULL);
    assert_non_null(mjs_attach(frame->element, mjs_findBody(part, "b")->element, "", ""));
    mjModel* m = mj_compile(whole, NULL);
    assert_non_null(m);
    assert_near(m->actuator_biasprm[1], rule ? 0 : -5, 0);
    mj_deleteModel(m);
    mj_deleteSpec(whole);
    mj_deleteSpec(part);
  }
}

// Keys of a model with replicas are written for all of it.
TEST(keys_of_replicas_stay_as_they_are_written) {
  static const char xml[] =
      "<mujoco><compiler dialect='4.0'/><worldbody><replicate count='3' offset='1 0 0'>"
      "<body name='b'><joint name='j' ref='10'/><geom size='.1'/></body></replicate><body>"
      "<joint type='slide'/><geom size='.1'/></body></worldbody><keyframe><key qpos='.1 .2'/>"
      "<key qpos='1 2 3 4'/></keyframe></mujoco>";
  const mjtNum ref = (mjtNum)(10 * mjPI / 180),
               expected[8] = {(mjtNum)0.1, (mjtNum)0.2, ref, 0, 1, 2, 3, 4};
  mjModel* m = test_model(xml);
  assert_int_equal(m->nkey, 2);
  for (int i = 0; i < 8; i++) {
    assert_near(m->key_qpos[i], expected[i], 1e-6);
  }
}
