// store.c: an entry comes back bit by bit, or not at all.

#define _GNU_SOURCE  // mkdtemp, utimensat

#include "base/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/memory.h"
#include "base/memory/slab.h"
#include "support/test.h"

static char folder[200];  // of the store, and around those that a test makes in it

BEFORE_EACH() {
  snprintf(folder, sizeof(folder), "/tmp/condyle-store-XXXXXX");
  assert_non_null(mkdtemp(folder));
  setenv("CONDYLE_CACHE", folder, 1);
}

// Calls for every file of a folder; returns their number.
static int each_file_of(const char* in, void (*call)(const char* path)) {
  int count = 0;
  DIR* dir = opendir(in);
  for (const struct dirent* it; dir && (it = readdir(dir));) {
    char path[600];
    snprintf(path, sizeof(path), "%s/%s", in, it->d_name);
    if (it->d_name[0] != '.') {
      count++;
      if (call) {
        call(path);
      }
    }
  }
  closedir(dir);
  return count;
}

static int each_file(void (*call)(const char* path)) {
  return each_file_of(folder, call);
}

static void remove_file(const char* path) {
  unlink(path);
}

AFTER_EACH() {
  chmod(folder, 0700);
  each_file(remove_file);
  rmdir(folder);
}

static Digest key_of(const Store* store, int number) {
  Digest key = store_key(store, "test");
  digest_add(&key, &number, sizeof(number));
  return key;
}

static void path_of(char path[400], const Digest* key) {
  snprintf(path, 400, "%s/%016llx%016llx.cache", folder, (unsigned long long)key->half[0],
           (unsigned long long)key->half[1]);
}

static void write_entry(Store* store, int number, size_t size) {
  Digest key = key_of(store, number);
  char* packed = store_pack(size);
  assert_non_null(packed);
  for (size_t i = 0; i < size; i++) {
    packed[i] = (char)(number + (int)i);
  }
  store_write(store, &key, packed, size);
  heap_free(packed);
}

// Is the entry there? Fails if it is, but not as it was written.
static int has_entry(Store* store, int number, size_t size) {
  Digest key = key_of(store, number);
  size_t read;
  char* content = store_read(store, &read, &key);
  if (!content) {
    return 0;
  }
  assert_int_equal(read, store_step(0, size));
  for (size_t i = 0; i < read; i++) {
    assert_int_equal(content[i], i < size ? (char)(number + (int)i) : 0);
  }
  heap_free(content);
  return 1;
}

static Store* open_store(void) {
  Store* store = store_open();
  assert_non_null(store);
  return store;
}

TEST(an_entry_is_there_for_the_next_that_opens_the_store) {
  Store* store = open_store();
  assert_int_equal(has_entry(store, 1, 100), 0);
  write_entry(store, 1, 100);
  write_entry(store, 2, 0);
  store_close(store);
  store = open_store();
  assert_int_equal(has_entry(store, 1, 100), 1);
  assert_int_equal(has_entry(store, 2, 0), 1);
  assert_int_equal(has_entry(store, 3, 100), 0);
  store_close(store);
}

TEST(a_large_entry_lives_longer_than_the_store_and_belongs_to_no_heap) {
  Store* store = open_store();
  write_entry(store, 1, 100000);
  Digest key = key_of(store, 1);
  size_t size;
  char* content = store_readlarge(store, &size, &key);
  store_close(store);
  assert_non_null(content);
  assert_int_equal(content[99999], (char)(1 + 99999));
  slab_free(content);
}

static void assert_private(const char* path) {
  struct stat s;
  assert_int_equal(stat(path, &s), 0);
  assert_int_equal(s.st_mode & 0777, 0600);
}

TEST(nobody_else_may_read_the_store) {
  char outer[300], inner[300];
  struct stat s;
  umask(0);
  snprintf(outer, sizeof(outer), "%s/a", folder);
  snprintf(inner, sizeof(inner), "%s/a/b", folder);
  setenv("CONDYLE_CACHE", inner, 1);
  Store* store = open_store();
  write_entry(store, 1, 100);
  store_close(store);
  umask(022);
  assert_int_equal(stat(inner, &s), 0);
  assert_int_equal(s.st_mode & 0777, 0700);
  assert_int_equal(each_file_of(inner, assert_private), 2);
  each_file_of(inner, remove_file);
  assert_int_equal(rmdir(inner) | rmdir(outer), 0);
}

static int damage;  // which byte, counted from the end if negative

static void damage_file(const char* path) {
  struct stat s;
  stat(path, &s);
  if (!strstr(path, ".cache")) {
    return;
  }
  FILE* file = fopen(path, "r+b");
  assert_non_null(file);
  long at = damage < 0 ? (long)s.st_size + damage : damage;
  fseek(file, at, SEEK_SET);
  int byte = fgetc(file);
  fseek(file, at, SEEK_SET);
  fputc(byte ^ 16, file);
  fclose(file);
}

TEST(an_entry_with_any_byte_changed_is_none) {
  Store* store = open_store();
  for (damage = -64; damage < 64; damage++) {
    write_entry(store, 1, 64);
    assert_int_equal(has_entry(store, 1, 64), 1);
    each_file(damage_file);
    assert_int_equal(has_entry(store, 1, 64), 0);
  }
  store_close(store);
}

static size_t length;

static void cut_file(const char* path) {
  if (strstr(path, ".cache")) {
    assert_int_equal(truncate(path, (off_t)length), 0);
  }
}

