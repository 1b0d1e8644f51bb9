// print_schema.c: the grammar for people.

#include "support/bridge.h"
#include "support/test.h"

enum {
  ROOM = 1 << 20,
};

TEST(elements_stand_with_rule_and_sorted_attributes) {
  char* text = malloc(ROOM);
  int length = mj_printSchema(NULL, text, ROOM, 0, 0);
  assert_int_equal(length, (int)strlen(text));
  assert_non_null(strstr(text, "mujoco (!)                    model \n   compiler (*)"));
  assert_non_null(
      strstr(text, "   keyframe (*)               \n      key (*)                 act "));
  free(text);
}

TEST(a_short_buffer_gets_the_beginning) {
  char text[20];
  assert_true(mj_printSchema(NULL, text, sizeof(text), 0, 0) > 10000);
  assert_string_equal(text, "mujoco (!)         ");
}

typedef int PrintSchema(const char* filename, char* buffer, int size, int html, int pad);

TEST(the_reference_prints_the_same_schema) {
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
