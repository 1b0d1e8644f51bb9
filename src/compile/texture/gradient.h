// gradient.h: procedural pictures with a smooth gradient from rgb1 to rgb2.
//
// The colour of a pixel is a function of one number, its position p in [-1, 1]:
//
//   plane    p = 2 |(x, y)| - 1                rgb1 in the middle, rgb2 from the edges' middles on
//   cube     p = elevation / (pi/2) of the pixel's direction: rgb1 at the zenith, rgb2 at the nadir
//   weight of the second or the first colour: (1 + sqrt(2) p / sqrt(1 + p^2)) / 2
//
// with x and y in [-1, 1] to the right and up.          theory/model/textures.md, Gradient textures

#pragma once

#include <mujoco/mjtnum.h>
#include <stddef.h>

// An RGB picture, rows from the top.
typedef struct Canvas_ {
  mjtByte* rgb;
  int width, height;
} Canvas;

static inline mjtByte* canvas_pixel(Canvas canvas, int row, int column) {
  return canvas.rgb + 3 * ((size_t)row * (size_t)canvas.width + (size_t)column);
}

// Bytes of a color: the integer part of 255 times each channel, modulo 256; 0 if an int can't hold
// it.
void color_bytes(mjtByte out[3], const double color[3]);

// Fills a canvas.
void gradient_plane(Canvas canvas, const double rgb1[3], const double rgb2[3]);

// Fills the six faces of a cube with the given side, one below the other.
void gradient_cube(mjtByte* rgb, int side, const double rgb1[3], const double rgb2[3]);
