// print.c: models and data as text.

#include <unistd.h>

#include "support/bridge.h"
#include "support/caught.h"
#include "support/load.h"
#include "support/ref_scene.h"
#include "support/small_model.h"
#include "support/test.h"

static const char* file_name(int which) {
  static char name[2][100];
  snprintf(name[which], sizeof(name[which]), "print_test_%d_%d.txt", (int)getpid(), which);
  return name[which];
}

// Content of a file, which is removed; the caller frees it.
static char* take_file(const char* name) {
  FILE* file = fopen(name, "rb");
  assert_non_null(file);
  enum {
    ROOM = 1 << 22
  };
  char* text = malloc(ROOM);
  size_t size = fread(text, 1, ROOM - 1, file);
  text[size] = 0;
  fclose(file);
  remove(name);
  return text;
}

TEST(every_object_and_every_size_is_printed) {
  mjModel* m = small_model();
  mj_printModel(m, file_name(0));
  char* text = take_file(file_name(0));
  assert_non_null(strstr(text, "MuJoCo version 3.3.7\nmodel name"));
  assert_non_null(strstr(text, "\nJOINT 1:\n  name                  elbow\n"));
  assert_non_null(strstr(text, "\n  nbody               "));
  assert_non_null(strstr(text, "\n  timestep            0.002   \n"));
  assert_non_null(strstr(text, "\nSIGNATURE\n"));
  free(text);
  mj_deleteModel(m);
}

TEST(data_shows_state_and_results) {
  mjModel* m = test_model_file("models/humanoid.xml");
  mjData* d = test_data(m);
  for (int i = 0; i < 200; i++) {
    mj_step(m, d);
  }
  mj_printFormattedData(m, d, file_name(0), "%.17g");
  char* text = take_file(file_name(0));
  char number[100];
  snprintf(number, sizeof(number), "\nQPOS\n  %.17g\n", d->qpos[0]);
  assert_non_null(strstr(text, number));
  assert_non_null(strstr(text, "\nCONTACT\n  0:\n     dim           "));
  assert_non_null(strstr(text, "\nEFC_J\n"));
  assert_non_null(strstr(text, "\nACTUATOR_MOMENT\n"));
  free(text);

  mj_markStack(d);
  mj_stackAllocNum(d, 1);
  assert_error(mj_printData(m, d, file_name(0)), "stack is in use");
  mj_freeStack(d);
  test_release(m);
  mj_freeLastXML();
}

static char first_warning[200];

static void keep_first(const char* message) {
  if (!first_warning[0]) {
    snprintf(first_warning, sizeof(first_warning), "%s", message);
  }
}

// Recorded from the reference.
TEST(what_is_wrong_with_a_format_is_told) {
  static const char* const wrong[][2] = {
      {"", "Format string must start with '%'."},
      {"%-", "Format string specifier must be one of \"fgGeE\"."},
      {"%.3lf", "Format string specifier must be one of \"fgGeE\"."},
      {"%  g", "Format string contains repeated flag."},
      {"%g %g", "Unable to match format string %g %g with expected pattern for a single float."},
      {"%12345678901234567890f", "Format string longer than limit of 20."},
  };
  mjModel* m = small_model();
  mju_user_warning = keep_first;
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    first_warning[0] = 0;
    mj_printFormattedModel(m, file_name(0), wrong[i][0]);
    assert_string_equal(first_warning, wrong[i][1]);
    remove(file_name(0));
  }
  mju_user_warning = NULL;
  mj_deleteModel(m);
}

