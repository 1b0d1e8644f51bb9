// pack.h: two and four numbers as one value: pairs, and short runs in arrays of mjtNum.
//
// The vector types of GCC and Clang exist for every processor. Runs of a handful of numbers are
// faster in vectors of fixed length than in loops that the compiler unrolls for long ones. A run is
// always cut the same way (fours, then a two, then a one): a load waits long for narrower stores.
// On it stands spatial.h (spatial vectors); for long rows and sums over them there is lanes.h, whose
// vectors are as wide as the machine's.

#ifndef CONDYLE_BASE_PACK_H_
#define CONDYLE_BASE_PACK_H_

#include <mujoco/mujoco.h>

#include "base/target.h"

// They may lie anywhere in an array of mjtNum.
typedef mjtNum Two
    __attribute__((vector_size(2 * sizeof(mjtNum)), aligned(sizeof(mjtNum)), may_alias));
typedef mjtNum Four
    __attribute__((vector_size(4 * sizeof(mjtNum)), aligned(sizeof(mjtNum)), may_alias));

#define TWO(p) (*(Two*)(p))
#define TWO_READ(p) (*(const Two*)(p))
#define FOUR(p) (*(Four*)(p))
#define FOUR_READ(p) (*(const Four*)(p))

// The components of a Four in another order.
#if defined(__clang__) || __GNUC__ >= 12
#define FOUR_ORDER(v, i, j, k, l) __builtin_shufflevector(v, v, i, j, k, l)
#else
#define FOUR_ORDER(v, i, j, k, l) ((Four){(v)[i], (v)[j], (v)[k], (v)[l]})
#endif

// Each of four numbers three times, aaab bbcc cddd: factors for the coordinates of four points.
INLINE void four_thrice(Four out[3], const mjtNum in[4]) {
  Four v = FOUR_READ(in);
  out[0] = FOUR_ORDER(v, 0, 0, 0, 1);
  out[1] = FOUR_ORDER(v, 1, 1, 2, 2);
  out[2] = FOUR_ORDER(v, 2, 3, 3, 3);
}

#endif  // CONDYLE_BASE_PACK_H_
