// image.c: decodes PNG, KTX and the custom format, and flips images.

#include "compile/texture/image.h"

#include <mujoco/api/base.h>
#include <spng.h>
#include <stdint.h>
#include <string.h>

#include "base/memory/memory.h"

enum {
  MAX_SIDE = 1 << 20,    // largest side in pixels
  MAX_CHUNK = 1 << 26,   // bytes of the largest PNG chunk, and of all text chunks together
  MAX_INFLATION = 1100,  // largest plausible compression ratio; that of deflate is at most 1032
};

static const size_t max_bytes = (size_t)1 << 30;

static void check_channels(const ImageRequest* r) {
  if (r->nchannel < 1 || r->nchannel > 4 || (r->format == IMAGE_PNG && r->nchannel == 2)) {
    mju_error("Unsupported number of channels: %d", r->nchannel);
  }
}

static void take_pixels(Image* image, int width, int height, int nchannel) {
  size_t bytes = (size_t)width * (size_t)height * (size_t)nchannel;
  if (width > MAX_SIDE || height > MAX_SIDE || bytes > max_bytes) {
    mju_error("image of %d x %d pixels is too large", width, height);
  }
  image->width = width;
  image->height = height;
  image->nchannel = nchannel;
  image->pixel = heap_take(bytes);
}

// PNG

// The layout in which spng decodes the pixels.
typedef struct PngLayout_ {
  int format;  // a value of enum spng_format
  int bytes;   // per pixel
} PngLayout;

// Chooses the layout. 8-bit pixels are decoded as they are and repacked here, which is much faster
// than the decoder's conversion. The decoder converts everything else (palettes, 16 bits,
// transparent colors).
static PngLayout choose_layout(spng_ctx* context, const struct spng_ihdr* header, int nchannel) {
  struct spng_trns transparent;
  int bytes = header->color_type == SPNG_COLOR_TYPE_TRUECOLOR         ? 3
              : header->color_type == SPNG_COLOR_TYPE_TRUECOLOR_ALPHA ? 4
              : header->color_type == SPNG_COLOR_TYPE_GRAYSCALE       ? 1
                                                                      : 0;
  if (bytes && header->bit_depth == 8 && spng_get_trns(context, &transparent) != 0) {
    return (PngLayout){SPNG_FMT_PNG, bytes};
  }
  return nchannel == 4 ? (PngLayout){SPNG_FMT_RGBA8, 4} : (PngLayout){SPNG_FMT_RGB8, 3};
}

// Converts pixels of `from` channels to pixels of `to` channels. Color becomes grey by its red
// channel. Missing alpha is 255. Inlined, so that `from` and `to` are constants in each copy.
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
  if (to == 1) {
    convert(out, in, pixels, from, 1);
  } else if (from == 3) {
    convert(out, in, pixels, 3, 4);
  } else if (from == 4) {
    convert(out, in, pixels, 4, 3);
  } else if (to == 3) {
    convert(out, in, pixels, 1, 3);
  } else {
    convert(out, in, pixels, 1, 4);
  }
}

static void check_status(int status, const ImageRequest* r) {
  if (status) {
    mju_error("error decoding PNG file '%s': %s", r->file->shown, spng_strerror(status));
  }
}

static void decode_png(Image* image, const ImageRequest* r, spng_ctx* context) {
  struct spng_ihdr header;
  uint8_t intent;
  int status = spng_set_image_limits(context, MAX_SIDE, MAX_SIDE);
  status = status ? status : spng_set_chunk_limits(context, MAX_CHUNK, MAX_CHUNK);
  status = status ? status : spng_set_png_buffer(context, r->file->bytes, r->file->size);
  status = status ? status : spng_get_ihdr(context, &header);
  check_status(status, r);
  size_t pixels = (size_t)header.width * (size_t)header.height, need = 0;
  if (pixels / 8 > MAX_INFLATION * r->file->size) {
    mju_error("error decoding PNG file '%s': the file is too short for %u x %u pixels",
              r->file->shown, header.width, header.height);
  }

  PngLayout layout = choose_layout(context, &header, r->nchannel);
  take_pixels(image, (int)header.width, (int)header.height, layout.bytes);
  status = spng_decoded_image_size(context, layout.format, &need);
  if (!status && need != pixels * (size_t)layout.bytes) {
    status = SPNG_EINTERNAL;
  }
  int flags = layout.format == SPNG_FMT_PNG ? 0 : SPNG_DECODE_TRNS;
  status = status ? status : spng_decode_image(context, image->pixel, need, layout.format, flags);

  // spng checks the checksum of the last pixel chunk only when it reads the chunk after it
  status = status ? status : spng_decode_chunks(context);
  check_status(status, r);
  image->srgb = spng_get_srgb(context, &intent) == 0;
  if (layout.bytes != r->nchannel) {
    mjtByte* decoded = image->pixel;
    take_pixels(image, image->width, image->height, r->nchannel);
    repack(image->pixel, decoded, pixels, layout.bytes, r->nchannel);
    heap_free(decoded);
  }
}

