// gradient.c: draws gradients by runs of equal color. Evaluating the formula of the color for every
// pixel is slow, but a gradient has few different colors. So the positions at which a byte changes
// (edges) are found once by the inverse formula. Between two edges lies a run of one color.
//
// The run of a pixel is found by the pixel's key, which increases with its position but is cheaper
// to compute:
//
//   plane   -1 / (1 + x^2 + y^2)           s = sin(elevation) = y / |(x, y, 1)| at the sides,
//   cube    s |s|                              +-1 / |(x, y, 1)| at the top and at the bottom
//
// A table of equal bins of keys has the color of each bin. A bin with an edge in it starts a search
// for the run.
//
// Close to an edge, rounding may decide a byte. A run there is open: its pixels use the formula. So
// the bytes are always those of the formula.
#include "compile/texture/gradient.h"

#include <math.h>
#include <mujoco/mjmodel.h>
#include <stdlib.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "compile/texture/cube.h"

typedef enum GradientShape_ {
  PLANE,
  SIDE,
  TOP,
  BOTTOM,
} GradientShape;

enum {
  MAX_EDGE = 1 + 2 * 3 * 256,  // the start, and both sides of each change of a byte
  FEW_PIXELS = 1024,           // smaller pictures are drawn by the formula alone
  MAX_BIN = 1 << 14,
  SEARCHED = 1 << 24,  // set if a bin has the index of a run; other bins have a color, red lowest
};

// Half the width of an open run, in units of 1/255 of a channel. The formula rounds by about 1e-13.
static const double slack = 1e-7;

// Bound on the rounding of a key. Near the poles keys hardly change with the position, so slack
// alone is too narrow there.
static const double key_error = 1e-14;

typedef struct Run_ {
  double start;     // key at which the run begins
  mjtByte rgb[3];   // color of its pixels, unless it is open
  mjtByte is_open;  // 1 if each pixel needs the formula
} Run;

typedef struct Gradient_ {
  const double *low, *high;  // colours at positions -1 and 1
  Run run[MAX_EDGE + 2];
  uint32_t bin[MAX_BIN + 1];  // equal parts of the keys -1 to 1; the last has key 1 alone
  int nbin;                   // 0 if all pixels use the formula
} Gradient;

void color_bytes(mjtByte out[3], const double color[3]) {
  for (int i = 0; i < 3; i++) {
    double level = 255 * color[i];
    out[i] = (mjtByte)(fabs(level) < 0x1p31 ? (int)level : 0);
  }
}

// the formula

static double position_of(GradientShape shape, double x, double y) {
  if (shape == PLANE) {
    return 2 * sqrt(x * x + y * y) - 1;
  }
  double length = sqrt(1 + x * x + y * y);
  if (shape == SIDE) {
    return asin(y / length) / (0.5 * mjPI);
  }
  double position = 1 - acos(1 / length) / (0.5 * mjPI);
  return shape == TOP ? position : -position;
}

static void mix(double out[3], const Gradient* g, double weight) {
  for (int i = 0; i < 3; i++) {
    out[i] = weight * g->high[i] + (1 - weight) * g->low[i];
  }
}

static void evaluate(mjtByte rgb[3], const Gradient* g, GradientShape shape, Canvas canvas, int row,
                     int column) {
  double x = 2.0 * column / (canvas.width - 1) - 1;
  double y = 1 - 2.0 * row / (canvas.height - 1);
  double position = position_of(shape, x, y);
  double weight = 0.5 * (1 + sqrt(2) * position / sqrt(1 + position * position));
  double color[3];
  mix(color, g, fmin(fmax(weight, 0), 1));
  color_bytes(rgb, color);
}

// runs

// Key of the position where the second color has this weight, in [0, 1] (the inverse of the
// formula).
static double key_of(GradientShape shape, double weight) {
  double q = 2 * weight - 1;
  double position = q / sqrt(2 - q * q);
  if (shape == PLANE) {
    double radius = (position + 1) / 2;
    return -1 / (1 + radius * radius);
  }
  double s = sin(position * 0.5 * mjPI);
  return s * fabs(s);
}

static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// Lists the weights just before and just behind each change of a byte, ascending.
static int find_edges(double edge[MAX_EDGE], const Gradient* g) {
  int n = 0;
  edge[n++] = 0;
  for (int i = 0; i < 3; i++) {
    double range = 255 * (g->high[i] - g->low[i]);
    for (int level = 0; range != 0 && level <= 255; level++) {
      double middle = (level - 255 * g->low[i]) / range, half = slack / fabs(range);
      if (middle + half > 0 && middle - half < 1) {
        edge[n++] = fmax(middle - half, 0);
        edge[n++] = fmin(middle + half, 1);
      }
    }
  }
  qsort(edge, (size_t)n, sizeof(edge[0]), compare);
  return n;
}

