// clock.h: how long the stages of a compilation take (mjs_getTimer).
//
// Stages run on several threads, each for one asset at a time. So a thread adds to the array that
// it was given last, and whoever gave it sums the arrays of all assets when they are made.

#pragma once

#include <mujoco/mjspec.h>

// Seconds since some fixed time.
double clock_now(void);

// Gives this thread an array of mjNCTIMER numbers to add to, NULL for none. Returns the one before.
double* clock_give(double* timer);

// Adds what has passed since `begin` to a number of this thread's array. Returns the present time.
double clock_add(mjtCTimer which, double begin);
