// Files that can't be written to their end: the old one stays as it was, nothing lies beside it,
// and the message says why.

#define _GNU_SOURCE  // mkdtemp

#include <condyle/output.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/load.h"
#include "support/test.h"

enum {
  ROOM = 64,  // bytes that a file may have on a disk that is full
};

static const char kOld[] = "what was there";
static char folder[64], path[128];

BEFORE_EACH() {
  snprintf(folder, sizeof(folder), "/tmp/condyle-output-XXXXXX");
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof(path), "%s/file.xml", folder);
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  fputs(kOld, file);
  fclose(file);
}

AFTER_EACH() {
  DIR* dir = opendir(folder);
  for (struct dirent* it; (it = readdir(dir));) {
    char name[400];
    snprintf(name, sizeof(name), "%s/%s", folder, it->d_name);
    unlink(name);
  }
  closedir(dir);
  rmdir(folder);
}

static void fill_disk(int full) {
  struct rlimit limit;
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = full ? ROOM : limit.rlim_max;
  setrlimit(RLIMIT_FSIZE, &limit);
}

static int count_files(void) {
  int n = 0;
  DIR* dir = opendir(folder);
  for (struct dirent* it; (it = readdir(dir));) {
    n += it->d_name[0] != '.';
  }
  closedir(dir);
  return n;
}

static void assert_content(const char* expected) {
  char text[1000] = "";
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  fread(text, 1, sizeof(text) - 1, file);
  fclose(file);
  assert_string_equal(text, expected);
}

static int write_text(int bytes, int complete, cndOutput* out) {
  if (cnd_openOutput(out, path)) {
    for (int i = 0; i < bytes; i++) {
      fputc('x', out->file);
    }
  }
  return cnd_closeOutput(out, complete);
}

TEST(a_complete_file_takes_the_place_of_the_old_one) {
  cndOutput out;
  struct stat s;
  chmod(path, 0640);
  assert_true(write_text(3, 1, &out));
  assert_content("xxx");
  assert_int_equal(count_files(), 1);
  stat(path, &s);
  assert_int_equal(s.st_mode & 07777, 0640);
}

TEST(an_incomplete_file_leaves_the_old_one) {
  cndOutput out;
  write_text(3, 0, &out);
  assert_content(kOld);
  assert_int_equal(count_files(), 1);
}

TEST(a_full_disk_leaves_the_old_file_and_says_why) {
  cndOutput out;
  fill_disk(1);
  int written = write_text(100000, 1, &out);
  fill_disk(0);
  assert_int_equal(written, 0);
  assert_int_equal(out.reason, EFBIG);
  assert_content(kOld);
  assert_int_equal(count_files(), 1);
}

TEST(a_link_leads_to_the_file_that_is_written) {
  cndOutput out;
  struct stat s;
  char file[128];
  memcpy(file, path, sizeof(file));
  snprintf(path, sizeof(path), "%s/link", folder);
  assert_int_equal(symlink(file, path), 0);
  assert_true(write_text(2, 1, &out));
  assert_content("xx");
  assert_int_equal(lstat(path, &s), 0);
  assert_true(S_ISLNK(s.st_mode));
  memcpy(path, file, sizeof(file));
  assert_content("xx");
}

TEST(devices_are_written_directly) {
  cndOutput out;
  snprintf(path, sizeof(path), "/dev/null");
  assert_true(write_text(5, 1, &out));
  snprintf(path, sizeof(path), "/dev/full");
  assert_false(write_text(5, 1, &out));
  assert_int_equal(out.reason, ENOSPC);
}

TEST(a_folder_that_is_not_there_is_the_reason) {
  cndOutput out;
  snprintf(path, sizeof(path), "%s/no/file", folder);
  assert_false(write_text(5, 1, &out));
  assert_int_equal(out.reason, ENOENT);
}

// The writers of the library.
static void save_binary(const mjModel* m) {
  mj_saveModel(m, path, NULL, 0);
}
static void print_model(const mjModel* m) {
  mj_printModel(m, path);
}
static void print_data(const mjModel* m) {
  mjData* d = mj_makeData(m);
  mj_printData(m, d, path);
  mj_deleteData(d);
}

static void print_scene(const mjModel* m) {
  mjvScene scene;
  mjv_defaultScene(&scene);
  mjv_makeScene(m, &scene, 10);
  mj_printScene(&scene, path);
  mjv_freeScene(&scene);
}
static void print_schema(const mjModel* m) {
  (void)m;
  mj_printSchema(path, NULL, 0, 0, 0);
}

TEST(what_can_t_be_written_leaves_the_old_file_and_says_why) {
  void (*const writers[])(const mjModel*) = {save_binary, print_model, print_data, print_scene,
                                             print_schema};
  mjModel* m = test_model("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
  for (int i = 0; i < 5; i++) {
    mju_user_warning = keep_warning;
    warning_text[0] = 0;
    fill_disk(1);
    writers[i](m);
    fill_disk(0);
    mju_user_warning = NULL;
    assert_non_null(strstr(warning_text, path));
    assert_non_null(strstr(warning_text, strerror(EFBIG)));
    assert_content(kOld);
    assert_int_equal(count_files(), 1);
  }
}

TEST(a_spec_that_can_t_be_saved_leaves_the_old_file_and_says_why) {
  char error[1000] = "";
  mjSpec* spec = test_spec("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
  test_compile(spec);
  fill_disk(1);
  int saved = mj_saveXML(spec, path, error, sizeof(error));
  fill_disk(0);
  assert_int_equal(saved, -1);
  assert_non_null(strstr(error, path));
  assert_non_null(strstr(error, strerror(EFBIG)));
  assert_content(kOld);
  assert_int_equal(count_files(), 1);
}
