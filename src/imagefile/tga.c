// tga.c: reads pictures of Truevision.
//
//   bytes of text, is there a palette, kind | palette: first, count, bits | x, y, width, height,
//   bits, descriptor | text | palette | pixels
//
// Kinds: 1 palette, 2 colours, 3 grey; 8 more for runs: a byte n, then n + 1 pixels as they are, or
// if its highest bit is set, one pixel n - 127 times. Bit 5 of the descriptor says that the highest
// row is first, bit 4 that the right column is.

#include <mujoco/api/base.h>

#include "imagefile/formats.h"

enum {
  HEAD = 18,
  PALETTE = 1,
  COLOURS = 2,
  GREY = 3,
  RUNS = 8,
  MOST_RUN = 128,
};

typedef struct Tga_ {
  ImageBuild* build;
  int kind;
  unsigned bits, first, count, palette_bits, descriptor;
  size_t palette, at;  // where the palette begins, and the next pixel
} Tga;

typedef struct Colour_ {
  unsigned char red, green, blue;
} Colour;

// Pixels of 15 and 16 bits have 5 for each channel.
static Colour colour_at(const Tga* tga, size_t at, unsigned bits) {
  unsigned value = image_number(tga->build, at, (int)(bits + 7) / 8);
  return bits == 8    ? (Colour){(unsigned char)value, (unsigned char)value, (unsigned char)value}
         : bits <= 16 ? (Colour){image_channel(value, 10, 5), image_channel(value, 5, 5),
                                 image_channel(value, 0, 5)}
                      : (Colour){(unsigned char)(value >> 16), (unsigned char)(value >> 8),
                                 (unsigned char)value};
}

// The next pixel. Ends in an error behind the last byte.
static Colour next_pixel(Tga* tga) {
  unsigned bytes = (tga->bits + 7) / 8;
  if (tga->at > tga->build->size || bytes > tga->build->size - tga->at) {
    mju_error("the file ends within its pixels");
  }
  size_t at = tga->at;
  tga->at += bytes;
  if (tga->kind != PALETTE) {
    return colour_at(tga, at, tga->bits);
  }
  unsigned index = image_number(tga->build, at, (int)bytes) - tga->first;
  if (index >= tga->count) {
    return (Colour){0, 0, 0};
  }
  size_t entry = tga->palette + (size_t)index * ((tga->palette_bits + 7) / 8);
  return colour_at(tga, entry, tga->palette_bits);
}

static int are_bits(unsigned bits) {
  return bits == 8 || bits == 15 || bits == 16 || bits == 24 || bits == 32;
}

static void read_head(Tga* tga) {
  const ImageBuild* build = tga->build;
  if (build->size < HEAD) {
    mju_error("the file is too short for a TGA");
  }
  unsigned kind = image_number(build, 2, 1);
  tga->kind = (int)(kind & ~(unsigned)RUNS);
  tga->first = image_number(build, 3, 2);
  tga->count = image_number(build, 5, 2);
  tga->palette_bits = image_number(build, 7, 1);
  tga->bits = image_number(build, 16, 1);
  tga->descriptor = image_number(build, 17, 1);
  if (kind > (GREY | RUNS) || tga->kind < PALETTE || tga->kind > GREY) {
    mju_error("a TGA of kind %u", kind);
  }
  int is_index = tga->kind == PALETTE && (tga->bits == 8 || tga->bits == 16);
  if (tga->kind == PALETTE ? !is_index || !are_bits(tga->palette_bits) : !are_bits(tga->bits)) {
    mju_error("a TGA of %u bits per pixel", tga->bits);
  }
  tga->palette = HEAD + image_number(build, 0, 1);
  size_t skipped = image_number(build, 1, 1) ? (tga->palette_bits + 7) / 8 : 0;
  tga->at = tga->palette + tga->count * skipped;
}

static void put_next(const Tga* tga, size_t number, Colour colour) {
  const ImageFile* file = tga->build->file;
  int row = (int)(number / (size_t)file->width), column = (int)(number % (size_t)file->width);
  image_put(tga->build, tga->descriptor & 32 ? row : file->height - 1 - row,
            tga->descriptor & 16 ? file->width - 1 - column : column, colour.red, colour.green,
            colour.blue);
}

static void read_runs(Tga* tga, size_t n) {
  for (size_t i = 0; i < n;) {
    unsigned head = image_number(tga->build, tga->at++, 1);
    size_t length = (head & (MOST_RUN - 1)) + 1;
    Colour colour = {0};
    for (size_t k = 0; k < length && i < n; k++, i++) {
      colour = k && head & MOST_RUN ? colour : next_pixel(tga);
      put_next(tga, i, colour);
    }
  }
}

void tga_read(ImageBuild* build) {
  Tga tga = {.build = build};
  read_head(&tga);
  int has_runs = image_number(build, 2, 1) & RUNS;
  image_size(build, image_number(build, 12, 2), image_number(build, 14, 2),
             has_runs ? (unsigned long long)MOST_RUN * build->size : build->size);
  size_t n = (size_t)build->file->width * (size_t)build->file->height;
  if (has_runs) {
    read_runs(&tga, n);
  }
  for (size_t i = 0; i < n && !has_runs; i++) {
    put_next(&tga, i, next_pixel(&tga));
  }
}
