// What a text means: values of the editable model after reading.

#include <condyle/load.h>

#include "spec/spec.h"
#include "support/test.h"

#define WORLD(x) "<mujoco><worldbody>" x "</worldbody></mujoco>"

static mjSpec* parse(const char* text) {
  char error[500];
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (!spec) {
    print_error("%s\n", error);
  }
  assert_non_null(spec);
  return spec;
}

static void* find(mjSpec* spec, mjtObj type, const char* name) {
  mjsElement* element = mjs_findElement(spec, type, name);
  assert_non_null(element);
  return spec_public(spec_object(element));
}

TEST(the_last_setting_wins_and_the_rest_stays) {
  mjSpec* spec = parse(
      "<mujoco><option timestep='0.1' iterations='7' actuatorgroupdisable='1 3'><flag "
      "contact='disable' energy='enable'/></option>"
      "<option timestep='0.2' o_solref='0.5' actuatorgroupdisable='4'><flag contact='enable' "
      "limit='disable'/></option></mujoco>");
  assert_that(spec->option.timestep, ==, (mjtNum)0.2);
  assert_int_equal(spec->option.iterations, 7);
  assert_int_equal(spec->option.disableactuator, 1 << 1 | 1 << 3 | 1 << 4);
  assert_int_equal(spec->option.disableflags, mjDSBL_LIMIT);
  assert_int_equal(spec->option.enableflags, mjENBL_ENERGY);
  assert_that(spec->option.o_solref[0], ==, (mjtNum)0.5);
  assert_that(spec->option.o_solref[1], ==, 1);
  mj_deleteSpec(spec);
}

TEST(memory_has_suffixes) {
  static const struct {
    const char* text;
    mjtSize bytes;
  } cases[] = {{"<mujoco><size memory='123'/></mujoco>", 123},
               {"<mujoco><size memory=' 2K '/></mujoco>", 2048},
               {"<mujoco><size memory='3g'/></mujoco>", (mjtSize)3 << 30},
               {"<mujoco><size memory='1E'/></mujoco>", (mjtSize)1 << 60},
               {"<mujoco><size memory='-1'/></mujoco>", (mjtSize)-1}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    mjSpec* spec = parse(cases[i].text);
    assert_that(spec->memory, ==, cases[i].bytes);
    mj_deleteSpec(spec);
  }
}

TEST(directories_of_one_element_override_its_assetdir) {
  mjSpec* spec = parse("<mujoco><compiler texturedir='t' assetdir='a'/></mujoco>");
  assert_string_equal(mjs_getString(spec->compiler.meshdir), "a");
  assert_string_equal(mjs_getString(spec->compiler.texturedir), "t");
  mj_deleteSpec(spec);
}

TEST(a_class_copies_its_parent_when_it_is_made) {
  mjSpec* spec = parse(
      "<mujoco><default><default class='a'><default class='b'><geom friction='5'/></default><geom "
      "condim='4'/></default>"
      "<geom friction='1 2 3'/></default><default><geom group='3'/></default>"
      "<worldbody><geom name='m' size='1'/><geom name='a' class='a' size='1'/><geom name='b' "
      "class='b' size='1'/></worldbody></mujoco>");
  const mjsGeom *m = find(spec, mjOBJ_GEOM, "m"), *a = find(spec, mjOBJ_GEOM, "a"),
                *b = find(spec, mjOBJ_GEOM, "b");
  assert_int_equal(m->group, 3);
  assert_int_equal(a->group, 0);
  assert_int_equal(m->condim, 3);
  assert_int_equal(b->condim, 4);
  assert_that(b->friction[0], ==, 5);
  assert_that(b->friction[1], ==, 2);
  assert_that(b->friction[2], ==, 3);
  mj_deleteSpec(spec);
}

