// history.c: compiles the past samples that actuators and sensors keep: their checks, and the place
// of each buffer in mjData.history, actuators before sensors.       theory/time/history.md, Buffers

#include <limits.h>

#include "compile/context.h"
#include "compile/mechanism/mechanism.h"
#include "model/history_size.h"

enum {
  MOST_SAMPLES = 1 << 24
};

void compile_history(Compile* c, const SpecObject* object, int nsample, double delay) {
  if (delay > 0 && nsample <= 0) {
    compile_error(c, object, "a delay needs past samples: nsample is %d, must be positive",
                  nsample);
  }
  if (nsample > MOST_SAMPLES) {
    compile_error(c, object, "at most %d past samples can be kept, nsample is %d", MOST_SAMPLES,
                  nsample);
  }
}

// Gives each buffer its place. Returns the length of all so far.
static mjtSize place_buffers(Compile* c, int* adr, const int* history, const int* dim, mjtObj type,
                             mjtSize total) {
  for (int i = 0; i < c->count[type]; i++) {
    mjtSize size = history_size(history[2 * i], dim[i]);
    if (size > INT_MAX - total) {
      compile_error(c, c->list[type][i], "too many past samples");
      return total;
    }
    adr[i] = size ? (int)total : -1;
    total += size;
  }
  return total;
}

void compile_histories(Compile* c) {
  mjModel* m = c->m;
  if (c->nerror) {
    return;
  }
  mjtSize n = place_buffers(c, m->actuator_historyadr, m->actuator_history, m->actuator_ctrlnum,
                            mjOBJ_ACTUATOR, 0);
  m->nhistory =
      place_buffers(c, m->sensor_historyadr, m->sensor_history, m->sensor_dim, mjOBJ_SENSOR, n);
  if (m->nhistory && !(m->opt.timestep > 0)) {
    compile_error(c, NULL, "past samples need a positive timestep, it is %g",
                  (double)m->opt.timestep);
  }
}
