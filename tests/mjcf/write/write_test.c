// write*.c: what is saved is the model that was loaded.

#include <condyle/load.h>
#include <unistd.h>

#include "base/text/text.h"
#include "base/text/text_format.h"
#include "mjcf/document.h"
#include "support/bridge.h"
#include "support/load.h"
#include "support/precision.h"
#include "support/test.h"

static char error[1000];

// A spec from a text, and what it compiles to; the test owns both.
static mjSpec* compiled(const char* xml, mjModel** m) {
  mjSpec* spec = test_spec(xml);
  *m = test_compile(spec);
  return spec;
}

// What it is saved as; the caller frees it.
static char* saved(const mjSpec* spec) {
  enum {
    ROOM = 1 << 20
  };
  char* text = malloc(ROOM);
  if (mj_saveXMLString(spec, text, ROOM, error, sizeof(error))) {
    fail_msg("%s", error);
  }
  return text;
}

// The saved text of a text.
static char* rewritten(const char* xml) {
  mjModel* m;
  mjSpec* spec = compiled(xml, &m);
  char* text = saved(spec);
  return text;
}

// Numbers differ by the rounding of unit vectors and quaternions that are normalised again.
static void assert_reads_back(const char* text, const mjModel* m) {
  mjModel* back;
  compiled(text, &back);
  if (bridge_compare_models(m, back, NULL, last_digits())) {
    fail_msg("the saved text is another model:\n%.2000s", text);
  }
}

static void assert_round_trip(const char* xml) {
  mjModel* m;
  mjSpec* spec = compiled(xml, &m);
  char* text = saved(spec);
  assert_reads_back(text, m);
  free(text);
}

static void assert_file_round_trip(const char* file) {
  char path[500], out[100];
  snprintf(path, sizeof(path), "%s/%s", CONDYLE_SOURCE_DIR, file);
  mjModel* m = test_own_model(mj_loadXML(path, NULL, error, sizeof(error)));
  snprintf(out, sizeof(out), "write_test_%d.xml", (int)getpid());
  for (int with_model = 0; with_model < 2; with_model++) {
    assert_int_equal(mj_saveLastXML(out, with_model ? m : NULL, error, sizeof(error)), 1);
    mjModel* back = cnd_loadXML(out, NULL, NULL);
    remove(out);
    assert_non_null(back);
    assert_int_equal(bridge_compare_models(m, back, NULL, last_digits()), 0);
    mj_deleteModel(back);
  }
  test_release(m);
}

// Recorded from the reference.
TEST(attributes_stand_in_the_order_of_release_337) {
  static const char* const lines[] = {
      ("<joint name=\"j\" pos=\"0 0 0\" axis=\"0 0 1\" type=\"slide\" range=\"0 1\" "
       "armature=\"0.5\" damping=\"2\"/>"),
      ("<geom name=\"g\" size=\"0.5 0.5 0.5\" pos=\"1 0 0\" type=\"box\" contype=\"2\" "
       "gap=\"0.5\" mass=\"3\" rgba=\"1 0 0 1\"/>"),
      "<site name=\"s\" pos=\"0 0 1\" group=\"2\" type=\"box\"/>",
      "<light name=\"l\" pos=\"1 0 0\" dir=\"0 0 -1\" type=\"directional\" castshadow=\"false\"/>",
      ("<connect name=\"c\" body1=\"b\" body2=\"world\" anchor=\"0 0 1\" active=\"false\" "
       "solref=\"0.5\"/>"),
      "<joint joint1=\"j\" polycoef=\"0 1 0 0 0\"/>",
      "<camera name=\"v\" pos=\"0 0 0\" fovy=\"40\"/>",
      "<jointpos joint=\"j\" name=\"p\" cutoff=\"1\"/>",
      "<framepos objtype=\"site\" objname=\"s\" reftype=\"body\" refname=\"b\" name=\"f\"/>",
      "<general name=\"m\" joint=\"j\" ctrlrange=\"0 1\" forcerange=\"0 2\" gear=\"2 0 0 0 0 0\"/>",
  };
  char* text = rewritten(
      "<mujoco><worldbody><camera name='v' fovy='40'/><light name='l' castshadow='false' "
      "type='directional' pos='1 0 0'/>"
      "<body name='b'><joint type='slide' name='j' damping='2' armature='.5' range='0 1'/>"
      "<geom type='box' name='g' mass='3' rgba='1 0 0 1' gap='.5' contype='2' pos='1 0 0' "
      "size='.5 .5 .5'/><site type='box' group='2' name='s' pos='0 0 1'/></body></worldbody>"
      "<equality><connect active='false' name='c' solref='.5 1' anchor='0 0 1' body1='b' "
      "body2='world'/><joint joint1='j'/></equality><actuator><motor name='m' joint='j' gear='2' "
      "forcerange='0 2' "
      "ctrlrange='0 1'/></actuator><sensor><jointpos name='p' joint='j' cutoff='1'/>"
      "<framepos name='f' objtype='site' reftype='body' objname='s' "
      "refname='b'/></sensor></mujoco>");
  for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
    if (!strstr(text, lines[i])) {
      fail_msg("no line %s in\n%s", lines[i], text);
    }
  }
  free(text);
}

