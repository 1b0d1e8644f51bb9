// timer.h: where the time of a step goes, as the program's own clock (mjcb_time) tells it; without
// a clock only calls are counted.                                            theory/data.md, Timers

#ifndef CONDYLE_MODEL_TIMER_H_
#define CONDYLE_MODEL_TIMER_H_

#include <mujoco/api/model.h>
#include <mujoco/mjdata.h>

// The clock's time; 0 without one.
static inline mjtNum timer_start(void) {
  return mjcb_time ? mjcb_time() : 0;
}

// Adds the time since start without counting a call: the second part of something already counted.
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

#endif  // CONDYLE_MODEL_TIMER_H_
