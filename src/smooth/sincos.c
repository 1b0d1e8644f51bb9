#pragma STDC FP_CONTRACT OFF  // what cancels must be exactly zero, or sparse rows get more entries

#include "smooth/sincos.h"

#include <math.h>
#include <mujoco/mjtnum.h>
#include <stdint.h>
#include <string.h>

#include "base/simd.h"

// x = k pi/2 + r with |r| <= pi/4, then Taylor's series of sin r and cos r, exchanged and negated
// by the quadrant k mod 4. The terms left out are below r^19/19! = 1e-19 and r^18/18! = 2e-18.
//
// pi/2 is subtracted in three parts, the first two with 33 bits each, so that their products with k
// are exact while k < 2^20; larger angles go to the library.

static const double TWO_OVER_PI = 0x1.45f306dc9c883p-1;
static const double HALF_PI[3] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
static const double LARGEST = 1e6;

// adding this rounds to an integer and leaves it in the low bits
static const double ROUND = 0x1.8p52;

INLINE double series_sin(double r, double s) {
  return r + r * s *
                 (-1.0 / 6 +
                  s * (1.0 / 120 +
                       s * (-1.0 / 5040 +
                            s * (1.0 / 362880 + s * (-1.0 / 39916800 +
                                                     s * (1.0 / 6227020800 +
                                                          s * (-1.0 / 1307674368000 +
                                                               s * (1.0 / 355687428096000))))))));
}

INLINE double series_cos(double s) {
  return 1 + s * (-1.0 / 2 +
                  s * (1.0 / 24 +
                       s * (-1.0 / 720 +
                            s * (1.0 / 40320 +
                                 s * (-1.0 / 3628800 +
                                      s * (1.0 / 479001600 + s * (-1.0 / 87178291200 +
                                                                  s * (1.0 / 20922789888000))))))));
}

INLINE void sincos_block(mjtNum* restrict sine, mjtNum* restrict cosine, const mjtNum* restrict x) {
  for (int i = 0; i < SINCOS_BLOCK; i++) {
    double shifted = (double)x[i] * TWO_OVER_PI + ROUND;
    double k = shifted - ROUND;
    double r = (((double)x[i] - k * HALF_PI[0]) - k * HALF_PI[1]) - k * HALF_PI[2];
    double s = r * r;
    double a = series_sin(r, s), b = series_cos(s);
    uint64_t quadrant;
    memcpy(&quadrant, &shifted, sizeof quadrant);
    double u = quadrant & 1 ? b : a;
    double v = quadrant & 1 ? a : b;
    sine[i] = (mjtNum)(quadrant & 2 ? -u : u);
    cosine[i] = (mjtNum)((quadrant + 1) & 2 ? -v : v);
  }
}

// Returns whether an angle is too large. Written so that a NaN is, too.
static KERNEL int sincos_small(mjtNum* restrict sine, mjtNum* restrict cosine,
                               const mjtNum* restrict x, int n) {
  int64_t large[SINCOS_BLOCK] = {0}, any = 0;
  for (int i = 0; i < n; i += SINCOS_BLOCK) {
    sincos_block(sine + i, cosine + i, x + i);
    for (int k = 0; k < SINCOS_BLOCK; k++) {
      large[k] |= !(fabs((double)x[i + k]) < LARGEST);
    }
  }
  for (int k = 0; k < SINCOS_BLOCK; k++) {
    any |= large[k];
  }
  return any != 0;
}

void sincos_many(mjtNum* restrict sine, mjtNum* restrict cosine, const mjtNum* restrict x, int n) {
  int large = sincos_small(sine, cosine, x, n);
  for (int i = 0; large && i < n; i++) {
    if (!(fabs((double)x[i]) < LARGEST)) {
      sine[i] = (mjtNum)sin((double)x[i]);
      cosine[i] = (mjtNum)cos((double)x[i]);
    }
  }
}