TEST(models_read_back_equal) {
  assert_file_round_trip("models/humanoid.xml");
  assert_file_round_trip("models/chain.xml");
  assert_file_round_trip("models/limits.xml");
  assert_file_round_trip("models/rubble.xml");
  assert_file_round_trip("models/hand.xml");
}

// Its class may have a range, which a free joint need not share.
TEST(free_joints_read_back_equal_whatever_their_class) {
  static const char* const attributes[] = {
      "range='-5 95'",
      "range='-1 2' margin='.1'",
      "limited='false' range='-3 4'",
      "pos='1 2 3' axis='1 0 0' group='3'",
      "ref='20' springref='10' stiffness='3'",
      "springdamper='.1 1' armature='.1'",
      "actuatorfrcrange='-1 1' user='1 2'",
      "solreflimit='.03 1' solimpfriction='.8 .9 .01 .5 2'",
  };
  static const char* const joints[] = {
      "<freejoint/>",
      "<freejoint name='f' group='2' align='true'/>",
      "<joint type='free'/>",
      "<joint type='free' class='other'/>",
      "<joint type='free' range='-1 5'/>",
  };
  for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
    for (size_t k = 0; k < sizeof(joints) / sizeof(joints[0]); k++) {
      char xml[1000];
      snprintf(xml, sizeof(xml),
               "<mujoco><default><joint %s/><default class='other'><joint range='-7 8'/></default>"
               "</default><worldbody><body><geom size='1'/>%s<body pos='1 0 0'><joint/>"
               "<geom size='.1'/></body></body></worldbody></mujoco>",
               attributes[i], joints[k]);
      assert_round_trip(xml);
    }
  }
}

TEST(a_model_with_something_of_everything_reads_back_equal) {
  assert_file_round_trip("tests/mjcf/write_model.xml");
}

// settings that shape masses are not written, what they made of the masses is
TEST(masses_read_back_equal_whatever_made_them) {
  static const char* const compilers[] = {
      "settotalmass='3'",
      "inertiafromgeom='true'",
      "inertiafromgeom='false'",
      "inertiagrouprange='1 2'",
      "balanceinertia='true'",
      "boundmass='0.3' boundinertia='0.2'",
      "settotalmass='3' boundmass='0.3'",
      "saveinertial='true'",
      "alignfree='true'",
  };
  for (size_t i = 0; i < sizeof(compilers) / sizeof(compilers[0]); i++) {
    char xml[1500];
    snprintf(xml, sizeof(xml),
             "<mujoco><compiler %s/><worldbody>"
             "<frame pos='1 2 3' euler='0 10 0'><body name='a' pos='0 0 1'><freejoint/>"
             "<inertial pos='0.1 0 0' mass='2' diaginertia='0.1 0.2 0.25'/>"
             "<geom size='0.1' group='1'/></body>"
             "<body><body pos='0 1 0'/></body></frame>"
             "<body name='b' pos='0 1 0'><freejoint/><geom size='0.1 0.2' type='capsule' "
             "group='1' pos='0.1 0 0' euler='20 0 0'/><geom size='0.2' group='0'/>"
             "<inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/></body>"
             "</worldbody></mujoco>",
             compilers[i]);
    assert_round_trip(xml);
  }
}

