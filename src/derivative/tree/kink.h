// kink.h: whether a number is where two smooth pieces of a step meet.
//
// Each such place is told by a number that is zero there, a difference of others; their sizes say
// how much of it is rounding.                                    theory/exact-derivatives.md, Kinks

#ifndef CONDYLE_DERIVATIVE_TREE_KINK_H_
#define CONDYLE_DERIVATIVE_TREE_KINK_H_

#include "base/vec.h"

// so much of a number is rounding of what it is a difference of
static const mjtNum KINK_ROUNDING = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-13 : (mjtNum)1e-6;

// Is x a difference of numbers of that size that are equal?
static inline int kink_is_zero(mjtNum x, mjtNum scale) {
  return mju_abs(x) <= KINK_ROUNDING * scale;
}

// Is x at an end of a range that it can leave?
static inline int kink_is_at_end(mjtNum x, const mjtNum range[2], mjtNum scale) {
  return range[0] < range[1] && (kink_is_zero(x - range[0], scale + mju_abs(range[0])) ||
                                 kink_is_zero(x - range[1], scale + mju_abs(range[1])));
}

#endif  // CONDYLE_DERIVATIVE_TREE_KINK_H_
