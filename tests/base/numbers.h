// numbers.h: random inputs and comparisons for tests of the numerics.

#pragma once

#include "support/near.h"
#include "support/random.h"
#include "support/test.h"

#ifdef mjUSESINGLE
#define NUMBER_EPS 1e-6
#else
#define NUMBER_EPS 1e-15
#endif

// the largest matrix of a test
enum {
  NMAX = 64
};

// Uniform in [-1, 1], the same sequence on every machine.
static inline mjtNum random_number(void) {
  static uint64_t state = 88172645463325252u;
  return xorshift_random(&state);
}

static inline void random_numbers(mjtNum* out, int n) {
  for (int i = 0; i < n; i++) {
    out[i] = random_number();
  }
}

static inline void random_quat(mjtNum out[4]) {
  random_numbers(out, 4);
  mju_normalize4(out);
}

// A symmetric positive definite matrix, all of it; its eigenvalues are at least 1/10.
static inline void random_spd(mjtNum* out, int n) {
  static mjtNum B[NMAX * NMAX];
  random_numbers(B, n * n);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      mjtNum sum = i == j ? (mjtNum)0.1 : 0;
      for (int k = 0; k < n; k++) {
        sum += B[i * n + k] * B[j * n + k];
      }
      out[i * n + j] = sum;
    }
  }
}

// Fails unless all n numbers agree within tolerance roundings of the largest.
static inline void check_near_at(const char* file, int line, const mjtNum* a, const mjtNum* b,
                                 int n, double tolerance) {
  if (numbers_differ("numbers", a, b, n, tolerance * NUMBER_EPS, 1)) {
    _fail(file, line);
  }
}

// variadic, because braces of a literal array do not protect its commas
#define check_near(...) check_near_at(__FILE__, __LINE__, __VA_ARGS__)
#define check_number(a, b, tolerance) \
  check_near_at(__FILE__, __LINE__, (const mjtNum[1]){a}, (const mjtNum[1]){b}, 1, tolerance)
