// print.c: models and data as text.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/bridge.h"
#include "support/caught.h"
#include "support/small_model.h"

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

static char warned[500];

static void keep_warning(const char* text) {
  snprintf(warned, sizeof(warned), "%s", text);
}

static void every_object_and_every_size_is_printed(void** state) {
  (void)state;
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

static void data_shows_state_and_results(void** state) {
  (void)state;
  char error[500];
  mjModel* m = mj_loadXML(CONDYLE_SOURCE_DIR "/models/humanoid.xml", NULL, error, sizeof(error));
  assert_non_null(m);
  mjData* d = mj_makeData(m);
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
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_freeLastXML();
}

// a format is handed to printf only if it asks for one real
static void formats_that_are_none_are_refused(void** state) {
  (void)state;
  static const char* const wrong[] = {
      "%d", "%s", "%n", "%g%g", "g", "%--5g", "%*g", "%5", "", "%.3g ", "%111111111111111111111g",
      "%lg"};
  mjModel* m = small_model();
  mju_user_warning = keep_warning;
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    warned[0] = 0;
    mj_printFormattedModel(m, file_name(0), wrong[i]);
    remove(file_name(0));
    assert_non_null(strstr(warned, "float_format"));
  }
  static const char* const right[] = {"%g", "%-8.3f", "% +5.1e", "%#012.4G"};
  for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
    warned[0] = 0;
    mj_printFormattedModel(m, file_name(0), right[i]);
    remove(file_name(0));
    assert_string_equal(warned, "");
  }
  mj_printModel(m, "no/such/place.txt");
  assert_non_null(strstr(warned, "no/such/place.txt"));
  mju_user_warning = NULL;
  mj_deleteModel(m);
}

typedef void PrintModel(const void* m, const char* filename);

static void the_reference_prints_the_same_text(void** state) {
  (void)state;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_object_and_every_size_is_printed),
      cmocka_unit_test(data_shows_state_and_results),
      cmocka_unit_test(formats_that_are_none_are_refused),
      cmocka_unit_test(the_reference_prints_the_same_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
