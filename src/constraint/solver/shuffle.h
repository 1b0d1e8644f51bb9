// shuffle.h: pseudo-random orders that are the same on every machine.
//
// Gauss-Seidel in a fixed order carries forces up a stack in one sweep and down in as many sweeps
// as it is high. Another order for each sweep has no such direction.
//                                                    theory/contact/solvers.md, Shuffled PGS

#pragma once

#include <stdint.h>

// The generator PCG32 of M. O'Neill, on its first sequence.
typedef struct Shuffle_ {
  uint64_t state;
} Shuffle;

static inline uint32_t shuffle_next(Shuffle* s) {
  uint64_t state = s->state;
  uint32_t word = (uint32_t)((state >> 18 ^ state) >> 27), turn = (uint32_t)(state >> 59);
  s->state = state * 6364136223846793005u + 1;
  return word >> turn | word << (-turn & 31);
}

static inline Shuffle shuffle_make(void) {
  Shuffle s = {0};
  shuffle_next(&s);
  return s;
}

// Permutes n numbers, by the method of Fisher and Yates.
static inline void shuffle(Shuffle* s, int* number, int n) {
  for (int i = n - 1; i > 0; i--) {
    int j = (int)(shuffle_next(s) % (uint32_t)(i + 1)), kept = number[i];
    number[i] = number[j];
    number[j] = kept;
  }
}
