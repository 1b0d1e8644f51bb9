// figure.c: plots of lines.

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/render.h>
#include <mujoco/mjvisualize.h>
#include <stdio.h>
#include <string.h>

#include "render/device.h"
#include "render/flat.h"

enum {
  MOST_TICKS = 20,
};
static const float NARROWEST = 1e-5f;    // range of an axis
static const float HIGHLIGHT_WIDTH = 5;  // of a line, in widths of the others

// The rectangle of the axes, in pixels of the viewport, and what is drawn where.
typedef struct Plot_ {
  RenderDevice* device;
  const mjvFigure* fig;
  float left, right, bottom, top;
  float range[2][2];
  int row;  // height of text
} Plot;

// Is it a format for exactly one floating-point number? Any other might read arguments that don't
// exist.
static int is_number_format(const char* format, size_t room) {
  size_t i = 0;
  int count = 0;
  if (!memchr(format, 0, room)) {
    return 0;
  }
  while (format[i]) {
    if (format[i++] != '%') {
      continue;
    }
    if (format[i] == '%') {
      i++;
      continue;
    }
    while (format[i] && strchr("+- #0", format[i])) {
      i++;
    }
    for (int digits = 0; isdigit((unsigned char)format[i]) || format[i] == '.'; i++) {
      if (++digits > 4) {
        return 0;
      }
    }
    if (!format[i] || !strchr("fFgGeE", format[i])) {
      return 0;
    }
    count++;
  }
  return count == 1;
}

static void print_number(char out[60], const char format[20], float value) {
  if (is_number_format(format, 20)) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(out, 60, format, (double)value);
#pragma GCC diagnostic pop
  } else {
    snprintf(out, 60, "%g", (double)value);
  }
  // drop zeros after the decimal point
  if (strchr(out, '.') && !strpbrk(out, "eE")) {
    size_t n = strlen(out);
    while (n && out[n - 1] == '0') {
      out[--n] = 0;
    }
    if (n && out[n - 1] == '.') {
      out[n - 1] = 0;
    }
  }
}

static int points(const mjvFigure* fig, int line) {
  int n = fig->linepnt[line];
  return n < 0 ? 0 : n > mjMAXLINEPNT ? mjMAXLINEPNT : n;
}

// The range of an axis: the given one, or what the data need.
static void find_range(float out[2], const mjvFigure* fig, int axis) {
  int is_given = fig->range[axis][0] < fig->range[axis][1];
  out[0] = is_given ? fig->range[axis][0] : INFINITY;
  out[1] = is_given ? fig->range[axis][1] : -INFINITY;
  if (!is_given || fig->flg_extend) {
    for (int line = 0; line < mjMAXLINE; line++) {
      for (int i = 0; i < points(fig, line); i++) {
        float value = fig->linedata[line][2 * i + axis];
        if (isfinite(value)) {
          out[0] = fminf(out[0], value);
          out[1] = fmaxf(out[1], value);
        }
      }
    }
  }
  if (!(out[0] <= out[1]) || !isfinite(out[0]) || !isfinite(out[1])) {
    out[0] = 0;
    out[1] = 1;
  }
  if (axis == 1 && fig->flg_symmetric) {
    out[1] = fmaxf(fabsf(out[0]), fabsf(out[1]));
    out[0] = -out[1];
  }
  if (out[1] - out[0] < NARROWEST) {
    float middle = (out[0] + out[1]) / 2;
    out[0] = middle - NARROWEST / 2;
    out[1] = middle + NARROWEST / 2;
  }
}

static void to_pixel(float out[2], const Plot* p, float x, float y) {
  out[0] =
      p->left + (x - p->range[0][0]) / (p->range[0][1] - p->range[0][0]) * (p->right - p->left);
  out[1] =
      p->bottom + (y - p->range[1][0]) / (p->range[1][1] - p->range[1][0]) * (p->top - p->bottom);
}

