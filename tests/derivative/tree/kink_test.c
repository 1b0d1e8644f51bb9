// Places where smooth pieces meet are recognized up to rounding, for numbers of any size.

#include "derivative/tree/kink.h"

#include "support/test.h"

TEST(a_difference_of_equal_numbers_is_zero_whatever_their_size) {
  const mjtNum eps = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-16 : (mjtNum)6e-8;
  for (mjtNum size = (mjtNum)1e-6; size < 1e7; size *= 10) {
    assert_true(kink_is_zero(0, size));
    assert_true(kink_is_zero(-4 * eps * size, size));
    assert_false(kink_is_zero((mjtNum)1e-5 * size, size));
    assert_false(kink_is_zero((mjtNum)-1e-5 * size, size));
  }
}

TEST(only_ends_of_a_range_that_can_be_left_are_kinks) {
  const mjtNum range[2] = {-1, 2}, none[2] = {2, 2};
  assert_true(kink_is_at_end(-1, range, 1));
  assert_true(kink_is_at_end(2, range, 0));
  assert_false(kink_is_at_end(0, range, 1));
  assert_false(kink_is_at_end(3, range, 1));
  assert_false(kink_is_at_end(2, none, 1));
}
