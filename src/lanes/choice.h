// choice.h: the variants that this machine can run.

#pragma once

#include "lanes/lanes.h"

// The variants for double (single: 0) or float (1) numbers, widest first; NULL behind the last.
// varied: those in which lanes have numbers of the model of their own.
const LaneVariant* lanes_variant(int k, int single, int varied);
