// choice.c: the table of variants, and what the machine has.

#include "lanes/choice.h"

#include "lanes/variant/table.h"

enum {
  NSET = 3  // instruction sets
};

// Whether the machine has the k-th instruction set, the widest first.
static int has_set(int k) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
  return k == 0   ? __builtin_cpu_supports("x86-64-v4")
         : k == 1 ? __builtin_cpu_supports("x86-64-v3")
                  : 1;
#else
  return k == NSET - 1;
#endif
}

const LaneVariant* lanes_variant(int k, int single, int varied) {
  static const LaneVariant* const table[NSET][2][2] = {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    {{&lanes_avx512_double, &lanes_avx512_double_varied},
     {&lanes_avx512_single, &lanes_avx512_single_varied}},
    {{&lanes_avx2_double, &lanes_avx2_double_varied},
     {&lanes_avx2_single, &lanes_avx2_single_varied}},
#else
    {{0}},
    {{0}},
#endif
    {{&lanes_plain_double, &lanes_plain_double_varied},
     {&lanes_plain_single, &lanes_plain_single_varied}},
  };
  for (int set = 0; set < NSET; set++) {
    if (has_set(set) && k-- == 0) {
      return table[set][single][varied];
    }
  }
  return NULL;
}
