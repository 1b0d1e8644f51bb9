// Options of contacts: custom elements named condyle.*, what they must be, and who keeps them.

#include <unistd.h>

#include "support/models.h"

static const char kWorld[] =
    "<mujoco>\n<worldbody><geom name='floor' type='plane' size='1 1 1'/>\n"
    "<body><freejoint/><geom name='ball' size='.1'/></body></worldbody>\n"
    "<custom>\n%s\n</custom></mujoco>";

static const char kAll[] =
    "<text name='condyle.contact' data='hard'/>"
    "<numeric name='condyle.iterations' data='60'/>"
    "<numeric name='condyle.tolerance' data='1e-6'/>"
    "<numeric name='condyle.restitution' data='.25'/>"
    "<numeric name='condyle.restitution_threshold' data='.02'/>"
    "<numeric name='condyle.correction' data='.5'/>"
    "<numeric name='condyle.slop' data='1e-3'/>"
    "<numeric name='condyle.correction_velocity' data='2'/>"
    "<tuple name='condyle.restitution'><element objtype='geom' objname='ball' prm='.8'/></tuple>";

static void in_world(char* text, size_t size, const char* custom) {
  snprintf(text, size, kWorld, custom);
}

static mjModel* model_with(const char* custom) {
  char text[3000];
  in_world(text, sizeof text, custom);
  return test_model(text);
}

static void assert_option(const cndContactOption* is, const cndContactOption* should) {
  assert_int_equal(is->mode, should->mode);
  assert_int_equal(is->iterations, should->iterations);
  assert_that(is->tolerance, ==, should->tolerance);
  assert_that(is->restitution, ==, should->restitution);
  assert_that(is->restitution_threshold, ==, should->restitution_threshold);
  assert_that(is->correction, ==, should->correction);
  assert_that(is->slop, ==, should->slop);
  assert_that(is->correction_velocity, ==, should->correction_velocity);
}

static const cndContactOption kStandard = {
    cndCONTACT_SOFT, 120, (mjtNum)1e-10, 0, (mjtNum)0.01, (mjtNum)0.2, (mjtNum)1e-4, (mjtNum)0.5};
static const cndContactOption kGiven = {cndCONTACT_HARD, 60,          (mjtNum)1e-6, (mjtNum)0.25,
                                        (mjtNum)0.02,    (mjtNum)0.5, (mjtNum)1e-3, 2};

static void assert_given(const mjModel* m) {
  assert_option(&m->cnd_contact, &kGiven);
  assert_that(m->cnd_geom_restitution[mj_name2id(m, mjOBJ_GEOM, "floor")], <, 0);
  assert_that(m->cnd_geom_restitution[mj_name2id(m, mjOBJ_GEOM, "ball")], ==, (mjtNum)0.8);
}

TEST(contacts_are_soft_unless_the_model_says_more) {
  mjModel* m = model_with("<text name='condyle' data='no setting'/>");
  assert_option(&m->cnd_contact, &kStandard);
  assert_that(m->cnd_geom_restitution[0], <, 0);
  assert_that(m->cnd_geom_restitution[1], <, 0);
}

TEST(every_setting_is_read) {
  mjModel* m = model_with(kAll);
  assert_given(m);
  test_release(m);
  m = model_with("<text name='condyle.contact' data='stick'/>");
  assert_int_equal(m->cnd_contact.mode, cndCONTACT_STICK);
}

TEST(copies_have_what_the_program_wrote) {
  mjModel* m = model_with(kAll);
  m->cnd_contact.restitution = (mjtNum)0.125;
  m->cnd_geom_restitution[0] = (mjtNum)0.375;
  mjModel* copy = mj_copyModel(NULL, m);
  assert_option(&copy->cnd_contact, &m->cnd_contact);
  assert_that(copy->cnd_geom_restitution[0], ==, (mjtNum)0.375);
  mj_deleteModel(copy);
}

TEST(binary_models_keep_them) {
  char name[100];
  snprintf(name, sizeof name, "contact_options_%d.mjb", (int)getpid());
  mjModel* m = model_with(kAll);
  mj_saveModel(m, name, NULL, 0);
  mjModel* loaded = mj_loadModel(name, NULL);
  remove(name);
  assert_non_null(loaded);
  assert_given(loaded);
  mj_deleteModel(loaded);
}

