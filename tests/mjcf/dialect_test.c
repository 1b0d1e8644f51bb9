// Whose rules a model follows: how a file and a program say it, and that it is kept.

#include <condyle/behaviour.h>
#include <condyle/load.h>
#include <stdlib.h>
#include <string.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

enum {
  EARLY = 1 << cndBEHAVIOUR_actearly
};

static mjModel* load(const char* text) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjModel* m = cnd_loadXMLString(text, NULL, problems);
  if (!m) {
    char message[500];
    cnd_formatDiagnostic(message, sizeof(message), cnd_diagnostic(problems, 0));
    print_error("%s\n", message);
  }
  cnd_deleteDiagnostics(problems);
  assert_non_null(m);
  return m;
}

static int behaviour_of(const char* text) {
  mjModel* m = load(text);
  int bits = m->opt.behaviour;
  mj_deleteModel(m);
  return bits;
}

TEST(dialects_are_releases) {
  assert_int_equal(cnd_dialect("3.3"), 303);
  assert_int_equal(cnd_dialect("3.3.7"), 303);
  assert_int_equal(cnd_dialect("3.12"), 312);
  assert_int_equal(cnd_dialect("4.0"), 400);
  assert_int_equal(cnd_dialect("4.0.0"), 400);
  const char* const none[] = {"",     "4",       "4.",    "3.2",  "4.1",
                              "3.3.", "3.3.7.1", "3.123", " 4.0", "4.0x"};
  for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
    if (cnd_dialect(none[i])) {
      fail_msg("'%s' is taken for dialect %d", none[i], cnd_dialect(none[i]));
    }
  }
}

TEST(a_dialect_has_the_behaviours_up_to_its_release) {
  assert_int_equal(cnd_dialectBehaviour(303), 0);
  assert_int_equal(cnd_dialectBehaviour(304) & EARLY, 0);
  assert_int_equal(cnd_dialectBehaviour(305) & EARLY, EARLY);
  assert_int_equal(cnd_dialectBehaviour(400), (int)((1U << cndNBEHAVIOUR) - 1));
  for (int i = 0; i < cndNBEHAVIOUR; i++) {
    assert_int_equal(cnd_behaviourByName(cnd_behaviour(i)->name), i);
    assert_int_not_equal(cnd_dialect(cnd_behaviour(i)->release), 0);
  }
  assert_null(cnd_behaviour(cndNBEHAVIOUR));
  assert_int_equal(cnd_behaviourByName("none"), -1);
}

TEST(a_file_says_its_dialect) {
  int all = cnd_dialectBehaviour(400);
  assert_int_equal(behaviour_of("<mujoco/>"), 0);
  assert_int_equal(behaviour_of("<mujoco><compiler dialect='4.0'/></mujoco>"), all);
  assert_int_equal(behaviour_of("<mujoco><compiler dialect='3.4'/></mujoco>"), 0);
  assert_int_equal(
      behaviour_of("<mujoco><custom><text name='dialect' data='4.0'/></custom></mujoco>"), all);
  assert_int_equal(behaviour_of("<mujoco><custom><text name='dialect' data='4.0'/></custom>"
                                "<compiler dialect='3.3'/></mujoco>"),
                   0);
  assert_int_equal(behaviour_of("<mujoco><compiler dialect='4.0'/><option>"
                                "<behaviour actearly='disable'/></option></mujoco>"),
                   all & ~EARLY);
  assert_int_equal(behaviour_of("<mujoco><option><behaviour actearly='enable'/></option></mujoco>"),
                   EARLY);
}

TEST(what_is_no_dialect_is_an_error_at_its_place) {
  static const char* const texts[] = {
      "<mujoco>\n<compiler dialect='5.0'/></mujoco>",
      "<mujoco>\n<custom><text name='dialect' data='new'/></custom></mujoco>",
      "<mujoco>\n<option><behaviour nothing='enable'/></option></mujoco>",
  };
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    char error[500] = "";
    mjSpec* spec = mj_parseXMLString(texts[i], NULL, error, sizeof(error));
    if (spec || strncmp(error, "2:", 2)) {
      fail_msg("%s: '%s'", texts[i], error);
    }
  }
}

TEST(a_program_says_the_dialect_of_files_that_say_none) {
  static const char none[] = "<mujoco/>", says[] = "<mujoco><compiler dialect='3.3'/></mujoco>";
  mjSpec* asked = cnd_parseXMLStringAs(400, none, NULL, NULL, 0);
  mjSpec* stays = cnd_parseXMLStringAs(400, says, NULL, NULL, 0);
  mjSpec* after = mj_parseXMLString(none, NULL, NULL, 0);
  assert_int_equal(asked->option.behaviour, cnd_dialectBehaviour(400));
  assert_int_equal(stays->option.behaviour, 0);
  assert_int_equal(after->option.behaviour, 0);
  mj_deleteSpec(asked);
  mj_deleteSpec(stays);
  mj_deleteSpec(after);

  assert_int_equal(cnd_setDefaultDialect(400), 303);
  assert_int_equal(behaviour_of(none), cnd_dialectBehaviour(400));
  assert_int_equal(behaviour_of(says), 0);
  assert_int_equal(cnd_setDefaultDialect(303), 400);
}

