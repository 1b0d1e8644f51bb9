// builtin.c: draws the pixels of procedural textures and their marks.

#include "compile/texture/builtin.h"

#include <stdint.h>
#include <string.h>

#include "compile/texture/cube.h"
#include "compile/texture/gradient.h"

// n pixels of one colour
static void paint_run(mjtByte* rgb, int n, const mjtByte color[3]) {
  for (int i = 0; i < n; i++) {
    memcpy(rgb + 3 * (size_t)i, color, 3);
  }
}

// rows [start, end) as copies of row start - 1
static void repeat_row(Canvas canvas, int start, int end) {
  for (int r = start; r < end; r++) {
    memcpy(canvas_pixel(canvas, r, 0), canvas_pixel(canvas, start - 1, 0),
           3 * (size_t)canvas.width);
  }
}

static void fill(Canvas canvas, const mjtByte color[3]) {
  paint_run(canvas.rgb, canvas.width, color);
  repeat_row(canvas, 1, canvas.height);
}

// color `diagonal` in the upper left and lower right quarters, `other` in the two others
static void checker(Canvas canvas, const mjtByte diagonal[3], const mjtByte other[3]) {
  int left = canvas.width / 2, top = canvas.height / 2, rest = canvas.width - left;
  if (top > 0) {
    paint_run(canvas.rgb, left, diagonal);
    paint_run(canvas_pixel(canvas, 0, left), rest, other);
    repeat_row(canvas, 1, top);
  }
  paint_run(canvas_pixel(canvas, top, 0), left, other);
  paint_run(canvas_pixel(canvas, top, left), rest, diagonal);
  repeat_row(canvas, top + 1, canvas.height);
}

static void paint_column(Canvas canvas, int column, const mjtByte color[3]) {
  for (int r = 0; r < canvas.height; r++) {
    memcpy(canvas_pixel(canvas, r, column), color, 3);
  }
}

static void mark_edge(Canvas canvas, const mjtByte color[3]) {
  paint_column(canvas, 0, color);
  paint_column(canvas, canvas.width - 1, color);
  paint_run(canvas.rgb, canvas.width, color);
  paint_run(canvas_pixel(canvas, canvas.height - 1, 0), canvas.width, color);
}

static void mark_cross(Canvas canvas, const mjtByte color[3]) {
  paint_column(canvas, canvas.width / 2, color);
  paint_run(canvas_pixel(canvas, canvas.height / 2, 0), canvas.width, color);
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

// Marks random pixels, with one uniform number per pixel of the whole texture, row by row.
static void mark_random(Canvas canvas, const mjtByte color[3], double probability) {
  Twister twister;
  twister_seed(&twister, 42);
  size_t count = (size_t)canvas.width * (size_t)canvas.height;
  for (size_t i = 0; i < count; i++) {
    double uniform = (double)twister_next(&twister) * 0x1p-64;
    if (uniform < probability) {
      memcpy(canvas.rgb + 3 * i, color, 3);
    }
  }
}

// Draws the pattern and marks of a face, or of a plane. Gradients are drawn already.
static void draw(Canvas canvas, const mjsTexture* spec, int face) {
  mjtByte one[3], two[3], mark[3];
  color_bytes(one, spec->rgb1);
  color_bytes(two, spec->rgb2);
  color_bytes(mark, spec->markrgb);

  // front and back have the checker swapped, so that it continues across the edges to right and
  // left
  int swap = face == CUBE_FRONT || face == CUBE_BACK;
  if (spec->builtin == mjBUILTIN_CHECKER) {
    checker(canvas, swap ? two : one, swap ? one : two);
  } else if (spec->builtin != mjBUILTIN_GRADIENT) {
    fill(canvas, face == CUBE_DOWN ? two : one);
  }
  if (spec->mark == mjMARK_EDGE) {
    mark_edge(canvas, mark);
  } else if (spec->mark == mjMARK_CROSS) {
    mark_cross(canvas, mark);
  }
}

void texture_builtin(mjtByte* rgb, const mjsTexture* spec, int width, int height) {
  Canvas whole = {rgb, width, height};
  int is_gradient = spec->builtin == mjBUILTIN_GRADIENT;
  if (spec->type == mjTEXTURE_2D) {
    if (is_gradient) {
      gradient_plane(whole, spec->rgb1, spec->rgb2);
    }
    draw(whole, spec, CUBE_RIGHT);
  } else {
    if (is_gradient) {
      gradient_cube(rgb, width, spec->rgb1, spec->rgb2);
    }
    for (int face = 0; face < CUBE_FACES; face++) {
      Canvas square = {rgb + (size_t)face * 3 * (size_t)width * (size_t)width, width, width};
      draw(square, spec, face);
    }
  }
  if (spec->mark == mjMARK_RANDOM && spec->random > 0) {
    mjtByte color[3];
    color_bytes(color, spec->markrgb);
    mark_random(whole, color, spec->random);
  }
}