TEST(binary_models_with_bad_ones_are_refused) {
  char name[100];
  snprintf(name, sizeof name, "contact_options_%d.mjb", (int)getpid());
  mjModel* m = model_with(kAll);
  m->numeric_data[m->numeric_adr[0]] = NAN;
  mj_saveModel(m, name, NULL, 0);
  mju_user_warning = keep_warning;
  mjModel* loaded = mj_loadModel(name, NULL);
  mju_user_warning = NULL;
  remove(name);
  assert_null(loaded);
  assert_non_null(
      strstr(warning_text, "'condyle.iterations' is a whole number of 1 .. 1e+06, not nan"));
}

TEST(written_and_copied_specs_keep_them) {
  char text[3000], written[10000], error[300] = "";
  in_world(text, sizeof text, kAll);
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof error);
  mjSpec* copy = mj_copySpec(spec);
  mjModel* m = mj_compile(copy, NULL);
  assert_given(m);
  assert_int_equal(mj_saveXMLString(copy, written, sizeof written, error, sizeof error), 0);
  mjModel* again = test_model(written);
  assert_given(again);
  mj_deleteModel(m);
  mj_deleteSpec(copy);
  mj_deleteSpec(spec);
}

// custom elements of an attached model get its prefix, so they are not settings of the whole
TEST(attached_models_keep_theirs_to_themselves) {
  char text[3000], error[300] = "";
  in_world(text, sizeof text, kAll);
  mjSpec* child = mj_parseXMLString(text, NULL, error, sizeof error);
  mjSpec* parent = mj_makeSpec();
  mjsBody* world = mjs_findBody(parent, "world");
  assert_non_null(mjs_attach(mjs_addFrame(world, NULL)->element, child->element, "a/", ""));
  mjModel* m = test_compile(parent);
  assert_option(&m->cnd_contact, &kStandard);
  mj_deleteSpec(parent);
  mj_deleteSpec(child);
}

static const struct {
  const char *custom, *message;
} kRefused[] = {
    {"<text name='condyle.contact' data='rigid'/>",
     "'condyle.contact' is 'soft', 'hard' or 'stick'"},
    {"<text name='condyle.contact' data='har'/>", "'condyle.contact' is 'soft'"},
    {"<numeric name='condyle.contact' data='1'/>",
     "'condyle.contact' is given by a <text> element"},
    {"<text name='condyle.slop' data='1'/>", "'condyle.slop' is given by a <numeric> element"},
    {"<text name='condyle.restitution' data='1'/>",
     "'condyle.restitution' is given by a <numeric> element"},
    {"<numeric name='condyle.restitutions' data='1'/>",
     "unknown setting 'condyle.restitutions' (did you mean 'condyle.restitution'?)"},
    {"<text name='condyle.anything' data='1'/>", "unknown setting 'condyle.anything' (names that"},
    {"<tuple name='condyle.slop'><element objtype='geom' objname='ball' prm='1'/></tuple>",
     "'condyle.slop' is given by a <numeric> element"},
    {"<numeric name='condyle.slop' data='0 0'/>", "'condyle.slop' is one number, here are 2"},
    {"<numeric name='condyle.slop' data='0' size='3'/>", "is one number, here are 3"},
    {"<numeric name='condyle.slop' data='-1e-9'/>", "is a finite number of at least 0, not -1e-09"},
    {"<numeric name='condyle.tolerance' data='inf'/>", "is a finite number of at least 0, not inf"},
    {"<numeric name='condyle.restitution' data='1.01'/>", "is a number of 0 .. 1, not 1.01"},
    {"<numeric name='condyle.correction' data='-inf'/>", "is a number of 0 .. 1, not -inf"},
    {"<numeric name='condyle.iterations' data='0'/>", "is a whole number of 1 .. 1e+06, not 0"},
    {"<numeric name='condyle.iterations' data='2.5'/>", "is a whole number of 1 .. 1e+06, not 2.5"},
    {"<numeric name='condyle.iterations' data='1e20'/>", "is a whole number of"},
    {"<tuple name='condyle.restitution'><element objtype='body' objname='world' prm='1'/></tuple>",
     "lists geoms"},
    {"<tuple name='condyle.restitution'><element objtype='geom' objname='ball' prm='-.1'/></tuple>",
     "restitution of geom 'ball' is a number of 0 .. 1, not -0.1"},
    {"<tuple name='condyle.restitution'><element objtype='geom' objname='ball' prm='2'/></tuple>",
     "restitution of geom 'ball' is a number of 0 .. 1, not 2"},
    {"<tuple name='condyle.restitution'><element objtype='geom' objname='ball' prm='.1'/>"
     "<element objtype='geom' objname='ball' prm='.1'/></tuple>",
     "geom 'ball' is listed twice"},
    {"<tuple name='condyle.restitution'><element objtype='geom' objname='bal' prm='.1'/></tuple>",
     "unrecognized object 'bal'"},
};