static int text_width(const Plot* p, const char* text) {
  return flat_text_width(p->device, mjFONT_NORMAL, text, INT_MAX);
}

static void put(const Plot* p, const char* text, int n, float x, float y, const float rgb[3]) {
  const float rgba[4] = {rgb[0], rgb[1], rgb[2], 1};
  flat_text(p->device, mjFONT_NORMAL, text, n, x, y, rgba);
}

// The part of a title that belongs to a subplot; parts are separated by two blanks.
static const char* title_part(int* out_n, const char* title, int part) {
  const char* at = title;
  for (int i = 0; i < part; i++) {
    const char* gap = strstr(at, "  ");
    if (!gap) {
      break;
    }
    at = gap + strspn(gap, " ");
  }
  const char* end = strstr(at, "  ");
  *out_n = end ? (int)(end - at) : (int)strlen(at);
  return at;
}

// The title is drawn as one text, with the part of the shown subplot bright.
static void draw_title(const Plot* p, float width, float y) {
  const mjvFigure* fig = p->fig;
  float x = (width - (float)text_width(p, fig->title)) / 2;
  const float* rgb = fig->textrgb;
  const float dim[3] = {rgb[0] / 2, rgb[1] / 2, rgb[2] / 2};
  int has_parts = strstr(fig->title, "  ") != NULL, n;
  const char* part = title_part(&n, fig->title, fig->subplot);
  put(p, fig->title, INT_MAX, x, y, has_parts ? dim : rgb);
  if (has_parts) {
    x += (float)flat_text_width(p->device, mjFONT_NORMAL, fig->title, (int)(part - fig->title));
    put(p, part, n, x, y, rgb);
  }
}

static int ticks(int wanted) {
  return wanted < 2 ? 2 : wanted > MOST_TICKS ? MOST_TICKS : wanted;
}

static float tick_value(const Plot* p, int axis, int i) {
  float share = (float)i / (float)(ticks(p->fig->gridsize[axis]) - 1);
  return p->range[axis][0] + share * (p->range[axis][1] - p->range[axis][0]);
}

static void draw_ticks(const Plot* p) {
  const mjvFigure* fig = p->fig;
  char text[60];
  float at[2];
  for (int i = 0; i < ticks(fig->gridsize[0]) && fig->flg_ticklabel[0]; i++) {
    print_number(text, fig->xformat, tick_value(p, 0, i));
    to_pixel(at, p, tick_value(p, 0, i), p->range[1][0]);
    put(p, text, INT_MAX, at[0] - (float)text_width(p, text) / 2, p->bottom - (float)p->row,
        fig->textrgb);
  }
  for (int i = 0; i < ticks(fig->gridsize[1]) && fig->flg_ticklabel[1]; i++) {
    print_number(text, fig->yformat, tick_value(p, 1, i));
    to_pixel(at, p, p->range[0][0], tick_value(p, 1, i));
    put(p, text, INT_MAX, p->left - (float)text_width(p, text) - (float)p->row / 4,
        at[1] - (float)p->row / 2, fig->textrgb);
  }
}

static void draw_grid(const Plot* p) {
  const mjvFigure* fig = p->fig;
  const float rgba[4] = {fig->gridrgb[0], fig->gridrgb[1], fig->gridrgb[2], 1};
  for (int axis = 0; axis < 2; axis++) {
    for (int i = 0; i < ticks(fig->gridsize[axis]) && fig->gridsize[axis] > 0; i++) {
      float a[2], b[2], value = tick_value(p, axis, i);
      to_pixel(a, p, axis ? p->range[0][0] : value, axis ? value : p->range[1][0]);
      to_pixel(b, p, axis ? p->range[0][1] : value, axis ? value : p->range[1][1]);
      flat_line(p->device, a, b, fig->gridwidth, rgba);
    }
  }
}

