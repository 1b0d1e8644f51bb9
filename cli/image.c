// image.c: writes pixels as PNG files, and prints them on terminals.

#include "image.h"

#include <condyle/output.h>
#include <errno.h>
#include <spng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

void* image_encode(size_t* length, const unsigned char* pixels, int width, int height,
                   int is_depth) {
  spng_ctx* png = spng_ctx_new(SPNG_CTX_ENCODER);
  struct spng_ihdr header = {.width = (uint32_t)width, .height = (uint32_t)height};
  header.color_type = is_depth ? SPNG_COLOR_TYPE_GRAYSCALE : SPNG_COLOR_TYPE_TRUECOLOR;
  header.bit_depth = is_depth ? 16 : 8;
  size_t size = (size_t)width * (size_t)height * (is_depth ? 2 : 3);
  int failed =
      !png || spng_set_option(png, SPNG_ENCODE_TO_BUFFER, 1) || spng_set_ihdr(png, &header);
  // rows come as they stand in the file: 16 bits, most significant first
  failed = failed || spng_encode_image(png, pixels, size, SPNG_FMT_RAW, SPNG_ENCODE_FINALIZE);
  void* bytes = failed ? NULL : spng_get_png_buffer(png, length, &failed);
  spng_ctx_free(png);
  return bytes;
}

int image_save(const char* path, const char* shown, const unsigned char* pixels, int width,
               int height, int is_depth) {
  size_t length;
  void* bytes = image_encode(&length, pixels, width, height, is_depth);
  if (!bytes) {
    return tell_unwritten(shown, ENOMEM);
  }
  cndOutput out;
  if (cnd_openOutput(&out, path)) {
    fwrite(bytes, 1, length, out.file);
  }
  free(bytes);
  return cnd_closeOutput(&out, 1) ? STATUS_OK : tell_unwritten(shown, out.reason);
}

void image_print_blocks(const unsigned char* pixels, int width, int height) {
  for (int y = 0; y < height; y += 2) {
    for (int x = 0; x < width; x++) {
      const unsigned char* up = pixels + 3 * ((size_t)y * (size_t)width + (size_t)x);
      const unsigned char* down = y + 1 < height ? up + 3 * (size_t)width : up;
      printf("\033[38;2;%d;%d;%dm\033[48;2;%d;%d;%dm\u2580", up[0], up[1], up[2], down[0], down[1],
             down[2]);
    }
    printf("\033[0m\n");
  }
}

// The nearest color of a cube of 6 x 6 x 6.
static int cube_color(const unsigned char* rgb) {
  int index = 0;
  for (int k = 0; k < 3; k++) {
    index = 6 * index + (rgb[k] * 5 + 127) / 255;
  }
  return index;
}

// Prints the six rows of one color of a sixel band. Runs of equal columns are printed as counts.
static void print_sixel_band(const short* band, int width, int color) {
  printf("#%d", color);
  for (int x = 0; x < width;) {
    int bits[2] = {0, 0}, n = 0;
    for (int k = 0; k < 6; k++) {
      bits[0] |= (band[k * width + x] == color) << k;
    }
    do {
      n++;
      bits[1] = 0;
      for (int k = 0; k < 6 && x + n < width; k++) {
        bits[1] |= (band[k * width + x + n] == color) << k;
      }
    } while (x + n < width && bits[1] == bits[0]);
    printf("!%d%c", n, 63 + bits[0]);
    x += n;
  }
  putchar('$');
}

void image_print_sixels(const unsigned char* pixels, int width, int height) {
  enum {
    COLORS = 216
  };
  short* band = malloc(6 * (size_t)width * sizeof(short));
  if (!band) {
    return;
  }
  printf("\033Pq\"1;1;%d;%d", width, height);
  for (int i = 0; i < COLORS; i++) {
    printf("#%d;2;%d;%d;%d", i, i / 36 * 20, i / 6 % 6 * 20, i % 6 * 20);
  }
  for (int y = 0; y < height; y += 6) {
    char used[COLORS] = {0};
    for (int k = 0; k < 6; k++) {
      for (int x = 0; x < width; x++) {
        size_t at = (size_t)(y + k) * (size_t)width + (size_t)x;
        int color = y + k < height ? cube_color(pixels + 3 * at) : -1;
        band[k * width + x] = (short)color;
        if (color >= 0) {
          used[color] = 1;
        }
      }
    }
    for (int i = 0; i < COLORS; i++) {
      if (used[i]) {
        print_sixel_band(band, width, i);
      }
    }
    putchar('-');
  }
  printf("\033\\\n");
  free(band);
}
