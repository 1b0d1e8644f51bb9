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
// can.                                                                    theory/lanes.md, Masks

#pragma once

#include <mujoco/mjtnum.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/simd.h"

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

INLINE Real real_of(Num x) {
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
  return real_of(x);
#endif
}

// masks

INLINE Real real_select(Mask mask, Real yes, Real no) {
#if LANES_BYTES == 64 && LANES_SINGLE
  return (Real)_mm512_mask_blend_ps(_mm512_movepi32_mask((__m512i)mask), (__m512)no, (__m512)yes);
#elif LANES_BYTES == 64
  return (Real)_mm512_mask_blend_pd(_mm512_movepi64_mask((__m512i)mask), (__m512d)no, (__m512d)yes);
#elif LANES_BYTES == 32 && LANES_SINGLE
  return (Real)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
#elif LANES_BYTES == 32
  return (Real)_mm256_blendv_pd((__m256d)no, (__m256d)yes, (__m256d)mask);
#else
  return (Real)((mask & (Mask)yes) | (~mask & (Mask)no));
#endif
}

// x where the mask is set, else 0
INLINE Real real_where(Mask mask, Real x) {
  return (Real)(mask & (Mask)x);
}

// One bit for each lane.
INLINE unsigned mask_bits(Mask mask) {
#if LANES_BYTES == 64 && LANES_SINGLE
  return (unsigned)_mm512_movepi32_mask((__m512i)mask);
#elif LANES_BYTES == 64
  return (unsigned)_mm512_movepi64_mask((__m512i)mask);
#elif LANES_BYTES == 32 && LANES_SINGLE
  return (unsigned)_mm256_movemask_ps((__m256)mask);
#elif LANES_BYTES == 32
  return (unsigned)_mm256_movemask_pd((__m256d)mask);
#elif defined(__x86_64__) && LANES_SINGLE
  return (unsigned)_mm_movemask_ps((__m128)mask);
#elif defined(__x86_64__)
  return (unsigned)_mm_movemask_pd((__m128d)mask);
#else
  unsigned bits = 0;
  for (int l = 0; l < LANES; l++) {
    bits |= (unsigned)(mask[l] != 0) << l;
  }
  return bits;
#endif
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
#if LANES_BYTES == 64 && LANES_SINGLE
  return (Real)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif LANES_BYTES == 64
  return (Real)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif LANES_BYTES == 32 && LANES_SINGLE
  return (Real)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#elif LANES_BYTES == 32
  return (Real)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
  return a * b + c;
#endif
}

// c - a b
INLINE Real real_mulsub(Real a, Real b, Real c) {
#if LANES_BYTES == 64 && LANES_SINGLE
  return (Real)_mm512_fnmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif LANES_BYTES == 64
  return (Real)_mm512_fnmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif LANES_BYTES == 32 && LANES_SINGLE
  return (Real)_mm256_fnmadd_ps((__m256)a, (__m256)b, (__m256)c);
#elif LANES_BYTES == 32
  return (Real)_mm256_fnmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
  return c - a * b;
#endif
}

INLINE Real real_sqrt(Real x) {
#if LANES_BYTES == 64 && LANES_SINGLE
  return (Real)_mm512_sqrt_ps((__m512)x);
#elif LANES_BYTES == 64
  return (Real)_mm512_sqrt_pd((__m512d)x);
#elif LANES_BYTES == 32 && LANES_SINGLE
  return (Real)_mm256_sqrt_ps((__m256)x);
#elif LANES_BYTES == 32
  return (Real)_mm256_sqrt_pd((__m256d)x);
#elif defined(__x86_64__) && LANES_SINGLE
  return (Real)_mm_sqrt_ps((__m128)x);
#elif defined(__x86_64__)
  return (Real)_mm_sqrt_pd((__m128d)x);
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
#if LANES_BYTES == 64 && LANES_SINGLE
  return (Real)_mm512_max_ps((__m512)a, (__m512)b);
#elif LANES_BYTES == 64
  return (Real)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif LANES_BYTES == 32 && LANES_SINGLE
  return (Real)_mm256_max_ps((__m256)a, (__m256)b);
#elif LANES_BYTES == 32
  return (Real)_mm256_max_pd((__m256d)a, (__m256d)b);
#elif defined(__x86_64__) && LANES_SINGLE
  return (Real)_mm_max_ps((__m128)a, (__m128)b);
#elif defined(__x86_64__)
  return (Real)_mm_max_pd((__m128d)a, (__m128d)b);
#else
  return real_select(a > b, a, b);
#endif
}

// a < b ? a : b
INLINE Real real_min(Real a, Real b) {
#if LANES_BYTES == 64 && LANES_SINGLE
  return (Real)_mm512_min_ps((__m512)a, (__m512)b);
#elif LANES_BYTES == 64
  return (Real)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif LANES_BYTES == 32 && LANES_SINGLE
  return (Real)_mm256_min_ps((__m256)a, (__m256)b);
#elif LANES_BYTES == 32
  return (Real)_mm256_min_pd((__m256d)a, (__m256d)b);
#elif defined(__x86_64__) && LANES_SINGLE
  return (Real)_mm_min_ps((__m128)a, (__m128)b);
#elif defined(__x86_64__)
  return (Real)_mm_min_pd((__m128d)a, (__m128d)b);
#else
  return real_select(a < b, a, b);
#endif
}

INLINE Real real_clamp(Real x, Real low, Real high) {
  return real_min(real_max(x, low), high);
}

INLINE Real real_abs(Real x) {
  const Mask sign = (Mask)real_of((Num)-0.0);
  return (Real)(~sign & (Mask)x);
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
