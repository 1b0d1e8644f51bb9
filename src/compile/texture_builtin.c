#include "compile/texture_builtin.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

typedef enum CubeFace_ {
  RIGHT,
  LEFT,
  UP,
  DOWN,
  FRONT,
  BACK,
  NFACE
} CubeFace;

// one square or rectangular image inside the texture's buffer
typedef struct Image_ {
  mjtByte* rgb;
  int width;
  int height;
} Image;

static void set_pixel(Image image, int row, int column, const double color[3]) {
  mjtByte* pixel = image.rgb + 3 * ((size_t)row * (size_t)image.width + (size_t)column);
  for (int i = 0; i < 3; i++) {
    pixel[i] = (mjtByte)(255 * color[i]);
  }
}

// a sigmoid of pos in [-1, 1]: alpha = (1 + sqrt(2) pos / sqrt(1 + pos^2)) / 2, exactly 0 and 1 at
// the ends
static void blend(double out[3], const double one[3], const double zero[3], double pos) {
  double alpha = 0.5 * (1 + sqrt(2) * pos / sqrt(1 + pos * pos));
  alpha = fmin(fmax(alpha, 0), 1);
  for (int i = 0; i < 3; i++) {
    out[i] = alpha * one[i] + (1 - alpha) * zero[i];
  }
}

// rgb1 in the middle, rgb2 towards the corners
static void gradient_plane(Image image, const double rgb1[3], const double rgb2[3]) {
  for (int r = 0; r < image.height; r++) {
    for (int c = 0; c < image.width; c++) {
      double x = 2.0 * c / (image.width - 1) - 1;
      double y = 1 - 2.0 * r / (image.height - 1);
      double color[3];
      blend(color, rgb2, rgb1, 2 * sqrt(x * x + y * y) - 1);
      set_pixel(image, r, c, color);
    }
  }
}

// rgb1 at the zenith, rgb2 at the nadir: pos is the elevation of the pixel's direction (x, y, 1)
// over a right angle
static void gradient_face(Image image, CubeFace face, const double rgb1[3], const double rgb2[3]) {
  for (int r = 0; r < image.height; r++) {
    for (int c = 0; c < image.width; c++) {
      double x = 2.0 * c / (image.width - 1) - 1;
      double y = 1 - 2.0 * r / (image.height - 1);
      double length = sqrt(1 + x * x + y * y);
      double pos;
      if (face == UP || face == DOWN) {
        pos = 1 - acos(1 / length) / (0.5 * mjPI);
        pos = face == UP ? pos : -pos;
      } else {
        pos = asin(y / length) / (0.5 * mjPI);
      }
      double color[3];
      blend(color, rgb1, rgb2, pos);
      set_pixel(image, r, c, color);
    }
  }
}

static void checker(Image image, const double rgb1[3], const double rgb2[3]) {
  for (int r = 0; r < image.height; r++) {
    for (int c = 0; c < image.width; c++) {
      int diagonal = (r < image.height / 2) == (c < image.width / 2);
      set_pixel(image, r, c, diagonal ? rgb1 : rgb2);
    }
  }
}

static void fill(Image image, const double rgb[3]) {
  for (int r = 0; r < image.height; r++) {
    for (int c = 0; c < image.width; c++) {
      set_pixel(image, r, c, rgb);
    }
  }
}

static void mark_edge(Image image, const double rgb[3]) {
  for (int r = 0; r < image.height; r++) {
    set_pixel(image, r, 0, rgb);
    set_pixel(image, r, image.width - 1, rgb);
  }
  for (int c = 0; c < image.width; c++) {
    set_pixel(image, 0, c, rgb);
    set_pixel(image, image.height - 1, c, rgb);
  }
}

static void mark_cross(Image image, const double rgb[3]) {
  for (int r = 0; r < image.height; r++) {
    set_pixel(image, r, image.width / 2, rgb);
  }
  for (int c = 0; c < image.width; c++) {
    set_pixel(image, image.height / 2, c, rgb);
  }
}

// The 64-bit Mersenne twister (Matsumoto and Nishimura 1998, MT19937-64): recurrence of degree 312
// over words.
#define TWISTER_SIZE 312

typedef struct Twister_ {
  uint64_t word[TWISTER_SIZE];
  int next;
} Twister;

static void twister_seed(Twister* t, uint64_t seed) {
  t->word[0] = seed;
  for (int i = 1; i < TWISTER_SIZE; i++) {
    uint64_t previous = t->word[i - 1];
    t->word[i] = 6364136223846793005u * (previous ^ (previous >> 62)) + (uint64_t)i;
  }
  t->next = TWISTER_SIZE;
}

static uint64_t twister_next(Twister* t) {
  const uint64_t upper = 0xFFFFFFFF80000000u, lower = 0x7FFFFFFFu;
  if (t->next == TWISTER_SIZE) {
    for (int i = 0; i < TWISTER_SIZE; i++) {
      uint64_t x = (t->word[i] & upper) | (t->word[(i + 1) % TWISTER_SIZE] & lower);
      uint64_t twist = (x & 1) ? 0xB5026F5AA96619E9u : 0;
      t->word[i] = t->word[(i + TWISTER_SIZE / 2) % TWISTER_SIZE] ^ (x >> 1) ^ twist;
    }
    t->next = 0;
  }
  uint64_t x = t->word[t->next++];
  x ^= (x >> 29) & 0x5555555555555555u;
  x ^= (x << 17) & 0x71D67FFFEDA60000u;
  x ^= (x << 37) & 0xFFF7EEE000000000u;
  return x ^ (x >> 43);
}

// one uniform number per pixel of the whole texture, row by row
static void mark_random(Image image, const double rgb[3], double probability) {
  Twister twister;
  twister_seed(&twister, 42);
  for (int r = 0; r < image.height; r++) {
    for (int c = 0; c < image.width; c++) {
      double uniform = (double)twister_next(&twister) * 0x1p-64;
      if (uniform < probability) {
        set_pixel(image, r, c, rgb);
      }
    }
  }
}

static void draw(Image image, int is_cube, CubeFace face, const mjsTexture* spec) {
  // seen from outside, front and back meet right and left in the other phase of the checker
  int swap = is_cube && (face == FRONT || face == BACK);
  switch (spec->builtin) {
    case mjBUILTIN_GRADIENT:
      if (is_cube) {
        gradient_face(image, face, spec->rgb1, spec->rgb2);
      } else {
        gradient_plane(image, spec->rgb1, spec->rgb2);
      }
      break;
    case mjBUILTIN_CHECKER:
      checker(image, swap ? spec->rgb2 : spec->rgb1, swap ? spec->rgb1 : spec->rgb2);
      break;
    default:
      fill(image, is_cube && face == DOWN ? spec->rgb2 : spec->rgb1);
  }
  if (spec->mark == mjMARK_EDGE) {
    mark_edge(image, spec->markrgb);
  } else if (spec->mark == mjMARK_CROSS) {
    mark_cross(image, spec->markrgb);
  }
}

void texture_builtin(mjtByte* rgb, const mjsTexture* spec, int width, int height) {
  Image whole = {rgb, width, height};
  if (spec->type == mjTEXTURE_2D) {
    draw(whole, 0, RIGHT, spec);
  } else {
    for (int face = 0; face < NFACE; face++) {
      Image square = {rgb + (size_t)face * 3 * (size_t)width * (size_t)width, width, width};
      draw(square, 1, (CubeFace)face, spec);
    }
  }
  if (spec->mark == mjMARK_RANDOM && spec->random > 0) {
    mark_random(whole, spec->markrgb, spec->random);
  }
}
