// simd.h: vectors of numbers, and functions compiled for several instruction sets.
//
// The vector types of GCC and Clang exist for every processor. Two kinds are used:
//
//   Simd2, Simd4    2 and 4 numbers, for short runs, where they beat loops that compilers unroll
//                   for long ones. A run is always cut the same way (fours, then a two, then a
//                   one), because a wide load waits long for narrower stores.
//   SimdN           32 bytes, for long rows and sums over them, which the compiler may not reorder
//                   by itself. It is one register of AVX or two of SSE, so sums are taken in the
//                   same order everywhere. GCC keeps 64 bytes in memory without AVX-512: steps of
//                   models/humanoid.xml took 3.4 times as long with AVX2.
//
// A function marked KERNEL is compiled for plain x86-64 and for AVX2 with FMA. The loader picks the
// version for its machine (GNU ifunc), so a distributed binary is as fast as a tuned one. On one
// machine it is always the same version, so the same state gives the same bits. Between machines
// the last bits differ, because a fused multiply-add rounds once. The call goes through a pointer
// and is never inlined: mark functions with a loop in them, not three-line helpers. Helpers of
// kernels are INLINE, so that they are compiled with the kernel's instruction set. KERNEL has no
// effect on other processors, with other compilers and under sanitizers, which can't run before
// they are set up.
//
// There is no version for AVX-512: with one, steps of nearly all models took 3 to 16% longer on a
// Xeon at 2.5 GHz, probably because few instructions of 64 bytes lower the processor's clock.

#pragma once

#include <mujoco/mjtnum.h>
#include <stdint.h>
#include <stdlib.h>  // defines __GLIBC__ if the C library is glibc

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CONDYLE_SANITIZED 1
#endif

#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__) && \
    !defined(__clang__) && __GNUC__ >= 12 && !defined(CONDYLE_SANITIZED) &&                 \
    !defined(CONDYLE_SMALL)
#define KERNEL __attribute__((target_clones("arch=x86-64-v3", "default")))
#define KERNEL_VERSIONS 1
#else
#define KERNEL
#endif

// Helpers of kernels. The compiler may call them where it optimises for size: there are no versions
// of kernels then, whose instruction sets they would have to share.
#if defined(CONDYLE_SMALL) && defined(__OPTIMIZE_SIZE__)
#define INLINE static inline
#else
#define INLINE static inline __attribute__((always_inline))
#endif

// Vectors need only the alignment of mjtNum.
#define SIMD_TYPE(bytes) __attribute__((vector_size(bytes), aligned(sizeof(mjtNum)), may_alias))
typedef mjtNum Simd2 SIMD_TYPE(2 * sizeof(mjtNum));
typedef mjtNum Simd4 SIMD_TYPE(4 * sizeof(mjtNum));
typedef mjtNum SimdN SIMD_TYPE(32);

// What comparing vectors gives, in integers as wide as mjtNum: all bits or none of each component.
#ifdef mjUSESINGLE
typedef int32_t Simd4Mask SIMD_TYPE(16);
typedef int32_t MaskN SIMD_TYPE(32);
#else
typedef int64_t Simd4Mask SIMD_TYPE(32);
typedef int64_t MaskN SIMD_TYPE(32);
#endif

// Four whole numbers, such as columns or places of rows, aligned as one of them.
typedef int Int4 __attribute__((vector_size(16), aligned(sizeof(int)), may_alias));

// numbers in a SimdN
enum {
  SIMD_N = 32 / sizeof(mjtNum)
};

// The vector of a type at an address: to write, and to read.
#define SIMD_AT(Type, p) (*(Type*)(p))
#define SIMD_READ(Type, p) (*(const Type*)(p))

// n rounded up to whole SimdN, for the lengths of rows.
#define SIMD_PADDED(n) (((n) + SIMD_N - 1) / SIMD_N * SIMD_N)