static void read_png(Image* image, const ImageRequest* r) {
  if (r->file->size == 0) {
    mju_error("empty PNG file '%s'", r->file->shown);
  }
  check_channels(r);
  // the checksum of the pixels is redundant, because the chunks have their own
  struct spng_alloc memory = {heap_take, heap_resize, heap_zero, heap_free};
  spng_ctx* context = spng_ctx_new2(&memory, SPNG_CTX_IGNORE_ADLER32);
  decode_png(image, r, context);
  spng_ctx_free(context);
}

// other formats

static void read_custom(Image* image, const ImageRequest* r) {
  int32_t side[2];
  if (r->file->size == 0) {
    mju_error("texture file is empty: '%s'", r->file->shown);
  }
  const char* what = "Non-PNG texture, assuming custom binary file format,\n";
  if (r->file->size < sizeof(side)) {
    mju_error("%sunexpected file size in file '%s'", what, r->file->shown);
  }
  memcpy(side, r->file->bytes, sizeof(side));
  if (side[0] < 1 || side[1] < 1) {
    mju_error("%snon-positive texture dimensions in file '%s'", what, r->file->shown);
  }
  uint64_t count = 3 * (uint64_t)side[0] * (uint64_t)side[1];
  if (r->file->size != sizeof(side) + count) {
    mju_error("%sunexpected file size in file '%s'", what, r->file->shown);
  }

  // the file has 3 bytes per pixel; they are copied without conversion to nchannel per pixel
  check_channels(r);
  take_pixels(image, side[0], side[1], r->nchannel);
  size_t room = (size_t)count / 3 * (size_t)r->nchannel;
  size_t given = count < room ? (size_t)count : room;
  memcpy(image->pixel, r->file->bytes + sizeof(side), given);
  memset(image->pixel + given, 0, room - given);
}

static void read_ktx(Image* image, const ImageRequest* r) {
  if (r->file->size == 0) {
    mju_error("texture file is empty: '%s'", r->file->shown);
  }
  if (r->file->size > MAX_SIDE * (size_t)256) {
    mju_error("KTX file '%s' is too large", r->file->shown);
  }
  if (r->hflip || r->vflip) {
    mju_error("cannot flip KTX textures");
  }
  image->width = (int)r->file->size;
  image->height = 1;
  image->nchannel = r->nchannel;
  check_channels(r);
  image->pixel = heap_zero(r->file->size, (size_t)r->nchannel);
  memcpy(image->pixel, r->file->bytes, r->file->size);
}

// flipping

static void swap(mjtByte* a, mjtByte* b, size_t n) {
  for (size_t k = 0; k < n; k++) {
    mjtByte t = a[k];
    a[k] = b[k];
    b[k] = t;
  }
}

// Reverses the order of n items, each of the given number of bytes.
static void reverse(mjtByte* item, size_t n, size_t bytes) {
  for (size_t i = 0; i < n / 2; i++) {
    swap(item + i * bytes, item + (n - 1 - i) * bytes, bytes);
  }
}

void image_flip(mjtByte* pixel, int width, int height, int nchannel, int hflip, int vflip) {
  size_t n = (size_t)nchannel, row = (size_t)width * n;
  for (size_t i = 0; hflip && i < (size_t)height; i++) {
    reverse(pixel + i * row, (size_t)width, n);
  }
  if (vflip) {
    reverse(pixel, (size_t)height, row);
  }
}

static void free_image(void* item) {
  Image* image = item;
  heap_free(image->pixel);
  heap_free(image);
}

Image* image_make(const ImageRequest* r) {
  Image* image = heap_zero(1, sizeof(Image));
  if (r->format == IMAGE_PNG) {
    read_png(image, r);
  } else if (r->format == IMAGE_KTX) {
    read_ktx(image, r);
  } else {
    read_custom(image, r);
  }
  image_flip(image->pixel, image->width, image->height, image->nchannel, r->hflip, r->vflip);
  size_t bytes = (size_t)image->width * (size_t)image->height * (size_t)image->nchannel;
  asset_share(&image->shared, sizeof(Image) + bytes, free_image);
  return image;
}

Digest image_key(const ImageRequest* r) {
  Digest key = asset_key("image");
  int numbers[] = {(int)r->format, r->nchannel, r->hflip != 0, r->vflip != 0};
  digest_add(&key, numbers, sizeof(numbers));
  digest_add(&key, r->file->digest.half, sizeof(r->file->digest.half));
  return key;
}
