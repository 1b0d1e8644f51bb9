// Zip archives: what is written is read, and broken or hostile ones are refused with their reason.

#include "base/archive/zip.h"

#include "base/file.h"
#include "base/memory/memory.h"
#include "support/test.h"

static const char lorem[] = "stored and deflated, stored and deflated, stored and deflated";

static ZipMaker make(const char* const names[]) {
  ZipMaker maker = {0};
  for (int i = 0; names[i]; i++) {
    zip_add(&maker, names[i], lorem, sizeof(lorem) - 1 - (size_t)i);
  }
  zip_end(&maker);
  return maker;
}

static char reason[300];

static int open_memory(Zip* zip, ZipBytes* bytes, const void* memory, size_t size) {
  *bytes = (ZipBytes){.memory = memory, .size = size};
  reason[0] = 0;
  return zip_open(zip, bytes, reason, sizeof(reason));
}

TEST(what_is_written_is_read) {
  ZipMaker maker = make((const char* const[]){"b.txt", "a/c d.txt", "a/B.txt", NULL});
  Zip zip;
  ZipBytes bytes;
  assert_true(open_memory(&zip, &bytes, maker.text, maker.size));
  assert_int_equal(zip.count, 3);
  static const char* const names[] = {"b.txt", "a/c d.txt", "a/B.txt"};
  for (size_t i = 0; i < 3; i++) {
    size_t size = 0;
    int at = zip_find(&zip, names[i]);
    assert_that(at, >=, 0);
    char* text = zip_read(&size, &zip, &bytes, at, reason, sizeof(reason));
    assert_non_null(text);
    assert_that(size, ==, sizeof(lorem) - 1 - i);
    assert_memory_equal(text, lorem, size);
    assert_int_equal(text[size], 0);
    heap_free(text);
  }
  assert_int_equal(zip_find(&zip, "A/B.txt"), -1);
  zip_close(&zip);
  heap_free(maker.text);
}

TEST(an_archive_of_no_files_is_one) {
  ZipMaker maker = make((const char* const[]){NULL});
  Zip zip;
  ZipBytes bytes;
  assert_true(open_memory(&zip, &bytes, maker.text, maker.size));
  assert_int_equal(zip.count, 0);
  assert_int_equal(zip_find(&zip, "a"), -1);
  zip_close(&zip);
  heap_free(maker.text);
}

TEST(equal_files_make_equal_archives) {
  ZipMaker a = make((const char* const[]){"a", "b", NULL});
  ZipMaker b = make((const char* const[]){"a", "b", NULL});
  assert_that(a.size, ==, b.size);
  assert_memory_equal(a.text, b.text, a.size);
  heap_free(a.text);
  heap_free(b.text);
}

TEST(names_that_lead_out_are_refused) {
  static const char* const wrong[] = {"../a",   "a/../../b", "/a",    "c:/a", "..",
                                      "\\a\\b", "..\\a",     "x:y/z", "."};
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    ZipMaker maker = make((const char* const[]){"good", wrong[i], NULL});
    Zip zip;
    ZipBytes bytes;
    if (open_memory(&zip, &bytes, maker.text, maker.size)) {
      fail_msg("an archive with '%s' was opened", wrong[i]);
    }
    assert_has(reason, "outside");
    heap_free(maker.text);
  }
}

TEST(a_name_that_stands_twice_is_refused) {
  ZipMaker maker = make((const char* const[]){"a/b", "c", "a/./b", NULL});
  Zip zip;
  ZipBytes bytes;
  assert_false(open_memory(&zip, &bytes, maker.text, maker.size));
  assert_has(reason, "two files 'a/b'");
  heap_free(maker.text);
}

TEST(an_archive_that_is_cut_off_anywhere_is_refused) {
  ZipMaker maker = make((const char* const[]){"a", "b", NULL});
  for (size_t size = 0; size < maker.size; size++) {
    Zip zip;
    ZipBytes bytes;
    char* cut = memcpy(heap_take(size), maker.text, size);
    if (open_memory(&zip, &bytes, cut, size)) {
      fail_msg("%zu of %zu bytes were taken for the archive", size, maker.size);
    }
    assert_has(reason, "cut off");
    heap_free(cut);
  }
  heap_free(maker.text);
}

// Where the entry of the first file begins.
static size_t entry_of(const ZipMaker* maker) {
  for (size_t i = 0; i + 4 <= maker->size; i++) {
    if (memcmp(maker->text + i, "PK\1\2", 4) == 0) {
      return i;
    }
  }
  fail_msg("the archive has no directory");
  return 0;
}

