// Sums of two numbers (twofolds) keep what is rounded off in the leading terms; the small terms are
// plain polynomials. The sum and the product of two numbers are twofolds exactly (Knuth; Dekker,
// Numer. Math. 18, 1971).

#pragma STDC FP_CONTRACT OFF  // the low parts are the errors of single roundings

#include "base/algebra/elementary.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

// high + low, |low| at most half a unit of the last digit of high where it is a result
typedef struct Twofold_ {
  double high, low;
} Twofold;

// adding this rounds to an integer and leaves it in the low bits
static const double TO_INTEGER = 0x1.8p52;

static const Twofold FULL_PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const Twofold HALF_OF_PI = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

static Twofold sum_of(double a, double b) {
  double sum = a + b, part = sum - a;
  return (Twofold){sum, (a - (sum - part)) + (b - part)};
}

// the same for |a| >= |b|, or a = 0
static Twofold ordered_sum(double a, double b) {
  double sum = a + b;
  return (Twofold){sum, b - (sum - a)};
}

// The first 26 bits of a number below 2^995.
static double leading(double a) {
  double scaled = 0x1.0000002p27 * a;
  return scaled - (scaled - a);
}

static Twofold product_of(double a, double b) {
  double x = leading(a), y = a - x, u = leading(b), v = b - u, product = a * b;
  return (Twofold){product, ((x * u - product) + x * v + y * u) + y * v};
}

static Twofold quotient_of(Twofold a, Twofold b) {
  double quotient = a.high / b.high;
  Twofold back = product_of(quotient, b.high);
  return (Twofold){quotient,
                   (((a.high - back.high) - back.low) + (a.low - quotient * b.low)) / b.high};
}

static double sum_series(const double* c, int n, double x) {
  double sum = c[n - 1];
  for (int i = n - 2; i >= 0; i--) {
    sum = sum * x + c[i];
  }
  return sum;
}
#define SERIES(c, x) sum_series(c, sizeof(c) / sizeof(*(c)), x)

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof(bits));
  return bits;
}

static double from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof(x));
  return x;
}

// x = k pi/2 + r: pi/2 is subtracted in three parts, the first two with 33 bits, so that products
// with k < 2^20 are exact. Beyond, x 2/pi is taken as a whole number: x = m 2^e with an integer m,
// and of the bits of 2/pi those are left out that make multiples of 4, or are too small to count
// (Payne and Hanek, SIGNUM Newsletter 18, 1983).

static const double REDUCTION_LARGEST = 1e6;

// 2/pi, 32 bits a word
static const uint32_t TWO_OVER_PI_WORDS[38] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};

// 32 bits of 2/pi from a bit on, zeros before the first
static uint32_t two_over_pi_bits(int at) {
  int word = (at + 64) / 32 - 2, shift = (at + 64) % 32;
  uint64_t two = (uint64_t)(word >= 0 ? TWO_OVER_PI_WORDS[word] : 0) << 32;
  two |= word + 1 >= 0 ? TWO_OVER_PI_WORDS[word + 1] : 0;
  return (uint32_t)(two >> (32 - shift));
}

