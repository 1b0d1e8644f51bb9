// table.h: the variants that are compiled.

#pragma once

#include "lanes/lanes.h"

extern const LaneVariant lanes_avx512_double, lanes_avx512_single, lanes_avx512_double_varied,
    lanes_avx512_single_varied, lanes_avx2_double, lanes_avx2_single, lanes_avx2_double_varied,
    lanes_avx2_single_varied, lanes_plain_double, lanes_plain_single, lanes_plain_double_varied,
    lanes_plain_single_varied;
