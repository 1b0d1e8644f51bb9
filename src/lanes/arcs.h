// arcs.h: angles whose sine or cosine is known, of L numbers.         theory/numerics.md, Arc sine
//
// asin y = y + y z P(z), z = y^2, for y up to 1/2; beyond it asin x = pi/2 - 2 asin y with
// y = sqrt((1 - x) / 2). P is the polynomial with the least largest error, by Remez' exchange.

#pragma once

#include "lanes/sincos.h"

#if LANES_SINGLE
static const Num ARC_SINE[] = {0.16666750740f, 0.074953436114f, 0.045466260100f, 0.024194790778f,
                               0.042146118569f};
#else
static const Num ARC_SINE[] = {
    0.16666666666665652444,  0.075000000002946899302,  0.044642856856046380729,
    0.030381958187889014674, 0.022371777526960448637,  0.017359447868259583587,
    0.013887491646993199392, 0.012155868576835723418,  0.0065805022313676670831,
    0.01939628094648202875,  -0.016032697435336983524, 0.031790070982091724484};
#endif

enum {
  NARC_SINE = sizeof(ARC_SINE) / sizeof(ARC_SINE[0])
};

static const Num HALF_TURN = (Num)3.14159265358979323846;

// asin of the smaller of |x| and sqrt((1 - |x|) / 2); `beyond`: it is the second.
INLINE Real arc_sine_small(Mask* beyond, Real x) {
  Real size = real_abs(x);
  *beyond = size > (Num)0.5;
  Real z = real_select(*beyond, (1 - size) * (Num)0.5, size * size);
  Real y = real_select(*beyond, real_sqrt(real_max(z, REAL_ZERO)), size);
  return real_muladd(y * z, polynomial(ARC_SINE, NARC_SINE, z), y);
}

// The angle in [-pi/2, pi/2] of a sine in [-1, 1].
INLINE Real real_asin(Real x) {
  Mask beyond;
  Real small = arc_sine_small(&beyond, x);
  Real angle = real_select(beyond, HALF_TURN / 2 - small * 2, small);
  return real_select(x < REAL_ZERO, -angle, angle);
}

// The angle in [0, pi] of a cosine in [-1, 1].
INLINE Real real_acos(Real x) {
  Mask beyond, negative = x < REAL_ZERO;
  Real small = arc_sine_small(&beyond, x);
  Real angle = real_select(beyond, small * 2, HALF_TURN / 2 - small);
  return real_select(negative, HALF_TURN - angle, angle);
}

// The angle in [-pi, pi] of a point, from the x axis; 0 for the origin.
INLINE Real real_atan2(Real y, Real x) {
  Real across = real_abs(y), along = real_abs(x);
  Mask steep = across > along;
  Real least = real_min(across, along), norm = real_sqrt(real_muladd(x, x, y * y));
  Mask none = ~(norm > REAL_ZERO);
  Real small = real_asin(least / real_select(none, lane_real_of(1), norm));
  Real angle = real_select(steep, HALF_TURN / 2 - small, small);
  angle = real_select(x < REAL_ZERO, HALF_TURN - angle, angle);
  return real_select(y < REAL_ZERO, -angle, angle);
}