// Cuts a segment to the pane; 0 if nothing is left.
static int cut(const Plot* p, float a[2], float b[2]) {
  const float low[2] = {p->left, p->bottom}, high[2] = {p->right, p->top};
  float from = 0, to = 1;
  const float start[2] = {a[0], a[1]}, way[2] = {b[0] - a[0], b[1] - a[1]};
  for (int k = 0; k < 2; k++) {
    if (way[k] == 0) {
      if (start[k] < low[k] || start[k] > high[k]) {
        return 0;
      }
      continue;
    }
    float s = (low[k] - start[k]) / way[k], t = (high[k] - start[k]) / way[k];
    from = fmaxf(from, fminf(s, t));
    to = fminf(to, fmaxf(s, t));
  }
  for (int k = 0; k < 2; k++) {
    a[k] = start[k] + from * way[k];
    b[k] = start[k] + to * way[k];
  }
  return from < to;
}

static void draw_line(const Plot* p, int line, float width) {
  const mjvFigure* fig = p->fig;
  const float* rgb = fig->linergb[line];
  const float rgba[4] = {rgb[0], rgb[1], rgb[2], 1};
  const float* data = fig->linedata[line];
  int step = fig->flg_barplot ? 2 : 1;
  for (int i = 0; i + 1 < points(fig, line); i += step) {
    float a[2], b[2];
    to_pixel(a, p, data[2 * i], data[2 * i + 1]);
    to_pixel(b, p, data[2 * i + 2], data[2 * i + 3]);
    int is_finite = isfinite(a[0]) && isfinite(a[1]) && isfinite(b[0]) && isfinite(b[1]);
    if (is_finite && cut(p, a, b)) {
      flat_line(p->device, a, b, width, rgba);
    }
  }
}

// Lines with names, from the offset on, as many as there is room for. Returns the line whose name
// is at the highlighted point, -1 if none is.
static int draw_legend(const Plot* p) {
  const mjvFigure* fig = p->fig;
  int width = 0, n = 0, named[mjMAXLINE], found = -1;
  int room = (int)((p->top - p->bottom) / (float)p->row) - 1, skip = fig->legendoffset;
  for (int i = 0; i < mjMAXLINE; i++) {
    if (points(fig, i) && fig->linename[i][0] && skip-- <= 0 && n < room) {
      int w = text_width(p, fig->linename[i]);
      width = w > width ? w : width;
      named[n++] = i;
    }
  }
  if (!n) {
    return -1;
  }
  float margin = (float)p->row / 2, left = p->right - (float)width - 2 * margin;
  float height = (float)(n * p->row) + margin;
  flat_rectangle(p->device, left, p->top - height, p->right - left, height, fig->legendrgba);
  for (int i = 0; i < n; i++) {
    float y = p->top - margin / 2 - (float)((i + 1) * p->row);
    put(p, fig->linename[named[i]], INT_MAX, left + margin, y, fig->linergb[named[i]]);
    float x = (float)fig->highlight[0], at = (float)fig->highlight[1];
    if (x >= left && x <= p->right && at >= y && at < y + (float)p->row) {
      found = named[i];
    }
  }
  return found;
}

// The point of a line that is nearest to the selection, as text at the pane's lower edge.
static void draw_selected(const Plot* p, int line) {
  const mjvFigure* fig = p->fig;
  const float* data = fig->linedata[line];
  int nearest = 0;
  for (int i = 1; i < points(fig, line); i++) {
    if (fabsf(data[2 * i] - fig->selection) < fabsf(data[2 * nearest] - fig->selection)) {
      nearest = i;
    }
  }
  char x[60], y[60], text[130];
  print_number(x, fig->xformat, data[2 * nearest]);
  print_number(y, fig->yformat, data[2 * nearest + 1]);
  snprintf(text, sizeof(text), "%s: %s", x, y);
  put(p, text, INT_MAX, p->left + (float)p->row / 2, p->bottom + (float)p->row / 2,
      fig->linergb[line]);
}

