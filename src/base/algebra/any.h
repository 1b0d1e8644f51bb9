// any.h: is any of some numbers not 0?

#pragma once

#include <mujoco/mjtnum.h>
#include <stddef.h>

static inline int num_any(const mjtNum* x, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (x[i] != 0) {
      return 1;
    }
  }
  return 0;
}