// Numbers that are none, or too small to be read, give a file that can be read.
TEST(a_number_that_is_none_is_saved_as_one) {
  static const char* const texts[] = {
      "<body><inertial pos='0 nan 0' mass='1' diaginertia='nan 1 1'/><geom size='1' pos='nan 1 "
      "0'/>",
      "<site size='nan 1 1' type='box'/><body><joint name='j' springdamper='1 nan'/><geom "
      "size='1'/>",
      "<geom size='1' rgba='nan 0 0 1'/><body quat='1e308 1 0 0'><geom size='1' margin='nan'/>",
  };
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    char xml[1000];
    snprintf(xml, sizeof(xml),
             "<mujoco><worldbody><site name='a'/><site name='b' pos='1 0 0'/>%s</body></worldbody>"
             "<tendon><spatial width='nan'><site site='a'/><site site='b'/></spatial></tendon>"
             "</mujoco>",
             texts[i]);
    assert_round_trip(xml);
  }
}

TEST(custom_fields_without_a_name_read_back_equal) {
  mjSpec* spec = test_own_spec(mj_makeSpec());
  mjsBody* body = mjs_addBody(mjs_findBody(spec, "world"), NULL);
  mjs_setName(body->element, "b");
  mjsNumeric* numeric = mjs_addNumeric(spec);
  numeric->size = 2;
  mjs_setDouble(numeric->data, (const double[]){1, 2}, 2);
  mjs_setString(mjs_addText(spec)->data, "text");
  mjsTuple* tuple = mjs_addTuple(spec);
  mjs_setInt(tuple->objtype, (const int[]){mjOBJ_BODY}, 1);
  mjs_setStringVec(tuple->objname, "b");
  mjs_setDouble(tuple->objprm, (const double[]){3}, 1);
  mjModel* m = test_compile(spec);
  char* text = saved(spec);
  assert_reads_back(text, m);
  free(text);
}

// A chain of bodies in each other, each with a geom, saved; what it is saved as, NULL if it is not.
static char* saved_chain(int nbody, int nframe) {
  mjSpec* spec = test_own_spec(mj_makeSpec());
  mjsBody* body = mjs_findBody(spec, "world");
  for (int i = 0; i < nbody; i++) {
    body = mjs_addBody(body, NULL);
    mjs_addGeom(body, NULL)->size[0] = 1;
  }
  mjsFrame* frame = NULL;
  for (int i = 0; i < nframe; i++) {
    frame = mjs_addFrame(body, frame);
    mjs_setName(frame->element, i ? "" : "first");
  }
  mjModel* m = test_compile(spec);
  enum {
    ROOM = 1 << 20
  };
  char* text = malloc(ROOM);
  assert_non_null(text);
  if (mj_saveXMLString(spec, text, ROOM, error, sizeof(error))) {
    free(text);
    text = NULL;
  } else {
    assert_reads_back(text, m);
  }
  return text;
}

TEST(what_is_nested_too_deep_to_be_read_is_not_saved) {
  const int most = DOCUMENT_MAX_DEPTH - 3;
  char* text = saved_chain(most, 0);
  assert_non_null(text);
  assert_that(strlen(text), <, 500 * (size_t)most);
  free(text);
  assert_null(saved_chain(most + 1, 0));
  assert_non_null(strstr(error, "body '' stands in more than 1000 elements"));
  assert_null(saved_chain(20000, 0));
  assert_null(saved_chain(most, 1));
  assert_null(saved_chain(1, 20000));
}

static void assert_text(const char* xml, const char* has, const char* lacks) {
  char* text = rewritten(xml);
  if (!strstr(text, has) || (lacks && strstr(text, lacks))) {
    fail_msg("expected %s and not %s in\n%.2000s", has, lacks ? lacks : "nothing", text);
  }
  free(text);
  assert_round_trip(xml);
}

#define FREE_BODY(x) "<worldbody><body><freejoint/>" x "</body></worldbody></mujoco>"
#define INERTIAL "<inertial pos='0 0 0' mass='2' diaginertia='.1 .2 .25'/>"