TEST(textures_have_classes_as_in_later_releases) {
  mjSpec* spec = parse(
      "<mujoco><default><texture type='2d' width='8'/><default class='a'>"
      "<texture height='4' builtin='checker' gridsize='3 4' gridlayout='.U..LFRB.D..'/></default>"
      "</default><asset><texture name='m' height='2' builtin='flat'/>"
      "<texture name='a' class='a' width='16'/></asset></mujoco>");
  const mjsTexture *m = find(spec, mjOBJ_TEXTURE, "m"), *a = find(spec, mjOBJ_TEXTURE, "a");
  assert_int_equal(m->type, mjTEXTURE_2D);
  assert_that(m->width, ==, 8);
  assert_that(m->height, ==, 2);
  assert_int_equal(a->type, mjTEXTURE_2D);
  assert_that(a->width, ==, 16);
  assert_that(a->height, ==, 4);
  assert_int_equal(a->builtin, mjBUILTIN_CHECKER);
  assert_string_equal(a->gridlayout, ".U..LFRB.D..");
  assert_int_equal(a->gridsize[1], 4);
  assert_ptr_equal(mjs_getDefault(a->element), mjs_findDefault(spec, "a"));
  mj_deleteSpec(spec);
}

TEST(tendons_of_a_class_have_its_inertia_and_limits) {
  mjSpec* spec = parse(
      "<mujoco><default><tendon armature='2' actuatorfrclimited='true' actuatorfrcrange='-1 2'/>"
      "<default class='x'><tendon armature='3'/></default></default><tendon><fixed name='a'/>"
      "<spatial name='b' class='x'/></tendon></mujoco>");
  const mjsTendon *a = find(spec, mjOBJ_TENDON, "a"), *b = find(spec, mjOBJ_TENDON, "b");
  assert_that(a->armature, ==, 2);
  assert_that(b->armature, ==, 3);
  assert_int_equal(b->actfrclimited, mjLIMITED_TRUE);
  assert_that(b->actfrcrange[1], ==, 2);
  mj_deleteSpec(spec);
}

#define TEXT(x) "<mujoco><custom><text name='t'" x "</custom></mujoco>"

TEST(a_text_may_stand_in_a_cdata_section) {
  static const struct {
    const char *xml, *data;
  } good[] = {
      {TEXT("><![CDATA[hi <b> & \"c\"\nline]]></text>"), "hi <b> & \"c\"\nline"},
      {TEXT("> x <!-- c --> <![CDATA[ plain ]]> y </text>"), " plain "},
      {TEXT(" data='q'>no matter</text>"), "q"},
      {TEXT("><![CDATA[caf\xE9]]></text>"), "caf\xC3\xA9"},
  };
  static const struct {
    const char *xml, *message;
  } bad[] = {
      {TEXT(" data='q'><![CDATA[one]]></text>"),
       "text field data cannot be specified as both attribute and CDATA"},
      {TEXT("><![CDATA[one]]><![CDATA[two]]></text>"),
       "text field cannot have multiple CDATA sections"},
      {TEXT("><![CDATA[]]></text>"), "text field cannot be empty"},
      {TEXT(">plain</text>"), "required attribute missing: 'data'"},
  };
  for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
    mjSpec* spec = parse(good[i].xml);
    const mjsText* text = find(spec, mjOBJ_TEXT, "t");
    assert_string_equal(mjs_getString(text->data), good[i].data);
    mj_deleteSpec(spec);
  }
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    char error[500] = "";
    assert_null(mj_parseXMLString(bad[i].xml, NULL, error, sizeof(error)));
    if (!strstr(error, bad[i].message)) {
      fail_msg("expected \"%s\", got \"%s\"", bad[i].message, error);
    }
  }
}

TEST(the_innermost_childclass_is_the_active_class) {
  mjSpec* spec = parse(
      "<mujoco><default><default class='a'><geom group='1'/></default><default class='b'><geom "
      "group='2'/></default></default>"
      "<worldbody><frame childclass='a'><geom name='0' size='1'/><body><geom name='1' size='1'/>"
      "<frame childclass='b'><body><geom name='2' size='1'/><geom name='3' class='a' "
      "size='1'/></body></frame><geom name='4' size='1'/></body>"
      "<body childclass='main'><geom name='5' size='1'/></body></frame><geom name='6' "
      "size='1'/></worldbody></mujoco>");
  static const int group[] = {1, 1, 2, 1, 1, 0, 0};
  for (int i = 0; i < 7; i++) {
    char name[2] = {(char)('0' + i), 0};
    assert_int_equal(((const mjsGeom*)find(spec, mjOBJ_GEOM, name))->group, group[i]);
  }
  mj_deleteSpec(spec);
}

