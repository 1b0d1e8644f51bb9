// elementary.h: sine, exponential, logarithm and their kin with the same bits on every machine.
//
// C libraries round these functions as they like: glibc has versions with and without fused
// products and chooses by the processor, musl and Windows have others. States of two machines then
// part by a last digit, and where contacts decide, by more. Here every operation is an addition, a
// product, a quotient or a root, which IEEE 754 rounds in one way only, in an order that the
// source gives. All of the engine computes with these; tests/core/check.sh finds who doesn't. The
// view and the renderer, whose results no state depends on, take the C library's.
//
// Results are the nearest number or, rarely, its neighbour, as those of glibc are: the error is
// below 0.6 units of the last digit, 0.75 for arcs and the cube root. Special values are those of
// C17, annex F, without the flags of exceptions.
//                                                      theory/numerics.md, Elementary functions

#pragma once

#include <mujoco/mjtnum.h>

#include "base/algebra/simd.h"

// sine, cosine and tangent of any angle (radians)
double portable_sin(double x);
double portable_cos(double x);
double portable_tan(double x);

// The angle (radians) of a sine or cosine in [-1, 1], NaN beyond; of a tangent; of a point from the
// x axis, in [-pi, pi].
double portable_asin(double x);
double portable_acos(double x);
double portable_atan(double x);
double portable_atan2(double y, double x);

// e^x, log x, x^y, the cube root
double portable_exp(double x);
double portable_log(double x);
double portable_pow(double x, double y);
double portable_cbrt(double x);

// the same for the numbers of models

INLINE mjtNum num_sin(mjtNum x) {
  return (mjtNum)portable_sin((double)x);
}

INLINE mjtNum num_cos(mjtNum x) {
  return (mjtNum)portable_cos((double)x);
}

INLINE mjtNum num_tan(mjtNum x) {
  return (mjtNum)portable_tan((double)x);
}

INLINE mjtNum num_acos(mjtNum x) {
  return (mjtNum)portable_acos((double)x);
}

INLINE mjtNum num_atan2(mjtNum y, mjtNum x) {
  return (mjtNum)portable_atan2((double)y, (double)x);
}

INLINE mjtNum num_exp(mjtNum x) {
  return (mjtNum)portable_exp((double)x);
}

INLINE mjtNum num_log(mjtNum x) {
  return (mjtNum)portable_log((double)x);
}

INLINE mjtNum num_pow(mjtNum x, mjtNum y) {
  return (mjtNum)portable_pow((double)x, (double)y);
}
