// control.c: random controls for a run, and the bar that shows the progress of a run.

#include "control.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "options.h"

static const double MAX_NOISE = 1e6, MAX_SEED = 9007199254740991.0;  // 2^53 - 1

int take_controls(void* target, const char* option, const char* value) {
  static const char noise[] = "noise:";
  Controls* controls = target;
  if (!strcmp(value, "zero")) {
    controls->noise = 0;
    return STATUS_OK;
  }
  if (strncmp(value, noise, strlen(noise))) {
    return usage_error(NULL, "--ctrl must be zero or noise:SCALE, not '%s'", value);
  }
  return parse_real(&controls->noise, NULL, option, value + strlen(noise), 0, MAX_NOISE);
}

int take_seed(void* target, const char* option, const char* value) {
  Controls* controls = target;
  double number;
  int status = parse_whole(&number, NULL, option, value, MAX_SEED);
  if (status == STATUS_OK) {
    controls->seed = (uint64_t)number;
  }
  return status;
}

// xorshift64; its upper 53 bits, divided by 2^52, less 1: uniform in (-1, 1)
static double random_unit(uint64_t* state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

void controls_start(Controls* controls) {
  // the golden ratio times 2^64 spreads seeds that are near each other; a state of 0 would stay 0
  controls->state = controls->seed * 0x9E3779B97F4A7C15u + 88172645463325252u;
  controls->state += !controls->state;
}

void controls_set(Controls* controls, const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nu && controls->noise > 0; i++) {
    double r = controls->noise * random_unit(&controls->state);
    if (m->actuator_ctrllimited[i]) {
      const mjtNum* range = m->actuator_ctrlrange + 2 * i;
      r = 0.5 * (double)(range[0] + range[1]) + 0.5 * r * (double)(range[1] - range[0]);
    }
    d->ctrl[i] = (mjtNum)r;
  }
}

void show_progress(double fraction) {
  enum {
    WIDTH = 40
  };
  char bar[WIDTH + 1];
  int full = (int)(fraction * WIDTH);
  memset(bar, '.', WIDTH);
  memset(bar, '#', (size_t)full);
  bar[WIDTH] = 0;
  fprintf(stderr, "\r[%s] %3d%%", bar, (int)(100 * fraction));
  if (fraction >= 1) {
    fprintf(stderr, "\r%*s\r", WIDTH + 8, "");
  }
  fflush(stderr);
}
