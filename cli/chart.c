// chart.c: writes line charts as SVG.

#include "chart.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "markup.h"

enum {
  WIDTH = 900,
  PANEL = 190,  // height of the axes
  LEFT = 70,
  RIGHT = 150,
  TOP = 44,
  BETWEEN = 40,
  BOTTOM = 46,
  PLOT = WIDTH - LEFT - RIGHT,
  NCOLOR = 8,
  MOST_NAMES = 11  // lines of a legend
};

// Okabe and Ito's colors, which people of any color vision can tell apart, as variables of the
// style.
static const char style[] =
    "<style>\n"
    "svg{--ink:#222;--grid:#ddd;--paper:#fff;--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#cc79a7;"
    "--c4:#b8860b;--c5:#56b4e9;--c6:#6a3d9a;--c7:#555}\n"
    "@media(prefers-color-scheme:dark){svg{--ink:#ddd;--grid:#3a3a3a;--paper:#161616;--c0:#4ea8de;"
    "--c1:#ff8c42;--c2:#2ec4a0;--c3:#e6a5c9;--c4:#e0c04c;--c5:#8fd0f5;--c6:#b79ae0;--c7:#aaa}}\n"
    "text{font:12px system-ui,sans-serif;fill:var(--ink)}\n"
    ".title{font-size:15px;font-weight:600}.panel{font-weight:600}.number{font-size:11px}\n"
    ".grid{stroke:var(--grid);fill:none}.line{fill:none;stroke-width:1.4;stroke-linejoin:round}\n"
    "</style>\n";

typedef struct Range_ {
  double low, high;
  double step;  // between ticks
} Range;

// Makes a range wider so that it begins and ends with ticks, some `count` of them: steps are 1, 2
// or 5 times a power of ten.
static Range round_range(double low, double high, int count) {
  if (!(low <= high)) {
    low = 0;
    high = 1;
  }
  double width = high / 2 - low / 2, size = fmax(fabs(low), fabs(high));
  if (width <= 1e-12 * size) {
    width = size > 0 ? 0.05 * size : 0.5;
    low = low - width;
    high = high + width;
  }
  // neither beyond the largest number nor below what has all its digits
  double raw = fmax(width / count * 2, 1e-300), power = pow(10, floor(log10(raw))),
         part = raw / power;
  double step = power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
  return (Range){fmax(step * floor(low / step), -DBL_MAX), fmin(step * ceil(high / step), DBL_MAX),
                 step};
}

static void include(double* low, double* high, double value) {
  if (isfinite(value)) {
    *low = fmin(*low, value);
    *high = fmax(*high, value);
  }
}

static double value_at(const Table* table, size_t row, size_t column) {
  return table->value[row * table->columns + column];
}

static Range range_of(const Table* table, const size_t* column, size_t count, int ticks) {
  double low = INFINITY, high = -INFINITY;
  for (size_t row = 0; row < table->rows; row++) {
    for (size_t i = 0; i < count; i++) {
      include(&low, &high, value_at(table, row, column[i]));
    }
  }
  return round_range(low, high, ticks);
}

static double place(double value, const Range* range, double from, double to) {
  double part = (value / 2 - range->low / 2) / (range->high / 2 - range->low / 2);
  return from + (to - from) * part;
}

static void write_number(FILE* file, double x, double y, const char* anchor, double value,
                         double step) {
  // rounding leaves 0 as a tiny number
  value = fabs(value) < step / 1000 ? 0 : value;
  fprintf(file, "<text class=\"number\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%.6g</text>\n", x,
          y, anchor, value);
}

// Steps from the lower end of a range to the upper; halves, because their difference may overflow.
static int steps_of(const Range* range) {
  return (int)((range->high / 2 - range->low / 2) / range->step * 2 + 0.5);
}

// The grid, with numbers at its left and, in the last panel, below.
static void write_axes(FILE* file, const Range* x, const Range* y, double top, int is_last) {
  double bottom = top + PANEL;
  fprintf(file, "<path class=\"grid\" d=\"");
  int nx = steps_of(x), ny = steps_of(y);
  for (int i = 0; i <= ny; i++) {
    fprintf(file, "M%d %.1fh%d", LEFT, bottom - PANEL * (double)i / ny, PLOT);
  }
  for (int i = 0; i <= nx; i++) {
    fprintf(file, "M%.1f %.1fv%d", LEFT + PLOT * (double)i / nx, top, PANEL);
  }
  fprintf(file, "\"/>\n");
  for (int i = 0; i <= ny; i++) {
    write_number(file, LEFT - 6, bottom - PANEL * (double)i / ny + 4, "end", y->low + i * y->step,
                 y->step);
  }
  for (int i = 0; i <= nx && is_last; i++) {
    write_number(file, LEFT + PLOT * (double)i / nx, bottom + 16, "middle", x->low + i * x->step,
                 x->step);
  }
}

