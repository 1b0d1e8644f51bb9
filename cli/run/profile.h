// profile.h: where the time of a run goes, by stage and by pair of geoms.

#pragma once

#include <mujoco/mujoco.h>

// A monotonic clock in seconds.
double now(void);

// Begins to measure all steps from now on. Zeros the timers of d.
void profile_start(mjData* d);

void profile_stop(void);

// Prints two tables: microseconds per step and share of each stage, and the ten pairs of geoms with
// the largest times. Clears the measurements of pairs.
void profile_print(const mjModel* m, const mjData* d);
