// wide_integer.h: products and quotients of twice the bits of a uint64_t.
//
// Compilers for processors of 64 bits know numbers of 128 bits and make a product of one or two
// instructions; those for 32 bits don't. Both ways are compiled everywhere, so that a test can hold
// one against the other.

#pragma once

#include <stdint.h>

typedef struct WideInteger_ {
  uint64_t high, low;  // high 2^64 + low
} WideInteger;

// a b = (a1 2^32 + a0) (b1 2^32 + b0). The sum of what belongs to 2^32 stays below 2^64: each
// product of halves is at most (2^32 - 1)^2 = 2^64 - 2^33 + 1, and two terms below 2^32 come to it.
static inline WideInteger wide_product_of_halves(uint64_t a, uint64_t b) {
  const uint64_t mask = UINT32_MAX;
  uint64_t a1 = a >> 32, a0 = a & mask, b1 = b >> 32, b0 = b & mask;
  uint64_t low = a0 * b0;
  uint64_t first = a1 * b0 + (low >> 32);
  uint64_t middle = a0 * b1 + (first & mask);
  return (WideInteger){a1 * b1 + (first >> 32) + (middle >> 32), middle << 32 | (low & mask)};
}

// The whole part of n / divisor by long division, bit by bit, for n.high < divisor < 2^63: what is
// left of n stays below the divisor, so twice of it fits.
static inline uint64_t wide_quotient_by_bits(uint64_t remainder[1], WideInteger n,
                                             uint64_t divisor) {
  uint64_t quotient = 0, rest = n.high;
  for (int bit = 63; bit >= 0; bit--) {
    rest = rest << 1 | (n.low >> bit & 1);
    int fits = rest >= divisor;
    rest -= fits ? divisor : 0;
    quotient = quotient << 1 | (uint64_t)fits;
  }
  *remainder = rest;
  return quotient;
}

// a b
static inline WideInteger wide_product(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
  __extension__ unsigned __int128 product = (unsigned __int128)a * b;
  return (WideInteger){(uint64_t)(product >> 64), (uint64_t)product};
#else
  return wide_product_of_halves(a, b);
#endif
}

// The whole part of n / divisor and its remainder, for n.high < divisor < 2^63.
static inline uint64_t wide_quotient(uint64_t remainder[1], WideInteger n, uint64_t divisor) {
#ifdef __SIZEOF_INT128__
  __extension__ unsigned __int128 whole = (unsigned __int128)n.high << 64 | n.low;
  uint64_t quotient = (uint64_t)(whole / divisor);
  *remainder = n.low - quotient * divisor;
  return quotient;
#else
  return wide_quotient_by_bits(remainder, n, divisor);
#endif
}
