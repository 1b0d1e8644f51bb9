// Which settings are authored, and what becomes of those of an attached model. Texts are 4.0.0's.

#include "spec/setting/conflict.h"

#include "spec/setting/authored.h"

#include "support/load.h"
#include "support/test.h"

#define PARENT                                                                          \
  "<option timestep='.01' iterations='5'><flag gravity='enable' energy='disable' "      \
  "contact='disable'/></option><size nkey='3' nuser_body='2'/><visual><map znear='.3' " \
  "fogstart='1'/><headlight active='0'/></visual><statistic extent='3'/>"
#define CHILD                                                                                 \
  "<option timestep='.001' gravity='0 0 -2' iterations='7' density='3' cone='elliptic' "      \
  "actuatorgroupdisable='2'><flag gravity='disable' energy='enable' contact='enable' "        \
  "limit='disable'/></option><size nkey='5' nuser_body='4' memory='3M'/><visual><map "        \
  "znear='.2' zfar='7' fogstart='2'/><headlight active='1'/><global realtime='.5'/></visual>" \
  "<statistic extent='4'/>"

typedef struct {
  mjSpec *parent, *child;
  mjsElement* taken;
} Pair;

// Attaches the child's body under a policy ("" for none).
static Pair attach(const char* policy, const char* parent, const char* child) {
  char text[2000];
  Pair pair;
  snprintf(text, sizeof(text), "<mujoco model='PP'><compiler %s%s%s/>%s</mujoco>",
           policy[0] ? "conflict='" : "", policy, policy[0] ? "'" : "", parent);
  pair.parent = test_spec(text);
  snprintf(text, sizeof(text),
           "<mujoco model='CC'>%s<worldbody><body name='b'><geom size='.1'/></body></worldbody>"
           "</mujoco>",
           child);
  pair.child = test_spec(text);
  mjsFrame* frame = mjs_addFrame(mjs_findBody(pair.parent, "world"), NULL);
  pair.taken = mjs_attach(frame->element, mjs_findBody(pair.child, "b")->element, "x", "");
  return pair;
}

TEST(a_parent_keeps_its_settings_and_tells_what_differs) {
  Pair pair = attach("", PARENT, CHILD);
  assert_non_null(pair.taken);
  assert_that(pair.parent->option.timestep, ==, (mjtNum)0.01);
  assert_that(pair.parent->option.density, ==, 0);
  assert_int_equal(mjs_numWarnings(pair.parent), 1);
  assert_string_equal(mjs_getWarning(pair.parent, 0),
                      "Attach conflict when attaching 'CC' to 'PP', policy is 'warning'\n"
                      "timestep: parent has 0.01, child has 0.001, keeping parent value\n"
                      "iterations: parent has 5, child has 7, keeping parent value\n"
                      "density: parent has 0 (default), child has 3, keeping parent value\n"
                      "cone: parent has 0 (default), child has 1, keeping parent value\n"
                      "gravity: parent has 0 0 -9.81 (default), child has 0 0 -2, keeping parent "
                      "value\n"
                      "flag 'Contact': parent set, child unset, keeping parent\n"
                      "flag 'Gravity': parent unset, child set, keeping parent\n"
                      "flag 'Energy': parent unset, child set, keeping parent\n"
                      "znear: parent has 0.3, child has 0.2, keeping parent value\n"
                      "realtime: parent has 1 (default), child has 0.5, keeping parent value\n"
                      "zfar: parent has 50 (default), child has 7, keeping parent value\n"
                      "memory: parent has -1 (default), child has 3145728, keeping parent value\n"
                      "nkey: parent has 3, child has 5, keeping parent value\n"
                      "nuser_body: parent has 2, child has 4, keeping parent value");
  assert_null(mjs_getWarning(pair.parent, 1));
  assert_null(mjs_getWarning(pair.parent, -1));

  // a program that doesn't know the policy hears nothing
  test_compile(pair.parent);
  assert_int_equal(mjs_isWarning(pair.parent), 0);
  assert_string_equal(mjs_getError(pair.parent), "");
  assert_int_equal(mjs_numWarnings(pair.parent), 1);
}

