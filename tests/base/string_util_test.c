#include "base/numbers.h"

static void names_of_kinds_are_read_back(void** state) {
  (void)state;
  for (int type = mjOBJ_BODY; type < mjNOBJECT; type++) {
    const char* name = mju_type2Str(type);
    assert_non_null(name);
    assert_int_equal(mju_str2Type(name), type);
  }
  assert_string_equal(mju_type2Str(mjOBJ_XBODY), "xbody");
  assert_string_equal(mju_type2Str(mjOBJ_FRAME), "frame");
}

static void what_is_no_kind_has_no_name(void** state) {
  (void)state;
  assert_null(mju_type2Str(mjOBJ_UNKNOWN));
  assert_null(mju_type2Str(-1));
  assert_null(mju_type2Str(mjNOBJECT));
  assert_null(mju_type2Str(99));
  assert_int_equal(mju_str2Type("frame"), mjOBJ_UNKNOWN);
  assert_int_equal(mju_str2Type("wing"), mjOBJ_UNKNOWN);
  assert_int_equal(mju_str2Type(""), mjOBJ_UNKNOWN);
  assert_int_equal(mju_str2Type(NULL), mjOBJ_UNKNOWN);
}

static void bytes_are_written_in_the_largest_whole_unit(void** state) {
  (void)state;
  assert_string_equal(mju_writeNumBytes(0), "0");
  assert_string_equal(mju_writeNumBytes(1023), "1023");
  assert_string_equal(mju_writeNumBytes(1024), "1K");
  assert_string_equal(mju_writeNumBytes(1536), "1536");
  assert_string_equal(mju_writeNumBytes((size_t)5 << 20), "5M");
  assert_string_equal(mju_writeNumBytes((size_t)3 << 30), "3G");
  assert_string_equal(mju_writeNumBytes((size_t)1 << 63), "8E");
}

static void a_copied_string_always_ends(void** state) {
  (void)state;
  char text[4] = "abc";
  assert_string_equal(mju_strncpy(text, "x", 4), "x");
  assert_string_equal(mju_strncpy(text, "long text", 4), "lon");
  assert_string_equal(mju_strncpy(text, "no", 0), "lon");
  assert_string_equal(mju_strncpy(text, NULL, 4), "lon");
  assert_null(mju_strncpy(NULL, "x", 4));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_of_kinds_are_read_back),
      cmocka_unit_test(what_is_no_kind_has_no_name),
      cmocka_unit_test(bytes_are_written_in_the_largest_whole_unit),
      cmocka_unit_test(a_copied_string_always_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
