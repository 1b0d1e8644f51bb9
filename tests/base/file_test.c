// Paths, and reading what is not a regular file.

#define _GNU_SOURCE  // mkdtemp

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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

// A pipe that nobody writes into would keep its reader waiting, and a device may have no end.
TEST(a_pipe_and_a_device_are_no_files_of_a_model) {
  char error[100] = "", folder[] = "/tmp/condyle-file-XXXXXX", fifo[64];
  size_t size;
  assert_non_null(mkdtemp(folder));
  snprintf(fifo, sizeof fifo, "%s/fifo", folder);
  assert_int_equal(mkfifo(fifo, 0600), 0);
  const char* const paths[] = {fifo, "/dev/zero"};
  for (int i = 0; i < 2; i++) {
    assert_true(file_exists(paths[i]));
    assert_null(file_read(&size, paths[i], error, sizeof(error)));
    assert_string_equal(error, "not a regular file");
  }
  unlink(fifo);
  rmdir(folder);
}

TEST(a_device_is_read_to_its_end_where_the_user_names_it) {
  char error[100] = "";
  size_t size = 1;
  char* text = file_readstream(&size, "/dev/null", error, sizeof(error));
  assert_non_null(text);
  assert_int_equal(size, 0);
  heap_free(text);
}

TEST(a_file_is_read_whole_with_a_zero_behind_it) {
  char error[100];
  size_t size;
  char* text = file_read(&size, CONDYLE_SOURCE_DIR "/CMakeLists.txt", error, sizeof(error));
  assert_non_null(text);
  assert_int_equal(strlen(text), size);
  heap_free(text);
}
