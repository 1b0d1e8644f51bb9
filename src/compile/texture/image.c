#include "compile/texture/image.h"

#include <mujoco/mjmacro.h>
#include <mujoco/mjmodel.h>
#include <spng.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum {
  MAX_SIDE = 1 << 20,    // pixels
  MAX_CHUNK = 1 << 26,   // bytes of one PNG chunk, and of all text chunks together
  MAX_INFLATION = 1100,  // a byte of compressed data holds at most 1032 bytes
};

static const size_t max_bytes = (size_t)1 << 30;

static int fail(Image* image, const char* format, ...) mjPRINTFLIKE(2, 3);

static int fail(Image* image, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(image->error, sizeof(image->error), format, args);
  va_end(args);
  return 0;
}

static int take_pixels(Image* image, int width, int height, int nchannel) {
  size_t bytes = (size_t)width * (size_t)height * (size_t)nchannel;
  if (width > MAX_SIDE || height > MAX_SIDE || bytes > max_bytes) {
    return fail(image, "image of %d x %d pixels is too large", width, height);
  }
  image->width = width;
  image->height = height;
  image->nchannel = nchannel;
  image->pixel = heap_take(bytes);
  return 1;
}

// PNG

// The layout in which the decoder gives the pixels: the file's own where that saves work.
typedef struct PngLayout_ {
  int format;  // of spng
  int depth;   // bytes per pixel
} PngLayout;

// 8-bit pixels are decoded as they are and repacked here, which is much faster than letting the
// decoder convert them; everything else (palettes, 16 bits, transparent colours) it converts.
static PngLayout choose_layout(spng_ctx* context, const struct spng_ihdr* header, int nchannel) {
  struct spng_trns transparent;
  int plain = header->bit_depth == 8 && spng_get_trns(context, &transparent) != 0;
  if (plain && header->color_type == SPNG_COLOR_TYPE_TRUECOLOR) {
    return (PngLayout){SPNG_FMT_PNG, 3};
  }
  if (plain && header->color_type == SPNG_COLOR_TYPE_TRUECOLOR_ALPHA) {
    return (PngLayout){SPNG_FMT_PNG, 4};
  }
  if (plain && header->color_type == SPNG_COLOR_TYPE_GRAYSCALE) {
    return (PngLayout){SPNG_FMT_PNG, 1};
  }
  return nchannel == 4 ? (PngLayout){SPNG_FMT_RGBA8, 4} : (PngLayout){SPNG_FMT_RGB8, 3};
}

// Pixels of `from` bytes to pixels of `to` bytes; a grey is the red of a colour and becomes all three
// of its channels. Inlined for each pair of constants.
static inline void convert(mjtByte* out, const mjtByte* in, size_t pixels, int from, int to) {
  for (size_t i = 0; i < pixels; i++, in += from, out += to) {
    out[0] = in[0];
    if (to >= 3) {
      out[1] = from >= 3 ? in[1] : in[0];
      out[2] = from >= 3 ? in[2] : in[0];
    }
    if (to == 4) {
      out[3] = from == 4 ? in[3] : 255;
    }
  }
}

static void repack(mjtByte* out, const mjtByte* in, size_t pixels, int from, int to) {
  switch (10 * from + to) {
    case 13:
      convert(out, in, pixels, 1, 3);
      break;
    case 14:
      convert(out, in, pixels, 1, 4);
      break;
    case 31:
      convert(out, in, pixels, 3, 1);
      break;
    case 34:
      convert(out, in, pixels, 3, 4);
      break;
    case 41:
      convert(out, in, pixels, 4, 1);
      break;
    default:
      convert(out, in, pixels, 4, 3);
      break;
  }
}

static int decode_png(Image* image, const ImageRequest* r, spng_ctx* context) {
  struct spng_ihdr header;
  uint8_t intent;
  int status = spng_set_image_limits(context, MAX_SIDE, MAX_SIDE);
  status = status ? status : spng_set_chunk_limits(context, MAX_CHUNK, MAX_CHUNK);
  status = status ? status : spng_set_png_buffer(context, r->bytes, r->size);
  status = status ? status : spng_get_ihdr(context, &header);
  if (status) {
    return fail(image, "error decoding PNG file '%s': %s", r->path, spng_strerror(status));
  }
  size_t pixels = (size_t)header.width * (size_t)header.height, need = 0;
  if (pixels / 8 > MAX_INFLATION * r->size) {
    return fail(image, "error decoding PNG file '%s': the file is too short for %u x %u pixels",
                r->path, header.width, header.height);
  }

  PngLayout layout = choose_layout(context, &header, r->nchannel);
  if (!take_pixels(image, (int)header.width, (int)header.height, layout.depth)) {
    return 0;
  }
  status = spng_decoded_image_size(context, layout.format, &need);
  if (!status && need != pixels * (size_t)layout.depth) {
    status = SPNG_EINTERNAL;
  }
  int flags = layout.format == SPNG_FMT_PNG ? 0 : SPNG_DECODE_TRNS;
  status = status ? status : spng_decode_image(context, image->pixel, need, layout.format, flags);

  // up to the end: the check sum of the last chunk of pixels is not read before
  status = status ? status : spng_decode_chunks(context);
  if (status) {
    return fail(image, "error decoding PNG file '%s': %s", r->path, spng_strerror(status));
  }
  image->srgb = spng_get_srgb(context, &intent) == 0;
  if (layout.depth != r->nchannel) {
    mjtByte* decoded = image->pixel;
    image->pixel = NULL;
    int good = take_pixels(image, image->width, image->height, r->nchannel);
    if (good) {
      repack(image->pixel, decoded, pixels, layout.depth, r->nchannel);
    }
    heap_free(decoded);
    return good;
  }
  return 1;
}

