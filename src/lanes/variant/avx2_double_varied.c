// avx2_double_varied.c: double, registers of 32 bytes, numbers of the model for each lane.

#pragma STDC FP_CONTRACT OFF  // copies of code would round differently, and so lanes
#define LANES_BYTES 32
#define LANES_SINGLE 0
#define LANES_VARIED 1
#include "lanes/variant.h"
