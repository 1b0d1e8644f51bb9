// bmp.c: reads pictures of Windows.
//
//   "BM", size, 0, offset of pixels
//   header: its size, width, height, planes, bits, compression ...
//   masks of channels, colours of the palette
//   rows, each a multiple of 4 bytes, the lowest first
//
// A negative height says that the highest row is first. Run lengths (compression 1 and 2) are
// unknown to nearly all who write such files, and are refused.

#include <limits.h>
#include <mujoco/api/base.h>
#include <stdint.h>

#include "imagefile/formats.h"

enum {
  FILE_HEAD = 14,
  OLD_HEAD = 12,  // of OS/2: 16-bit sides, colours of 3 bytes
  INFO_HEAD = 40,
  MASKS = 3,  // compression: masks of the channels are given
};

typedef struct Bmp_ {
  ImageBuild* build;
  size_t pixels, palette;  // where they begin
  long long width, height;
  int is_top_first;
  unsigned bits, compression, head;
  int shift[3], wide[3];  // channels of a pixel: red, green, blue
} Bmp;

// A mask is a run of bits.
static void set_mask(Bmp* bmp, int channel, unsigned mask) {
  int shift = 0, wide = 0;
  while (mask && !(mask >> shift & 1)) {
    shift++;
  }
  while (shift + wide < 32 && mask >> (shift + wide) & 1) {
    wide++;
  }
  bmp->shift[channel] = shift;
  bmp->wide[channel] = wide;
}

static void read_masks(Bmp* bmp) {
  static const unsigned five[3] = {0x7C00, 0x03E0, 0x001F};
  static const unsigned eight[3] = {0xFF0000, 0x00FF00, 0x0000FF};
  for (int k = 0; k < 3; k++) {
    unsigned given = image_number(bmp->build, FILE_HEAD + INFO_HEAD + 4 * (size_t)k, 4);
    set_mask(bmp, k, bmp->compression == MASKS ? given : bmp->bits == 16 ? five[k] : eight[k]);
  }
}

static void read_head(Bmp* bmp) {
  const ImageBuild* build = bmp->build;
  bmp->pixels = image_number(build, 10, 4);
  bmp->head = image_number(build, FILE_HEAD, 4);
  if (bmp->head == OLD_HEAD) {
    bmp->width = image_number(build, 18, 2);
    bmp->height = image_number(build, 20, 2);
    bmp->bits = image_number(build, 24, 2);
  } else if (bmp->head >= INFO_HEAD) {
    bmp->width = (int32_t)image_number(build, 18, 4);
    bmp->height = (int32_t)image_number(build, 22, 4);
    bmp->bits = image_number(build, 28, 2);
    bmp->compression = image_number(build, 30, 4);
  } else {
    mju_error("a BMP with a header of %u bytes", bmp->head);
  }
  bmp->is_top_first = bmp->height < 0;
  bmp->height = bmp->height < 0 ? -bmp->height : bmp->height;
  bmp->palette = FILE_HEAD + (size_t)bmp->head;
  int is_masked = bmp->compression == MASKS && (bmp->bits == 16 || bmp->bits == 32);
  if (bmp->compression && !is_masked) {
    mju_error("a BMP with compression %u", bmp->compression);
  }
  read_masks(bmp);
}

static void put_pixel(const Bmp* bmp, int row, int column, size_t start) {
  const ImageBuild* build = bmp->build;
  size_t bit = (size_t)column * bmp->bits;
  unsigned value = image_number(build, start + bit / 8, bmp->bits < 8 ? 1 : (int)bmp->bits / 8);
  if (bmp->bits <= 8) {
    unsigned index = value >> (8 - bmp->bits - bit % 8) & ((1u << bmp->bits) - 1);
    size_t colour = bmp->palette + (size_t)index * (bmp->head == OLD_HEAD ? 3 : 4);
    value = image_number(build, colour, 3);
    image_put(build, row, column, (unsigned char)(value >> 16), (unsigned char)(value >> 8),
              (unsigned char)value);
    return;
  }
  image_put(build, row, column, image_channel(value, bmp->shift[0], bmp->wide[0]),
            image_channel(value, bmp->shift[1], bmp->wide[1]),
            image_channel(value, bmp->shift[2], bmp->wide[2]));
}

void bmp_read(ImageBuild* build) {
  Bmp bmp = {.build = build};
  read_head(&bmp);
  unsigned bits = bmp.bits;
  if (bits != 1 && bits != 4 && bits != 8 && bits != 16 && bits != 24 && bits != 32) {
    mju_error("a BMP of %u bits per pixel", bits);
  }
  image_size(build, bmp.width, bmp.height, 8ull * build->size / bits);
  size_t line = ((size_t)bmp.width * bits + 31) / 32 * 4;
  for (int i = 0; i < build->file->height; i++) {
    int row = bmp.is_top_first ? i : build->file->height - 1 - i;
    for (int column = 0; column < build->file->width; column++) {
      put_pixel(&bmp, row, column, bmp.pixels + (size_t)i * line);
    }
  }
}