static int read_png(Image* image, const ImageRequest* r) {
  if (r->size == 0) {
    return fail(image, "empty PNG file '%s'", r->path);
  }
  if (r->nchannel != 1 && r->nchannel != 3 && r->nchannel != 4) {
    return fail(image, "Unsupported number of channels: %d", r->nchannel);
  }
  // the checksum of the pixels would find what the ones of the chunks they are packed in find
  struct spng_alloc memory = {heap_take, heap_resize, heap_zero, heap_free};
  spng_ctx* context = spng_ctx_new2(&memory, SPNG_CTX_IGNORE_ADLER32);
  int good = decode_png(image, r, context);
  spng_ctx_free(context);
  return good;
}

// the others

// Bytes for another number of channels than the file has are taken as they come.
static int take_bytes(Image* image, const ImageRequest* r, int width, int height, size_t from,
                      size_t count) {
  if (r->nchannel < 1 || r->nchannel > 4) {
    return fail(image, "Unsupported number of channels: %d", r->nchannel);
  }
  if (!take_pixels(image, width, height, r->nchannel)) {
    return 0;
  }
  size_t room = (size_t)width * (size_t)height * (size_t)r->nchannel;
  size_t given = count < room ? count : room;
  memcpy(image->pixel, r->bytes + from, given);
  memset(image->pixel + given, 0, room - given);
  return 1;
}

static int read_custom(Image* image, const ImageRequest* r) {
  int32_t side[2];
  if (r->size == 0) {
    return fail(image, "texture file is empty: '%s'", r->path);
  }
  const char* what = "Non-PNG texture, assuming custom binary file format,\n";
  if (r->size < sizeof(side)) {
    return fail(image, "%sunexpected file size in file '%s'", what, r->path);
  }
  memcpy(side, r->bytes, sizeof(side));
  if (side[0] < 1 || side[1] < 1) {
    return fail(image, "%snon-positive texture dimensions in file '%s'", what, r->path);
  }
  uint64_t count = 3 * (uint64_t)side[0] * (uint64_t)side[1];
  if (r->size != sizeof(side) + count) {
    return fail(image, "%sunexpected file size in file '%s'", what, r->path);
  }
  return take_bytes(image, r, side[0], side[1], sizeof(side), (size_t)count);
}

static int read_ktx(Image* image, const ImageRequest* r) {
  if (r->size == 0) {
    return fail(image, "texture file is empty: '%s'", r->path);
  }
  if (r->size > MAX_SIDE * (size_t)256) {
    return fail(image, "KTX file '%s' is too large", r->path);
  }
  if (r->hflip || r->vflip) {
    return fail(image, "cannot flip KTX textures");
  }
  image->width = (int)r->size;
  image->height = 1;
  image->nchannel = r->nchannel;
  if (r->nchannel < 1 || r->nchannel > 4) {
    return fail(image, "Unsupported number of channels: %d", r->nchannel);
  }
  image->pixel = heap_zero(r->size, (size_t)r->nchannel);
  memcpy(image->pixel, r->bytes, r->size);
  return 1;
}

// turning over

static void flip_rows(Image* image) {
  size_t row = (size_t)image->width * (size_t)image->nchannel;
  for (size_t i = 0, j = (size_t)image->height - 1; i < j; i++, j--) {
    mjtByte *a = image->pixel + i * row, *b = image->pixel + j * row;
    for (size_t k = 0; k < row; k++) {
      mjtByte t = a[k];
      a[k] = b[k];
      b[k] = t;
    }
  }
}

static void flip_columns(Image* image) {
  size_t n = (size_t)image->nchannel, row = (size_t)image->width * n;
  for (size_t r = 0; r < (size_t)image->height; r++) {
    mjtByte *a = image->pixel + r * row, *b = a + row - n;
    for (; a < b; a += n, b -= n) {
      for (size_t k = 0; k < n; k++) {
        mjtByte t = a[k];
        a[k] = b[k];
        b[k] = t;
      }
    }
  }
}

static void free_image(void* item) {
  Image* image = item;
  heap_free(image->pixel);
  heap_free(image);
}

Image* image_make(const ImageRequest* r) {
  Image* image = heap_zero(1, sizeof(Image));
  int good = r->format == IMAGE_PNG   ? read_png(image, r)
             : r->format == IMAGE_KTX ? read_ktx(image, r)
                                      : read_custom(image, r);
  if (good && r->hflip) {
    flip_columns(image);
  }
  if (good && r->vflip) {
    flip_rows(image);
  }
  size_t bytes = (size_t)image->width * (size_t)image->height * (size_t)image->nchannel;
  asset_share(&image->shared, sizeof(Image) + bytes, free_image);
  return image;
}

AssetKey image_key(const ImageRequest* r) {
  AssetKey key = asset_key("image");
  int numbers[] = {(int)r->format, r->nchannel, r->hflip != 0, r->vflip != 0};
  asset_keyadd(&key, numbers, sizeof(numbers));
  asset_keyadd(&key, &r->digest, sizeof(r->digest));
  return key;
}
