// law.h: how strongly a row is enforced, and its force: impedance, regularizer, and the laws of
// scalar rows.
//                                    theory/contact/constraints.md, Impedance; solvers.md, Row laws
//
// In a lane without the row its stiffness D is zero, and D alone is the mask: cost, force and
// curvature vanish with it. So everything else in the row must stay finite there.

#pragma once

#include <math.h>

#include "base/algebra/elementary.h"
#include "lanes/algebra.h"
#include "lanes/setup/constants.h"

// x^p in the lanes with other powers than 1 and 2.
__attribute__((cold, noinline)) static void share_powers(Real* out, const Real* x, const Real* p) {
  for (int l = 0; l < LANES; l++) {
    if ((*p)[l] != 1 && (*p)[l] != 2) {
      (*out)[l] = (Num)portable_pow((double)(*x)[l], (double)(*p)[l]);
    }
  }
}

// x^p of a share x in [0, 1].
INLINE Real share_power(Real x, const RowSpring* s) {
  Real p = real_constant(s->power), square = x * x;
  if (!mask_any(p != 2)) {
    return square;
  }
  Real out = real_select(p == 2, square, x);
  share_powers(&out, &x, &p);
  return out;
}

// The impedance d of a violation r = dist - margin.
// Also impedance in constraint/rows/impedance.c.
INLINE Real row_impedance(const RowSpring* s, Real r) {
  Real x = real_min(real_abs(r) * s->inverse_width, lane_real_of(1)),
       middle = real_constant(s->middle);
  Mask upper = x > middle;
  Real side = real_select(upper, 1 - x, x);
  Real scale = real_select(upper, real_constant(s->scale_high), real_constant(s->scale_low));
  Real part = share_power(side, s) * scale;
  Real y = real_select(upper, 1 - part, part);
  return real_muladd(y, real_constant(s->range), real_constant(s->least));
}

// D = 1/R of the rows of a constraint, R = soft max(1e-15, (1 - d)/d weight), where it is on. soft:
// 2 mu^2 of pyramids, else 1.
// Also rows_parameters in constraint/rows/parameters.c.
INLINE Real lane_row_stiffness(const RowSpring* s, Real d, Real soft, Mask on) {
  Real least = d * (Num)mjMINVAL;
  return real_where(on, d / (real_max((1 - d) * s->weight, least) * soft));
}

// How a step changes the cost of rows, and the sum of their costs before and after: the change may
// be rounding of these.
typedef struct Change {
  Real sum, size;
} Change;

static const Change NO_CHANGE;

INLINE Change change_add(Change a, Change b) {
  return (Change){a.sum + b.sum, a.size + b.size};
}

// D/2 (b^2 - a^2), without the difference of two large costs
INLINE Change square_change(Real D, Real a, Real b) {
  Real half = D * (Num)0.5;
  return (Change){half * ((b - a) * (b + a)), half * real_muladd(a, a, b * b)};
}

// friction loss: the force -D x, but no more than eta

INLINE Real friction_force(Real D, Real x, Real eta) {
  return real_clamp(-(D * x), -eta, eta);
}

INLINE Real friction_curvature(Real D, Real x, Real eta) {
  return real_where(real_abs(D * x) < eta, D);
}

// The cost is D x^2 / 2 inside of |x| < most = eta / D and straight outside.
INLINE Change friction_change(Real D, Real from, Real to, Real eta, Real most) {
  Real a = real_clamp(from, -most, most), b = real_clamp(to, -most, most);
  Real before = real_abs(from - a), after = real_abs(to - b);
  Change straight = {eta * (after - before), eta * (after + before)};
  return change_add(square_change(D, a, b), straight);
}

// one-sided rows: D x^2 / 2 below zero

INLINE Real one_sided(Real x) {
  return real_min(x, REAL_ZERO);
}

INLINE Real one_sided_curvature(Real D, Real x) {
  return real_where(x < REAL_ZERO, D);
}

INLINE Change one_sided_change(Real D, Real from, Real to) {
  return square_change(D, one_sided(from), one_sided(to));
}

// all laws; eta: of friction

// Also law_cost in constraint/law/law.c.
INLINE Change law_change(LaneLaw law, Real D, Real from, Real to, const Constant* eta) {
  Real most = real_constant(*eta);
  return law == LANE_ONE_SIDED       ? one_sided_change(D, from, to)
         : law == LANE_FRICTION_LOSS ? friction_change(D, from, to, most, most / D)
                                     : square_change(D, from, to);
}

INLINE Real law_force(LaneLaw law, Real D, Real x, const Constant* eta) {
  return law == LANE_ONE_SIDED       ? -(D * one_sided(x))
         : law == LANE_FRICTION_LOSS ? friction_force(D, x, real_constant(*eta))
                                     : -(D * x);
}

INLINE Real lane_law_curvature(LaneLaw law, Real D, Real x, const Constant* eta) {
  return law == LANE_ONE_SIDED       ? one_sided_curvature(D, x)
         : law == LANE_FRICTION_LOSS ? friction_curvature(D, x, real_constant(*eta))
                                     : D;
}
