// mjtnum.h: the number types of the whole interface.
//
// A library and a program must agree on mjUSESINGLE: it turns every mjtNum into a float.

#ifndef MUJOCO_MJTNUM_H_
#define MUJOCO_MJTNUM_H_

#include <mujoco/mjversion.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef mjUSESINGLE
typedef double mjtNum;
#define mjMINVAL 1E-15  // below this a denominator counts as zero
#else
typedef float mjtNum;
#define mjMINVAL 1E-15f
#endif

typedef unsigned char mjtByte;                 // a truth value or a raw byte
typedef CND_API(unsigned char, bool) mjtBool;  // a truth value: 0 or 1, one byte
typedef CND_API(uint64_t, int64_t) mjtSize;    // a number of bytes

#endif  // MUJOCO_MJTNUM_H_
