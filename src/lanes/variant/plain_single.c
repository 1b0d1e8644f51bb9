// plain_single.c: numbers of the model for all lanes, float, registers of 16 bytes.

#pragma STDC FP_CONTRACT OFF  // copies of code would round differently, and so lanes

#define LANES_BYTES 16
#define LANES_SINGLE 1
#define LANES_VARIED 0
#include "lanes/variant.h"
#include "lanes/variant/table.h"

LANE_VARIANT(lanes_plain_single, "plain")
