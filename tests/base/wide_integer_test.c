// wide_integer.h: what is made of halves and bits is what the compiler makes of 128-bit numbers.

#include "base/wide_integer.h"

#include "support/random.h"
#include "support/test.h"

enum {
  COUNT = 20000
};

static uint64_t seed = 88172645463325252u;

// A random number of a random length: products of ones carry everywhere, those of few bits nowhere.
static uint64_t draw(void) {
  uint64_t bits = xorshift_bits(&seed), length = xorshift_bits(&seed) % 64 + 1;
  uint64_t number = bits >> (64 - length);
  return xorshift_bits(&seed) % 8 ? number : UINT64_MAX >> (64 - length);
}

static void assert_wide(WideInteger actual, WideInteger expected) {
  assert_that(actual.high, ==, expected.high);
  assert_that(actual.low, ==, expected.low);
}

TEST(products_are_exact) {
  assert_wide(wide_product(0, UINT64_MAX), (WideInteger){0, 0});
  assert_wide(wide_product(UINT64_MAX, UINT64_MAX), (WideInteger){UINT64_MAX - 1, 1});
  assert_wide(wide_product((uint64_t)1 << 63, 6), (WideInteger){3, 0});
  assert_wide(wide_product(1000000007, 1000000000000000009),
              (WideInteger){54210109, 69101181555513919});
}

TEST(products_of_halves_are_those_of_the_compiler) {
  for (int i = 0; i < COUNT; i++) {
    uint64_t a = draw(), b = draw();
    assert_wide(wide_product_of_halves(a, b), wide_product(a, b));
  }
}

TEST(a_quotient_times_its_divisor_and_the_remainder_are_the_number) {
  for (int i = 0; i < COUNT; i++) {
    uint64_t divisor = (draw() >> 1) + 1;
    divisor -= divisor >> 63;
    WideInteger n = {xorshift_bits(&seed) % divisor, draw()};
    uint64_t remainder, rest;
    uint64_t quotient = wide_quotient(&remainder, n, divisor);
    assert_that(wide_quotient_by_bits(&rest, n, divisor), ==, quotient);
    assert_that(rest, ==, remainder);
    assert_that(remainder, <, divisor);

    WideInteger product = wide_product(quotient, divisor);
    uint64_t low = product.low + remainder;
    assert_wide((WideInteger){product.high + (low < remainder), low}, n);
  }
}
