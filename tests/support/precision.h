// precision.h: what a single precision build can be asked for.

#pragma once

#include <mujoco/mujoco.h>

#include "support/test.h"

// Skips the running test in single precision: orders of convergence, differences of sums (energies,
// forces) and lengths near rounding itself drown there.
#define DOUBLE_ONLY()                          \
  do {                                         \
    if (sizeof(mjtNum) != sizeof(double)) {    \
      test_skip("single precision drowns it"); \
    }                                          \
  } while (0)

// A relative tolerance for double precision, widened to what single precision can keep; 0 stays 0.
static inline double rounding(double tolerance) {
  return sizeof(mjtNum) == sizeof(double) || tolerance > 1e-4 || tolerance == 0 ? tolerance : 1e-4;
}

// A relative tolerance for what is stored, saved and read again, which costs a few last digits at
// most.
static inline double last_digits(void) {
  return sizeof(mjtNum) == sizeof(double) ? 1e-12 : 1e-6;
}

// The step of a difference quotient of quantities near 1, and how far it may be off, relative: half
// the digits of single precision are lost to one or the other.
static inline mjtNum difference_step(double step) {
  return (mjtNum)(sizeof(mjtNum) == sizeof(double) ? step : 5e-3);
}

static inline double slope_error(double tolerance) {
  return sizeof(mjtNum) == sizeof(double) ? tolerance : 1e-2;
}
