// Pictures of every kind are the one that was drawn: red grows to the right, green downwards.

#define _GNU_SOURCE  // memmem

#include "imagefile/imagefile.h"

#include "base/file.h"
#include "base/memory/memory.h"
#include "support/starve.h"
#include "support/test.h"

enum {
  WIDTH = 12,
  HEIGHT = 9,
};

static char* read_seed(size_t* size, const char* name) {
  char path[300], error[200];
  snprintf(path, sizeof(path), "%s/tests/fuzz/corpus/%s", CONDYLE_SOURCE_DIR, name);
  char* bytes = file_read(size, path, error, sizeof(error));
  assert_non_null(bytes);
  return bytes;
}

static ImageFile* read_picture(const char* name) {
  size_t size;
  char error[300] = "", *bytes = read_seed(&size, name);
  ImageFile* file = imagefile_read(name, bytes, size, error, sizeof(error));
  heap_free(bytes);
  if (!file && strstr(error, "JPEG was not found")) {
    test_skip("built without libjpeg");
  }
  if (!file) {
    fail_msg("%s", error);
  }
  return file;
}

static void assert_channel(const char* name, int at, int is, int expected, int tolerance) {
  if (abs(is - expected) > tolerance) {
    fail_msg("%s: channel %d of pixel %d is %d, not %d", name, at % 3, at / 3, is, expected);
  }
}

// Compares with the picture that was drawn, in grey if it is grey.
static void assert_drawn(const char* name, int tolerance, int is_grey) {
  ImageFile* file = read_picture(name);
  assert_int_equal(file->width, WIDTH);
  assert_int_equal(file->height, HEIGHT);
  for (int i = 0; i < WIDTH * HEIGHT; i++) {
    int x = i % WIDTH, y = i / WIDTH;
    int drawn[3] = {x * 255 / (WIDTH - 1), y * 255 / (HEIGHT - 1), 128};
    int grey = (299 * drawn[0] + 587 * drawn[1] + 114 * drawn[2]) / 1000;
    for (int k = 0; k < 3; k++) {
      assert_channel(name, 3 * i + k, file->pixel[3 * i + k], is_grey ? grey : drawn[k], tolerance);
    }
  }
  imagefile_free(file);
}

TEST(a_BMP_is_the_picture) {
  assert_drawn("bmp/rgb24.bmp", 0, 0);
  assert_drawn("bmp/rgba32.bmp", 0, 0);
  assert_drawn("bmp/grey.bmp", 1, 1);
  assert_drawn("bmp/palette.bmp", 72, 0);  // of 16 colours
}

TEST(a_TGA_is_the_picture) {
  assert_drawn("tga/rgb.tga", 0, 0);
  assert_drawn("tga/runs.tga", 0, 0);
  assert_drawn("tga/grey.tga", 1, 1);
  assert_drawn("tga/palette.tga", 72, 0);
}

TEST(a_JPEG_is_the_picture) {
  assert_drawn("jpeg/rgb.jpg", 8, 0);
  assert_drawn("jpeg/grey.jpg", 8, 1);
  assert_drawn("jpeg/cmyk.jpg", 16, 0);
  assert_drawn("jpeg/progressive.jpg", 64, 0);
}

TEST(channels_of_16_bits_reach_from_0_to_255) {
  ImageFile* file = read_picture("bmp/masks16.bmp");
  assert_int_equal(file->width, 5);
  assert_int_equal(file->height, 3);
  for (int i = 0; i < 15; i++) {
    assert_channel("masks", 3 * i, file->pixel[3 * i], i % 5 * 255 / 4, 8);
    assert_channel("masks", 3 * i + 1, file->pixel[3 * i + 1], i / 5 * 255 / 2, 8);
    assert_channel("masks", 3 * i + 2, file->pixel[3 * i + 2], 15 * 255 / 31, 4);
  }
  assert_int_equal(file->pixel[0], 0);
  assert_int_equal(file->pixel[3 * 14 + 1], 255);
  imagefile_free(file);
}

