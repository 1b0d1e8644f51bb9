// flat.h: rectangles, lines and text in pixels of a viewport, collected and drawn at once.
//
//   flat_begin(device, rect);
//   flat_rectangle(device, ...);
//   flat_text(device, ...);
//   flat_end(device, FLAT_BLEND);

#pragma once

#include <mujoco/mjrender.h>

#include "render/gl.h"

struct RenderDevice_;

typedef enum RenderFlatMode_ {
  FLAT_BLEND,     // over what is there
  FLAT_MULTIPLY,  // what is there times the color
} RenderFlatMode;

// Starts a picture on a viewport.
void flat_begin(struct RenderDevice_* device, mjrRect rect);

// A triangle or convex polygon of n corners (x, y), each with its color.
void flat_polygon(struct RenderDevice_* device, const float (*corner)[2], const float (*rgba)[4],
                  int n);

void flat_rectangle(struct RenderDevice_* device, float left, float bottom, float width,
                    float height, const float rgba[4]);

// A line of a width in pixels from a to b.
void flat_line(struct RenderDevice_* device, const float a[2], const float b[2], float width,
               const float rgba[4]);

// Text with the lower left corner of its line at (x, y), up to n characters or its end. Returns the
// width in pixels.
float flat_text(struct RenderDevice_* device, int font, const char* text, int n, float x, float y,
                const float rgba[4]);

// Widths and heights of text.
int flat_text_width(const struct RenderDevice_* device, int font, const char* text, int n);
int flat_text_height(const struct RenderDevice_* device, int font);

// Draws what was collected.
void flat_end(struct RenderDevice_* device, RenderFlatMode mode);
