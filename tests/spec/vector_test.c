// Strings and growable arrays.

#include "spec/vector.h"

#include "support/caught.h"
#include "support/near.h"
#include "support/test.h"

TEST(a_string_is_replaced_by_longer_and_shorter_text) {
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

TEST(a_text_is_split_at_any_blank) {
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

TEST(writing_outside_of_a_list_of_strings_is_an_error) {
  write_to_empty_list(0, "index 0");
  write_to_empty_list(-1, "index -1");
}

TEST(numbers_are_copied_in_and_read_back) {
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

TEST(a_copy_of_nested_lists_is_independent) {
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

TEST(new_items_are_zero_and_old_ones_stay) {
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