TEST(actuators_of_a_class_share_one_prototype) {
  mjSpec* spec = parse(
      "<mujoco><default><position kp='50' kv='3'/><motor gear='7' ctrlrange='-1 1'/></default>"
      "<worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>"
      "<actuator><general name='g' joint='j'/><position name='p' joint='j' kp='9'/><motor name='m' "
      "joint='j'/></actuator></mujoco>");
  const mjsActuator *g = find(spec, mjOBJ_ACTUATOR, "g"), *p = find(spec, mjOBJ_ACTUATOR, "p"),
                    *m = find(spec, mjOBJ_ACTUATOR, "m");
  assert_that(g->gear[0], ==, 7);
  assert_that(p->gear[0], ==, 7);
  assert_that(g->ctrlrange[1], ==, 1);
  assert_that(g->gainprm[0], ==, 1);
  assert_that(p->gainprm[0], ==, 9);
  assert_that(p->biasprm[1], ==, -9);
  assert_that(p->biasprm[2], ==, -3);
  assert_that(m->gainprm[0], ==, 1);
  assert_int_equal(m->trntype, mjTRN_JOINT);
  assert_string_equal(mjs_getString(m->target), "j");
  mj_deleteSpec(spec);
}

TEST(an_alternative_orientation_is_kept_apart_from_the_quaternion) {
  mjSpec* spec = parse(
      "<mujoco><default><site euler='1 2 3'/></default><worldbody><site name='s' quat='0 1 0 0'/>"
      "<geom name='g' size='1' xyaxes='1 0 0 0 1 0'/><frame name='f' zaxis='0 1 "
      "0'/></worldbody></mujoco>");
  const mjsSite* site = find(spec, mjOBJ_SITE, "s");
  assert_int_equal(site->alt.type, mjORIENTATION_EULER);
  assert_that(site->alt.euler[2], ==, 3);
  assert_that(site->quat[1], ==, 1);
  const mjsGeom* geom = find(spec, mjOBJ_GEOM, "g");
  assert_int_equal(geom->alt.type, mjORIENTATION_XYAXES);
  assert_that(geom->alt.xyaxes[4], ==, 1);
  const mjsFrame* frame = mjs_findFrame(spec, "f");
  assert_int_equal(frame->alt.type, mjORIENTATION_ZAXIS);
  mj_deleteSpec(spec);
}

TEST(an_empty_number_is_absent_and_nan_is_a_warning) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjSpec* spec =
      cnd_parseXMLString(WORLD("<geom name='g' size='.1' pos='  ' mass='nan'/>"), NULL, problems);
  assert_non_null(spec);
  const mjsGeom* geom = find(spec, mjOBJ_GEOM, "g");
  assert_that(geom->mass, !=, geom->mass);
  assert_that(geom->pos[0], ==, 0);
  assert_int_equal(cnd_diagnosticCount(problems, cndSEVERITY_ERROR), 0);
  assert_int_equal(cnd_diagnosticCount(problems, cndSEVERITY_WARNING), 1);
  assert_non_null(strstr(cnd_diagnostic(problems, 0)->message, "XML contains a 'NaN'"));
  cnd_deleteDiagnostics(problems);
  mj_deleteSpec(spec);
}

static int nwarning;

static void count_nan(const char* text) {
  nwarning += strcmp(text, "XML contains a 'NaN'. Please check it carefully.") == 0;
}

