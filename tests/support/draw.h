// draw.h: random numbers for tests that invent scenes; the same ones from the same seed.

#pragma once

#include "support/random.h"

static uint64_t seed;

// Sets the seed of a scene by its number.
static inline void draw_scene(int number) {
  seed = 88172645463325252u + 7919u * (uint64_t)number;
}

static inline double real(double low, double high) {
  return low + (high - low) * ((double)(xorshift_bits(&seed) >> 11) / 9007199254740992.0);
}

// 0 .. n-1
static inline int whole(int n) {
  return (int)real(0, n);
}

// A length about 1: round, ordinary, or now and then tiny.
static inline double length(void) {
  int kind = whole(8);
  return kind == 0 ? 1e-3 : kind < 3 ? 0.125 * (1 + whole(8)) : real(0.1, 1);
}
