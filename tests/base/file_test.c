// Paths, and files that are none.

#include "base/file.h"
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void paths_are_joined_and_reduced(void** state) {
  (void)state;
  static const struct {
    const char* directory;
    const char* name;
    const char* path;
  } cases[] = {
      {"", "a.xml", "a.xml"},
      {"d", "a.xml", "d/a.xml"},
      {"d/", "a.xml", "d/a.xml"},
      {"d/", "/a.xml", "/a.xml"},
      {"d/", "c:/a.xml", "c:/a.xml"},
      {"d/e", "../a.xml", "d/a.xml"},
      {"d/e", "../../../a", "../a"},
      {"", "./b/./c//d", "b/c/d"},
      {"..", "../a", "../../a"},
      {"/d", "../../a", "/../a"},
      {"d\\", "a", "d/a"},
      {"", "", ""},
      {"", "s:../a/../b", "s:../b"},
      {"s:d/e", "../a", "s:d/a"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char* path = path_join(cases[i].directory, cases[i].name);
    assert_string_equal(path, cases[i].path);
    heap_free(path);
  }
}

static void the_directory_ends_with_its_separator(void** state) {
  (void)state;
  assert_int_equal(path_dirlength("a.xml"), 0);
  assert_int_equal(path_dirlength("d/a.xml"), 2);
  assert_int_equal(path_dirlength("d\\e/a.xml"), 4);
  assert_int_equal(path_dirlength("/"), 1);
}

static void what_is_no_file_gives_a_reason(void** state) {
  (void)state;
  char error[100] = "";
  size_t size;
  assert_null(file_read(&size, "no/such/file", error, sizeof(error)));
  assert_true(strlen(error) > 0);
  error[0] = 0;
  assert_null(file_read(&size, "/", error, sizeof(error)));
  assert_true(strlen(error) > 0);
  assert_false(file_exists("no/such/file"));
}

static void a_file_is_read_whole_with_a_zero_behind_it(void** state) {
  (void)state;
  char error[100];
  size_t size;
  char* text = file_read(&size, CONDYLE_SOURCE_DIR "/CMakeLists.txt", error, sizeof(error));
  assert_non_null(text);
  assert_int_equal(strlen(text), size);
  heap_free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_are_joined_and_reduced),
      cmocka_unit_test(the_directory_ends_with_its_separator),
      cmocka_unit_test(what_is_no_file_gives_a_reason),
      cmocka_unit_test(a_file_is_read_whole_with_a_zero_behind_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
