// timer.h: where the time of a step goes, as the program's own clock (mjcb_time) tells it; without
// a clock only calls are counted.                                            theory/data.md, Timers

#ifndef CONDYLE_MODEL_TIMER_H_
#define CONDYLE_MODEL_TIMER_H_

#include <mujoco/mjdata.h>

// The clock's time; 0 without one.
mjtNum timer_start(void);

// Adds the time since start without counting a call: the second part of something already counted.
void timer_add(mjData* d, int timer, mjtNum start);

// Adds the time since start and counts one call.
void timer_stop(mjData* d, int timer, mjtNum start);

#endif  // CONDYLE_MODEL_TIMER_H_
