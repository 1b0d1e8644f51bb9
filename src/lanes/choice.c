// choice.c: the table of variants, and what the machine has.

#include "lanes/choice.h"

enum {
  NSET = 3  // instruction sets
};

// Of registers of so many bytes: double, then float, each with shared and with varied numbers of
// the model. variant.h defines them.
#define EXTERN(bytes)                                                                \
  extern const LaneVariant lanes_variant_##bytes##_0_0, lanes_variant_##bytes##_0_1, \
      lanes_variant_##bytes##_1_0, lanes_variant_##bytes##_1_1;
#define ROW(bytes)                                                  \
  {                                                                 \
    {&lanes_variant_##bytes##_0_0, &lanes_variant_##bytes##_0_1}, { \
      &lanes_variant_##bytes##_1_0, &lanes_variant_##bytes##_1_1    \
    }                                                               \
  }

EXTERN(16)
#if LANES_WIDE
EXTERN(32)
EXTERN(64)
#endif

// Whether the machine has the k-th instruction set, the widest first.
static int has_set(int k) {
#if LANES_WIDE
  return k == 0   ? __builtin_cpu_supports("x86-64-v4")
         : k == 1 ? __builtin_cpu_supports("x86-64-v3")
                  : 1;
#else
  return k == NSET - 1;
#endif
}

const LaneVariant* lanes_variant(int k, int single, int varied) {
#if LANES_WIDE
  static const LaneVariant* const table[NSET][2][2] = {ROW(64), ROW(32), ROW(16)};
#else
  static const LaneVariant* const table[NSET][2][2] = {{{0}}, {{0}}, ROW(16)};
#endif
  for (int set = 0; set < NSET; set++) {
    if (has_set(set) && k-- == 0) {
      return table[set][single][varied];
    }
  }
  return NULL;
}