TEST(a_mass_makes_its_density_and_weighed_geoms_their_inertial_superfluous) {
  assert_text("<mujoco>" FREE_BODY("<geom size='.1' mass='2' density='30'/>"),
              "<geom size=\"0.1\" mass=\"2\"/>", NULL);
  assert_text(
      "<mujoco><default><geom mass='2'/></default>" FREE_BODY("<geom size='.1' density='30'/>"),
      "<geom size=\"0.1\"/>", NULL);
  assert_text("<mujoco><compiler inertiafromgeom='true'/>" FREE_BODY(INERTIAL "<geom size='.1'/>"),
              "<geom", "<inertial");
  assert_text("<mujoco><compiler balanceinertia='true'/>" FREE_BODY("<geom size='.1'/>"), "<geom",
              "<inertial");

  // but where it counts
  assert_text(
      "<mujoco><compiler inertiafromgeom='true'/>" FREE_BODY(INERTIAL "<geom size='.1' mass='0'/>"),
      "<inertial pos=\"0 0 0\" mass=\"2\"", NULL);
  assert_text("<mujoco>" FREE_BODY(INERTIAL "<geom size='.1'/>"), "<inertial", NULL);
}

// An inertial that geoms gave is written once a program has changed it.
TEST(a_changed_mass_is_saved_where_an_inertial_was_given) {
  mjModel* m;
  mjSpec* spec = compiled(
      "<mujoco><compiler inertiafromgeom='true'/>" FREE_BODY(INERTIAL "<geom size='.1'/>"), &m);
  assert_int_equal(mj_copyBack(spec, m), 1);
  char* text = saved(spec);
  assert_null(strstr(text, "<inertial"));
  free(text);
  m->body_mass[1] = 7;
  assert_int_equal(mj_copyBack(spec, m), 1);
  text = saved(spec);
  assert_non_null(strstr(text, "mass=\"7\""));
  free(text);
}

// written once each, in document order, their content where it counts
TEST(frames_keep_names_and_classes_and_order) {
  const char* xml =
      "<mujoco><default><default class='c'><geom size='0.3'/></default></default><worldbody>"
      "<geom name='first' size='0.1'/>"
      "<frame name='f' pos='1 0 0' childclass='c'><geom name='second'/><body name='x'>"
      "<geom name='inx'/></body></frame>"
      "<geom name='third' size='0.2'/><frame pos='0 1 0'><geom name='fourth' size='0.1'/></frame>"
      "</worldbody></mujoco>";
  assert_round_trip(xml);
  char* text = rewritten(xml);
  assert_non_null(strstr(text, "<frame name=\"f\" childclass=\"c\">\n      <geom name=\"second\""));
  assert_null(strstr(strstr(text, "<frame") + 1, "<frame"));
  free(text);
}

TEST(a_program_that_scatters_a_frame_saves_the_same_model) {
  mjSpec* spec = test_own_spec(mj_makeSpec());
  mjsBody* world = mjs_findBody(spec, "world");
  mjsFrame* frame = mjs_addFrame(world, NULL);
  mjs_setName(frame->element, "f");
  frame->pos[0] = 2;
  for (int i = 0; i < 4; i++) {
    mjsGeom* geom = mjs_addGeom(world, NULL);
    geom->size[0] = 0.1 * (i + 1);
    if (i % 2) {
      mjs_setFrame(geom->element, frame);
    }
  }
  mjModel* m = test_compile(spec);
  char* text = saved(spec);
  assert_reads_back(text, m);
  free(text);
}

TEST(only_what_differs_from_the_class_is_written) {
  char* text = rewritten(
      "<mujoco model='m'><default><geom rgba='1 0 0 1'/></default><worldbody>"
      "<geom size='0.5' rgba='1 0 0 1' condim='3' pos='0 0 0'/></worldbody></mujoco>");
  assert_string_equal(text,
                      "<mujoco model=\"m\">\n"
                      "  <compiler angle=\"radian\"/>\n"
                      "\n"
                      "  <default>\n"
                      "    <geom rgba=\"1 0 0 1\"/>\n"
                      "  </default>\n"
                      "\n"
                      "  <worldbody>\n"
                      "    <geom size=\"0.5\"/>\n"
                      "  </worldbody>\n"
                      "</mujoco>\n");
  free(text);
}

