// random.h: random numbers that are the same everywhere, from a seed that the caller keeps.

#pragma once

#include <stdint.h>

// By a linear congruence: uniform in (-1, 1), as the record.py of tests/reference draws them, and
// between two numbers.
static inline double uniform_random(uint64_t* seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static inline double uniform_between(uint64_t* seed, double low, double high) {
  return low + (high - low) * (uniform_random(seed) + 1) / 2;
}

// By Marsaglia's xorshift, from a seed other than 0: 64 bits, and uniform in (-1, 1).
static inline uint64_t xorshift_bits(uint64_t* seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return *seed;
}

static inline double xorshift_random(uint64_t* seed) {
  return (double)(xorshift_bits(seed) >> 11) / 4503599627370496.0 - 1;
}