TEST(a_BMP_of_the_first_kind_has_its_lowest_row_first) {
  ImageFile* file = read_picture("bmp/old.bmp");
  const unsigned char expected[12] = {9, 8, 7, 12, 11, 10, 3, 2, 1, 6, 5, 4};
  assert_int_equal(file->width, 2);
  for (int i = 0; i < 12; i++) {
    assert_channel("old", i, file->pixel[i], expected[i], 0);
  }
  imagefile_free(file);
}

static void assert_refused(const char* name, const void* bytes, size_t size, const char* words) {
  char error[300] = "";
  ImageFile* file = imagefile_read(name, bytes, size, error, sizeof(error));
  if (file) {
    imagefile_free(file);
    fail_msg("it was read, but should end in '%s'", words);
  }
  if (!strstr(error, words) && !strstr(error, "JPEG was not found")) {
    fail_msg("'%s' does not hold '%s'", error, words);
  }
}

TEST(a_picture_larger_than_its_file_can_hold_is_refused) {
  size_t size;
  char* bytes = read_seed(&size, "bmp/rgb24.bmp");
  memcpy(bytes + 18, "\0\x40\0\0\0\x40\0\0", 8);
  assert_refused("a.bmp", bytes, size, "too short for 16384 x 16384");
  memcpy(bytes + 18, "\0\0\0\x40\0\0\0\x40", 8);
  assert_refused("a.bmp", bytes, size, "too large");
  memcpy(bytes + 18, "\0\0\0\0\0\0\0\0", 8);
  assert_refused("a.bmp", bytes, size, "has none");
  heap_free(bytes);
  bytes = read_seed(&size, "tga/rgb.tga");
  memcpy(bytes + 12, "\xff\xff\xff\xff", 4);
  assert_refused("a.tga", bytes, size, "too large");
  memcpy(bytes + 12, "\xff\x0f\xff\x0f", 4);
  assert_refused("a.tga", bytes, size, "too short");
  heap_free(bytes);
  bytes = read_seed(&size, "jpeg/rgb.jpg");
  char* frame = memmem(bytes, size, "\xff\xc0", 2);
  assert_non_null(frame);
  memcpy(frame + 5, "\x20\0\x20\0", 4);
  assert_refused("a.jpg", bytes, size, "too short for 8192 x 8192");
  heap_free(bytes);
}

TEST(what_is_no_picture_is_refused) {
  assert_refused("a.webp", "RIFFxxxxWEBP", 12, "only PNG, JPEG, BMP and TGA can be read");
  assert_refused("a.bmp", "", 0, "only PNG");
  assert_refused("a.bmp", "BM", 2, "header of 0 bytes");
  assert_refused("a.tga", "short", 5, "too short for a TGA");
  assert_refused("a.jpg", "\xFF\xD8\xFF", 3, "");
  size_t size;
  char* bytes = read_seed(&size, "tga/rgb.tga");
  assert_refused("a.tga", bytes, 60, "too short");
  heap_free(bytes);
}

typedef struct Given_ {
  const char* name;
  char* bytes;
  size_t size;
} Given;

static int read_given(void* argument) {
  const Given* given = argument;
  char error[300] = "";
  ImageFile* file = imagefile_read(given->name, given->bytes, given->size, error, sizeof(error));
  imagefile_free(file);
  return starve_outcome(file != NULL || strstr(error, "JPEG was not found"), error);
}

static const char* const pictures[] = {"jpeg/rgb.jpg", "jpeg/progressive.jpg", "jpeg/cmyk.jpg",
                                       "bmp/rgb24.bmp", "tga/runs.tga"};

TEST_EACH(reads_or_has_no_memory, pictures) {
  STARVE_OR_SKIP();
  Given given = {.name = text};
  given.bytes = read_seed(&given.size, text);
  starve_each(read_given, &given);
  heap_free(given.bytes);
}