// whether or not the model holds all digits of the class's
TEST(what_has_the_value_of_its_class_is_not_written) {
  char* text = rewritten(
      "<mujoco><default><geom friction='0.123456789012'/><joint damping='0.3' axis='0 1 0'/>"
      "</default><worldbody><body><joint/><geom size='0.1'/></body></worldbody></mujoco>");
  assert_non_null(strstr(text, "<joint pos=\"0 0 0\" axis=\"0 1 0\"/>"));
  assert_non_null(strstr(text, "<geom size=\"0.1\"/>"));
  free(text);
}

// as 3.3.7 writes them; those of an element are as many as its type has
TEST(sizes_of_a_class_are_written_whole) {
  char* text = rewritten(
      "<mujoco><default><geom size='0.3'/><site size='0.05 0.1'/></default><worldbody><geom/>"
      "</worldbody></mujoco>");
  assert_non_null(strstr(text, "<geom size=\"0.3 0 0\"/>"));
  assert_non_null(strstr(text, "<site size=\"0.05 0.1 0.005\"/>"));
  assert_non_null(strstr(text, "    <geom/>"));
  free(text);
}

// A weld without a pose goes on to take that of the reference configuration, unless a model was
// copied back.
TEST(an_open_pose_of_a_weld_stays_open) {
  mjSpec* spec = test_spec(
      "<mujoco><worldbody><body name='a'><freejoint/><geom size='.1'/></body><body name='b' "
      "pos='1 0 1'><freejoint/><geom size='.1'/></body></worldbody><equality><weld body1='a' "
      "body2='b'/><weld body1='a' relpose='0 1 0 2 0 0 0'/></equality></mujoco>");
  mjModel* m = test_compile(spec);
  char* text = saved(spec);
  assert_non_null(strstr(text, "relpose=\"0 0 0 0 0 0 0\""));
  assert_non_null(strstr(text, "relpose=\"0 1 0 1 0 0 0\""));
  free(text);
  m->eq_data[3] = 5;
  assert_int_equal(mj_copyBack(spec, m), 1);
  text = saved(spec);
  assert_non_null(strstr(text, "relpose=\"5 0 1 1 0 0 0\""));
  free(text);
}

TEST(textures_are_written_with_their_class) {
  const char* xml =
      "<mujoco><default><texture type='2d' width='8'/><default class='a'>"
      "<texture height='4' builtin='flat' gridsize='3 4' gridlayout='.U..LFRB.D..'/></default>"
      "</default><asset><texture name='m' builtin='flat' height='2'/>"
      "<texture name='a' class='a'/></asset></mujoco>";
  char* text = rewritten(xml);
  assert_non_null(strstr(text, "<texture type=\"2d\" width=\"8\"/>"));
  assert_non_null(strstr(text,
                         "<texture gridsize=\"3 4\" gridlayout=\".U..LFRB.D..\""
                         " builtin=\"flat\" height=\"4\"/>"));
  assert_non_null(
      strstr(text, "<texture type=\"2d\" colorspace=\"auto\" name=\"a\" class=\"a\"/>"));
  free(text);
  assert_round_trip(xml);
}