// a format is handed to printf only if it asks for one real
TEST(formats_that_are_none_are_refused) {
  static const char* const wrong[] = {
      "%d",  "%s", "%n", "%g%g", "g", "%--5g", "%*g", "%5", "", "%.3g ", "%111111111111111111111g",
      "%lg", NULL};
  mjModel* m = small_model();
  mjData* d = mj_makeData(m);
  mju_user_warning = keep_warning;
  mj_printModel(m, file_name(0));
  mj_printData(m, d, file_name(1));
  char *model = take_file(file_name(0)), *data = take_file(file_name(1));
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    const char* expected = "WARNING: Received invalid float_format. Using default instead.";
    warning_text[0] = 0;
    mj_printFormattedModel(m, file_name(0), wrong[i]);
    assert_string_equal(warning_text, expected);
    warning_text[0] = 0;
    mj_printFormattedData(m, d, file_name(1), wrong[i]);
    assert_string_equal(warning_text, expected);

    // printed as without a format
    char *text = take_file(file_name(0)), *numbers = take_file(file_name(1));
    assert_string_equal(text, model);
    assert_string_equal(numbers, data);
    free(text);
    free(numbers);
  }
  static const char* const right[] = {"%g", "%-8.3f", "% +5.1e", "%#012.4G"};
  for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
    warning_text[0] = 0;
    mj_printFormattedModel(m, file_name(0), right[i]);
    remove(file_name(0));
    assert_string_equal(warning_text, "");
  }
  mj_printModel(m, "no/such/place.txt");
  assert_non_null(strstr(warning_text, "no/such/place.txt"));
  mju_user_warning = NULL;
  free(model);
  free(data);
  mj_deleteData(d);
  mj_deleteModel(m);
}

typedef void PrintModel(const void* m, const char* filename);

TEST(the_reference_prints_the_same_text) {
  BRIDGE_OR_SKIP();
  static const char* const models[] = {"humanoid", "rubble", "limits", "chain"};
  PrintModel* print = (PrintModel*)(uintptr_t)bridge_function("mj_printModel");
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    char path[400];
    snprintf(path, sizeof(path), "%s/models/%s.xml", CONDYLE_SOURCE_DIR, models[i]);
    Bridge* b = bridge_load(path);
    assert_non_null(b);
    print(b->ref_m, file_name(0));
    mj_printModel(b->m, file_name(1));
    char *theirs = take_file(file_name(0)), *ours = take_file(file_name(1));

    // the signature of a structure is no field of the model
    char *theirs_end = strstr(theirs, "\nSIGNATURE"), *ours_end = strstr(ours, "\nSIGNATURE");
    assert_non_null(theirs_end);
    assert_non_null(ours_end);
    *theirs_end = *ours_end = 0;
    assert_string_equal(ours, theirs);
    free(theirs);
    free(ours);
    bridge_free(b);
  }
}

typedef void PrintData(const void* m, const void* d, const char* filename, const char* format);

static const char* const everything =
    "<mujoco><option timestep='.01' %s><flag energy='enable'/></option><size "
    "nuserdata='3'/>"
    "<worldbody><light/><camera/><geom name='floor' type='plane' size='5 5 .1'/><site name='w' "
    "pos='0 0 1'/><body pos='0 0 .09'><freejoint/><geom size='.1' condim='6'/><site name='s'/>"
    "</body><body pos='1 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/><body pos='0 0 .3'>"
    "<joint name='h' range='-10 10'/><joint frictionloss='.1' axis='0 1 0'/><geom size='.1'/><site "
    "name='s2'/></body></body><body pos='-3 -3 3'><freejoint/><geom size='.1'/></body><body "
    "mocap='true' name='m' pos='2 2 2'><geom size='.1'/></body><body name='a' pos='2 0 2'><joint "
    "type='slide' name='sl' damping='1'/><geom size='.1'/></body></worldbody><equality><weld "
    "body1='m' body2='a'/><joint joint1='h' joint2='sl'/></equality><tendon><fixed name='f'><joint "
    "joint='h' coef='1'/></fixed><spatial limited='true' range='0 .1'><site site='w'/><site "
    "site='s2'/></spatial></tendon><actuator><motor joint='h'/><general joint='sl' "
    "dyntype='integrator'/><motor tendon='f'/></actuator><sensor><jointpos joint='h'/><clock/>"
    "</sensor></mujoco>";

