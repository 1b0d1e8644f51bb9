// avx512_single_varied.c: float, registers of 64 bytes, each lane has its own numbers of the model.

#pragma STDC FP_CONTRACT OFF  // copies of code would round differently, and so lanes
#define LANES_BYTES 64
#define LANES_SINGLE 1
#define LANES_VARIED 1
#include "lanes/variant.h"
