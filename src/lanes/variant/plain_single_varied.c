// plain_single_varied.c: float, registers of 16 bytes, numbers of the model for each lane.

#pragma STDC FP_CONTRACT OFF  // copies of code would round differently, and so lanes
#define LANES_BYTES 16
#define LANES_SINGLE 1
#define LANES_VARIED 1
#include "lanes/variant.h"
