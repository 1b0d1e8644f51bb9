// context.h: a picture while it is read. Readers run under error_catch (base/memory/error.h), and
// end in mju_error.

#pragma once

#include <stddef.h>

#include "imagefile/types.h"

typedef struct ImageBuild_ {
  const unsigned char* bytes;
  size_t size;
  ImageFile* file;
} ImageBuild;

// Takes memory for the pixels, all black. Ends in an error if they are too many, or more than
// `most`, which is what the file can hold.
void image_size(ImageBuild* build, long long width, long long height, unsigned long long most);

// Numbers of the file, lowest byte first. Those beyond its end are 0.
unsigned image_number(const ImageBuild* build, size_t at, int bytes);

// A channel of `bits` bits, of which the lowest is bit `shift`, as a byte: 0 is 0, the largest 255.
unsigned char image_channel(unsigned value, int shift, int bits);

// Writes a pixel, counted from the upper left corner.
static inline void image_put(const ImageBuild* build, int row, int column, unsigned char red,
                             unsigned char green, unsigned char blue) {
  size_t at = 3 * ((size_t)row * (size_t)build->file->width + (size_t)column);
  build->file->pixel[at] = red;
  build->file->pixel[at + 1] = green;
  build->file->pixel[at + 2] = blue;
}
