// profile.h: where the time of a run goes, by stage and by pair of geoms.

#ifndef CONDYLE_CLI_PROFILE_H_
#define CONDYLE_CLI_PROFILE_H_

#include <mujoco/mujoco.h>

// Seconds since some moment.
double now(void);

// Begins to measure whatever is stepped from here on; the timers of d start at zero.
void profile_start(mjData* d);

void profile_stop(void);

// The tables of what was measured: microseconds a step and share of each stage, and the ten pairs
// of geoms that took most. Forgets it.
void profile_print(const mjModel* m, const mjData* d);

#endif  // CONDYLE_CLI_PROFILE_H_
