// history_size.h: how many numbers a buffer of past controls or sensor values has.
//                                                               theory/time/history.md, Buffers

#pragma once

#include <mujoco/mjmodel.h>
#include <mujoco/mjtnum.h>

// n samples of dim numbers, their times, the cursor and the last due time; 0 if n isn't positive.
static inline mjtSize history_size(int n, int dim) {
  return n > 0 ? 2 + (mjtSize)n + (mjtSize)n * dim : 0;
}
