// check.h: a quick look at numbers of the state, before anything is counted and reset.

#pragma once

#include <mujoco/mjdata.h>

// How many of n numbers are neither NaN nor huge.
int check_count(const mjtNum* x, int n);

// Whether all n numbers are good. The loop here is for few numbers, where a call would cost more.
static inline int check_good(const mjtNum* x, int n) {
  int i = 0;
  if (n > 8) {
    return check_count(x, n) == n;
  }
  while (i < n && x[i] <= mjMAXVAL && x[i] >= -mjMAXVAL) {
    i++;
  }
  return i == n;
}