TEST(what_later_releases_added_is_written_and_read_back) {
  static const char* const parts[][2] = {
      {"<compiler conflict='merge'/>", "conflict=\"merge\""},
      {"<worldbody><body simple='false'><freejoint/><geom size='.1'/></body></worldbody>",
       "simple=\"false\""},
      {"<worldbody><body fuse='false'/></worldbody>", "fuse=\"false\""},
      {"<worldbody><body sleep='init'><freejoint/><geom size='.1'/></body></worldbody>",
       "sleep=\"init\""},
      {"<option sleep_tolerance='.002'><flag sleep='enable'/></option>",
       "<option sleep_tolerance=\"0.002\">"},
      {"<option><flag sleep='enable'/></option>", "<flag sleep=\"enable\"/>"},
      {"<default><tendon armature='2' actuatorfrclimited='true' actuatorfrcrange='-1 2'/></default>"
       "<worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><tendon><fixed>"
       "<joint joint='j' coef='1'/></fixed></tendon>",
       "<tendon actuatorfrclimited=\"true\" actuatorfrcrange=\"-1 2\" armature=\"2\"/>"},
      {"<custom><text name='t'><![CDATA[a<b\n]]></text></custom>", "data=\"a&lt;b&#10;\""},
      {"<asset><mesh name='m' builtin='cylinder' params='4 4 3 .1 .1 .1'/></asset><worldbody><body>"
       "<freejoint/><geom type='mesh' mesh='m'/></body></worldbody>",
       "vertex="},
      {"<asset><mesh name='m' builtin='ellipsoid' params='4 4 3 .1 .1 .1 2'/></asset><worldbody>"
       "<body name='b'><geom type='mesh' mesh='m'/><flexcomp name='f' mesh='m' dim='2'/></body>"
       "</worldbody>",
       "inertia=\"shell\""},
      {"<worldbody><body name='a'><geom size='.1'/></body><attach body='a' "
       "prefix='p_'/></worldbody>",
       "p_a"},
  };
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    char xml[1000];
    snprintf(xml, sizeof(xml), "<mujoco>%s</mujoco>", parts[i][0]);
    char* text = rewritten(xml);
    if (!strstr(text, parts[i][1])) {
      fail_msg("no %s in:\n%s", parts[i][1], text);
    }
    free(text);
    assert_round_trip(xml);
  }
}

TEST(what_means_something_in_xml_is_escaped) {
  assert_round_trip(
      "<mujoco model='a &amp; b'><custom><text name='&lt;&quot;' data=' x&#10;y&#9;z\"&gt; '/>"
      "</custom></mujoco>");
}

TEST(changes_of_the_model_are_in_the_saved_file) {
  mjModel* m;
  mjSpec* spec = compiled(
      "<mujoco><worldbody><body><joint name='j' range='-20 30'/><geom size='.1'/></body>"
      "</worldbody><actuator><position joint='j' kp='10' dampratio='1'/></actuator></mujoco>",
      &m);

  // a damping ratio stays one until a model comes back
  char* text = saved(spec);
  assert_non_null(strstr(text, "biasprm=\"0 -10 1\""));
  free(text);

  m->opt.timestep = 0.004;
  m->dof_damping[0] = 0.5;
  m->body_pos[3] = 7;
  m->stat.extent = 99;
  assert_int_equal(mj_copyBack(spec, m), 1);
  text = saved(spec);
  assert_non_null(strstr(text, "timestep=\"0.004\""));
  assert_non_null(strstr(text, "damping=\"0.5\""));
  assert_non_null(strstr(text, "<body pos=\"7 0 0\">"));
  assert_non_null(strstr(text, "<statistic extent=\"99\"/>"));
  assert_null(strstr(text, "biasprm=\"0 -10 1\""));
  free(text);

  // compiling again takes the spec's numbers
  test_compile(spec);
  text = saved(spec);
  assert_null(strstr(text, "timestep"));
  free(text);

  mjModel* other;
  compiled("<mujoco/>", &other);
  assert_int_equal(mj_copyBack(spec, other), 0);
}

TEST(only_a_compiled_spec_can_be_written) {
  mjSpec* spec = mj_makeSpec();
  char text[500] = "";
  assert_int_equal(mj_saveXMLString(spec, text, sizeof(text), error, sizeof(error)), -1);
  assert_non_null(strstr(error, "Only compiled model can be written"));
  assert_int_equal(mj_saveXML(spec, "none.xml", error, sizeof(error)), -1);

  // what was added since is unknown to the last model
  mj_deleteModel(mj_compile(spec, NULL));
  assert_int_equal(mj_saveXMLString(spec, text, sizeof(text), NULL, 0), 0);
  mjs_addGeom(mjs_findBody(spec, "world"), NULL)->size[0] = 1;
  assert_int_equal(mj_saveXMLString(spec, text, sizeof(text), error, sizeof(error)), -1);
  mj_deleteSpec(spec);
}

