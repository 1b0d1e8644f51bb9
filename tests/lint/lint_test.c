// Findings as a list: their places in files, replicas and attached models; what is left out; models
// without their text.

#include <condyle/lint.h>
#include <condyle/load.h>

#include "support/test.h"

static mjVFS vfs;
static cndDiagnostics* list;

BEFORE_EACH() {
  mj_defaultVFS(&vfs);
  list = cnd_makeDiagnostics();
}

AFTER_EACH() {
  cnd_deleteDiagnostics(list);
  mj_deleteVFS(&vfs);
}

// A file in memory.
static void add_file(const char* name, const char* text) {
  assert_int_equal(mj_addBufferVFS(&vfs, name, text, (int)strlen(text)), 0);
}

// Lints a file; problems go to the list.
static int lint_file(const char* name, const char* disabled) {
  mjSpec* spec = cnd_parseXML(name, &vfs, list);
  int count = spec ? cnd_lintSpec(spec, &vfs, disabled, list) : -1;
  mj_deleteSpec(spec);
  return count;
}

// Compares a finding with "FILE:LINE:COLUMN: <element>: message (hint) [check]" from its begin on.
static void assert_begins(int i, const char* expected) {
  char text[1000] = "(none)";
  if (cnd_diagnostic(list, i)) {
    cnd_formatDiagnostic(text, sizeof(text), cnd_diagnostic(list, i));
  }
  if (strncmp(text, expected, strlen(expected)) != 0) {
    fail_msg("problem %d: expected \"%s...\", got \"%s\"", i, expected, text);
  }
}

TEST(findings_are_sorted_by_place_in_their_files) {
  add_file("a.xml",
           "<mujoco><worldbody>\n<body><joint damping='-1'/><geom size='.1'/></body>\n<include "
           "file='b.xml'/></worldbody>\n<asset><material name='m'/></asset></mujoco>");
  add_file("b.xml",
           "<mujoco>\n\n<body pos='1 0 0'><joint damping='-2'/><geom size='.1'/></body></mujoco>");
  assert_int_equal(lint_file("a.xml", NULL), 3);
  assert_begins(0, "a.xml:2:7: <joint>: damping -1 is negative");
  assert_begins(1, "a.xml:4:8: <material 'm'>: nothing uses this material");
  assert_begins(2, "b.xml:3:19: <joint>: damping -2 is negative");
  assert_int_equal(cnd_diagnostic(list, 0)->severity, cndSEVERITY_WARNING);
  assert_string_equal(cnd_diagnostic(list, 0)->check, "negative-loss");
}

TEST(replicas_are_one_finding) {
  add_file("a.xml",
           "<mujoco><worldbody><replicate count='2000' offset='1 0 0'>\n<body><joint "
           "damping='-1'/><geom size='.1'/></body></replicate></worldbody></mujoco>");
  assert_int_equal(lint_file("a.xml", NULL), 1);
  assert_begins(0,
                "a.xml:2:7: <joint>: damping -1 is negative: it feeds energy into the motion; 1999 "
                "more like it");
}

TEST(attached_parts_keep_their_places) {
  add_file("a.xml",
           "<mujoco><asset><model name='part' file='b.xml'/></asset><worldbody><frame><attach "
           "model='part' body='arm' prefix='p_'/></frame></worldbody></mujoco>");
  add_file("b.xml",
           "<mujoco><worldbody>\n<body name='arm'><joint damping='-1' range='-10 10'/><geom "
           "size='.1'/></body></worldbody>\n<asset><material name='unused'/></asset>\n<keyframe>"
           "<key name='k' qpos='1'/></keyframe></mujoco>");
  assert_int_equal(lint_file("a.xml", NULL), 2);
  assert_begins(0, "b.xml:2:18: <joint>: damping -1 is negative");
  assert_begins(1, "b.xml:4:11: <key 'p_k'>: the angle 1 of joint 0");
}

TEST(a_model_that_nothing_attaches_is_found_at_its_asset) {
  add_file("a.xml",
           "<mujoco><asset><model name='used' file='b.xml'/>\n<model name='unused' "
           "file='b.xml'/></asset><worldbody><attach model='used' body='arm' prefix='p_'/>"
           "</worldbody></mujoco>");
  add_file("b.xml", "<mujoco><worldbody><body name='arm'/></worldbody></mujoco>");
  assert_int_equal(lint_file("a.xml", NULL), 1);
  assert_begins(0, "a.xml:2:1: <model 'unused'>: nothing attaches this model");
}