// Once for each attribute that is read with one, up to the first that is refused; not where the
// caller gets all problems as a list.
TEST(nan_calls_the_hook_for_warnings) {
  static const struct {
    const char* text;
    int count;
  } cases[] = {
      {WORLD("<geom size='1'/>"), 0},
      {WORLD("<geom size='1' pos='nan 0 nan'/>"), 1},
      {WORLD("<geom size='1' pos='NaN 0 nan' rgba='nan 1 1 1'/>"), 2},
      {WORLD("<geom size='nan nan nan nan'/>"), 1},
      {WORLD("<geom size='1' rgba='nan x'/>"), 0},
      {WORLD("<geom size='nan' shape='box'/>"), 0},
      {WORLD("<geom size='nan' group='x'/><geom size='nan'/>"), 1},
      {"<mujoco><custom><numeric name='a' data='nan'/><numeric name='b' data='nan'/></custom>"
       "</mujoco>",
       2},
      {"<robot name='r'><link name='a'><collision><origin xyz='nan nan 0'/><geometry>"
       "<sphere radius='1'/></geometry></collision></link></robot>",
       1},
  };
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = count_nan;
  int wrong = 0;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    nwarning = 0;
    mj_deleteSpec(mj_parseXMLString(cases[i].text, NULL, NULL, 0));
    if (nwarning != cases[i].count) {
      print_error("%s\n  expected %d warnings, found %d\n", cases[i].text, cases[i].count,
                  nwarning);
      wrong++;
    }
    cndDiagnostics* problems = cnd_makeDiagnostics();
    nwarning = 0;
    mj_deleteSpec(cnd_parseXMLString(cases[i].text, NULL, problems));
    wrong += nwarning != 0;
    cnd_deleteDiagnostics(problems);
  }
  mju_user_warning = before;
  assert_int_equal(wrong, 0);
}

TEST(the_reason_survives_a_long_file_name) {
  char name[1600], error[1001];
  memset(name, 'd', sizeof(name));
  for (int i = 100; i < 1500; i += 100) {
    name[i] = '/';
  }
  strcpy(name + 1500, "/m.xml");
  for (int size = 100; size <= 1000; size += 100) {
    assert_null(mj_loadXML(name, NULL, error, size));
    assert_that((int)strlen(error), <, size);
    assert_non_null(strstr(error, "/m.xml': No such file or directory"));
  }
}

TEST(unknown_attributes_in_a_frame_are_ignored_with_a_warning) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjSpec* spec = cnd_parseXMLString(
      WORLD("<frame foo='1'><body class='no'><geom size='1' frction='2'/></body></frame>"), NULL,
      problems);
  assert_non_null(spec);
  assert_int_equal(cnd_diagnosticCount(problems, cndSEVERITY_WARNING), 3);
  cnd_deleteDiagnostics(problems);
  mj_deleteSpec(spec);
}

TEST(elements_know_their_place) {
  mjSpec* spec = parse("<mujoco>\n <worldbody>\n  <geom name='g' size='1'/></worldbody></mujoco>");
  SourcePlace place = spec_object(mjs_findElement(spec, mjOBJ_GEOM, "g"))->place;
  assert_int_equal(place.line, 3);
  assert_int_equal(place.column, 3);
  mj_deleteSpec(spec);
}

TEST(custom_fields_and_keys_hold_their_data) {
  mjSpec* spec = parse(
      "<mujoco><custom><numeric name='n' size='4' data='1 2'/><text name='t' data='a b'/>"
      "<tuple name='u'><element objtype='body' objname='world' prm='2'/></tuple></custom>"
      "<keyframe><key name='k' time='3' qpos='1e0 0x10 .5'/></keyframe></mujoco>");
  int size;
  const mjsNumeric* numeric = find(spec, mjOBJ_NUMERIC, "n");
  assert_int_equal(numeric->size, 4);
  assert_that(mjs_getDouble(numeric->data, &size)[1], ==, 2);
  assert_string_equal(mjs_getString(((const mjsText*)find(spec, mjOBJ_TEXT, "t"))->data), "a b");
  const mjsKey* key = find(spec, mjOBJ_KEY, "k");
  const double* qpos = mjs_getDouble(key->qpos, &size);
  assert_int_equal(size, 3);
  assert_that(qpos[0], ==, 1);
  assert_that(qpos[1], ==, 16);
  assert_that(qpos[2], ==, 0.5);
  assert_that(key->time, ==, 3);
  mj_deleteSpec(spec);
}

TEST(the_model_has_its_name_and_comment) {
  mjSpec* spec = parse("<mujoco model='m'><!-- c --></mujoco>");
  assert_string_equal(mjs_getString(spec->modelname), "m");
  assert_string_equal(mjs_getString(spec->comment), " c ");
  mj_deleteSpec(spec);
}
