// Range reduction x = k pi/2 + r with |r| <= pi/4, then Taylor series of sin r and cos r, exchanged
// and negated by the quadrant k mod 4.
// The omitted terms are below r^19/19! = 1e-19 and r^18/18! = 2e-18.
//
// pi/2 is subtracted in three parts, the first two with 33 bits each, so that their products with k
// are exact while k < 2^20. Larger angles go to base/algebra/elementary.h.
//
// In nearly all cases the result is the nearest double, as that of the library is, because the
// rounding errors of the largest terms are kept: r and its powers are split into a head of few
// bits, whose products are exact, and a small remainder:
//
//   sin(r + l) = r - h3/6 - (r^3 - h3)/6 + r^5 (...) + l cos r
//   cos(r + l) = 1 - h2/2 - (r^2 - h2)/2 + h4/24 + (r^4 - h4)/24 + r^6 (...) - l r

#pragma STDC FP_CONTRACT OFF  // what cancels must be exactly zero, or sparse rows get more entries

#include "smooth/sincos.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/algebra/elementary.h"
#include "base/algebra/simd.h"

static const double TWO_OVER_PI = 0x1.45f306dc9c883p-1;
static const double HALF_PI[3] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
static const double LARGEST = 1e6;

// adding this rounds to an integer and leaves it in the low bits
static const double ROUND = 0x1.8p52;

// 1/6 and 1/24, split into 25 leading bits, so that products with a 24-bit head are exact, and the
// remainder.
static const double SIXTH[2] = {0x1.555555p-3, 0x1.5555555555555p-3 - 0x1.555555p-3};
static const double TWENTY_FOURTH[2] = {0x1.555555p-5, 0x1.5555555555555p-5 - 0x1.555555p-5};

// The first 24 bits of a number.
INLINE double head_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits &= ~(((uint64_t)1 << 29) - 1);
  memcpy(&x, &bits, sizeof bits);
  return x;
}

INLINE double series_sin(double s) {
  return 1.0 / 120 +
         s * (-1.0 / 5040 +
              s * (1.0 / 362880 + s * (-1.0 / 39916800 + s * (1.0 / 6227020800 +
                                                              s * (-1.0 / 1307674368000 +
                                                                   s * (1.0 / 355687428096000))))));
}

INLINE double series_cos(double s) {
  return -1.0 / 720 +
         s * (1.0 / 40320 +
              s * (-1.0 / 3628800 +
                   s * (1.0 / 479001600 + s * (-1.0 / 87178291200 + s * (1.0 / 20922789888000)))));
}

// Sine and cosine of r + l, |l| far below |r|.
INLINE void series(double* sine, double* cosine, double r, double l) {
  double h = head_of(r), e = r - h;
  double h2 = h * h, e2 = e * (r + h), s = h2 + e2;  // r^2 = h2 + e2
  double g = head_of(h2), f = h2 - g;

  double h3 = h * g, e3 = h * f + (e * h2 + r * e2);  // r^3 = h3 + e3
  double top3 = head_of(h3), step = top3 * SIXTH[0], u = r - step;
  double rest = (h3 - top3) * SIXTH[0] + (h3 * SIXTH[1] + e3 * (1.0 / 6));
  *sine = u + ((((r - u) - step) - rest) + (s * (r * s) * series_sin(s) + l * (1 - s * 0.5)));

  double g2 = g * g, e4 = f * (h2 + g) + e2 * (s + h2);  // r^4 = g2 + e4
  double top4 = head_of(g2), half = h2 * 0.5, w = 1 - half, up = top4 * TWENTY_FOURTH[0];
  double v = w + up;
  rest = (g2 - top4) * TWENTY_FOURTH[0] + (g2 * TWENTY_FOURTH[1] + e4 * (1.0 / 24));
  *cosine = v + ((((1 - w) - half) + ((w - v) + up)) +
                 ((rest - e2 * 0.5) + (s * s * s * series_cos(s) - l * r)));
}

INLINE void sincos_block(mjtNum* restrict sine, mjtNum* restrict cosine, const mjtNum* restrict x) {
  for (int i = 0; i < SINCOS_BLOCK; i++) {
    double shifted = (double)x[i] * TWO_OVER_PI + ROUND;
    double k = shifted - ROUND;
    double near = (double)x[i] - k * HALF_PI[0], next = k * HALF_PI[1];
    double first = near - next, rest = ((near - first) - next) - k * HALF_PI[2];
    double r = first + rest, l = (first - r) + rest;
    double a, b;
    series(&a, &b, r, l);
    uint64_t quadrant;
    memcpy(&quadrant, &shifted, sizeof quadrant);
    double u = quadrant & 1 ? b : a;
    double v = quadrant & 1 ? a : b;
    sine[i] = (mjtNum)(quadrant & 2 ? -u : u);
    cosine[i] = (mjtNum)((quadrant + 1) & 2 ? -v : v);
  }
}

// Angles that are too large for the reduction, among them NaN.
__attribute__((cold, noinline)) static void sincos_large(mjtNum* sine, mjtNum* cosine,
                                                         const mjtNum* x, int n) {
  for (int i = 0; i < n; i++) {
    if (!(fabs((double)x[i]) < LARGEST)) {
      sine[i] = (mjtNum)portable_sin((double)x[i]);
      cosine[i] = (mjtNum)portable_cos((double)x[i]);
    }
  }
}

// Also real_sincos in lanes/sincos.h.
KERNEL void sincos_many(mjtNum* restrict sine, mjtNum* restrict cosine, const mjtNum* restrict x,
                        int n) {
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
  if (any) {
    sincos_large(sine, cosine, x, n);
  }
}