TEST(merged_settings_are_the_stricter_ones) {
  Pair pair = attach("merge", PARENT, CHILD);
  assert_non_null(pair.taken);
  const mjSpec* s = pair.parent;
  assert_that(s->option.timestep, ==, (mjtNum)0.001);
  assert_int_equal(s->option.iterations, 7);
  assert_that(s->option.density, ==, 3);
  assert_int_equal(s->option.cone, mjCONE_ELLIPTIC);
  assert_that(s->option.gravity[2], ==, -2);
  assert_int_equal(s->option.disableflags, mjDSBL_CONTACT | mjDSBL_GRAVITY | mjDSBL_LIMIT);
  assert_int_equal(s->option.enableflags, mjENBL_ENERGY);
  assert_int_equal(s->option.disableactuator, 4);
  assert_that(s->visual.map.znear, ==, 0.2f);
  assert_that(s->visual.map.zfar, ==, 7);
  assert_that(s->visual.map.fogstart, ==, 1);
  assert_int_equal(s->visual.headlight.active, 0);
  assert_that(s->visual.global.realtime, ==, 0.5f);
  assert_that(s->stat.extent, ==, 3);
  assert_int_equal((int)s->memory, 3 << 20);
  assert_int_equal(s->nkey, 5);
  assert_int_equal(s->nuser_body, 4);
  assert_int_equal((int)s->authored.option, 1 | 1 << 7 | 1 << 10 | 1 << 17 | 1 << 20);
  assert_int_equal(s->authored.disableflags, mjDSBL_CONTACT | mjDSBL_GRAVITY | mjDSBL_LIMIT);
  const char* text = mjs_getWarning(s, 0);
  assert_non_null(strstr(text, "\ntimestep: parent has 0.01, child has 0.001, taking the minimum"));
  assert_non_null(strstr(text, "\niterations: parent has 5, child has 7, taking the maximum"));
  assert_non_null(strstr(text, "\ndensity: parent has 0 (default), child has 3, adopting child"));
  assert_non_null(strstr(text, "\nflag 'Limit': added from child"));
  assert_non_null(strstr(text, "\ndisableactuator group 2: added from child"));
  assert_null(strstr(text, "Contact"));
}

TEST(a_parent_that_is_stricter_says_so) {
  Pair pair = attach("merge", "<option timestep='.001' iterations='9'/>",
                     "<option timestep='.002' iterations='7'/>");
  assert_string_equal(
      mjs_getWarning(pair.parent, 0),
      "Attach conflict when attaching 'CC' to 'PP', policy is 'merge'\n"
      "timestep: parent has 0.001, child has 0.002, keeping parent value (the minimum)\n"
      "iterations: parent has 9, child has 7, keeping parent value (the maximum)");
}

TEST(what_cannot_be_merged_refuses_the_part) {
  Pair pair = attach("merge", "<option gravity='0 0 -1' timestep='.01'/>",
                     "<option gravity='0 0 -2' timestep='.001'/>");
  assert_null(pair.taken);
  assert_string_equal(mjs_getError(pair.parent),
                      "Error: Attach conflict when attaching 'CC' to 'PP', policy is 'merge'\n"
                      "gravity: parent has 0 0 -1, child has 0 0 -2");
  assert_that(pair.parent->option.timestep, ==, (mjtNum)0.01);
  assert_int_equal(mjs_numWarnings(pair.parent), 0);
  assert_null(mjs_findBody(pair.parent, "xb"));
}

