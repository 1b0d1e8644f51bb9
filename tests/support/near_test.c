// The comparator itself: what it must never let pass.

#include "support/near.h"

static const double numbers[4] = {1, -2, 0, 4};

// 1 if an array with one number changed is told apart, within a tolerance of 0.1 of 4
static int is_noticed(int index, double number) {
  double changed[4] = {1, -2, 0, 4};
  changed[index] = number;
  return numbers_differ("meant to differ", changed, numbers, 4, 0.1, 0);
}

TEST(errors_are_relative_to_the_largest) {
  assert_false(is_noticed(0, 1));
  assert_false(is_noticed(2, 0.39));
  assert_true(is_noticed(2, 0.41));
  assert_true(is_noticed(3, -4));
  size_t where;
  const float found[2] = {1, 3};
  const double expected[2] = {1, 2};
  assert_that(relative_error(&where, found, expected, 2, 0), ==, 0.5);
  assert_that(where, ==, 1u);
  assert_that(relative_error(&where, found, expected, 2, 10), ==, 0.1);
}

TEST(numbers_that_are_not_finite_never_agree_with_others) {
  static const double odd[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) {
      assert_true(is_noticed(i, odd[k]));
      double x[4] = {1, -2, 0, 4}, y[4] = {1, -2, 0, 4};
      y[i] = odd[k];
      assert_true(numbers_differ("meant to differ", x, y, 4, 1e300, 0));
      x[i] = odd[k];
      assert_false(numbers_differ("same", x, y, 4, 0, 0));
      x[i] = odd[(k + 1) % 3];
      assert_true(numbers_differ("meant to differ", x, y, 4, 1e300, 0));
      // ... and don't hide what is wrong beside them
      x[i] = odd[k];
      x[(i + 1) % 4] += 1;
      assert_true(numbers_differ("meant to differ", x, y, 4, 0.1, 0));
      assert_true(isinf(largest_of(y, 4)));
    }
  }
}

TEST(no_tolerance_is_infinite) {
  static const double odd[] = {NAN, INFINITY};
  for (int k = 0; k < 2; k++) {
    assert_true(numbers_differ("meant to differ", numbers, numbers, 4, odd[k], 1));
    assert_true(numbers_differ("meant to differ", numbers, numbers, 4, 1, odd[k]));
    assert_true(near_apart("meant to differ", 1, 1, odd[k]));
    assert_true(near_apart("meant to differ", odd[k], 1, 1e300));
    assert_false(near_apart("same", odd[k], odd[k], 0));
  }
}