// The bytes at a weight. Returns 1 if rounding may have decided one of them.
static int mix_bytes(mjtByte rgb[3], const Gradient* g, double weight) {
  double color[3];
  int is_open = 0;
  mix(color, g, weight);
  color_bytes(rgb, color);
  for (int i = 0; i < 3; i++) {
    double level = 255 * color[i];
    int is_extreme = g->low[i] == g->high[i] && (g->low[i] == 0 || g->low[i] == 1);
    is_open |= !is_extreme && fabs(level - rint(level)) < slack;
  }
  return is_open;
}

static void make_runs(Gradient* g, GradientShape shape) {
  double edge[MAX_EDGE];
  int n = find_edges(edge, g);
  for (int i = 0; i < n; i++) {
    double next = i + 1 < n ? edge[i + 1] : 1;
    Run* run = &g->run[i];
    run->is_open = (mjtByte)mix_bytes(run->rgb, g, (edge[i] + next) / 2);
    run->start = key_of(shape, edge[i]) + (run->is_open ? -key_error : key_error);
    run->start = i ? fmax(run->start, run[-1].start) : -INFINITY;
  }

  // The last run covers corners of a plane, where the weight is clamped to 1 without rounding. It
  // starts 1e-9 later, far beyond the rounding of keys.
  g->run[n].start = key_of(shape, 1) + 1e-9;
  g->run[n].is_open = 0;
  color_bytes(g->run[n].rgb, g->high);
  g->run[n + 1].start = INFINITY;
}

// A bin has a color if it lies in one closed run, with a margin for rounding.
static void make_bins(Gradient* g, int nbin) {
  const double margin = 1e-12, width = 2.0 / nbin;
  const Run* run = g->run;
  g->nbin = nbin;
  for (int i = 0; i <= nbin; i++) {
    double start = i * width - 1 - margin, end = (i + 1) * width - 1 + margin;
    while (start >= run[1].start) {
      run++;
    }
    int is_closed = !run->is_open && end < run[1].start;
    g->bin[i] = is_closed ? run->rgb[0] | (uint32_t)run->rgb[1] << 8 | (uint32_t)run->rgb[2] << 16
                          : SEARCHED | (uint32_t)(run - g->run);
  }
}

static void start_gradient(Gradient* g, GradientShape shape, const double low[3],
                           const double high[3], int width, int height) {
  int regular = width > 1 && height > 1 && (int64_t)width * height > FEW_PIXELS;
  for (int i = 0; i < 3; i++) {
    regular &= low[i] >= 0 && low[i] <= 1 && high[i] >= 0 && high[i] <= 1;
  }
  g->low = low;
  g->high = high;
  g->nbin = 0;
  if (regular) {
    int nbin = MAX_BIN;
    while ((int64_t)nbin * 4 > (int64_t)width * height) {
      nbin /= 2;
    }
    make_runs(g, shape);
    make_bins(g, nbin);
  }
}

// painting

static void evaluate_all(Canvas canvas, const Gradient* g, GradientShape shape) {
  for (int r = 0; r < canvas.height; r++) {
    for (int c = 0; c < canvas.width; c++) {
      evaluate(canvas_pixel(canvas, r, c), g, shape, canvas, r, c);
    }
  }
}

// Keys of n pixels of a row from a column on.
KERNEL static void find_keys(double* key, int column, int n, double dx, double top, double y) {
  for (int i = 0; i < n; i++) {
    double x = (column + i) * dx - 1;
    key[i] = top / (1 + x * x + y * y);
  }
}

// The color of a key, from its bin or from the run that a search finds; SEARCHED if the run is
// open.
static uint32_t find_color(const Gradient* g, double key) {
  uint32_t bin = g->bin[(int)((key + 1) * (0.5 * g->nbin))];
  if (!(bin & SEARCHED)) {
    return bin;
  }
  const Run* run = g->run + (bin & ~(uint32_t)SEARCHED);
  while (key >= run[1].start) {
    run++;
  }
  return run->is_open ? SEARCHED
                      : run->rgb[0] | (uint32_t)run->rgb[1] << 8 | (uint32_t)run->rgb[2] << 16;
}

static void put(mjtByte rgb[3], uint32_t color) {
  rgb[0] = (mjtByte)color;
  rgb[1] = (mjtByte)(color >> 8);
  rgb[2] = (mjtByte)(color >> 16);
}