TEST(the_strictest_policy_refuses_what_both_have_authored) {
  Pair pair = attach("error", PARENT, CHILD);
  assert_null(pair.taken);
  assert_string_equal(mjs_getError(pair.parent),
                      "Error: Attach conflict when attaching 'CC' to 'PP', policy is 'error'\n"
                      "timestep: parent has 0.01, child has 0.001\n"
                      "iterations: parent has 5, child has 7\n"
                      "flag 'Contact': parent set, child unset\n"
                      "flag 'Gravity': parent unset, child set\n"
                      "flag 'Energy': parent unset, child set\n"
                      "znear: parent has 0.3, child has 0.2\n"
                      "nkey: parent has 3, child has 5\n"
                      "nuser_body: parent has 2, child has 4");
  pair = attach("error", "", "<option density='3'/>");
  assert_non_null(pair.taken);
  assert_that(pair.parent->option.density, ==, 0);
  pair = attach("error", "<option density='3'/>", "<option density='3'/>");
  assert_non_null(pair.taken);
}

TEST(a_text_authors_the_usual_value_a_program_only_another) {
  Pair pair = attach("", "<option timestep='.003'/>", "<option timestep='.002'/>");
  assert_int_equal(mjs_numWarnings(pair.parent), 1);
  pair = attach("", "<option timestep='.003'/>", "");
  assert_int_equal(mjs_numWarnings(pair.parent), 0);

  mjSpec *parent = test_own_spec(mj_makeSpec()), *child = test_own_spec(mj_makeSpec());
  child->option.cone = mjCONE_ELLIPTIC;
  mjsFrame* frame = mjs_addFrame(mjs_findBody(parent, "world"), NULL);
  mjsBody* body = mjs_addBody(mjs_findBody(child, "world"), NULL);
  assert_non_null(mjs_attach(frame->element, body->element, "x", ""));
  assert_string_equal(mjs_getWarning(parent, 0),
                      "Attach conflict on attach, policy is 'warning'\n"
                      "cone: parent has 0 (default), child has 1, keeping parent value");
}

TEST(every_setting_has_its_own_bit) {
  static const struct {
    size_t offset;
    uint64_t bit;
    size_t mask;
  } cases[] = {
      {offsetof(mjSpec, option.o_friction), 15, offsetof(mjSpec, authored.option)},
      {offsetof(mjSpec, option.sdf_iterations), 28, offsetof(mjSpec, authored.option)},
      {offsetof(mjSpec, compiler.conflict), 17, offsetof(mjSpec, compiler.authored)},
      {offsetof(mjSpec, compiler.texturedir), 21, offsetof(mjSpec, compiler.authored)},
      {offsetof(mjSpec, visual.global.bvactive), 12, offsetof(mjSpec, authored.visual_global)},
      {offsetof(mjSpec, visual.quality.numquads), 4, offsetof(mjSpec, authored.visual_quality)},
      {offsetof(mjSpec, visual.headlight.active), 3, offsetof(mjSpec, authored.visual_headlight)},
      {offsetof(mjSpec, visual.map.actuatortendon), 12, offsetof(mjSpec, authored.visual_map)},
      {offsetof(mjSpec, visual.scale.frustum), 16, offsetof(mjSpec, authored.visual_scale)},
      {offsetof(mjSpec, visual.rgba.bvactive), 24, offsetof(mjSpec, authored.visual_rgba)},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    mjSpec* s = test_own_spec(mj_makeSpec());
    authored_note(spec_tree(s), cases[i].offset, 0);
    uint64_t mask;
    memcpy(&mask, (char*)s + cases[i].mask, sizeof(mask));
    assert_int_equal(mask, (uint64_t)1 << cases[i].bit);
  }
  mjSpec* s = test_own_spec(mj_makeSpec());
  authored_note(spec_tree(s), offsetof(mjSpec, option.enableflags), 6);
  assert_int_equal(s->authored.enableflags, 6);
  authored_note(spec_tree(s), offsetof(mjSpec, nkey), 0);
  assert_int_equal(s->authored.option, 0);
}