// The smallest, largest, first and last value of the rows that fall on one pixel.
typedef struct Pixel_ {
  double x, first, last, low, high;
  int count;
} Pixel;

static void write_pixel(FILE* file, const Pixel* p, int* is_open) {
  if (p->count) {
    fprintf(file, "%s%.1f %.1f", *is_open ? "L" : "M", p->x, p->first);
    if (p->count > 2) {
      fprintf(file, "V%.1fV%.1f", p->low, p->high);
    }
    if (p->count > 1) {
      fprintf(file, "V%.1f", p->last);
    }
    *is_open = 1;
  }
}

static void write_line(FILE* file, const Table* table, size_t column, size_t x, const Range* rx,
                       const Range* ry, double top) {
  Pixel pixel = {0};
  int is_open = 0;
  for (size_t row = 0; row < table->rows; row++) {
    double value = value_at(table, row, column), at = value_at(table, row, x);
    if (!isfinite(value) || !isfinite(at)) {
      write_pixel(file, &pixel, &is_open);
      pixel.count = is_open = 0;
      continue;
    }
    double px = place(at, rx, LEFT, LEFT + PLOT), py = place(value, ry, top + PANEL, top);
    if (pixel.count && fabs(px - pixel.x) < 0.5) {
      pixel.low = fmin(pixel.low, py);
      pixel.high = fmax(pixel.high, py);
      pixel.last = py;
      pixel.count += pixel.count < 3;
    } else {
      write_pixel(file, &pixel, &is_open);
      pixel = (Pixel){px, py, py, py, py, 1};
    }
  }
  write_pixel(file, &pixel, &is_open);
}

// Lines after the first eight are dashed.
static void write_stroke(FILE* file, size_t i) {
  static const char* const dash[] = {"", " stroke-dasharray=\"6 3\"", " stroke-dasharray=\"2 2\""};
  fprintf(file, " style=\"stroke:var(--c%zu)\"%s", i % NCOLOR, dash[i / NCOLOR % 3]);
}

static void write_legend(FILE* file, const Table* table, const Panel* panel, double top) {
  size_t shown = panel->count <= MOST_NAMES ? panel->count : MOST_NAMES - 1;
  for (size_t i = 0; i < shown; i++) {
    double y = top + 8 + 16 * (double)i;
    fprintf(file, "<path class=\"line\"");
    write_stroke(file, i);
    fprintf(file, " d=\"M%d %.1fh20\"/><text x=\"%d\" y=\"%.1f\">", LEFT + PLOT + 12, y,
            LEFT + PLOT + 38, y + 4);
    markup_text(file, table->name[panel->column[i]], 18);
    fprintf(file, "</text>\n");
  }
  if (shown < panel->count) {
    fprintf(file, "<text x=\"%d\" y=\"%.1f\">and %zu more</text>\n", LEFT + PLOT + 38,
            top + 12 + 16 * (double)shown, panel->count - shown);
  }
}

static void write_panel(FILE* file, const Table* table, size_t x, const Range* rx,
                        const Panel* panel, double top, int is_last) {
  Range ry = range_of(table, panel->column, panel->count, 4);
  fprintf(file, "<text class=\"panel\" x=\"%d\" y=\"%.1f\">", LEFT, top - 8);
  markup_text(file, panel->title, panel->title_length);
  fprintf(file, "</text>\n");
  write_axes(file, rx, &ry, top, is_last);
  for (size_t i = 0; i < panel->count; i++) {
    fprintf(file, "<path class=\"line\"");
    write_stroke(file, i);
    fprintf(file, " d=\"");
    write_line(file, table, panel->column[i], x, rx, &ry, top);
    fprintf(file, "\"><title>");
    markup_text(file, table->name[panel->column[i]], 200);
    fprintf(file, "</title></path>\n");
  }
  write_legend(file, table, panel, top);
}

void chart_write(FILE* file, const Table* table, size_t x, const Panel* panels, size_t count,
                 const char* title) {
  double height = TOP + (double)count * (PANEL + BETWEEN) - BETWEEN + 20 + BOTTOM;
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
          "viewBox=\"0 0 %d %.0f\">\n%s<rect width=\"100%%\" height=\"100%%\" "
          "fill=\"var(--paper)\"/>\n<text class=\"title\" x=\"%d\" y=\"22\">",
          WIDTH, height, WIDTH, height, style, LEFT);
  markup_text(file, title, strlen(title));
  fprintf(file, "</text>\n");
  Range rx = range_of(table, &x, 1, 8);
  for (size_t i = 0; i < count; i++) {
    write_panel(file, table, x, &rx, panels + i, TOP + 20 + (PANEL + BETWEEN) * (double)i,
                i + 1 == count);
  }
  fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"middle\">", LEFT + PLOT / 2, height - 10);
  markup_text(file, table->name[x], 200);
  fprintf(file, "</text>\n</svg>\n");
}
