// timer.h: timers of the stages of a step, on the program's clock (mjcb_time). Without a clock they
// only count calls.                                                          theory/data.md, Timers

#pragma once

#include <mujoco/api/model.h>
#include <mujoco/mjdata.h>

// The time of the clock, 0 if there is none.
static inline mjtNum timer_start(void) {
  return mjcb_time ? mjcb_time() : 0;
}

// Adds the time since start without counting a call, for the second part of a call already counted.
static inline void timer_add(mjData* d, int timer, mjtNum start) {
  if (mjcb_time) {
    d->timer[timer].duration += mjcb_time() - start;
  }
}

// Adds the time since start and counts one call.
static inline void timer_stop(mjData* d, int timer, mjtNum start) {
  timer_add(d, timer, start);
  d->timer[timer].number++;
}