enum {
  CHUNK = 256,  // keys at a time
};

// Paints a row from both ends to the middle. Four bytes are written at a time, of which one belongs
// to the next pixel and is overwritten by it. Returns 1 if pixels are open.
static int paint_row(mjtByte* row, const Gradient* g, int width, double dx, double top, double y) {
  double key[CHUNK];
  uint32_t all = 0;
  int last = (width + 1) / 2 - 1;
  for (int start = 0; start <= last; start += CHUNK) {
    int end = last + 1 - start < CHUNK ? last + 1 : start + CHUNK;
    find_keys(key, start, end - start, dx, top, y);
    for (int c = start; c < end; c++) {
      uint32_t color = find_color(g, key[c - start]);
      mjtByte *left = row + 3 * (size_t)c, *right = row + 3 * (size_t)(width - 1 - c);
      all |= color;
      if (c < last) {
        uint32_t shifted = color << 8;
        memcpy(left, &color, sizeof(color));
        memcpy(right - 1, &shifted, sizeof(shifted));
      } else {
        put(left, color);
        put(right, color);
      }
    }
  }
  return (all & SEARCHED) != 0;
}

// Paints the open pixels of a row, and those of the row that mirrors it. Keys are made in the same
// chunks as before, so that their bits are the same.
static void paint_open(Canvas canvas, const Gradient* g, GradientShape shape, const int row[2],
                       double dx, double top, double y) {
  double key[CHUNK];
  int width = canvas.width, half = (width + 1) / 2;
  for (int c = 0; c < half; c++) {
    if (c % CHUNK == 0) {
      find_keys(key, c, half - c < CHUNK ? half - c : CHUNK, dx, top, y);
    }
    const int column[2] = {c, width - 1 - c};
    for (int k = 0; find_color(g, key[c % CHUNK]) == SEARCHED && k < 4; k++) {
      evaluate(canvas_pixel(canvas, row[k / 2], column[k % 2]), g, shape, canvas, row[k / 2],
               column[k % 2]);
    }
  }
}

// Paints the upper half of symmetric shapes and mirrors it, else all rows. Mirrored pixels are
// equal but for open ones, whose rounding may differ.
static void paint(Canvas canvas, const Gradient* g, GradientShape shape) {
  if (!g->nbin) {
    evaluate_all(canvas, g, shape);
    return;
  }
  int width = canvas.width, height = canvas.height, symmetric = shape != SIDE;
  double dx = 2.0 / (width - 1), dy = 2.0 / (height - 1);
  for (int r = 0; r < (symmetric ? (height + 1) / 2 : height); r++) {
    double y = 1 - r * dy, top = shape == SIDE ? y * fabs(y) : shape == TOP ? 1 : -1;
    const int row[2] = {r, symmetric ? height - 1 - r : r};
    int is_open = paint_row(canvas_pixel(canvas, r, 0), g, width, dx, top, y);
    if (row[1] != r) {
      memcpy(canvas_pixel(canvas, row[1], 0), canvas_pixel(canvas, r, 0), 3 * (size_t)width);
    }
    if (is_open) {
      paint_open(canvas, g, shape, row, dx, top, y);
    }
  }
}

void gradient_plane(Canvas canvas, const double rgb1[3], const double rgb2[3]) {
  Gradient g;
  start_gradient(&g, PLANE, rgb1, rgb2, canvas.width, canvas.height);
  paint(canvas, &g, PLANE);
}

void gradient_cube(mjtByte* rgb, int side, const double rgb1[3], const double rgb2[3]) {
  static const struct {
    int face;
    GradientShape shape;
  } painted[] = {{CUBE_RIGHT, SIDE}, {CUBE_UP, TOP}, {CUBE_DOWN, BOTTOM}};
  size_t bytes = 3 * (size_t)side * (size_t)side;
  Gradient g;
  start_gradient(&g, SIDE, rgb2, rgb1, side, side);
  for (size_t i = 0; i < sizeof(painted) / sizeof(painted[0]); i++) {
    paint((Canvas){rgb + (size_t)painted[i].face * bytes, side, side}, &g, painted[i].shape);
  }

  // all sides look the same
  memcpy(rgb + CUBE_LEFT * bytes, rgb + CUBE_RIGHT * bytes, bytes);
  memcpy(rgb + CUBE_FRONT * bytes, rgb + CUBE_RIGHT * bytes, bytes);
  memcpy(rgb + CUBE_BACK * bytes, rgb + CUBE_RIGHT * bytes, bytes);
}
