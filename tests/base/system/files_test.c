// files_test.c: states, folders and names of files, and programs that are run.

#include <errno.h>

#include "base/system/files.h"
#include "base/system/library.h"
#include "base/system/machine.h"
#include "base/system/program.h"
#include "support/test.h"

static char folder[4000];

BEFORE_EACH() {
  assert_true(system_maketemporary(folder, sizeof folder, 0));
}

AFTER_EACH() {
  assert_true(system_removefolder(folder));
}

static const char* inside(const char* name) {
  static char path[4200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

// Letters beyond ASCII are those of the file's name, in every function.
TEST(names_are_utf8) {
  static const char name[] = "gr\xc3\xbc\xc3\x9f.txt";
  FILE* file = system_create(inside(name), 0600);
  assert_non_null(file);
  assert_true(fwrite("abc", 3, 1, file) == 1);
  assert_int_equal(fclose(file), 0);
  assert_null(system_create(inside(name), 0600));
  assert_int_equal(errno, EEXIST);

  FileState s;
  assert_true(system_state(&s, inside(name)));
  assert_int_equal(s.kind, FILE_REGULAR);
  assert_int_equal(s.size, 3);
  assert_true(s.own && s.written[0] > 1700000000);
  file = system_openregular(&s, inside(name));
  assert_non_null(file);
  fclose(file);

  Folder* open = folder_open(folder);
  assert_non_null(open);
  const char* entry = folder_next(open);
  assert_non_null(entry);
  assert_string_equal(entry, name);
  assert_null(folder_next(open));
  folder_close(open);

  char other[4200];
  snprintf(other, sizeof other, "%s", inside("other"));
  assert_true(system_rename(inside(name), other));
  assert_false(system_state(&s, inside(name)));
  assert_true(system_remove(other));
  assert_false(system_readable(other));
}

// Renaming replaces; a link is a second name of the same file.
TEST(renaming_replaces) {
  char a[4200], b[4200];
  snprintf(a, sizeof a, "%s", inside("a"));
  snprintf(b, sizeof b, "%s", inside("b"));
  fclose(system_open(a, "wb"));
  FILE* file = system_open(b, "wb");
  fputs("to be lost", file);
  fclose(file);
  FileState first, second;
  assert_true(system_state(&first, a));
  assert_true(system_rename(a, b));
  assert_true(system_state(&second, b));
  assert_that((double)first.device, ==, (double)second.device);
  assert_that((double)first.number, ==, (double)second.number);
  assert_int_equal(second.size, 0);
  assert_true(system_link(b, a));
  assert_true(system_state(&first, a));
  assert_that((double)first.number, ==, (double)second.number);
  assert_true(system_remove(a));
  assert_true(system_remove(b));
}

// A folder is no regular file, and what is missing is told apart from it.
TEST(folders_are_not_read) {
  FileState s;
  assert_null(system_openregular(&s, folder));
  assert_int_equal(errno, 0);
  assert_null(system_openregular(&s, inside("missing")));
  assert_int_equal(errno, ENOENT);
  assert_null(folder_open(inside("missing")));
  assert_true(system_state(&s, folder));
  assert_int_equal(s.kind, FILE_FOLDER);
  assert_false(system_makefolder(folder, 0700));
  assert_int_equal(errno, EEXIST);
}

TEST(a_machine_has_processors_and_chance) {
  assert_true(system_processors() >= 1);
  assert_true(system_memory() == 0 || system_memory() > 1 << 24);
  uint64_t a[2] = {0, 0}, b[2] = {0, 0};
  assert_true(system_random(a, sizeof a) && system_random(b, sizeof b));
  assert_true(a[0] != b[0] && a[1] != b[1] && a[0] != a[1]);
  void* block = system_takealigned(64, 128);
  assert_non_null(block);
  assert_int_equal((uintptr_t)block % 64, 0);
  system_freealigned(block);
  assert_null(library_open(inside("missing")));
  assert_true(strlen(library_reason()) > 3);
}

// What this program does when a test runs it.
static void play(int argc, char** argv) {
  if (argc > 1 && !strcmp(argv[1], "--say")) {
    for (int i = 2; i < argc; i++) {
      printf("[%s]", argv[i]);
    }
    fprintf(stderr, "an error");
    exit(3);
  }
  if (argc > 1 && !strcmp(argv[1], "--count")) {
    int count = 0;
    while (getchar() != EOF) {
      count++;
    }
    exit(count);
  }
}

#ifdef _WIN32
TEST_AT_START(play_a_part) {
  play(__argc, __argv);
}
#else
// the C library gives constructors what main gets
__attribute__((constructor)) static void play_a_part(int argc, char** argv) {
  play(argc, argv);
}
#endif

// This program again, with words that need quotation marks: it prints them.
TEST(words_arrive_as_they_are) {
  char self[4096];
  assert_true(program_path(self, sizeof self));
  const char* words[] = {self,         "--say", "two words", "a \"quoted\" one",
                         "ends in \\", "",      "*",         NULL};
  ProgramText out[2];
  assert_int_equal(program_run(out, words, 1 << 20), 3);
  assert_non_null(out[0].text);
  assert_string_equal(out[0].text, "[two words][a \"quoted\" one][ends in \\][][*]");
  assert_non_null(out[1].text);
  assert_string_equal(out[1].text, "an error");
  free(out[0].text);
  free(out[1].text);
  const char* none[] = {"condyle-has-no-such-program", NULL};
  assert_int_equal(program_run(out, none, 1 << 20), -1);
  assert_int_equal(errno, ENOENT);
}

TEST(a_program_reads_what_is_written) {
  char self[4096];
  FILE* input;
  assert_true(program_path(self, sizeof self));
  const char* words[] = {self, "--count", NULL};
  Program* program = program_start(&input, words);
  assert_non_null(program);
  fwrite("1234567", 7, 1, input);
  assert_int_equal(program_end(program, input), 7);
}
