// near.h: when numbers agree, said once for all tests that compare them.
//
// The error of two arrays is the largest |a - b|, relative to the largest |b| or to a least size,
// if that is larger: so numbers that should be nothing may be rounding of what they are sums of.
// Equal numbers have none, infinite ones too; a NaN agrees with a NaN alone, and with any other
// number that is not finite the error is infinite. No tolerance allows an infinite error. Arrays
// may be of float or double, each by itself.

#pragma once

#include "support/precision.h"
#include "support/test.h"

// Error of n numbers, and the index where it is. A size that is not finite makes it infinite.
#define relative_error(where, a, b, n, least) \
  near_error(where, a, sizeof *(a), b, sizeof *(b), (size_t)(n), least)

// 1 if the error of n numbers is beyond a tolerance: then the worst two are printed, with their
// index and a label.
#define numbers_differ(label, a, b, n, tolerance, least) \
  near_differ(label, a, sizeof *(a), b, sizeof *(b), (size_t)(n), tolerance, least)

// The largest magnitude of n numbers, infinite if one of them is not finite.
#define largest_of(a, n) near_largest(a, sizeof *(a), (size_t)(n))

// Fails the running test if the error of n numbers is beyond a tolerance.
#define assert_numbers(a, b, n, tolerance, least)                     \
  do {                                                                \
    if (numbers_differ(#a " and " #b, a, b, n, tolerance, (least))) { \
      _fail(__FILE__, __LINE__);                                      \
    }                                                                 \
  } while (0)

// The same for numbers of size 1 or more, with a tolerance that is widened to what the precision
// can keep.
#define assert_close(a, b, n, tolerance) assert_numbers(a, b, n, rounding(tolerance), 1)

// Fails unless two single numbers agree, absolutely or relative to the second of them and a least
// size.
#define assert_near(a, b, tolerance)                                                          \
  do {                                                                                        \
    if (near_apart(#a " and " #b, (double)(a), (double)(b), rounding((double)(tolerance)))) { \
      _fail(__FILE__, __LINE__);                                                              \
    }                                                                                         \
  } while (0)
#define assert_relative(a, b, tolerance, least) \
  assert_numbers(&(double){(double)(a)}, &(double){(double)(b)}, 1, tolerance, least)

// |a - b|, as above.
double near_gap(double a, double b);

// What the macros call: size_a and size_b are the bytes of an element.
double near_error(size_t* where, const void* a, size_t size_a, const void* b, size_t size_b,
                  size_t n, double least);
int near_differ(const char* label, const void* a, size_t size_a, const void* b, size_t size_b,
                size_t n, double tolerance, double least);
double near_largest(const void* a, size_t size_a, size_t n);
int near_apart(const char* label, double a, double b, double tolerance);
