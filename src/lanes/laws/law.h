// law.h: how strongly a row is enforced, and its force: impedance, regularizer, and the laws of
// scalar rows.
//                                    theory/contact/constraints.md, Impedance; solvers.md, Row laws
//
// In a lane without the row its stiffness D is zero, and D alone is the mask: cost, force and
// curvature vanish with it. So everything else in the row must stay finite there.

#pragma once

#include <math.h>

#include "lanes/algebra.h"
#include "lanes/setup/constants.h"

// x^p in the lanes with other powers than 1 and 2.
__attribute__((cold, noinline)) static void share_powers(Real* out, const Real* x, const Real* p) {
  for (int l = 0; l < LANES; l++) {
    if ((*p)[l] != 1 && (*p)[l] != 2) {
      (*out)[l] = (Num)pow((double)(*x)[l], (double)(*p)[l]);
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
INLINE Real row_impedance(const RowSpring* s, Real r) {
  Real x = real_min(real_abs(r) * s->inverse_width, real_of(1)), middle = real_constant(s->middle);
  Mask upper = x > middle;
  Real side = real_select(upper, 1 - x, x);
  Real scale = real_select(upper, real_constant(s->scale_high), real_constant(s->scale_low));
  Real part = share_power(side, s) * scale;
  Real y = real_select(upper, 1 - part, part);
  return real_muladd(y, real_constant(s->range), real_constant(s->least));
}

// D = 1/R of the rows of a constraint, R = soft max(1e-15, (1 - d)/d weight), where it is on. soft:
// 2 mu^2 of pyramids, else 1.
INLINE Real row_stiffness(const RowSpring* s, Real d, Real soft, Mask on) {
  Real least = d * (Num)mjMINVAL;
  return real_where(on, d / (real_max((1 - d) * s->weight, least) * soft));
}

// friction loss: the force -D x, but no more than eta

INLINE Real friction_force(Real D, Real x, Real eta) {
  return real_clamp(-(D * x), -eta, eta);
}

INLINE Real friction_curvature(Real D, Real x, Real eta) {
  return real_where(real_abs(D * x) < eta, D);
}

// D x^2 / 2 inside, straight lines outside
INLINE Real friction_cost(Real D, Real x, Real eta) {
  Real pull = D * x, size = real_abs(pull);
  Real inside = pull * x * (Num)0.5, outside = eta * (real_abs(x) - eta * (Num)0.5 / D);
  return real_select(size < eta, inside, outside);
}

INLINE Real friction_change(Real D, Real from, Real to, Real eta) {
  return friction_cost(D, to, eta) - friction_cost(D, from, eta);
}

// one-sided rows: D x^2 / 2 below zero

INLINE Real below(Real x) {
  return real_min(x, REAL_ZERO);
}

INLINE Real below_curvature(Real D, Real x) {
  return real_where(x < REAL_ZERO, D);
}

// cost(x + step) - cost(x), without the difference of two large costs
INLINE Real below_change(Real D, Real from, Real to) {
  Real a = below(from), b = below(to);
  return D * (Num)0.5 * ((b - a) * (b + a));
}

// all laws; eta: of friction

INLINE Real law_change(LaneLaw law, Real D, Real from, Real to, const Constant* eta) {
  return law == LAW_BELOW      ? below_change(D, from, to)
         : law == LAW_FRICTION ? friction_change(D, from, to, real_constant(*eta))
                               : D * (Num)0.5 * ((to - from) * (to + from));
}

INLINE Real law_force(LaneLaw law, Real D, Real x, const Constant* eta) {
  return law == LAW_BELOW      ? -(D * below(x))
         : law == LAW_FRICTION ? friction_force(D, x, real_constant(*eta))
                               : -(D * x);
}

INLINE Real law_curvature(LaneLaw law, Real D, Real x, const Constant* eta) {
  return law == LAW_BELOW      ? below_curvature(D, x)
         : law == LAW_FRICTION ? friction_curvature(D, x, real_constant(*eta))
                               : D;
}