// SIMD4_ORDER reorders the components of a Simd4. SIMD4_ZIP picks four of the eight components of
// two of them. SIMD8_ORDER reorders a type of eight.
#if defined(__clang__) || __GNUC__ >= 12
#define SIMD4_ORDER(v, i, j, k, l) __builtin_shufflevector(v, v, i, j, k, l)
#define SIMD4_ZIP(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#define SIMD8_ORDER(Type, v, ...) __builtin_shufflevector(v, v, __VA_ARGS__)
#else
#define SIMD4_ORDER(v, i, j, k, l) ((Simd4){(v)[i], (v)[j], (v)[k], (v)[l]})
#define SIMD4_PICK(a, b, i) ((i) < 4 ? (a)[(i) % 4] : (b)[(i) % 4])
#define SIMD4_ZIP(a, b, i, j, k, l) \
  ((Simd4){SIMD4_PICK(a, b, i), SIMD4_PICK(a, b, j), SIMD4_PICK(a, b, k), SIMD4_PICK(a, b, l)})
#define SIMD8_ORDER(Type, v, i, j, k, l, m, n, o, p) \
  ((Type){(v)[i], (v)[j], (v)[k], (v)[l], (v)[m], (v)[n], (v)[o], (v)[p]})
#endif

INLINE Simd2 simd2(mjtNum x, mjtNum y) {
  return (Simd2){x, y};
}

// Repeats each of four numbers three times, aaab bbcc cddd: factors for the coordinates of four
// points.
INLINE void simd4_repeat3(Simd4 out[3], const mjtNum in[4]) {
  Simd4 v = SIMD_READ(Simd4, in);
  out[0] = SIMD4_ORDER(v, 0, 0, 0, 1);
  out[1] = SIMD4_ORDER(v, 1, 1, 2, 2);
  out[2] = SIMD4_ORDER(v, 2, 3, 3, 3);
}

// Transposes a square of numbers, given by its rows.
INLINE void simd4_transpose(Simd4 v[4]) {
  Simd4 a = SIMD4_ZIP(v[0], v[1], 0, 4, 2, 6), b = SIMD4_ZIP(v[0], v[1], 1, 5, 3, 7);
  Simd4 c = SIMD4_ZIP(v[2], v[3], 0, 4, 2, 6), d = SIMD4_ZIP(v[2], v[3], 1, 5, 3, 7);
  v[0] = SIMD4_ZIP(a, c, 0, 1, 4, 5);
  v[1] = SIMD4_ZIP(b, d, 0, 1, 4, 5);
  v[2] = SIMD4_ZIP(a, c, 2, 3, 6, 7);
  v[3] = SIMD4_ZIP(b, d, 2, 3, 6, 7);
}

// sums of the components

INLINE mjtNum simdn_sum(const SimdN* v) {
  mjtNum sum = (*v)[0] + (*v)[1];
  for (int k = 2; k < SIMD_N; k += 2) {
    sum += (*v)[k] + (*v)[k + 1];
  }
  return sum;
}

// sums of four vectors
INLINE void simd4_sums(Simd4 out[1], const Simd4 v[4]) {
  Simd4 low = SIMD4_ZIP(v[0], v[1], 0, 4, 2, 6) + SIMD4_ZIP(v[0], v[1], 1, 5, 3, 7);
  Simd4 high = SIMD4_ZIP(v[2], v[3], 0, 4, 2, 6) + SIMD4_ZIP(v[2], v[3], 1, 5, 3, 7);
  *out = SIMD4_ZIP(low, high, 0, 1, 4, 5) + SIMD4_ZIP(low, high, 2, 3, 6, 7);
}

// sums of four vectors, with the same bits as simdn_sum
INLINE void simdn_sums(mjtNum out[4], const SimdN v[4]) {
#ifdef mjUSESINGLE
  for (int k = 0; k < 4; k++) {
    out[k] = simdn_sum(v + k);
  }
#else
  Simd4 sums;
  simd4_sums(&sums, v);
  SIMD_AT(Simd4, out) = sums;
#endif
}
