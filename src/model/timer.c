#include "model/timer.h"

#include <mujoco/api/model.h>

mjtNum timer_start(void) {
  return mjcb_time ? mjcb_time() : 0;
}

void timer_add(mjData* d, int timer, mjtNum start) {
  if (mjcb_time) {
    d->timer[timer].duration += mjcb_time() - start;
  }
}

void timer_stop(mjData* d, int timer, mjtNum start) {
  timer_add(d, timer, start);
  d->timer[timer].number++;
}
