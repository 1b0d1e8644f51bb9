// avx512_double.c: double, registers of 64 bytes, numbers of the model for all lanes.

#pragma STDC FP_CONTRACT OFF  // copies of code would round differently, and so lanes
#define LANES_BYTES 64
#define LANES_SINGLE 0
#define LANES_VARIED 0
#include "lanes/variant.h"