TEST(wrong_ones_are_errors_with_their_place) {
  for (size_t i = 0; i < sizeof kRefused / sizeof kRefused[0]; i++) {
    char text[3000];
    in_world(text, sizeof text, kRefused[i].custom);
    cndDiagnostics* list = cnd_makeDiagnostics();
    mjModel* m = cnd_loadXMLString(text, NULL, list);
    const cndDiagnostic* error = cnd_diagnostic(list, 0);
    if (m || !error || !strstr(error->message, kRefused[i].message) || error->line != 5) {
      fail_msg("%s: expected \"%s\" in line 5, got \"%s\" in line %d", kRefused[i].custom,
               kRefused[i].message, error ? error->message : "nothing", error ? error->line : 0);
    }
    cnd_deleteDiagnostics(list);
    mj_deleteModel(m);
  }
}

// what a hostile file may write

static const char* const kNames[] = {
    "contact",    "iterations", "tolerance",  "restitution",         "restitution_threshold",
    "correction", "slop",       "correction", "correction_velocity", "",
    "contact.",   "SLOP"};
static const char* const kValues[] = {
    "nan",       "-nan",       "inf",   "-inf",  "1e308", "-1e308",  "1e-320",
    "-1e-320",   "-0",         "1e400", "0x10",  "soft",  "hard",    "stick",
    "hard ",     "",           " ",     "1 nan", "1,2",   "1;",      "%n%s",
    "999999999", "2147483648", "-1",    "1.5",   "1e6",   "1000001", "0 0 0 0"};

static unsigned pick(unsigned* seed, size_t n) {
  *seed = *seed * 1664525u + 1013904223u;
  return (unsigned)((*seed >> 8) % n);
}

static int add_element(char* out, size_t size, unsigned* seed) {
  const char* name = kNames[pick(seed, sizeof kNames / sizeof kNames[0])];
  const char* value = kValues[pick(seed, sizeof kValues / sizeof kValues[0])];
  switch (pick(seed, 8)) {
    case 0:
      return snprintf(out, size, "<text name='condyle.%s' data='%s'/>", name, value);
    case 1:
      return snprintf(out, size,
                      "<tuple name='condyle.%s'><element objtype='geom' objname='ball' "
                      "prm='%s'/></tuple>",
                      name, value);
    case 2:
      return snprintf(out, size, "<numeric name='condyle.%s' data='%s' size='%s'/>", name, value,
                      kValues[pick(seed, sizeof kValues / sizeof kValues[0])]);
    case 3:
      return snprintf(out, size, "<text name='condyle.contact' data='%s'/>",
                      pick(seed, 2) ? "hard" : "stick");
    default:
      return snprintf(out, size, "<numeric name='condyle.%s' data='%s'/>", name, value);
  }
}

// Whatever stands there is an error in the line of an element, or a setting with which one can
// simulate.
TEST(hostile_ones_are_refused_or_harmless) {
  mju_user_warning = keep_warning;
  int refused = 0, taken = 0, count = getenv("CONDYLE_LONG") ? 100000 : 2000;
  for (unsigned seed = 0; seed < (unsigned)count; seed++) {
    char custom[1000], text[3000];
    unsigned dice = seed * 7919 + 1;
    int end = 0;
    for (unsigned n = 1 + pick(&dice, 2); n > 0; n--) {
      end += add_element(custom + end, sizeof custom - (size_t)end, &dice);
    }
    in_world(text, sizeof text, custom);
    cndDiagnostics* list = cnd_makeDiagnostics();
    mjModel* m = cnd_loadXMLString(text, NULL, list);
    const cndDiagnostic* error = cnd_diagnostic(list, 0);
    if (!m && (!error || error->line != 5 || !error->message[0])) {
      fail_msg("%s: \"%s\" in line %d", custom, error ? error->message : "nothing",
               error ? error->line : 0);
    }
    refused += !m;
    taken += m != NULL;
    mjData* d = m ? mj_makeData(m) : NULL;
    for (int k = 0; d && k < 3; k++) {
      d->qpos[2] = (mjtNum)0.0999;
      mj_step(m, d);
      for (int i = 0; i < m->nq; i++) {
        if (!isfinite((double)d->qpos[i])) {
          fail_msg("%s: coordinate %d is %g", custom, i, (double)d->qpos[i]);
        }
      }
    }
    mj_deleteData(d);
    mj_deleteModel(m);
    cnd_deleteDiagnostics(list);
  }
  mju_user_warning = NULL;
  assert_that(refused, >, count / 2);
  assert_that(taken, >, count / 50);
}
