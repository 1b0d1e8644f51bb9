// avx512_double.c: numbers of the model for all lanes, double, registers of 64 bytes.

#pragma STDC FP_CONTRACT OFF  // copies of code would round differently, and so lanes

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("arch=x86-64-v4")

#define LANES_BYTES 64
#define LANES_SINGLE 0
#define LANES_VARIED 0
#include "lanes/variant.h"
#include "lanes/variant/table.h"

LANE_VARIANT(lanes_avx512_double, "AVX-512")
#endif