TEST(disabled_checks_find_nothing) {
  add_file("a.xml",
           "<mujoco><worldbody><body><joint damping='-1' stiffness='1e9'/><geom "
           "size='.1'/></body></worldbody></mujoco>");
  assert_int_equal(lint_file("a.xml", "stiff-spring"), 1);
  assert_int_equal(lint_file("a.xml", "stiff-spring,negative-loss"), 0);
  assert_int_equal(lint_file("a.xml", ""), 2);
}

TEST(an_unknown_check_is_an_error) {
  mjSpec* spec = mj_makeSpec();
  assert_int_equal(cnd_lintSpec(spec, NULL, "light-body,stiff-sprin", list), -1);
  assert_begins(0, "unknown check 'stiff-sprin' (did you mean 'stiff-spring'?)");
  assert_int_equal(cnd_diagnosticCount(list, cndSEVERITY_ERROR), 1);
  mj_deleteSpec(spec);
}

TEST(a_spec_that_does_not_compile_gives_its_errors) {
  mjSpec* spec = cnd_parseXMLString(
      "<mujoco><worldbody><body>\n<joint limited='true' range='2 1'/><geom "
      "size='.1'/></body></worldbody></mujoco>",
      NULL, list);
  assert_int_equal(cnd_lintSpec(spec, NULL, NULL, list), -1);
  assert_begins(0, "2:1: <joint>: range[0] should be smaller than range[1]");
  mj_deleteSpec(spec);
}

TEST(a_robot_description_has_places) {
  static const char* const robot =
      "<robot name='r'><link name='a'/>\n<link name='b'><inertial><mass value='1e-9'/><inertia "
      "ixx='1e-12' iyy='1e-12' izz='1e-12' ixy='0' ixz='0' iyz='0'/></inertial></link>\n<joint "
      "name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>";
  mjSpec* spec = cnd_parseXMLString(robot, NULL, list);
  assert_non_null(spec);
  assert_int_equal(cnd_lintSpec(spec, NULL, NULL, list), 1);
  assert_begins(0, "2:1: <body 'b'>: it moves, but weighs only 1e-09 kg");
  mj_deleteSpec(spec);
}

TEST(a_compiled_model_names_its_objects) {
  add_file("a.xml",
           "<mujoco><worldbody><body><joint name='hip' damping='-1'/><joint damping='-1' axis='1 0 "
           "0'/><geom size='.1'/></body></worldbody></mujoco>");
  mjModel* m = mj_loadXML("a.xml", &vfs, NULL, 0);
  assert_non_null(m);
  assert_int_equal(cnd_lintModel(m, NULL, list), 2);
  assert_begins(0, "<joint 'hip'>: damping -1 is negative");
  assert_begins(1, "<joint 1>: damping -1 is negative");
  mj_deleteModel(m);
}

TEST(a_spec_without_text_is_checked_too) {
  mjSpec* spec = mj_makeSpec();
  mjsBody* body = mjs_addBody(mjs_findBody(spec, "world"), NULL);
  mjs_addJoint(body, NULL)->damping = -1;
  mjs_addGeom(body, NULL)->size[0] = 0.1;
  assert_int_equal(cnd_lintSpec(spec, NULL, NULL, list), 1);
  assert_begins(0, "<joint>: damping -1 is negative");
  mj_deleteSpec(spec);
}

TEST(linting_twice_finds_the_same) {
  mjSpec* spec = mj_parseXML(CONDYLE_SOURCE_DIR "/models/limits.xml", NULL, NULL, 0);
  int first = cnd_lintSpec(spec, NULL, NULL, list);
  assert_that(first, >, 0);
  assert_int_equal(cnd_lintSpec(spec, NULL, NULL, list), first);
  mj_deleteSpec(spec);
}

// Whoever calls may not want to hear the reasons.
TEST(the_list_may_be_missing) {
  mjSpec* spec = mj_parseXML(CONDYLE_SOURCE_DIR "/models/limits.xml", NULL, NULL, 0);
  assert_int_equal(cnd_lintSpec(spec, NULL, NULL, NULL), 2);
  assert_int_equal(cnd_lintSpec(spec, NULL, "nonsense", NULL), -1);
  mj_deleteSpec(spec);
}

TEST(good_models_are_quiet) {
  static const char* const files[] = {"/models/humanoid.xml", "/models/rubble.xml"};
  for (int i = 0; i < 2; i++) {
    char path[500];
    snprintf(path, sizeof(path), "%s%s", CONDYLE_SOURCE_DIR, files[i]);
    int count = lint_file(path, NULL);
    if (count != 0) {
      assert_begins(0, "(nothing)");
    }
  }
}
