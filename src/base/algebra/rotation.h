// rotation.h: the rotation vector of a quaternion without trigonometric functions.
//
// With q = |q| (cos a, sin a u), the shortest turn is 2 a u for a <= pi/2 and 2 (a - pi) u above,
// where -q is the same rotation. Both are the vector part of q times
//
//   +- 2 f / |q|,   f = a / sin a as a function of t = 1 - |cos a| in [0, 1]
//
// f is smooth for a -> 0, so no case is special: f(0) = 1, and f(1) = pi/2. Numbers must be finite;
// mju_quat2Vel takes any.

#pragma once

#include <mujoco/api/base.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"

// Chebyshev interpolant of degree 21 of acos(1 - t) / sin(acos(1 - t)) on [0, 1], with an error
// below 1e-17. Single precision rounds the coefficients.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wfloat-conversion"
static const mjtNum angle_over_sine_coef[24] = {
    0x1.0000000000000p+0,   0x1.55555555555a4p-2,  0x1.111111110adc2p-3,   0x1.d41d41da4adb4p-5,
    0x1.a019ffffb6dddp-6,   0x1.7a467312bda82p-7,  0x1.5d25e4e2ce15cp-8,   0x1.4671a3443ba67p-9,
    0x1.2af1b3da4ca2ap-10,  0x1.76499dffbe4cep-11, -0x1.a005bd3a24fe1p-12, 0x1.28121545accf8p-9,
    -0x1.5eef8e754fc9cp-8,  0x1.64deaf481a7c4p-7,  -0x1.19901bbe4ae6bp-6,  0x1.5e88f1da81667p-6,
    -0x1.524b46be7233ap-6,  0x1.f17037d4d1b45p-7,  -0x1.0d4564ce1d97bp-7,  0x1.95fb2d8fec415p-9,
    -0x1.7dbf99bcbbc7dp-11, 0x1.549ea6c266624p-14};
#pragma GCC diagnostic pop

// Four partial sums, each of every fourth power, keep the chain of operations short.
INLINE mjtNum angle_over_sine(mjtNum t) {
  const mjtNum* coef = angle_over_sine_coef;
  mjtNum tt = t * t;
  const Simd2 t4 = {tt * tt, tt * tt};
  Simd2 low = SIMD_READ(Simd2, coef + 20), high = {0, 0};
#pragma GCC unroll 5
  for (int k = 16; k >= 0; k -= 4) {
    low = low * t4 + SIMD_READ(Simd2, coef + k);
    high = high * t4 + SIMD_READ(Simd2, coef + k + 2);
  }
  return (low[0] + low[1] * t) + (high[0] + high[1] * t) * tt;
}

// angle_over_sine of four numbers at once, each with four partial sums.
INLINE void angles_over_sines(Simd4* out, const Simd4* in) {
  const mjtNum* coef = angle_over_sine_coef;
  Simd4 t = *in, tt = t * t, t4 = tt * tt, zero = {0};
  Simd4 a = zero + coef[20], b = zero + coef[21], c = zero, d = zero;
#pragma GCC unroll 5
  for (int k = 16; k >= 0; k -= 4) {
    a = a * t4 + coef[k];
    b = b * t4 + coef[k + 1];
    c = c * t4 + coef[k + 2];
    d = d * t4 + coef[k + 3];
  }
  *out = (a + b * t) + (c + d * t) * tt;
}

// 1 / sqrt(square). Near 1, where unit quaternions are, the tangent is exact to the last bit,
// because the next term is 3/8 (square - 1)^2.
INLINE mjtNum inverse_root(mjtNum square) {
  const mjtNum near = sizeof(mjtNum) == 8 ? (mjtNum)1e-9 : (mjtNum)1e-4;
  if (mju_abs(square - 1) < near) {
    return (mjtNum)1.5 - (mjtNum)0.5 * square;
  }
  return 1 / mju_sqrt(square);
}

INLINE mjtNum q_square(const mjtNum q[4]) {
  return (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
}

// Rotation vector of a quaternion of any length but 0, its angle in [0, pi].
INLINE void q_torotvec(mjtNum out[3], const mjtNum q[4]) {
  mjtNum inverse = inverse_root(q_square(q));
  mjtNum scale = 2 * inverse * angle_over_sine(1 - mju_abs(q[0]) * inverse);
  v3_scl(out, q + 1, q[0] < 0 ? -scale : scale);
}
