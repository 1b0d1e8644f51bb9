// Paths, and reading what is not a regular file.

#include "base/file.h"
#include "base/memory/memory.h"
#include "support/test.h"

TEST(paths_are_joined_and_reduced) {
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

TEST(the_directory_ends_with_its_separator) {
  assert_int_equal(path_dirlength("a.xml"), 0);
  assert_int_equal(path_dirlength("d/a.xml"), 2);
  assert_int_equal(path_dirlength("d\\e/a.xml"), 4);
  assert_int_equal(path_dirlength("/"), 1);
}

TEST(what_is_no_file_gives_a_reason) {
  char error[100] = "";
  size_t size;
  assert_null(file_read(&size, "no/such/file", error, sizeof(error)));
  assert_that(strlen(error), >, 0u);
  error[0] = 0;
  assert_null(file_read(&size, "/", error, sizeof(error)));
  assert_that(strlen(error), >, 0u);
  assert_false(file_exists("no/such/file"));
}

TEST(a_file_is_read_whole_with_a_zero_behind_it) {
  char error[100];
  size_t size;
  char* text = file_read(&size, CONDYLE_SOURCE_DIR "/CMakeLists.txt", error, sizeof(error));
  assert_non_null(text);
  assert_int_equal(strlen(text), size);
  heap_free(text);
}
