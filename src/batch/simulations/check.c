// check.c: checks of arguments, and of calls from within.

#include "batch/simulations/check.h"

#include <condyle/error.h>
#include <mujoco/api/base.h>

#include "base/memory/check.h"

static _Thread_local const SimRunning* running;

void sim_enter(SimRunning* here, const mjBatch* b) {
  *here = (SimRunning){b, running};
  running = here;
}

void sim_leave(const SimRunning* here) {
  running = here->outer;
}

void sim_check(const char* function, const mjBatch* b) {
  check_pointers(function, "b", (const void* const[]){b}, 1);
  for (const SimRunning* r = running; r; r = r->outer) {
    if (r->b == b) {
      mju_error("%s: a function run by mjb_apply called its own batch", function);
    }
  }
}

void sim_check_stage(const char* function, int stage) {
  if (stage < mjSTAGE_NONE || stage > mjSTAGE_ACC) {
    mju_error("%s: stage must be in [mjSTAGE_NONE, mjSTAGE_ACC] = [%d, %d], got %d", function,
              mjSTAGE_NONE, mjSTAGE_ACC, stage);
  }
}

void sim_check_index(const char* function, const mjBatch* b, int sim) {
  if (sim < 0 || sim >= b->nsim) {
    mju_error("%s: sim must be in [0, %d), got %d", function, b->nsim, sim);
  }
}

void sim_alone(mjBatch* b, void (*call)(void* argument), void* argument) {
  char text[REPORT_BYTES];
  pthread_mutex_lock(&b->lock);
  int failed = cnd_try(call, argument, text, sizeof(text));
  pthread_mutex_unlock(&b->lock);
  if (failed) {
    mju_error("%s", text);
  }
}
