// sincos.h: sine and cosine of L angles.                  theory/numerics.md, Sine and cosine
//
// x = k pi/2 + r with |r| <= pi/4, series of sin r and cos r, exchanged and negated by k mod 4.
// pi/2 is subtracted in three parts, of which the first two have few bits, so that their products
// with k are exact. The series are those of smooth/sincos.c, whose corrections for the last half
// bit are left out here. Lanes with larger angles get those of base/algebra/elementary.h.

#pragma once

#include <math.h>

#include "base/algebra/elementary.h"
#include "lanes/real.h"

#if LANES_SINGLE
static const Num QUARTER_TURN[3] = {0x1.92p+0f, 0x1.fb4p-12f, 0x1.4442d2p-24f};
static const Num SINCOS_LARGEST = 1e3f;
static const Num SINCOS_ROUND = 0x1.8p23f;
#else
static const Num QUARTER_TURN[3] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
static const Num SINCOS_LARGEST = 1e6;
static const Num SINCOS_ROUND = 0x1.8p52;
#endif

// (c_0 + c_1 s + ... ) of n coefficients
INLINE Real polynomial(const Num* c, int n, Real s) {
  Real sum = lane_real_of(c[n - 1]);
  for (int i = n - 2; i >= 0; i--) {
    sum = real_muladd(sum, s, lane_real_of(c[i]));
  }
  return sum;
}

INLINE void sincos_near(Real* sine, Real* cosine, Real x) {
#if LANES_SINGLE
  static const Num SIN[] = {-1.0f / 6, 1.0f / 120, -1.0f / 5040, 1.0f / 362880};
  static const Num COS[] = {1.0f / 24, -1.0f / 720, 1.0f / 40320};
  enum {
    NSIN = 4,
    NCOS = 3
  };
#else
  static const Num SIN[] = {-1.0 / 6,        1.0 / 120,        -1.0 / 5040,         1.0 / 362880,
                            -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000};
  static const Num COS[] = {
      1.0 / 24,        -1.0 / 720,         1.0 / 40320,         -1.0 / 3628800,
      1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000};
  enum {
    NSIN = 7,
    NCOS = 7
  };
#endif
  Real shifted =
      real_muladd(x, lane_real_of((Num)0x1.45f306dc9c883p-1), lane_real_of(SINCOS_ROUND));
  Real k = shifted - SINCOS_ROUND;
  Real first = real_mulsub(k, lane_real_of(QUARTER_TURN[0]), x);
  Real r = real_mulsub(k, lane_real_of(QUARTER_TURN[1]), first);
  r = real_mulsub(k, lane_real_of(QUARTER_TURN[2]), r);
  Real s = r * r;
  Real a = real_muladd(r * s, polynomial(SIN, NSIN, s), r);
  Real b = real_muladd(s * s, polynomial(COS, NCOS, s),
                       real_muladd(s, lane_real_of((Num)-0.5), lane_real_of(1)));
  Mask quadrant = (Mask)shifted, odd = -(quadrant & 1);
  const Mask sign = (Mask)lane_real_of((Num)-0.0);
  Mask flip_sine = -(quadrant >> 1 & 1) & sign, flip_cosine = -((quadrant + 1) >> 1 & 1) & sign;
  *sine = (Real)((Mask)real_select(odd, b, a) ^ flip_sine);
  *cosine = (Real)((Mask)real_select(odd, a, b) ^ flip_cosine);
}

__attribute__((cold, noinline)) static void sincos_large(Real* sine, Real* cosine, const Real* x) {
  for (int l = 0; l < LANES; l++) {
    if (!(fabs((double)(*x)[l]) < (double)SINCOS_LARGEST)) {
      (*sine)[l] = (Num)portable_sin((double)(*x)[l]);
      (*cosine)[l] = (Num)portable_cos((double)(*x)[l]);
    }
  }
}

INLINE void real_sincos(Real* sine, Real* cosine, Real x) {
  sincos_near(sine, cosine, x);
  if (mask_any(~(real_abs(x) < lane_real_of(SINCOS_LARGEST)))) {
    sincos_large(sine, cosine, &x);
  }
}