static void set(ZipMaker* maker, size_t at, uint32_t value, int count) {
  for (int i = 0; i < count; i++) {
    maker->text[at + (size_t)i] = (char)(value >> 8 * i);
  }
}

// Reads the first file of an archive of two whose directory was changed, or says why not.
static char* read_changed(ZipMaker* maker) {
  Zip zip;
  ZipBytes bytes;
  size_t size;
  if (!open_memory(&zip, &bytes, maker->text, maker->size)) {
    return NULL;
  }
  char* text = zip_read(&size, &zip, &bytes, 0, reason, sizeof(reason));
  zip_close(&zip);
  return text;
}

TEST(what_an_entry_says_wrongly_is_refused) {
  static const struct {
    size_t at;
    uint32_t value;
    int count;
    const char* reason;
  } cases[] = {
      {8, 1, 2, "encrypted"},
      {10, 12, 2, "other than deflate"},
      {10, 0, 2, "two sizes"},
      {16, 1, 4, "sum is wrong"},
      {20, 5, 4, "data are broken"},
      {20, 5000, 4, "lies over another one"},
      {24, 60, 4, "data are broken"},
      {24, 62, 4, "data are broken"},
      {24, 400000, 4, "can't be as large"},
      {24, 0x20000001, 4, "too large"},
      {24, 0xFFFFFFFF, 4, "too large"},
      {28, 0xFFFF, 2, "directory of the archive is broken"},
      {30, 0xFFFF, 2, "directory of the archive is broken"},
      {42, 1, 4, "directory of the archive is broken"},
      {42, 0xFFFFFFF0, 4, "lies over another one"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    ZipMaker maker = make((const char* const[]){"a", "b", NULL});
    set(&maker, entry_of(&maker) + cases[i].at, cases[i].value, cases[i].count);
    char* text = read_changed(&maker);
    if (text) {
      fail_msg("case %zu (%s) was read", i, cases[i].reason);
    }
    assert_has(reason, cases[i].reason);
    heap_free(maker.text);
  }
}

TEST(what_the_end_says_wrongly_is_refused) {
  static const struct {
    size_t at;
    uint32_t value;
    int count;
    const char* reason;
  } cases[] = {
      {4, 1, 2, "several volumes"}, {10, 1, 2, "several volumes"}, {12, 4000, 4, "broken"},
      {16, 4000, 4, "broken"},      {16, 0xFFFFFFFF, 4, "zip64"},  {20, 1, 2, "cut off"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    ZipMaker maker = make((const char* const[]){"a", "b", NULL});
    set(&maker, maker.size - 22 + cases[i].at, cases[i].value, cases[i].count);
    Zip zip;
    ZipBytes bytes;
    if (open_memory(&zip, &bytes, maker.text, maker.size)) {
      fail_msg("case %zu (%s) was opened", i, cases[i].reason);
    }
    assert_has(reason, cases[i].reason);
    heap_free(maker.text);
  }
}

// A small archive of 513 files of a megabyte of zeros.
TEST(an_archive_that_unpacks_to_too_much_is_refused) {
  size_t size = 1 << 20;
  char* zeros = heap_zero(1, size);
  ZipMaker maker = {0};
  for (int i = 0; i < 513; i++) {
    char name[20];
    snprintf(name, sizeof(name), "%d", i);
    zip_add(&maker, name, zeros, size);
  }
  zip_end(&maker);
  assert_that(maker.size, <, size);
  Zip zip;
  ZipBytes bytes;
  assert_false(open_memory(&zip, &bytes, maker.text, maker.size));
  assert_has(reason, "512 MB");
  heap_free(zeros);
  heap_free(maker.text);
}

TEST(a_comment_behind_an_archive_does_not_hide_it) {
  ZipMaker maker = make((const char* const[]){"a", NULL});
  char* longer = heap_take(maker.size + 30);
  memcpy(longer, maker.text, maker.size);
  memset(longer + maker.size, 'x', 30);
  longer[maker.size - 2] = 30;
  Zip zip;
  ZipBytes bytes;
  assert_true(open_memory(&zip, &bytes, longer, maker.size + 30));
  assert_int_equal(zip.count, 1);
  zip_close(&zip);
  heap_free(longer);
  heap_free(maker.text);
}
