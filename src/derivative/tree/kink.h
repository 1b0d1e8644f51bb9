// kink.h: tests whether a number is at a kink, where two smooth pieces of a step meet.
//
// At a kink some difference of numbers is zero; the size of these numbers tells how much of the
// difference may be rounding.
//                                                           theory/time/exact-derivatives.md, Kinks

#pragma once

#include "base/algebra/vec.h"

// rounding of a difference, relative to the numbers it is made of
static const mjtNum KINK_ROUNDING = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-13 : (mjtNum)1e-6;

// Whether x, a difference of numbers of the size `scale`, is zero up to rounding.
static inline int kink_is_zero(mjtNum x, mjtNum scale) {
  return mju_abs(x) <= KINK_ROUNDING * scale;
}

// Whether x is at an end of a range whose ends differ.
static inline int kink_is_at_end(mjtNum x, const mjtNum range[2], mjtNum scale) {
  return range[0] < range[1] && (kink_is_zero(x - range[0], scale + mju_abs(range[0])) ||
                                 kink_is_zero(x - range[1], scale + mju_abs(range[1])));
}
