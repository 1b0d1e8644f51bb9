// context.c: what readers of pictures share: pixels within limits, and numbers.

#include "imagefile/context.h"

#include <mujoco/api/base.h>
#include <stdint.h>

#include "base/memory/memory.h"

enum {
  MOST_SIDE = 1 << 16,
  MOST_PIXELS = 1 << 28,
};

void image_size(ImageBuild* build, long long width, long long height, unsigned long long most) {
  if (width < 1 || height < 1) {
    mju_error("a picture of %lld x %lld pixels has none", width, height);
  }
  if (width > MOST_SIDE || height > MOST_SIDE || width * height > MOST_PIXELS) {
    mju_error("a picture of %lld x %lld pixels is too large", width, height);
  }
  if ((unsigned long long)(width * height) > most) {
    mju_error("the file is too short for %lld x %lld pixels", width, height);
  }
  build->file->width = (int)width;
  build->file->height = (int)height;
  build->file->pixel = heap_zero((size_t)(width * height), 3);
}

unsigned image_number(const ImageBuild* build, size_t at, int bytes) {
  unsigned value = 0;
  for (int k = 0; k < bytes; k++) {
    size_t place = at + (size_t)k;
    value |= place >= at && place < build->size ? (unsigned)build->bytes[place] << 8 * k : 0;
  }
  return value;
}

unsigned char image_channel(unsigned value, int shift, int bits) {
  if (bits <= 0) {
    return 0;
  }
  unsigned most = bits >= 32 ? UINT32_MAX : (1u << bits) - 1, part = value >> shift & most;
  return (unsigned char)((255ull * part + most / 2) / most);
}
