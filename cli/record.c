// record.c: condyle record MODEL, which films a simulation.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/system/console.h"
#include "command.h"
#include "control.h"
#include "film.h"
#include "options.h"
#include "picture.h"
#include "stop.h"

typedef struct Options_ {
  const char* model;
  const char* key;
  const char* out;
  double time;   // simulated seconds
  double fps;    // pictures a second of the film
  double speed;  // seconds simulated in a second of the film
  Controls controls;
  ContactChoice contact;
  PictureOptions picture;
} Options;

static int take_time(void* target, const char* option, const char* value) {
  return parse_real(target, "record", option, value, 0, 1e6);
}

static int take_fps(void* target, const char* option, const char* value) {
  return parse_real(target, "record", option, value, 1, 1000);
}

static int take_speed(void* target, const char* option, const char* value) {
  return parse_real(target, "record", option, value, 1e-4, 1e4);
}

static int read_options(Options* options, int argc, char** argv) {
  *options = (Options){.time = 5, .fps = 30, .speed = 1, .controls.seed = 1, .contact = {-1, -1}};
  const Option known[] = {
      {"-o", take_text, &options->out},
      {"--time", take_time, &options->time},
      {"--fps", take_fps, &options->fps},
      {"--speed", take_speed, &options->speed},
      {"--key", take_text, &options->key},
      {"--ctrl", take_controls, &options->controls},
      {"--seed", take_seed, &options->controls},
      {"--contact", take_contact, &options->contact},
      {"--camera", take_text, &options->picture.camera},
      {"--size", take_size, &options->picture},
      {"--segment", NULL, &options->picture.segment},
  };
  int count = sizeof known / sizeof *known;
  return parse_options(&options->model, NULL, "record", known, count, argc, argv);
}

// Steps up to each picture of the film and draws it.
static int shoot(const Options* options, const mjModel* m, mjData* d, Picture* picture,
                 Film* film) {
  long count = (long)(options->time / options->speed * options->fps + 0.5) + 1;
  int terminal = console_is(stderr), status = STATUS_OK;
  Controls controls = options->controls;
  controls_start(&controls);
  stop_gently();
  for (long i = 0; i < count && status == STATUS_OK && !stop_signal(); i++) {
    double until = (double)i * options->speed / options->fps;
    while ((double)d->time + 0.5 * (double)m->opt.timestep < until && !stop_signal()) {
      controls_set(&controls, m, d);
      mj_step(m, d);
    }
    mj_forward(m, d);
    status = film_add(film, picture_draw(picture, d));
    if (terminal) {
      show_progress((double)(i + 1) / (double)count);
    }
  }
  return status == STATUS_OK && stop_signal() ? STATUS_STOPPED + stop_signal() : status;
}

static int record(const void* given, mjModel* m, mjData* d) {
  const Options* options = given;
  int status = STATUS_OK;
  Picture* picture = picture_open(&status, "record", &options->picture, m);
  Film* film = picture ? film_open(&status, options->out, picture_width(picture),
                                   picture_height(picture), options->fps)
                       : NULL;
  if (film) {
    status = shoot(options, m, d, picture, film);
    char place[4200];
    snprintf(place, sizeof place, "%s", film_place(film));
    int closed = film_close(film);
    status = status == STATUS_OK ? closed : status;
    if (status == STATUS_OK) {
      printf("%s\n", place);
    }
  }
  picture_close(picture);
  return status;
}

int command_record(int argc, char** argv) {
  Options options;
  int status = read_options(&options, argc, argv);
  if (status != STATUS_OK) {
    return status;
  }
  if (!options.out) {
    options.out = "film.mp4";
  }
  const Work work = {.command = "record",
                     .model = options.model,
                     .contact = &options.contact,
                     .out = options.out,
                     .key = options.key,
                     .timeless = ""};
  return work_on_model(&work, record, &options);
}
