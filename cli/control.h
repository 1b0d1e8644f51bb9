// control.h: random controls for a run, and the bar that shows the progress of a run.

#pragma once

#include <mujoco/mujoco.h>
#include <stdint.h>

typedef struct Controls_ {
  double noise;    // scale of random controls, 0 for none
  uint64_t seed;   // of the random sequence
  uint64_t state;  // of the generator, set by controls_start
} Controls;

// Readers for tables of options: "zero" or "noise:SCALE", and a whole number. The target is
// Controls.
int take_controls(void* target, const char* option, const char* value);
int take_seed(void* target, const char* option, const char* value);

void controls_start(Controls* controls);

// Sets the controls of the next step: random ones are uniform over the control range (or in (-1, 1)
// without one), times the scale.
void controls_set(Controls* controls, const mjModel* m, mjData* d);

// Draws a progress bar on the standard error stream, which must be a terminal. It goes from 0 to 1,
// where it is removed.
void show_progress(double fraction);
