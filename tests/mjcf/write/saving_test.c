// Ways of saving: values as written or as compiled, in the notation of the author or not.

#include <condyle/condyle.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

#define MODEL                                                                                   \
  "<default><geom rgba='1 0 0 1'/><default class='c'><joint damping='1'/></default></default>"  \
  "<worldbody><frame name='f' pos='1 0 0' euler='0 0 30' scale='2'><body name='b' pos='1 2 3' " \
  "euler='10 20 30' childclass='c'><joint name='j' range='-90 90'/><geom type='capsule' "       \
  "size='.1' fromto='0 0 0 0 0 1'/></body></frame><body name='free'><freejoint align='true'/>"  \
  "<geom size='.123456789012'/></body></worldbody><actuator><position joint='j' kp='3'/>"       \
  "</actuator></mujoco>"

// The text of a spec that was not compiled.
static const char* save(const char* compiler) {
  static char text[10000];
  char xml[3000], error[300] = "";
  snprintf(xml, sizeof(xml), "<mujoco><compiler %s/>" MODEL, compiler);
  mjSpec* s = test_spec(xml);
  if (mj_saveXMLString(s, text, sizeof(text), error, sizeof(error))) {
    snprintf(text, sizeof(text), "%s", error);
  }
  return text;
}

static void assert_part(const char* text, const char* part, int has) {
  if ((strstr(text, part) != NULL) != has) {
    fail_msg("'%s' %s in\n%s", part, has ? "is not" : "is", text);
  }
}

TEST(a_spec_is_saved_as_written_without_being_compiled) {
  const char* text = save("savecompiled='false' savecanonical='false'");
  const char* parts[] = {"<frame name=\"f\" pos=\"1 0 0\" euler=\"0 0 30\" scale=\"2\">",
                         "euler=\"10 20 30\"",
                         "range=\"-90 90\"",
                         "fromto=\"0 0 0 0 0 1\"",
                         "<freejoint align=\"true\"/>",
                         "size=\"0.123456789012\"",
                         "<default class=\"c\">"};
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    assert_part(text, parts[i], 1);
  }
  assert_part(text, "angle=", 0);
  assert_part(text, "save", 0);
}

TEST(canonical_notation_is_quaternions_radians_and_sizes) {
  const char* text = save("savecompiled='false'");
  assert_part(text, "angle=\"radian\"", 1);
  assert_part(text, "quat=\"0.9659258262890683 0 0 0.25881904510252074\"", 1);
  assert_part(text, "range=\"-1.5707963267948966 1.5707963267948966\"", 1);
  assert_part(text, "size=\"0.1 0.5\"", 1);
  assert_part(text, "scale=\"2\"", 1);
  assert_part(text, "euler", 0);
  assert_part(text, "fromto", 0);
}

TEST(values_as_compiled_need_a_compiled_model) {
  assert_part(save(""), "Only compiled model can be written", 1);
}

// Do two models differ in an array? Real numbers may by a tolerance.
static int array_differs(const mjModel* a, const mjModel* b, const char* name, double tolerance) {
  cndArray x, y;
  if (!cnd_modelArray(&x, a, name) || !cnd_modelArray(&y, b, name)) {
    return 1;
  }
  size_t n = x.rows * x.columns;
  const char* type = x.field->type;
  if (n != y.rows * y.columns) {
    print_error("  %s has %zu numbers, not %zu\n", name, y.rows * y.columns, n);
    return 1;
  }
  if (!strcmp(type, "mjtNum")) {
    return n && numbers_differ(name, (const mjtNum*)y.data, (const mjtNum*)x.data, n, tolerance, 1);
  }
  if (!strcmp(type, "float")) {
    double least = tolerance > 0 ? 1e-6 : 0;
    return n && numbers_differ(name, (const float*)y.data, (const float*)x.data, n, least, 1);
  }
  if (n && memcmp(x.data, y.data, n * x.field->size) != 0) {
    print_error("  %s differs\n", name);
    return 1;
  }
  return 0;
}

// Does saving as written, and reading that again, give a model with the same numbers?
static void round_trip(const char* file, int canonical) {
  char path[300], error[500] = "";
  static char text[200000];
  snprintf(path, sizeof(path), CONDYLE_SOURCE_DIR "/%s", file);
  mjSpec* s = test_own_spec(mj_parseXML(path, NULL, error, sizeof(error)));
  const mjModel* m = test_compile(s);
  s->compiler.savecompiled = 0;
  s->compiler.savecanonical = (mjtByte)canonical;
  assert_int_equal(mj_saveXMLString(s, text, sizeof(text), error, sizeof(error)), 0);
  mjSpec* saved = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (!saved) {
    fail_msg("%s: %s", file, error);
  }
  test_own_spec(saved);
  const mjModel* again = test_compile(saved);
  int differ = 0;
  for (int i = 0; i < cnd_modelFieldCount(); i++) {
    differ += array_differs(m, again, cnd_modelField(i)->name, canonical ? 1e-12 : 0);
  }
  if (differ) {
    fail_msg("%s: %d arrays differ", file, differ);
  }
}

static const char* const models[] = {
    "models/chain.xml",
    "models/humanoid.xml",
    "models/hand.xml",
    "tests/mjcf/write_model.xml",
    "tests/models/since/scaled.xml",
    "tests/models/since/terms.xml",
    "tests/models/since/history.xml",
    "tests/models/since/sleep.xml",
};

TEST(what_is_saved_as_written_compiles_to_the_same_numbers) {
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    round_trip(models[i], 0);
  }
  round_trip("tests/models/since/stretched.xml", 0);  // a shape between points may turn
}

TEST(what_is_saved_in_canonical_notation_compiles_to_the_same_numbers) {
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    round_trip(models[i], 1);
  }
}
