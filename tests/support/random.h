// random.h: random numbers that are the same everywhere, from a seed that the caller keeps.

#ifndef CONDYLE_TESTS_SUPPORT_RANDOM_H_
#define CONDYLE_TESTS_SUPPORT_RANDOM_H_

#include <stdint.h>

// Uniform in (-1, 1). record.py draws the same numbers.
static inline double uniform_random(uint64_t* seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

#endif  // CONDYLE_TESTS_SUPPORT_RANDOM_H_