TEST(no_spec_is_not_written) {
  char text[10] = "before";
  char name[100];
  snprintf(name, sizeof(name), "write_test_%d.xml", (int)getpid());
  strcpy(error, "before");
  assert_int_equal(mj_saveXMLString(NULL, text, sizeof(text), error, sizeof(error)), -1);
  assert_string_equal(error, "Cannot write empty model");
  assert_string_equal(text, "before");
  strcpy(error, "before");
  assert_int_equal(mj_saveXML(NULL, name, error, sizeof(error)), -1);
  assert_string_equal(error, "Cannot write empty model");
  assert_int_equal(access(name, F_OK), -1);
  assert_int_equal(mj_saveXML(NULL, NULL, NULL, 0), -1);
  assert_int_equal(mj_saveXMLString(NULL, NULL, 0, NULL, 0), -1);
}

TEST(a_buffer_that_is_too_short_learns_the_length) {
  mjSpec* spec = mj_makeSpec();
  mj_deleteModel(mj_compile(spec, NULL));
  char text[500];
  assert_int_equal(mj_saveXMLString(spec, text, sizeof(text), error, sizeof(error)), 0);
  assert_string_equal(text,
                      "<mujoco model=\"MuJoCo Model\">\n"
                      "  <compiler angle=\"radian\"/>\n"
                      "\n"
                      "  <worldbody/>\n"
                      "</mujoco>\n");
  int length = (int)strlen(text);
  assert_int_equal(mj_saveXMLString(spec, text, length, error, sizeof(error)), length);
  assert_non_null(strstr(error, "Output string too short, should be at least"));
  assert_int_equal(mj_saveXMLString(spec, text, length + 1, error, sizeof(error)), 0);
  mj_deleteSpec(spec);
}

TEST(nothing_is_saved_before_something_is_loaded) {
  mj_freeLastXML();
  assert_int_equal(mj_saveLastXML("none.xml", NULL, error, sizeof(error)), 0);
  assert_string_equal(error, "No XML model loaded");
  mj_deleteModel(mj_loadXML(CONDYLE_SOURCE_DIR "/models/chain.xml", NULL, error, sizeof(error)));
  assert_int_equal(mj_saveLastXML("no/such/place.xml", NULL, error, sizeof(error)), 0);
  mj_freeLastXML();
}

TEST(models_loaded_with_a_list_of_problems_can_be_saved) {
  char out[100];
  mj_freeLastXML();
  mj_deleteModel(cnd_loadXML(CONDYLE_SOURCE_DIR "/models/chain.xml", NULL, NULL));
  snprintf(out, sizeof(out), "write_test_%d.xml", (int)getpid());
  assert_int_equal(mj_saveLastXML(out, NULL, error, sizeof(error)), 1);
  mj_deleteModel(cnd_loadXMLString("<mujoco model='text'/>", NULL, NULL));
  assert_int_equal(mj_saveLastXML(out, NULL, error, sizeof(error)), 1);
  mjSpec* spec = mj_parseXML(out, NULL, error, sizeof(error));
  assert_string_equal(mjs_getString(spec->modelname), "text");
  mj_deleteSpec(spec);
  remove(out);
  mj_freeLastXML();
}

TEST(numbers_read_back_exactly_and_stay_short) {
  static const double reals[] = {0.1, 1.0 / 3, 1e300, -5e-324, 123456789012345678.0, 2.5e-7, 100};
  static const char* const texts[] = {"0.1", NULL, "1e+300", NULL, NULL, "2.5e-07", "100"};
  for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
    char text[TEXT_NUMBER_BYTES];
    double back;
    const char* cursor = text;
    text_formatreal(text, reals[i]);
    if (reals[i] != -5e-324) {
      assert_int_equal(text_real(&back, &cursor), TEXT_OK);
      assert_that(back, ==, reals[i]);
    }
    if (texts[i]) {
      assert_string_equal(text, texts[i]);
    }
  }
  char text[TEXT_NUMBER_BYTES];
  text_formatsingle(text, 0.3f);
  assert_string_equal(text, "0.3");
  text_formatreal(text, -0.0);
  assert_string_equal(text, "0");
}
