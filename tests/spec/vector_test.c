// Strings and growable arrays.

#include "spec/vector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <mujoco/mujoco.h>
#include <string.h>

#include "support/caught.h"
#include "support/near.h"

static void a_string_is_replaced_by_longer_and_shorter_text(void** state) {
  (void)state;
  mjString s = {NULL, 0, 0};
  assert_string_equal(mjs_getString(&s), "");
  mjs_setString(&s, "ab");
  mjs_setString(&s, "a much longer text than before");
  assert_string_equal(mjs_getString(&s), "a much longer text than before");
  assert_int_equal(s.num, 30);
  mjs_setString(&s, "c");
  assert_string_equal(mjs_getString(&s), "c");
  mjs_setString(&s, mjs_getString(&s));
  assert_string_equal(mjs_getString(&s), "c");
  string_clear(&s);
}

static void a_text_is_split_at_any_blank(void** state) {
  (void)state;
  Vector v = {.strings = {NULL, 0, 0}};
  mjs_setStringVec(&v.strings, " one\ttwo \n  three ");
  assert_int_equal(v.strings.num, 3);
  assert_string_equal(mjs_getString(v.strings.ptr + 2), "three");
  assert_int_equal(mjs_setInStringVec(&v.strings, 1, "second"), 1);
  mjs_appendString(&v.strings, "four");
  assert_int_equal(v.strings.num, 4);
  assert_string_equal(mjs_getString(v.strings.ptr + 1), "second");
  mjs_setStringVec(&v.strings, "  ");
  assert_int_equal(v.strings.num, 0);
  vector_clear(&v, VECTOR_STRINGS);
}

static void write_to_empty_list(int index, const char* expected) {
  mjStringVec v = {NULL, 0, 0};
  assert_error(mjs_setInStringVec(&v, index, "x"), expected);
}

static void writing_outside_of_a_list_of_strings_is_an_error(void** state) {
  (void)state;
  write_to_empty_list(0, "index 0");
  write_to_empty_list(-1, "index -1");
}

static void numbers_are_copied_in_and_read_back(void** state) {
  (void)state;
  Vector v = {.doubles = {NULL, 0, 0}};
  int size = -1;
  assert_null(mjs_getDouble(&v.doubles, &size));
  assert_int_equal(size, 0);
  mjs_setDouble(&v.doubles, (const double[]){1, 2, 3}, 3);
  const double* values = mjs_getDouble(&v.doubles, &size);
  assert_int_equal(size, 3);
  assert_near(values[2], 3, 0);
  mjs_setDouble(&v.doubles, NULL, 0);
  mjs_getDouble(&v.doubles, &size);
  assert_int_equal(size, 0);
  vector_clear(&v, VECTOR_DOUBLES);
}

static void a_copy_of_nested_lists_is_independent(void** state) {
  (void)state;
  Vector a = {.intlists = {NULL, 0, 0}}, b = {.intlists = {NULL, 0, 0}};
  mjs_appendIntVec(&a.intlists, (const int[]){1, 2}, 2);
  mjs_appendIntVec(&a.intlists, NULL, 0);
  mjs_appendIntVec(&a.intlists, (const int[]){3}, 1);
  assert_int_equal(vector_copy(&b, &a, VECTOR_INTLISTS), 1);
  a.intlists.ptr[0].ptr[1] = 7;
  assert_int_equal(b.intlists.num, 3);
  assert_int_equal(b.intlists.ptr[0].ptr[1], 2);
  assert_int_equal(b.intlists.ptr[1].num, 0);
  vector_clear(&a, VECTOR_INTLISTS);
  vector_clear(&b, VECTOR_INTLISTS);
}

static void new_items_are_zero_and_old_ones_stay(void** state) {
  (void)state;
  Vector v = {.ints = {NULL, 0, 0}};
  for (int i = 0; i < 1000; i++) {
    int* item = ints_push(&v.ints, 1);
    assert_int_equal(*item, 0);
    *item = i;
  }
  assert_int_equal(v.ints.ptr[999], 999);
  ints_resize(&v.ints, 10);
  ints_resize(&v.ints, 12);
  assert_int_equal(v.ints.ptr[9], 9);
  assert_int_equal(v.ints.ptr[11], 0);
  vector_clear(&v, VECTOR_INTS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_string_is_replaced_by_longer_and_shorter_text),
      cmocka_unit_test(a_text_is_split_at_any_blank),
      cmocka_unit_test(writing_outside_of_a_list_of_strings_is_an_error),
      cmocka_unit_test(numbers_are_copied_in_and_read_back),
      cmocka_unit_test(a_copy_of_nested_lists_is_independent),
      cmocka_unit_test(new_items_are_zero_and_old_ones_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
