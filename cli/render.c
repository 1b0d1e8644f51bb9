// render.c: condyle render MODEL, which draws a state.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/console.h"
#include "command.h"
#include "image.h"
#include "options.h"
#include "picture.h"
#include "table.h"

typedef struct Options_ {
  const char* model;
  const char *key, *state;  // a keyframe; a trajectory
  long row;                 // of the trajectory, -1 for the last one
  const char* out;
  const char* terminal;  // blocks or sixel, NULL for a file
  PictureOptions picture;
} Options;

static int take_row(void* target, const char* option, const char* value) {
  double number;
  int status = parse_whole(&number, "render", option, value, 1e15);
  *(long*)target = status == STATUS_OK ? (long)number : -1;
  return status;
}

static int take_terminal(void* target, const char* option, const char* value) {
  if (strcmp(value, "blocks") != 0 && strcmp(value, "sixel") != 0) {
    return usage_error("render", "%s must be blocks or sixel, not '%s'", option, value);
  }
  *(const char**)target = value;
  return STATUS_OK;
}

static int read_options(Options* options, int argc, char** argv) {
  *options = (Options){.row = -1};
  const Option known[] = {
      {"--key", take_text, &options->key},
      {"--state", take_text, &options->state},
      {"--row", take_row, &options->row},
      {"--camera", take_text, &options->picture.camera},
      {"--size", take_size, &options->picture},
      {"--depth", NULL, &options->picture.depth},
      {"--segment", NULL, &options->picture.segment},
      {"-o", take_text, &options->out},
      {"--terminal", take_terminal, &options->terminal},
  };
  int count = sizeof known / sizeof *known;
  int status = parse_options(&options->model, NULL, "render", known, count, argc, argv);
  if (status != STATUS_OK) {
    return status;
  }
  if (options->picture.depth && options->picture.segment) {
    return usage_error("render", "give --depth or --segment, not both");
  }
  if (options->key && options->state) {
    return usage_error("render", "give --key or --state, not both");
  }
  if (options->row >= 0 && !options->state) {
    return usage_error("render", "--row needs --state");
  }
  if (options->out && options->terminal) {
    return usage_error("render", "give -o or --terminal, not both");
  }
  if (options->out && strcmp(options->out, "-") != 0 && !ends_with(options->out, ".png")) {
    return usage_error("render", "-o must end in .png or be -, not '%s'", options->out);
  }
  return STATUS_OK;
}

// The number in the name of a column, such as 12 in "qpos12"; -1 if it is another one.
static int number_of(const char* name, const char* kind) {
  size_t n = strlen(kind);
  double number;
  char* end = NULL;
  if (strncmp(name, kind, n) != 0 || name[n] < '0' || name[n] > '9') {
    return -1;
  }
  number = strtod(name + n, &end);
  return *end || number > INT_MAX ? -1 : (int)number;
}

// Sets an element of the state from a column named by kind and number. Returns 1 if it did, 0 if
// the column is of another kind, -1 if the model has fewer elements.
static int set_element(mjtNum* state, int size, const char* name, const char* kind, double value) {
  int number = number_of(name, kind);
  if (number < 0) {
    return 0;
  }
  if (number >= size) {
    return -1;
  }
  state[number] = (mjtNum)value;
  return 1;
}

// Sets the state from a row of a trajectory, as condyle simulate writes it. Columns that aren't
// there leave what the reset has set.
static int set_state(const Options* options, const mjModel* m, mjData* d) {
  Table table;
  int status = table_read(&table, options->state);
  if (status == STATUS_OK && options->row >= (long)table.rows) {
    status = usage_error("render", "%s has rows 0 to %zu, not %ld", options->state, table.rows - 1,
                         options->row);
  }
  if (status == STATUS_OK) {
    size_t row = options->row < 0 ? table.rows - 1 : (size_t)options->row;
    int found = 0;
    for (size_t i = 0; i < table.columns && status == STATUS_OK; i++) {
      double value = table.value[row * table.columns + i];
      if (!strcmp(table.name[i], "time")) {
        d->time = (mjtNum)value;
        continue;
      }
      int position = set_element(d->qpos, m->nq, table.name[i], "qpos", value);
      int velocity = set_element(d->qvel, m->nv, table.name[i], "qvel", value);
      found += position > 0;
      if (position < 0 || velocity < 0) {
        status = usage_error("render", "%s is of another model: it has %s, %s has nq = %d, nv = %d",
                             options->state, table.name[i], options->model, m->nq, m->nv);
      }
    }
    if (status == STATUS_OK && !found && m->nq) {
      status = usage_error("render", "%s has no column qpos0", options->state);
    }
  }
  table_free(&table);
  return status;
}

// The size of a picture for a terminal: as wide as it is, 16 to 9.
static void fit_terminal(Options* options) {
  if (options->picture.width) {
    return;
  }
  int columns = console_columns();
  columns = columns > 0 && columns < 400 ? columns : 80;
  options->picture.width = !strcmp(options->terminal, "sixel") ? 8 * columns : columns;
  options->picture.height = options->picture.width * 9 / 16;
}

// Turns depths into shades of gray, white for the nearest; beyond 65 m is black. This is done in
// place, since the buffer has room for colors.
static void shade_depths(unsigned char* pixels, int count) {
  unsigned int low = 65535, high = 0;
  for (int i = 0; i < count; i++) {
    unsigned int mm = pixels[2 * i] * 256u + pixels[2 * i + 1];
    low = mm < low ? mm : low;
    high = mm > high && mm < 65535 ? mm : high;
  }
  for (int i = count - 1; i >= 0; i--) {
    unsigned int mm = pixels[2 * i] * 256u + pixels[2 * i + 1];
    unsigned int shade = mm > high ? 0 : 255 - 215 * (mm - low) / (high > low ? high - low : 1);
    memset(pixels + 3 * i, (int)shade, 3);
  }
}

static int show(const Options* options, Picture* picture, mjData* d) {
  unsigned char* pixels = picture_draw(picture, d);
  int width = picture_width(picture), height = picture_height(picture);
  if (!options->terminal) {
    return image_save(options->out, options->out, pixels, width, height, options->picture.depth);
  }
  if (options->picture.depth) {
    shade_depths(pixels, width * height);
  }
  (!strcmp(options->terminal, "sixel") ? image_print_sixels : image_print_blocks)(pixels, width,
                                                                                  height);
  return STATUS_OK;
}

static int render(const void* given, mjModel* m, mjData* d) {
  const Options* options = given;
  int status = options->state ? set_state(options, m, d) : STATUS_OK;
  Picture* picture =
      status == STATUS_OK ? picture_open(&status, "render", &options->picture, m) : NULL;
  if (picture) {
    mj_forward(m, d);
    status = show(options, picture, d);
  }
  picture_close(picture);
  return status;
}

int command_render(int argc, char** argv) {
  Options options;
  int status = read_options(&options, argc, argv);
  if (status != STATUS_OK) {
    return status;
  }
  if (options.terminal) {
    fit_terminal(&options);
  } else if (!options.out) {
    options.out = "picture.png";
  }
  const Work work = {
      .command = "render", .model = options.model, .out = options.out, .key = options.key};
  return work_on_model(&work, render, &options);
}