TEST(an_entry_that_was_cut_or_grew_is_none) {
  Store* store = open_store();
  for (length = 0; length < 200; length++) {
    write_entry(store, 1, 64);
    struct stat s;
    char path[400];
    Digest key = key_of(store, 1);
    path_of(path, &key);
    assert_int_equal(stat(path, &s), 0);
    each_file(cut_file);
    assert_int_equal(has_entry(store, 1, 64), (size_t)s.st_size == length);
  }
  store_close(store);
}

// Gives an entry the name of another.
static void swap_names(const Store* store) {
  char path[2][400];
  for (int i = 0; i < 2; i++) {
    Digest key = key_of(store, i);
    path_of(path[i], &key);
  }
  assert_int_equal(rename(path[0], path[1]), 0);
}

TEST(an_entry_under_the_name_of_another_is_none) {
  Store* store = open_store();
  write_entry(store, 0, 64);
  write_entry(store, 1, 64);
  swap_names(store);
  assert_int_equal(has_entry(store, 1, 64), 0);
  store_close(store);
}

TEST(an_entry_of_another_folder_is_none) {
  // its checksum is seeded with a secret that this folder doesn't have
  Store* store = open_store();
  write_entry(store, 1, 64);
  Digest before = key_of(store, 1);
  store_close(store);
  char path[300];
  snprintf(path, sizeof(path), "%s/seed", folder);
  assert_int_equal(unlink(path), 0);
  store = open_store();
  Digest after = key_of(store, 1);
  assert_int_equal(digest_equal(&before, &after), 0);
  char from[400], to[400];
  path_of(from, &before);
  path_of(to, &after);
  assert_int_equal(rename(from, to), 0);
  assert_int_equal(has_entry(store, 1, 64), 0);
  store_close(store);
}

TEST(a_damaged_secret_is_replaced) {
  store_close(open_store());
  char path[300];
  snprintf(path, sizeof(path), "%s/seed", folder);
  assert_int_equal(truncate(path, 3), 0);
  Store* store = open_store();
  write_entry(store, 1, 64);
  assert_int_equal(has_entry(store, 1, 64), 1);
  store_close(store);
}

TEST(entries_not_used_for_longest_leave_first) {
  Store* store = open_store();
  for (int i = 0; i < 10; i++) {
    write_entry(store, i, 1000);
    char path[400];
    Digest key = key_of(store, i);
    path_of(path, &key);
    struct timespec old[2] = {{.tv_sec = 1000000 + i}, {.tv_sec = 1000000 + i}};
    assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
  }
  assert_int_equal(has_entry(store, 0, 1000), 1);  // used now
  store_limit(store, 5500);
  store_close(store);
  store = open_store();
  for (int i = 0; i < 10; i++) {
    assert_int_equal(has_entry(store, i, 1000), i == 0 || i > 5);
  }
  store_close(store);
}

TEST(only_entries_are_deleted) {
  char path[300];
  snprintf(path, sizeof(path), "%s/0123456789abcdef.cache", folder);
  FILE* file = fopen(path, "w");
  fputs("a file of the user", file);
  fclose(file);
  Store* store = open_store();
  write_entry(store, 1, 1000);
  store_limit(store, 1);
  store_close(store);
  assert_int_equal(access(path, F_OK), 0);
  assert_int_equal(each_file(NULL), 2);
}

TEST(a_folder_to_which_others_may_write_is_no_store) {
  assert_int_equal(chmod(folder, 0770), 0);
  assert_null(store_open());
  assert_int_equal(chmod(folder, 0755), 0);
  store_close(open_store());
}

TEST(there_is_no_store_where_it_is_off_or_no_folder_can_be_made) {
  setenv("CONDYLE_CACHE", "off", 1);
  assert_null(store_open());
  setenv("CONDYLE_CACHE", "/dev/null/here", 1);
  assert_null(store_open());
  unsetenv("CONDYLE_CACHE");
  const char* home = getenv("HOME");
  char kept[1000];
  snprintf(kept, sizeof(kept), "%s", home ? home : "");
  unsetenv("HOME");
  unsetenv("XDG_CACHE_HOME");
  assert_null(store_open());
  setenv("XDG_CACHE_HOME", "relative", 1);
  assert_null(store_open());
  unsetenv("XDG_CACHE_HOME");
  if (home) {
    setenv("HOME", kept, 1);
  }
}

TEST(an_entry_that_can_not_be_written_is_not_there_and_nothing_is_left) {
  Store* store = open_store();
  Digest key = key_of(store, 1);
  char path[400];
  path_of(path, &key);
  assert_int_equal(mkdir(path, 0700), 0);  // in the way
  write_entry(store, 1, 64);
  assert_int_equal(has_entry(store, 1, 64), 0);
  store_close(store);
  assert_int_equal(rmdir(path), 0);
  assert_int_equal(each_file(NULL), 1);
}

// Writes and reads the same entries as others do.
static void* work(void* unused) {
  Store* store = store_open();
  size_t good = store != NULL;
  for (int round = 0; round < 50 && good; round++) {
    int number = round % 5;
    Digest key = key_of(store, number);
    char* packed = store_pack(1000);
    memset(packed, number, 1000);
    store_write(store, &key, packed, 1000);
    heap_free(packed);
    size_t size;
    char* content = store_read(store, &size, &key);
    good = content && content[0] == number && content[999] == number;
    heap_free(content);
  }
  store_close(store);
  (void)unused;
  return (void*)good;
}

TEST(many_may_use_it_at_once) {
  pthread_t thread[8];
  for (int i = 0; i < 8; i++) {
    pthread_create(&thread[i], NULL, work, NULL);
  }
  for (int i = 0; i < 8; i++) {
    void* good;
    pthread_join(thread[i], &good);
    assert_non_null(good);
  }
  assert_int_equal(each_file(NULL), 6);
}