static mjModel* saved_and_loaded(const char* text) {
  mjSpec* spec = mj_parseXMLString(text, NULL, NULL, 0);
  assert_non_null(spec);
  mj_deleteModel(mj_compile(spec, NULL));
  static char xml[20000];
  assert_int_equal(mj_saveXMLString(spec, xml, sizeof(xml), NULL, 0), 0);
  mj_deleteSpec(spec);
  return load(xml);
}

TEST(mjcf_and_binary_files_keep_it) {
  static const char* const texts[] = {
      "<mujoco><compiler dialect='4.0'/></mujoco>",
      "<mujoco><compiler dialect='4.0'/><option><behaviour actearly='disable'/></option></mujoco>",
      "<mujoco><option><behaviour actearly='enable'/></option></mujoco>",
      "<mujoco/>",
  };
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    mjModel *m = load(texts[i]), *again = saved_and_loaded(texts[i]);
    assert_int_equal(again->opt.behaviour, m->opt.behaviour);

    int bytes = mj_sizeModel(m);
    char* buffer = malloc((size_t)bytes);
    mj_saveModel(m, NULL, buffer, bytes);
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    mj_addBufferVFS(&vfs, "m.mjb", buffer, bytes);
    mjModel* binary = mj_loadModel("m.mjb", &vfs);
    assert_non_null(binary);
    assert_int_equal(binary->opt.behaviour, m->opt.behaviour);
    mj_deleteVFS(&vfs);
    free(buffer);
    mj_deleteModel(m);
    mj_deleteModel(again);
    mj_deleteModel(binary);
  }
}

