// real.h: L numbers side by side, one of each world of a block.
//
// A Real is exactly one register. Wider types are kept in memory by the compiler; with two
// registers to a number 16 are too few, and 32 bring next to nothing. The width and the kind of a
// number come from the file that includes this one:
//
//   LANES_BYTES   16, 32 or 64: the size of a register
//   LANES_SINGLE  1: float, 0: double
//   LANES_VARIED  1: constants of the model differ from lane to lane, 0: they are plain numbers
//
// What acts on a lane must be the same whoever its neighbours are: no sum across lanes, and
// branches on constants of the model and on mask_any alone. The compiler fuses no products into
// sums here (it would do so differently where it copies code); real_muladd does where the machine
// can.                                                                  theory/time/lanes.md, Masks

#pragma once

#include <mujoco/mjtnum.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/algebra/simd.h"

#if LANES_SINGLE
typedef float Num;
typedef int32_t MaskNum;
#else
typedef double Num;
typedef int64_t MaskNum;
#endif

enum {
  LANES = LANES_BYTES / sizeof(Num)
};

typedef Num Real __attribute__((vector_size(LANES_BYTES)));
typedef MaskNum Mask __attribute__((vector_size(LANES_BYTES)));  // all bits of a lane, or none

// A number of the model.
#if LANES_VARIED
typedef Real Constant;
#else
typedef Num Constant;
#endif

static const Real REAL_ZERO;

INLINE Real lane_real_of(Num x) {
  Real out;
  for (int l = 0; l < LANES; l++) {
    out[l] = x;
  }
  return out;
}

INLINE Real real_constant(Constant x) {
#if LANES_VARIED
  return x;
#else
  return lane_real_of(x);
#endif
}

// The instruction of that name for a register, where the compiler has one: _mm512_sqrt_pd
#if LANES_BYTES == 64
#define WIDTH(name, kind) _mm512_##name##_##kind
#elif LANES_BYTES == 32
#define WIDTH(name, kind) _mm256_##name##_##kind
#elif defined(__x86_64__)
#define WIDTH(name, kind) _mm_##name##_##kind
#endif
#if defined(WIDTH) && LANES_SINGLE
#define OP(name) WIDTH(name, ps)
#elif defined(WIDTH)
#define OP(name) WIDTH(name, pd)
#endif

// masks

// One bit for each lane.
INLINE unsigned mask_bits(Mask mask) {
#if LANES_BYTES == 64 && LANES_SINGLE
  return (unsigned)_mm512_movepi32_mask((__m512i)mask);
#elif LANES_BYTES == 64
  return (unsigned)_mm512_movepi64_mask((__m512i)mask);
#elif defined(OP)
  return (unsigned)OP(movemask)((Real)mask);
#else
  unsigned bits = 0;
  for (int l = 0; l < LANES; l++) {
    bits |= (unsigned)(mask[l] != 0) << l;
  }
  return bits;
#endif
}

INLINE Real real_select(Mask mask, Real yes, Real no) {
#if LANES_BYTES == 64 && LANES_SINGLE
  return OP(mask_blend)((__mmask16)mask_bits(mask), no, yes);
#elif LANES_BYTES == 64
  return OP(mask_blend)((__mmask8)mask_bits(mask), no, yes);
#elif LANES_BYTES == 32
  return OP(blendv)(no, yes, (Real)mask);
#else
  return (Real)((mask & (Mask)yes) | (~mask & (Mask)no));
#endif
}

// x where the mask is set, else 0
INLINE Real real_where(Mask mask, Real x) {
  return (Real)(mask & (Mask)x);
}

INLINE int mask_any(Mask mask) {
  return mask_bits(mask) != 0;
}

// The mask of a set of bits.
INLINE Mask mask_of(unsigned bits) {
  Mask out;
  for (int l = 0; l < LANES; l++) {
    out[l] = -(MaskNum)(bits >> l & 1);
  }
  return out;
}

// arithmetic

// a b + c, rounded once where the machine does so
INLINE Real real_muladd(Real a, Real b, Real c) {
#if LANES_BYTES > 16
  return OP(fmadd)(a, b, c);
#else
  return a * b + c;
#endif
}

// c - a b
INLINE Real real_mulsub(Real a, Real b, Real c) {
#if LANES_BYTES > 16
  return OP(fnmadd)(a, b, c);
#else
  return c - a * b;
#endif
}

INLINE Real real_sqrt(Real x) {
#ifdef OP
  return OP(sqrt)(x);
#else
  Real out;
  for (int l = 0; l < LANES; l++) {
    out[l] = (Num)__builtin_sqrt((double)x[l]);
  }
  return out;
#endif
}

// a > b ? a : b, so b if one is NaN
INLINE Real real_max(Real a, Real b) {
#ifdef OP
  return OP(max)(a, b);
#else
  return real_select(a > b, a, b);
#endif
}

// a < b ? a : b
INLINE Real real_min(Real a, Real b) {
#ifdef OP
  return OP(min)(a, b);
#else
  return real_select(a < b, a, b);
#endif
}

INLINE Real real_clamp(Real x, Real low, Real high) {
  return real_min(real_max(x, low), high);
}

INLINE Real real_abs(Real x) {
  const Mask sign = (Mask)lane_real_of((Num)-0.0);
  return (Real)(~sign & (Mask)x);
}

INLINE void clear_reals(Real* x, int n) {
  for (int i = 0; i < n; i++) {
    x[i] = REAL_ZERO;
  }
}

INLINE void copy_reals(Real* to, const Real* from, int n) {
  for (int i = 0; i < n; i++) {
    to[i] = from[i];
  }
}

INLINE Real vector_dot(const Real* a, const Real* b, int n) {
  Real even = REAL_ZERO, odd = REAL_ZERO;
  int i = 0;
  for (; i + 2 <= n; i += 2) {
    even = real_muladd(a[i], b[i], even);
    odd = real_muladd(a[i + 1], b[i + 1], odd);
  }
  return i < n ? real_muladd(a[i], b[i], even) + odd : even + odd;
}
