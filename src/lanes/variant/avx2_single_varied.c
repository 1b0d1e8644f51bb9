// avx2_single_varied.c: float, registers of 32 bytes, numbers of the model for each lane.

#pragma STDC FP_CONTRACT OFF  // copies of code would round differently, and so lanes
#define LANES_BYTES 32
#define LANES_SINGLE 1
#define LANES_VARIED 1
#include "lanes/variant.h"