// A filter (0.3 s) at 0.4 on its way to 1 drives 1 kg with gain 1 - 2 v. At v = 1 the force is
// that of the next activation 0.6; its derivative is -0.8 at the present one, -1.2 at the next.
TEST(the_derivative_of_an_early_actuator_is_that_of_its_force) {
  static const char xml[] =
      "<mujoco><option timestep='.1' integrator='implicitfast' gravity='0 0 0'>"
      "<behaviour actearly='%s'/></option><worldbody><body><joint name='j' type='slide'/>"
      "<geom size='.1' mass='1'/></body></worldbody><actuator><general joint='j' actearly='true' "
      "dyntype='filter' dynprm='.3' gaintype='affine' gainprm='1 0 -2'/></actuator></mujoco>";
  static const struct {
    const char* word;
    mjtNum slope, speed;
  } cases[] = {{"disable", (mjtNum)-0.8, 1 - (mjtNum)0.06 / (mjtNum)1.08},
               {"enable", (mjtNum)-1.2, 1 - (mjtNum)0.06 / (mjtNum)1.12}};
  for (int i = 0; i < 2; i++) {
    char text[1000];
    snprintf(text, sizeof(text), xml, cases[i].word);
    mjModel* m = load(text);
    mjData* d = mj_makeData(m);
    d->act[0] = (mjtNum)0.4;
    d->ctrl[0] = d->qvel[0] = 1;
    mj_step(m, d);
    assert_near(d->qDeriv[0], cases[i].slope, 1e-12);
    assert_near(d->qvel[0], cases[i].speed, 1e-12);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// Parts of other dialects

#define ACTIVE                                                                                \
  "<worldbody><body name='b'><joint name='j'/><geom size='.1'/></body></worldbody><actuator>" \
  "<general joint='j' gaintype='affine' gainprm='1 1 1' dyntype='filter' dynprm='1' "         \
  "actearly='true'/></actuator>"
#define PASSIVE "<worldbody><body name='b'><joint name='j'/><geom size='.1'/></body></worldbody>"

// A model of dialect 3.3 with a part of dialect 4.0: NULL, with the error, if that is refused.
static mjModel* put_together(const char* content, const char* option, const char* dialect,
                             char* error, int error_sz) {
  mjSpec* child = NULL;
  char xml[1000];
  snprintf(xml, sizeof(xml), "<mujoco model='arm'>\n<compiler dialect='4.0'/>%s</mujoco>", content);
  child = test_spec(xml);
  snprintf(xml, sizeof(xml),
           "<mujoco model='room'>\n\n<compiler dialect='%s'/>%s<worldbody><frame name='f'/>"
           "</worldbody></mujoco>",
           dialect, option);
  mjSpec* parent = test_spec(xml);
  mjsFrame* frame = mjs_findFrame(parent, "f");
  assert_non_null(mjs_attach(frame->element, mjs_findBody(child, "b")->element, "x", ""));
  mjModel* m = mj_compile(parent, NULL);
  snprintf(error, (size_t)error_sz, "%s", m ? "" : mjs_getError(parent));
  return m;
}

#define IMPLICIT "<option integrator='implicit'/>"

// The model in the dialect of a release.
static mjModel* load_as(const char* dialect, const char* content) {
  char text[2000];
  snprintf(text, sizeof(text), "<mujoco><compiler dialect='%s'/>%s</mujoco>", dialect, content);
  return load(text);
}

static void expect_inertial(const char* dialect, const char* content, const double pos[3],
                            const double quat[4]) {
  mjModel* m = load_as(dialect, content);
  assert_close(m->body_ipos + 3, pos, 3, 1e-14);
  assert_close(m->body_iquat + 4, quat, 4, 1e-14);
  mj_deleteModel(m);
}

// Numbers of MuJoCo 3.3.7 and 4.0.0.
TEST(frames_place_an_inertial_by_the_later_rule) {
  const double here[3] = {1, 2, 3}, none[4] = {1, 0, 0, 0};
  const double once[3] = {1.3471185278987918, 0.54187216102047353, 3.8110993724032856};
  const double turned[4] = {0.7852207150935987, 0.36004217369767888, 0.19662822552874049,
                            0.46382691025032902};
  const char* one =
      "<worldbody><body><freejoint/><frame pos='.1 .2 .3' euler='30 40 50'><inertial pos='1 2 3' "
      "mass='2' diaginertia='.3 .2 .15'/></frame><geom size='.1'/></body></worldbody>";
  expect_inertial("3.3", one, here, none);
  expect_inertial("4.0", one, once, turned);

  const double twice[3] = {0.40356345185138176, 3.430942633203351, 1.8712603004114454};
  const double nested[4] = {-0.0091847412128273354, 0.099308214767905079, 0.84963407321100481,
                            0.5178566023981368};
  expect_inertial(
      "4.0",
      "<worldbody><body><freejoint/><frame pos='.1 .2 .3' euler='30 40 50'><frame pos='0 0 1' "
      "euler='0 90 0'><inertial pos='1 2 3' quat='1 .2 .3 .4' mass='2' diaginertia='.3 .2 .15'/>"
      "</frame></frame><geom size='.1'/></body></worldbody>",
      twice, nested);

  const double full[4] = {0.39244555613223936, 0.79895888399077142, 0.24537890637151902,
                          0.3839796602324112};
  expect_inertial(
      "4.0",
      "<worldbody><body><freejoint/><frame pos='.1 .2 .3' euler='30 40 50'><inertial pos='1 2 3' "
      "mass='2' fullinertia='.3 .2 .25 .01 .02 .03'/></frame><geom size='.1'/></body></worldbody>",
      once, full);
}

static void expect_extent(const char* dialect, double extent, const double center[3]) {
  mjModel* m = load_as(dialect,
                       "<worldbody><geom type='plane' size='0 0 .1' pos='0 0 -3'/>"
                       "<body pos='.5 .2 .3'><freejoint/><geom type='sphere' size='.25'/></body>"
                       "</worldbody>");
  assert_near(m->stat.extent, extent, 1e-14);
  assert_close(m->stat.center, center, 3, 1e-14);
  mj_deleteModel(m);
}

TEST(an_infinite_plane_hardly_counts_in_the_extent_by_the_later_rule) {
  expect_extent("3.3", 4.55, (const double[]){0, 0, -1.725});
  expect_extent("4.0", 3.56, (const double[]){0.37, 0.2, -1.23});
}

TEST(a_shape_fitted_to_a_mesh_has_none_by_the_later_rule) {
  const char* fitted =
      "<asset><mesh name='a' vertex='0 0 0 1 0 0 0 2 0 0 0 3'/></asset><worldbody>"
      "<geom type='box' mesh='a'/><geom type='mesh' mesh='a'/></worldbody>";
  mjModel* early = load_as("3.3", fitted);
  assert_int_equal(early->geom_dataid[0], 0);
  mj_deleteModel(early);
  mjModel* later = load_as("4.0", fitted);
  assert_int_equal(later->geom_dataid[0], -1);
  assert_int_equal(later->geom_dataid[1], 0);
  mj_deleteModel(later);
}

TEST(parts_of_two_dialects_are_an_error_where_a_difference_is_used) {
  char error[1000];
  assert_null(put_together(ACTIVE, IMPLICIT, "3.3", error, sizeof(error)));
  const char* parts[] = {"actearly", "'arm'", "'room'", "dialect 4.0, given in line 2",
                         "dialect 3.3, given in line 3"};
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    if (!strstr(error, parts[i])) {
      fail_msg("'%s' is not in '%s'", parts[i], error);
    }
  }
}

TEST(parts_of_two_dialects_go_together_where_no_difference_is_used) {
  char error[1000];
  test_own_model(put_together(PASSIVE, IMPLICIT, "3.3", error, sizeof(error)));
  test_own_model(put_together(ACTIVE, "", "3.3", error, sizeof(error)));
  test_own_model(put_together(ACTIVE, IMPLICIT, "4.0", error, sizeof(error)));
}

#define BOX "<geom type='box' size='.1 .1 .1'/>"
#define PART(head, body) \
  "<mujoco>" head "<worldbody><body name='c' pos='0 0 1'>" body "</body></worldbody></mujoco>"
#define WHOLE(head, more)                                                   \
  "<mujoco>" head                                                           \
  "\n<asset><model name='m' file='part.xml'/></asset>\n<worldbody><attach " \
  "model='m' body='c' prefix='x_'/></worldbody>" more "</mujoco>"
#define NEWEST "<compiler dialect='4.0'/>"

// A model in files, with a part in a file of its own, the behaviour they disagree about, and where
// each has its rules from.
static const struct {
  const char *whole, *part, *behaviour, *of_whole, *of_part;
} kFiles[] = {
    {WHOLE("", "<worldbody><body><freejoint/><geom size='.1' margin='.02'/></body></worldbody>"),
     PART(NEWEST, "<joint/><geom size='.1' margin='.01'/>"), "marginsum",
     "dialect 3.3, which whole.xml doesn't name", "dialect 4.0, given in line 1 of part.xml"},
    {WHOLE(NEWEST, "<worldbody><body><freejoint/>" BOX "</body></worldbody>"),
     PART("", "<joint/>" BOX), "boxclip", "dialect 4.0, given in line 1 of whole.xml",
     "dialect 3.3, which part.xml doesn't name"},
    {WHOLE("<option integrator='RK4'/>", ""), PART(NEWEST, "<freejoint/><geom size='.1'/>"), "rkmk",
     "dialect 3.3, which whole.xml doesn't name", "dialect 4.0, given in line 1 of part.xml"},
    {WHOLE("",
           "<worldbody><body><joint name='own' type='ball'/><geom size='.1'/></body>"
           "</worldbody><actuator><position joint='own' kp='3'/></actuator>"),
     PART("<option>\n<behaviour servowrap='enable'/></option>", "<joint/><geom size='.1'/>"),
     "servowrap", "dialect 3.3, which whole.xml doesn't name",
     "dialect 3.3, given in line 2 of part.xml"},
    {WHOLE("", ""),
     "<mujoco>\n\n<custom><text name='dialect' data='4.0'/></custom><worldbody><body name='c'>"
     "<joint/><geom size='.1'/></body></worldbody><equality><connect body1='c' anchor='0 0 0'/>"
     "</equality></mujoco>",
     "jdotv", "dialect 3.3, which whole.xml doesn't name",
     "dialect 4.0, given in line 3 of part.xml"},
};

TEST(parts_in_files_are_named_with_both_places) {
  for (size_t i = 0; i < sizeof(kFiles) / sizeof(kFiles[0]); i++) {
    mjVFS vfs;
    char error[2000] = "", want[100];
    mj_defaultVFS(&vfs);
    mj_addBufferVFS(&vfs, "whole.xml", kFiles[i].whole, (int)strlen(kFiles[i].whole));
    mj_addBufferVFS(&vfs, "part.xml", kFiles[i].part, (int)strlen(kFiles[i].part));
    assert_null(mj_loadXML("whole.xml", &vfs, error, sizeof(error)));
    mj_deleteVFS(&vfs);
    snprintf(want, sizeof(want), "'%s'", kFiles[i].behaviour);
    const char* parts[] = {want, kFiles[i].of_whole, kFiles[i].of_part, "part.xml:"};
    for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
      if (!strstr(error, parts[k])) {
        fail_msg("%zu: '%s' is not in '%s'", i, parts[k], error);
      }
    }
  }
}

// What a mode does that isn't there can't be had; that it is off says nothing.
TEST(the_flag_ipc_is_refused_by_its_name) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  assert_null(cnd_loadXMLString(
      "<mujoco>\n<option integrator='discrete'><flag ipc='enable'/></option></mujoco>", NULL,
      problems));
  const cndDiagnostic* first = cnd_diagnostic(problems, 0);
  assert_int_equal(cnd_diagnosticCount(problems, cndSEVERITY_ERROR), 1);
  assert_int_equal(first->line, 2);
  assert_non_null(strstr(first->message, "the flag ipc (contacts of flexes by an augmented"));
  cnd_deleteDiagnostics(problems);
  mjModel* m = load("<mujoco><option><flag ipc='disable'/></option></mujoco>");
  assert_int_equal(m->opt.enableflags, 0);
  mj_deleteModel(m);
}