static void draw_selection(const Plot* p) {
  const float rgba[4] = {1, 1, 1, 1};
  float a[2], b[2];
  to_pixel(a, p, p->fig->selection, p->range[1][0]);
  to_pixel(b, p, p->fig->selection, p->range[1][1]);
  if (cut(p, a, b)) {
    flat_line(p->device, a, b, 1, rgba);
  }
}

static void draw_lines(const Plot* p) {
  const mjvFigure* fig = p->fig;
  for (int i = mjMAXLINE - 1; i >= 0; i--) {
    draw_line(p, i, fig->linewidth);
  }
  if (fig->flg_selection) {
    draw_selection(p);
  }
  int bright = fig->flg_legend ? draw_legend(p) : -1;
  if (fig->highlightid >= 0 && fig->highlightid < mjMAXLINE) {
    bright = fig->highlightid;
  }
  if (bright >= 0 && points(fig, bright)) {
    draw_line(p, bright, HIGHLIGHT_WIDTH * fig->linewidth);
    if (fig->flg_selection) {
      draw_selected(p, bright);
    }
  }
}

// Terminates texts that callers have filled completely.
static void end_texts(mjvFigure* fig) {
  fig->title[sizeof(fig->title) - 1] = fig->xlabel[sizeof(fig->xlabel) - 1] = 0;
  fig->minwidth[sizeof(fig->minwidth) - 1] = 0;
  for (int i = 0; i < mjMAXLINE; i++) {
    fig->linename[i][sizeof(fig->linename[i]) - 1] = 0;
  }
}

void mjr_figure(mjrRect viewport, mjvFigure* fig, const mjrContext* con) {
  RenderDevice* device = render_device(con);
  if (viewport.width < 1 || viewport.height < 1) {
    return;
  }
  end_texts(fig);
  float width = (float)viewport.width, height = (float)viewport.height;
  Plot p = {.device = device, .fig = fig, .row = flat_text_height(device, mjFONT_NORMAL)};
  find_range(p.range[0], fig, 0);
  find_range(p.range[1], fig, 1);

  // room for texts around the pane
  int label_width = text_width(&p, fig->minwidth);
  for (int i = 0; i < ticks(fig->gridsize[1]); i++) {
    char text[60];
    print_number(text, fig->yformat, tick_value(&p, 1, i));
    int w = text_width(&p, text);
    label_width = w > label_width ? w : label_width;
  }
  float row = (float)p.row;
  p.left = row / 2 + (fig->flg_ticklabel[1] ? (float)label_width + row / 4 : 0);
  p.right = fmaxf(width - row, p.left + 1);
  p.bottom = row / 2 + (fig->flg_ticklabel[0] ? row : 0) + (fig->xlabel[0] ? row : 0);
  p.top = fmaxf(height - row / 2 - (fig->title[0] ? row : 0), p.bottom + 1);

  flat_begin(device, viewport);
  flat_rectangle(device, 0, 0, width, height, fig->figurergba);
  flat_rectangle(device, p.left, p.bottom, p.right - p.left, p.top - p.bottom, fig->panergba);
  if (fig->title[0]) {
    draw_title(&p, width, height - row - row / 4);
  }
  if (fig->xlabel[0]) {
    put(&p, fig->xlabel, INT_MAX, (width - (float)text_width(&p, fig->xlabel)) / 2, row / 4,
        fig->textrgb);
  }
  draw_grid(&p);
  draw_ticks(&p);
  draw_lines(&p);
  flat_end(device, FLAT_BLEND);

  fig->xaxispixel[0] = (int)p.left;
  fig->xaxispixel[1] = (int)p.right;
  fig->yaxispixel[0] = (int)p.bottom;
  fig->yaxispixel[1] = (int)p.top;
  memcpy(fig->xaxisdata, p.range[0], sizeof(fig->xaxisdata));
  memcpy(fig->yaxisdata, p.range[1], sizeof(fig->yaxisdata));
}
