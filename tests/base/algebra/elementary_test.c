// Sine, exponential, logarithm and their kin: near the numbers of long double, special values as
// C17 has them, and the same bits on every machine.

#include "base/algebra/elementary.h"

#include <float.h>

#include "support/random.h"
#include "support/test.h"

typedef struct Function_ {
  const char* name;
  double (*ours)(double);
  long double (*exact)(long double);
  double low, high;  // arguments
  double roundings;  // largest error, in units of the last digit
} Function;

static const Function functions[] = {
    {"sin", portable_sin, sinl, -10, 10, 0.6},
    {"cos", portable_cos, cosl, -10, 10, 0.6},
    {"tan", portable_tan, tanl, -10, 10, 0.6},
    {"sin of large angles", portable_sin, sinl, -1e9, 1e9, 0.6},
    {"cos of large angles", portable_cos, cosl, -1e15, 1e15, 0.6},
    {"asin", portable_asin, asinl, -1, 1, 0.75},
    {"acos", portable_acos, acosl, -1, 1, 0.75},
    {"atan", portable_atan, atanl, -3, 3, 0.51},
    {"exp", portable_exp, expl, -700, 700, 0.51},
    {"exp of small numbers", portable_exp, expl, -1, 1, 0.51},
    {"log", portable_log, logl, 1e-3, 10, 0.51},
    {"log of large numbers", portable_log, logl, 1e3, 1e300, 0.51},
    {"cbrt", portable_cbrt, cbrtl, -1e3, 1e3, 0.75},
};
enum {
  NFUNCTION = sizeof(functions) / sizeof(*functions),
  NDRAW = 20000
};

// |value - exact| in units of the last digit of a double of that size
static double units(double value, long double exact) {
  int exponent;
  frexpl(exact, &exponent);
  return (double)(fabsl((long double)value - exact) / ldexpl(1, exponent - DBL_MANT_DIG));
}

// Half a unit at most is needed of the long doubles themselves.
static int long_doubles_are_longer(void) {
  return LDBL_MANT_DIG > DBL_MANT_DIG + 8;
}

TEST(results_are_the_nearest_numbers_or_their_neighbours) {
  if (!long_doubles_are_longer()) {
    test_skip("long double has no more digits than double here");
  }
  uint64_t seed = 1;
  for (int k = 0; k < NFUNCTION; k++) {
    const Function* f = &functions[k];
    double worst = 0, at = 0;
    for (int i = 0; i < NDRAW; i++) {
      double x = uniform_between(&seed, f->low, f->high);
      x *= i % 4 ? 1 : 1e-3;  // small arguments, too
      if (f->low > 0 && x < f->low) {
        x = f->low;
      }
      double error = units(f->ours(x), f->exact(x));
      if (error > worst) {
        worst = error;
        at = x;
      }
    }
    if (worst > f->roundings) {
      fail_msg("%s is off by %g units at %.17g, more than %g", f->name, worst, at, f->roundings);
    }
  }
}

TEST(functions_of_two_numbers_are_near) {
  if (!long_doubles_are_longer()) {
    test_skip("long double has no more digits than double here");
  }
  uint64_t seed = 1;
  for (int i = 0; i < NDRAW; i++) {
    double x = uniform_random(&seed), y = uniform_random(&seed) * (i % 5 ? 1 : 1e-6);
    double turned = units(portable_atan2(y, x), atan2l(y, x));
    double base = fabs(x) * (i % 3 ? 1 : 1e4), power = 20 * uniform_random(&seed);
    double grown = units(portable_pow(base, power), powl(base, power));
    if (turned > 0.51 || grown > 0.53) {
      fail_msg("atan2(%.17g, %.17g) is off by %g units, pow(%.17g, %.17g) by %g", y, x, turned,
               base, power, grown);
    }
  }
}

// Equal, or neither a number; zeros by their signs.
static void check_special(const char* what, double value, double expected) {
  int same =
      isnan(expected) ? isnan(value) : value == expected && !signbit(value) == !signbit(expected);
  if (!same) {
    fail_msg("%s is %.17g, not %.17g", what, value, expected);
  }
}

TEST(special_values_are_those_of_the_c_library) {
  const double special[] = {0.0,    -0.0,       1,      -1,       2,         -2,
                            3,      -3,         0.5,    -0.5,     1e300,     -1e300,
                            5e-324, -5e-324,    1e-300, INFINITY, -INFINITY, (double)NAN,
                            0x1p53, 0x1p53 + 2, 709,    -760};
  enum {
    NSPECIAL = sizeof(special) / sizeof(*special)
  };
  double (*const ours[])(double) = {portable_sin,  portable_cos,  portable_tan, portable_asin,
                                    portable_acos, portable_atan, portable_exp, portable_log};
  double (*const theirs[])(double) = {sin, cos, tan, asin, acos, atan, exp, log};
  char what[100];
  for (int i = 0; i < NSPECIAL; i++) {
    for (int k = 0; k < 8; k++) {
      double expected = theirs[k](special[i]), value = ours[k](special[i]);
      snprintf(what, sizeof(what), "function %d of %g", k, special[i]);
      if (isfinite(expected) && expected != 0 && isfinite(value)) {
        check_special(what, fabs(value - expected) <= 0x1p-52 * fabs(expected), 1);
      } else {
        check_special(what, value, expected);
      }
    }
    for (int j = 0; j < NSPECIAL; j++) {
      double x = special[i], y = special[j], expected = pow(x, y), value = portable_pow(x, y);
      snprintf(what, sizeof(what), "pow(%g, %g)", x, y);
      if (isfinite(expected) && expected != 0 && isfinite(value)) {
        check_special(what, fabs(value - expected) <= 0x1p-52 * fabs(expected), 1);
      } else {
        check_special(what, value, expected);
      }
      expected = atan2(x, y);
      value = portable_atan2(x, y);
      snprintf(what, sizeof(what), "atan2(%g, %g)", x, y);
      if (isfinite(expected) && expected != 0) {
        check_special(what, fabs(value - expected) <= 0x1p-52 * fabs(expected) + 5e-324, 1);
      } else {
        check_special(what, value, expected);
      }
    }
  }
}

TEST(powers_that_are_whole_are_exact) {
  for (int x = 2; x <= 30; x++) {
    double power = 1;
    for (int n = 0; power < 0x1p53; n++, power *= x) {
      check_special("a whole power", portable_pow(x, n), power);
      check_special("a negative one", portable_pow(-x, n), n % 2 ? -power : power);
    }
  }
}

static uint64_t hash_of(uint64_t hash, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return (hash ^ bits) * 1099511628211u;
}

// recorded with GCC 12 on x86-64
TEST(bits_are_the_same_on_every_machine) {
  uint64_t seed = 7, hash = 14695981039346656037u;
  for (int i = 0; i < NDRAW; i++) {
    for (int k = 0; k < NFUNCTION; k++) {
      hash = hash_of(
          hash, functions[k].ours(uniform_between(&seed, functions[k].low, functions[k].high)));
    }
    double x = uniform_between(&seed, 0, 3), y = uniform_between(&seed, -3, 3);
    hash = hash_of(hash_of(hash, portable_pow(x, 9 * y)), portable_atan2(y, x - 1));
  }
  char text[17];
  snprintf(text, sizeof(text), "%016llx", (unsigned long long)hash);
  assert_string_equal(text, "03f287299bb3a673");
}
