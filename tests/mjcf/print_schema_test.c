// print_schema.c: the grammar for people.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/bridge.h"

enum {
  ROOM = 1 << 20,
};

static void elements_stand_with_rule_and_sorted_attributes(void** state) {
  (void)state;
  char* text = malloc(ROOM);
  int length = mj_printSchema(NULL, text, ROOM, 0, 0);
  assert_int_equal(length, (int)strlen(text));
  assert_non_null(strstr(text, "mujoco (!)                    model \n   compiler (*)"));
  assert_non_null(
      strstr(text, "   keyframe (*)               \n      key (*)                 act "));
  free(text);
}

static void a_short_buffer_gets_the_beginning(void** state) {
  (void)state;
  char text[20];
  assert_true(mj_printSchema(NULL, text, sizeof(text), 0, 0) > 10000);
  assert_string_equal(text, "mujoco (!)         ");
}

typedef int PrintSchema(const char* filename, char* buffer, int size, int html, int pad);

static void the_reference_prints_the_same_schema(void** state) {
  (void)state;
  BRIDGE_OR_SKIP();
  PrintSchema* print = (PrintSchema*)(uintptr_t)bridge_function("mj_printSchema");
  char *ours = malloc(ROOM), *theirs = malloc(ROOM);
  for (int form = 0; form < 4; form++) {
    int length = print(NULL, theirs, ROOM, form / 2, form % 2);
    assert_int_equal(mj_printSchema(NULL, ours, ROOM, form / 2, form % 2), length);
    assert_string_equal(ours, theirs);
  }
  free(theirs);
  free(ours);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_stand_with_rule_and_sorted_attributes),
      cmocka_unit_test(a_short_buffer_gets_the_beginning),
      cmocka_unit_test(the_reference_prints_the_same_schema),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
