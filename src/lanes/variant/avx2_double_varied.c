// avx2_double_varied.c: one number of the model for each lane, double, registers of 32 bytes.

#pragma STDC FP_CONTRACT OFF  // copies of code would round differently, and so lanes

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("arch=x86-64-v3")

#define LANES_BYTES 32
#define LANES_SINGLE 0
#define LANES_VARIED 1
#include "lanes/variant.h"
#include "lanes/variant/table.h"

LANE_VARIANT(lanes_avx2_double_varied, "AVX2")
#endif
