// builtin.c: draws the pixels of procedural textures and their marks.

#include "compile/texture/builtin.h"

#include <stdint.h>
#include <string.h>

#include "base/algebra/simd.h"
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
// over words. All numbers of a round are made at once: a word depends on ones at distances 0, 1 and
// 156, so that several neighbours fit in a vector.
enum {
  TWISTER_SIZE = 312,
  TWISTER_SHIFT = 156,
};

// four words
typedef uint64_t Words __attribute__((vector_size(32), aligned(8), may_alias));

#define WORDS_AT(p) (*(Words*)(p))
#define WORDS_READ(p) (*(const Words*)(p))

enum {
  NWORDS = sizeof(Words) / sizeof(uint64_t),
};

static void twister_seed(uint64_t word[TWISTER_SIZE], uint64_t seed) {
  word[0] = seed;
  for (int i = 1; i < TWISTER_SIZE; i++) {
    uint64_t previous = word[i - 1];
    word[i] = 6364136223846793005u * (previous ^ (previous >> 62)) + (uint64_t)i;
  }
}

// Advances the words by a round and writes its uniform numbers. The first word follows the last as
// a copy.
KERNEL static void twister_round(uint64_t out[TWISTER_SIZE], uint64_t word[TWISTER_SIZE + 1]) {
  const uint64_t upper = 0xFFFFFFFF80000000u, lower = 0x7FFFFFFFu;
  for (int i = 0; i < TWISTER_SIZE; i += NWORDS) {
    if (i == TWISTER_SIZE - NWORDS) {
      word[TWISTER_SIZE] = word[0];
    }
    Words x = (WORDS_READ(word + i) & upper) | (WORDS_READ(word + i + 1) & lower);
    Words twist = -(x & 1) & 0xB5026F5AA96619E9u;
    int other = i < TWISTER_SHIFT ? i + TWISTER_SHIFT : i - TWISTER_SHIFT;
    x = WORDS_READ(word + other) ^ (x >> 1) ^ twist;
    WORDS_AT(word + i) = x;
    x ^= (x >> 29) & 0x5555555555555555u;
    x ^= (x << 17) & 0x71D67FFFEDA60000u;
    x ^= (x << 37) & 0xFFF7EEE000000000u;
    WORDS_AT(out + i) = x ^ (x >> 43);
  }
}

// The greatest word that makes a mark. A word makes a mark if its number, word / 2^64 rounded to
// double, is below the probability. Numbers increase with words, so bits can be tried from the
// highest one on. The probability is positive, so 0 makes a mark.
static uint64_t last_mark(double probability) {
  uint64_t last = 0;
  for (uint64_t bit = (uint64_t)1 << 63; bit; bit >>= 1) {
    last |= (double)(last | bit) * 0x1p-64 < probability ? bit : 0;
  }
  return last;
}

INLINE void mark_each(mjtByte* rgb, const uint64_t* word, int start, int end, uint64_t last,
                      const mjtByte color[3]) {
  for (int i = start; i < end; i++) {
    if (word[i] <= last) {
      memcpy(rgb + 3 * (size_t)i, color, 3);
    }
  }
}

// Marks the pixels whose words are at most `last`. Marks are rare, so words are first tested by
// groups.
KERNEL static void mark_words(mjtByte* rgb, const uint64_t* word, int n, uint64_t last,
                              const mjtByte color[3]) {
  enum {
    GROUP = 2 * NWORDS
  };
  int i = 0;
  for (; i + GROUP <= n; i += GROUP) {
    Words marked = (Words)(WORDS_READ(word + i) <= last);
    marked |= (Words)(WORDS_READ(word + i + NWORDS) <= last);
    if (marked[0] | marked[1] | marked[2] | marked[3]) {
      mark_each(rgb, word, i, i + GROUP, last, color);
    }
  }
  mark_each(rgb, word, i, n, last, color);
}

// Marks random pixels, with one uniform number per pixel of the whole texture, row by row.
static void mark_random(Canvas canvas, const mjtByte color[3], double probability) {
  uint64_t word[TWISTER_SIZE + 1], uniform[TWISTER_SIZE], last = last_mark(probability);
  twister_seed(word, 42);
  size_t count = (size_t)canvas.width * (size_t)canvas.height;
  for (size_t i = 0; i < count; i += TWISTER_SIZE) {
    int n = count - i < TWISTER_SIZE ? (int)(count - i) : TWISTER_SIZE;
    twister_round(uniform, word);
    mark_words(canvas.rgb + 3 * i, uniform, n, last, color);
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