// memory and its use are everyone's own, what follows is data
TEST(the_reference_prints_the_same_data) {
  BRIDGE_OR_SKIP();
  static const char* const options[] = {"", "jacobian='sparse'", "solver='PGS' jacobian='dense'",
                                        "integrator='implicit'"};
  static const char* const formats[] = {"% -9.2g", "%12.6f"};
  PrintData* print = (PrintData*)(uintptr_t)bridge_function("mj_printFormattedData");
  for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
    char xml[3000];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(xml, sizeof(xml), everything, options[i]);
#pragma GCC diagnostic pop
    Bridge* b = test_bridge(xml);
    for (int k = 0; k < 5; k++) {
      bridge_run(b, "mj_step");
    }
    bridge_run(b, "mj_forward");
    bridge_pull(b, NULL);
    for (size_t k = 0; k < sizeof(formats) / sizeof(formats[0]); k++) {
      print(b->ref_m, b->ref_d, file_name(0), formats[k]);
      mj_printFormattedData(b->m, b->d, file_name(1), formats[k]);
      char *theirs = take_file(file_name(0)), *ours = take_file(file_name(1));
      const char *a = strstr(ours, "\nENERGY"), *c = strstr(theirs, "\nENERGY");
      assert_true(a);
      assert_true(c);
      assert_that(b->d->ncon, >, 0);
      size_t same = 0;
      while (a[same] && a[same] == c[same]) {
        same++;
      }
      if (a[same] != c[same]) {
        size_t from = same > 200 ? same - 200 : 0;
        fail_msg("%s: ours\n%.300s\nnot\n%.300s", options[i], a + from, c + from);
      }
      free(theirs);
      free(ours);
    }
    test_release(b);
  }
}

typedef void PrintScene(const RefScene* s, const char* filename, const char* format);

// Both print our scene.
TEST(the_reference_prints_the_same_scene) {
  BRIDGE_OR_SKIP();
  static const char* const models[] = {"flex_cloth", "skin", "light_everything",
                                       "camera_everything"};
  PrintScene* print = (PrintScene*)(uintptr_t)bridge_function("mj_printFormattedScene");
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    mjModel* m = test_model_file("tests/models/%s.xml", models[i]);
    mjData* d = test_data(m);
    mjvScene scn;
    mjvOption opt;
    mjvCamera cam;
    mj_forward(m, d);
    mjv_defaultScene(&scn);
    mjv_makeScene(m, &scn, 100);
    mjv_defaultOption(&opt);
    mjv_defaultFreeCamera(m, &cam);
    opt.label = mjLABEL_GEOM;
    mjv_updateScene(m, d, &opt, NULL, &cam, mjCAT_ALL, &scn);
    scn.enabletransform = i % 2;
    const char* format = i % 2 ? "%12.6f" : "% -9.2g";
    print(ref_scene_enter(&scn), file_name(0), format);
    mj_printFormattedScene(&scn, file_name(1), format);
    char *theirs = take_file(file_name(0)), *ours = take_file(file_name(1));
    size_t same = 0;
    while (ours[same] && ours[same] == theirs[same]) {
      same++;
    }
    if (ours[same] != theirs[same]) {
      size_t from = same > 100 ? same - 100 : 0;
      fail_msg("%s: ours\n%.200s\nnot\n%.200s", models[i], ours + from, theirs + from);
    }
    free(theirs);
    free(ours);
    mjv_freeScene(&scn);
  }
}

TEST(a_scene_is_printed_with_its_labels) {
  mjModel* m = test_model("<mujoco><worldbody><geom name='ball' size='1'/></worldbody></mujoco>");
  mjData* d = test_data(m);
  mjvScene scn;
  mjvOption opt;
  mjvCamera cam;
  mj_forward(m, d);
  mjv_defaultScene(&scn);
  mjv_makeScene(m, &scn, 10);
  mjv_defaultOption(&opt);
  mjv_defaultFreeCamera(m, &cam);
  opt.label = mjLABEL_GEOM;
  mjv_updateScene(m, d, &opt, NULL, &cam, mjCAT_ALL, &scn);
  mj_printScene(&scn, file_name(0));
  char* text = take_file(file_name(0));
  assert_non_null(strstr(text, "GEOMS 1\n"));
  assert_non_null(strstr(text, "label            ball\n"));
  assert_non_null(strstr(text, "Cull Face             1\n"));
  free(text);
  mjv_freeScene(&scn);
}
