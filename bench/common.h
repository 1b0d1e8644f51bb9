// What the timing programs share; they compile against either engine.
#pragma once

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// Seconds of the monotonic clock.
static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A model and its data; without them the program ends, and says why.
static inline mjModel* load(mjData** d, const char* file) {
  char error[1000] = "";
  mjModel* m = mj_loadXML(file, NULL, error, sizeof error);
  *d = m ? mj_makeData(m) : NULL;
  if (!*d) {
    fprintf(stderr, "%s\n", m ? "out of memory" : error);
    exit(1);
  }
  return m;
}

// Steps to the state that is timed, with controls that differ.
static inline void settle(const mjModel* m, mjData* d) {
  for (int i = 0; i < 200; i++) {
    for (int k = 0; k < m->nu; k++) {
      d->ctrl[k] = (mjtNum)0.1 * (mjtNum)(k % 3 - 1);
    }
    mj_step(m, d);
  }
}