// The quadrant k mod 4 of |x|; r is what is left.
static int reduce_large(Twofold* r, double x) {
  uint64_t bits = bits_of(x), mantissa = (bits & 0xfffffffffffff) | 0x10000000000000;
  int first = (int)(bits >> 52 & 0x7ff) - 1075 - 2;
  uint32_t product[6] = {0}, factor[2] = {(uint32_t)mantissa, (uint32_t)(mantissa >> 32)};
  for (int i = 0; i < 2; i++) {
    uint64_t carry = 0;
    for (int k = i; k < 6; k++) {
      carry += (uint64_t)factor[i] * two_over_pi_bits(first + 32 * (5 - k + i)) + product[k];
      product[k] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  // two bits before the point, 190 behind it
  int quadrant = (int)(product[5] >> 30);
  uint64_t high = (uint64_t)product[5] << 34 | (uint64_t)product[4] << 2 | product[3] >> 30;
  uint64_t low = (uint64_t)product[3] << 34 | (uint64_t)product[2] << 2 | product[1] >> 30;
  int beyond = (int)(high >> 63);
  if (beyond) {
    low = ~low + 1;
    high = ~high + !low;
  }
  Twofold turn = sum_of((double)(high >> 32) * 0x1p-32, (double)(uint32_t)high * 0x1p-64);
  double rest = (double)(low >> 32) * 0x1p-96 + (double)(uint32_t)low * 0x1p-128;
  turn = sum_of(turn.high, turn.low + rest);
  Twofold angle = product_of(turn.high, HALF_OF_PI.high);
  angle.low += turn.high * HALF_OF_PI.low + turn.low * HALF_OF_PI.high;
  *r = (Twofold){beyond ? -angle.high : angle.high, beyond ? -angle.low : angle.low};
  return (quadrant + beyond) & 3;
}

// |r| <= pi/4; x is finite
static int reduce_angle(Twofold* r, double x) {
  static const double part[3] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
  if (fabs(x) >= REDUCTION_LARGEST) {
    int quadrant = reduce_large(r, fabs(x));
    if (x < 0) {
      *r = (Twofold){-r->high, -r->low};
      quadrant = -quadrant & 3;
    }
    return quadrant;
  }
  double shifted = x * 0x1.45f306dc9c883p-1 + TO_INTEGER, k = shifted - TO_INTEGER;
  double near = x - k * part[0], next = k * part[1];
  double first = near - next, rest = ((near - first) - next) - k * part[2];
  *r = ordered_sum(first, rest);
  return (int)(bits_of(shifted) & 3);
}

// sin(r + l) = r - r^3/6 + r^5 (1/120 - ...) + l (1 - r^2/2),  |r| <= pi/4
static Twofold near_sine(Twofold r) {
  static const double c[] = {
      1.0 / 120,        -1.0 / 5040,          1.0 / 362880,         -1.0 / 39916800,
      1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
  Twofold square = product_of(r.high, r.high), cube = product_of(square.high, r.high);
  Twofold sixth = product_of(cube.high, -1.0 / 6);
  double s = square.high, rest = sixth.low - (cube.low + square.low * r.high) * (1.0 / 6);
  Twofold sum = ordered_sum(r.high, sixth.high);
  return (Twofold){sum.high,
                   sum.low + ((rest + cube.high * (s * SERIES(c, s))) + r.low * (1 - s * 0.5))};
}

// cos(r + l) = 1 - r^2/2 + r^4 (1/24 - ...) - l r
static Twofold near_cosine(Twofold r) {
  static const double c[] = {
      1.0 / 24,        -1.0 / 720,         1.0 / 40320,         -1.0 / 3628800,
      1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000};
  Twofold s = product_of(r.high, r.high);
  double half = s.high * 0.5, most = 1 - half;
  double low = s.high * s.high * SERIES(c, s.high) - (s.low * 0.5 + r.low * r.high);
  return (Twofold){most, ((1 - most) - half) + low};
}

// sine for shift = 0, cosine for 1
static double sine_or_cosine(double x, int shift) {
  Twofold r;
  int quadrant = reduce_angle(&r, x) + shift;
  Twofold value = quadrant & 1 ? near_cosine(r) : near_sine(r);
  double result = value.high + value.low;
  return quadrant & 2 ? -result : result;
}

double portable_sin(double x) {
  // the cube is below the last digit; no number is the sine of infinity
  return fabs(x) < 0x1p-27 ? x : !(fabs(x) <= DBL_MAX) ? x - x : sine_or_cosine(x, 0);
}

double portable_cos(double x) {
  return !(fabs(x) <= DBL_MAX) ? x - x : sine_or_cosine(x, 1);
}

double portable_tan(double x) {
  if (fabs(x) < 0x1p-27 || !(fabs(x) <= DBL_MAX)) {
    return fabs(x) < 1 ? x : x - x;
  }
  Twofold r;
  int quadrant = reduce_angle(&r, x);
  Twofold sine = near_sine(r), cosine = near_cosine(r);
  sine = ordered_sum(sine.high, sine.low);
  cosine = ordered_sum(cosine.high, cosine.low);
  Twofold slope = quadrant & 1 ? quotient_of(cosine, sine) : quotient_of(sine, cosine);
  double result = slope.high + slope.low;
  return quadrant & 1 ? -result : result;
}

// (asin y - y) / y for |y| <= 1/2, z = y^2: the polynomial of lanes/arcs.h
static double arc_more(double z) {
  static const double c[] = {
      0.16666666666665652444,  0.075000000002946899302,  0.044642856856046380729,
      0.030381958187889014674, 0.022371777526960448637,  0.017359447868259583587,
      0.013887491646993199392, 0.012155868576835723418,  0.0065805022313676670831,
      0.01939628094648202875,  -0.016032697435336983524, 0.031790070982091724484};
  return z * SERIES(c, z);
}

// 2 asin sqrt(z), z <= 1/4; the root with its rest
static Twofold twice_arc(double z) {
  double root = sqrt(z);
  Twofold square = product_of(root, root);
  double rest = root > 0 ? ((z - square.high) - square.low) / (2 * root) : 0;
  return (Twofold){2 * root, 2 * (rest + root * arc_more(z))};
}

double portable_asin(double x) {
  double size = fabs(x);
  if (!(size <= 1)) {
    return (x - x) / (x - x);
  }
  if (size <= 0.5) {
    return size < 0x1p-27 ? x : x + x * arc_more(x * x);
  }
  Twofold beyond = twice_arc((1 - size) * 0.5);
  Twofold angle = ordered_sum(HALF_OF_PI.high, -beyond.high);
  double result = angle.high + (angle.low + (HALF_OF_PI.low - beyond.low));
  return x < 0 ? -result : result;
}

double portable_acos(double x) {
  double size = fabs(x);
  if (!(size <= 1)) {
    return (x - x) / (x - x);
  }
  if (size <= 0.5) {
    Twofold angle = ordered_sum(HALF_OF_PI.high, -x);
    return angle.high + (angle.low + (HALF_OF_PI.low - x * arc_more(x * x)));
  }
  Twofold small = twice_arc((1 - size) * 0.5);
  if (x > 0) {
    return small.high + small.low;
  }
  Twofold angle = ordered_sum(FULL_PI.high, -small.high);
  return angle.high + (angle.low + (FULL_PI.low - small.low));
}

// atan(j / 16)
static const Twofold ARC_TANGENT[17] = {{0x0.0p+0, 0x0.0p+0},
                                        {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
                                        {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                        {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
                                        {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                        {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
                                        {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                        {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
                                        {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                        {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
                                        {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                        {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
                                        {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                        {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
                                        {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                        {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
                                        {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};

// atan(y/x) = atan c + atan u,  u = (y - c x) / (x + c y),  c = j/16 near y/x, for 0 <= y <= x,
// both within 2^+-900
static Twofold octant_angle(double y, double x) {
  int j = (int)(y / x * 16 + 0.5);
  double c = j / 16.0, x_most = leading(x), y_most = leading(y);
  // products with c, of few bits, are exact
  Twofold above = sum_of(y - c * x_most, -c * (x - x_most));
  Twofold along = sum_of(x, c * y_most);
  along = ordered_sum(along.high, along.low + c * (y - y_most));
  Twofold u = quotient_of(above, along);
  static const double series[] = {-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13};
  double s = u.high * u.high, rest = u.low + u.high * (s * SERIES(series, s));
  Twofold angle = ordered_sum(ARC_TANGENT[j].high, u.high);
  return (Twofold){angle.high, angle.low + (ARC_TANGENT[j].low + rest)};
}

// the angle of (x, y) in the first quadrant, x and y > 0 and finite
static Twofold quadrant_angle(double y, double x) {
  double least = fmin(x, y), most = fmax(x, y);
  Twofold angle;
  if (least / most < 0x1p-60) {
    angle = (Twofold){least / most, 0};
  } else {
    double scale = most > 0x1p800 ? 0x1p-200 : most < 0x1p-800 ? 0x1p200 : 1;
    angle = octant_angle(least * scale, most * scale);
  }
  if (y > x) {
    Twofold rest = ordered_sum(HALF_OF_PI.high, -angle.high);
    angle = (Twofold){rest.high, rest.low + (HALF_OF_PI.low - angle.low)};
  }
  return angle;
}

double portable_atan2(double y, double x) {
  if (isnan(x) || isnan(y)) {
    return x + y;
  }
  double across = fabs(y), along = fabs(x);
  if (isinf(x) || isinf(y)) {
    across = isinf(y) ? 1 : 0;
    along = isinf(x) ? 1 : 0;
  }
  Twofold angle = {0, 0};
  if (across > 0) {
    angle = along > 0 ? quadrant_angle(across, along) : HALF_OF_PI;
  }
  if (signbit(x)) {
    Twofold rest = ordered_sum(FULL_PI.high, -angle.high);
    angle = (Twofold){rest.high, rest.low + (FULL_PI.low - angle.low)};
  }
  return copysign(angle.high + angle.low, y);
}

double portable_atan(double x) {
  return portable_atan2(x, 1);
}

// 2^(j / 32)
static const Twofold ROOT_OF_TWO[32] = {{0x1p+0, 0x0.0p+0},
                                        {0x1.059b0d3158574p+0, 0x1.d73e2a475b465p-55},
                                        {0x1.0b5586cf9890fp+0, 0x1.8a62e4adc610bp-54},
                                        {0x1.11301d0125b51p+0, -0x1.6c51039449b3ap-54},
                                        {0x1.172b83c7d517bp+0, -0x1.19041b9d78a76p-55},
                                        {0x1.1d4873168b9aap+0, 0x1.e016e00a2643cp-54},
                                        {0x1.2387a6e756238p+0, 0x1.9b07eb6c70573p-54},
                                        {0x1.29e9df51fdee1p+0, 0x1.612e8afad1255p-55},
                                        {0x1.306fe0a31b715p+0, 0x1.6f46ad23182e4p-55},
                                        {0x1.371a7373aa9cbp+0, -0x1.63aeabf42eae2p-54},
                                        {0x1.3dea64c123422p+0, 0x1.ada0911f09ebcp-55},
                                        {0x1.44e086061892dp+0, 0x1.89b7a04ef80d0p-59},
                                        {0x1.4bfdad5362a27p+0, 0x1.d4397afec42e2p-56},
                                        {0x1.5342b569d4f82p+0, -0x1.07abe1db13cadp-55},
                                        {0x1.5ab07dd485429p+0, 0x1.6324c054647adp-54},
                                        {0x1.6247eb03a5585p+0, -0x1.383c17e40b497p-54},
                                        {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54},
                                        {0x1.71f75e8ec5f74p+0, -0x1.16e4786887a99p-55},
                                        {0x1.7a11473eb0187p+0, -0x1.41577ee04992fp-55},
                                        {0x1.82589994cce13p+0, -0x1.d4c1dd41532d8p-54},
                                        {0x1.8ace5422aa0dbp+0, 0x1.6e9f156864b27p-54},
                                        {0x1.93737b0cdc5e5p+0, -0x1.75fc781b57ebcp-57},
                                        {0x1.9c49182a3f090p+0, 0x1.c7c46b071f2bep-56},
                                        {0x1.a5503b23e255dp+0, -0x1.d2f6edb8d41e1p-54},
                                        {0x1.ae89f995ad3adp+0, 0x1.7a1cd345dcc81p-54},
                                        {0x1.b7f76f2fb5e47p+0, -0x1.5584f7e54ac3bp-56},
                                        {0x1.c199bdd85529cp+0, 0x1.11065895048ddp-55},
                                        {0x1.cb720dcef9069p+0, 0x1.503cbd1e949dbp-56},
                                        {0x1.d5818dcfba487p+0, 0x1.2ed02d75b3707p-55},
                                        {0x1.dfc97337b9b5fp+0, -0x1.1a5cd4f184b5cp-54},
                                        {0x1.ea4afa2a490dap+0, -0x1.e9c23179c2893p-54},
                                        {0x1.f50765b6e4540p+0, 0x1.9d3e12dd8a18bp-54}};

// x 2^n without a rounding but that of a result below the smallest normal number
static double scaled_by(double x, int64_t n) {
  int64_t half = n / 2;
  return x * from_bits((uint64_t)(half + 1023) << 52) *
         from_bits((uint64_t)(n - half + 1023) << 52);
}

// e^(x + l) = 2^(k/32) e^r,  k near 32 x / log 2, |r| <= log 2 / 64. |x| < 1000, |l| far below 1
static double exponential(double x, double l) {
  static const double step[2] = {0x1.62e42fefap-6, 0x1.cf79abc9e3b3ap-45};
  static const double c[] = {1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040};
  double shifted = x * 0x1.71547652b82fep+5 + TO_INTEGER, k = shifted - TO_INTEGER;
  Twofold r = sum_of(x - k * step[0], l - k * step[1]);
  double more = r.low + r.high * r.high * SERIES(c, r.high);
  int64_t whole = (int64_t)k, j = whole & 31;
  Twofold root = ROOT_OF_TWO[j], grown = product_of(root.high, r.high);
  Twofold sum = ordered_sum(root.high, grown.high);
  double low = grown.low + (root.high * more + root.low * (1 + r.high));
  return scaled_by(sum.high + (sum.low + low), (whole - j) / 32);
}

double portable_exp(double x) {
  if (!(fabs(x) < 750)) {
    return x > 0 ? HUGE_VAL : x < 0 ? 0 : x;
  }
  return exponential(x, 0);
}

// log(2^k m) = k log 2 + 2 (s + s^3/3 + s^5/5 + ...),  s = (m - 1) / (m + 1), m in [1/sqrt 2, sqrt
// 2]. x is finite and > 0.
static Twofold logarithm(double x) {
  static const double two[2] = {0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45};
  static const Twofold two_thirds = {0x1.5555555555555p-1, 0x1.5555555555555p-55};
  static const double c[] = {2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13, 2.0 / 15,
                             2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23, 2.0 / 25};
  int subnormal = x < DBL_MIN;
  uint64_t bits = bits_of(subnormal ? x * 0x1p54 : x);
  double k = (double)(int64_t)(bits >> 52) - 1023 - (subnormal ? 54 : 0);
  double m = from_bits((bits & 0xfffffffffffff) | 0x3ff0000000000000);
  if (m > 0x1.6a09e667f3bcdp+0) {
    m *= 0.5;
    k += 1;
  }

  Twofold s = quotient_of((Twofold){m - 1, 0}, sum_of(m, 1));
  Twofold z = product_of(s.high, s.high);
  z.low += 2 * s.high * s.low;
  Twofold cube = product_of(z.high, s.high);
  cube.low += z.high * s.low + z.low * s.high;
  Twofold third = product_of(cube.high, two_thirds.high);
  third.low += cube.high * two_thirds.low + cube.low * two_thirds.high;
  double rest = cube.high * (z.high * SERIES(c, z.high));

  Twofold sum = sum_of(k * two[0], 2 * s.high), more = sum_of(sum.high, third.high);
  double low = sum.low + more.low + (2 * s.low + third.low + (rest + k * two[1]));
  return ordered_sum(more.high, low);
}

double portable_log(double x) {
  if (!(x > 0 && x <= DBL_MAX)) {
    return x == 0 ? -HUGE_VAL : x < 0 ? (x - x) / (x - x) : x;
  }
  return logarithm(x).high;
}

// x^y for finite x > 0 and finite y
static double positive_power(double x, double y) {
  if (x == 1 || y == 0) {
    return 1;
  }
  Twofold log = logarithm(x);
  double size = log.high * y;
  if (!(fabs(size) < 750)) {
    return size > 0 ? HUGE_VAL : 0;
  }
  if (fabs(size) < 0x1p-60) {
    return 1;
  }
  Twofold power = product_of(log.high, y);
  return exponential(power.high, power.low + log.low * y);
}

double portable_pow(double x, double y) {
  if (y == 0 || x == 1) {
    return 1;
  }
  if (isnan(x) || isnan(y)) {
    return x + y;
  }
  double size = fabs(x);
  int is_whole = floor(y) == y, is_odd = is_whole && isfinite(y) && fmod(y, 2) != 0;
  if (isinf(y)) {
    return size == 1 ? 1 : (size > 1) == (y > 0) ? HUGE_VAL : 0;
  }
  double result;
  if (size == 0 || isinf(x)) {
    result = (size == 0) == (y > 0) ? 0 : HUGE_VAL;
  } else {
    if (x < 0 && !is_whole) {
      return (x - x) / (x - x);
    }
    result = positive_power(size, y);
  }
  return signbit(x) && is_odd ? -result : result;
}

// A step of Newton's from the power: r - (r^3 - x) / (3 r^2).
double portable_cbrt(double x) {
  double size = fabs(x);
  if (!(size > 0 && size <= DBL_MAX)) {
    return x;
  }
  double root = positive_power(size, 1.0 / 3);
  Twofold square = product_of(root, root);
  double excess = (square.high * root - size) + square.low * root;
  return copysign(root - excess / (3 * square.high), x);
}
