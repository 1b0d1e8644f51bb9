#include "base/numbers.h"
#include "support/caught.h"

// The minimum is where the gradient vanishes on free components and pushes outwards on the others.
static void the_solution_satisfies_the_conditions_of_a_minimum(void** state) {
  (void)state;
  for (int trial = 0; trial < 50; trial++) {
    int n = 1 + trial % 12, *index;
    mjtNum *x, *R, *H, *g, *lower, *upper, grad[12];
    mju_boxQPmalloc(&x, &R, &index, &H, &g, n, &lower, &upper);
    random_spd(H, n);
    random_numbers(g, n);
    random_numbers(x, n);
    for (int i = 0; i < n; i++) {
      lower[i] = -mju_abs(random_number()) / 2 - (mjtNum)0.01;
      upper[i] = mju_abs(random_number()) / 2 + (mjtNum)0.01;
    }
    int nfree = mju_boxQP(x, R, index, H, g, n, lower, upper);
    assert_in_range(nfree, 0, n);

    mju_mulMatVec(grad, H, x, n, n);
    mju_addTo(grad, g, n);
    int next = 0;
    for (int i = 0; i < n; i++) {
      assert_true(x[i] >= lower[i] && x[i] <= upper[i]);
      if (next < nfree && index[next] == i) {
        check_number(grad[i], 0, sizeof(mjtNum) == 8 ? 1e8 : 1e2);
        next++;
      } else {
        assert_true(grad[i] > 0 ? x[i] == lower[i] : x[i] == upper[i]);
      }
    }
    mju_free(x);
    mju_free(R);
    mju_free(index);
    mju_free(H);
    mju_free(g);
    mju_free(lower);
    mju_free(upper);
  }
}

static void a_missing_bound_is_no_bound(void** state) {
  (void)state;
  const mjtNum H[4] = {2, 0, 0, 4}, g[2] = {2, -4}, zero[2] = {0, 0};
  mjtNum x[2] = {0, 0}, R[18];
  int index[2];
  assert_int_equal(mju_boxQP(x, R, index, H, g, 2, NULL, NULL), 2);
  check_near(x, (mjtNum[]){-1, 1}, 2, 4);
  mju_zero(x, 2);
  assert_int_equal(mju_boxQP(x, R, index, H, g, 2, zero, NULL), 1);
  assert_int_equal(index[0], 1);
  check_near(x, (mjtNum[]){0, 1}, 2, 4);
  mju_zero(x, 2);
  assert_int_equal(mju_boxQP(x, R, index, H, g, 2, NULL, zero), 1);
  check_near(x, (mjtNum[]){-1, 0}, 2, 4);
}

static void an_indefinite_problem_fails(void** state) {
  (void)state;
  const mjtNum H[4] = {-1, 0, 0, -1}, g[2] = {1, 1}, lower[2] = {-1, -1}, upper[2] = {1, 1};
  mjtNum x[2] = {0, 0}, R[18];
  int index[2];
  assert_int_equal(mju_boxQP(x, R, index, H, g, 2, NULL, NULL), -1);
  mju_zero(x, 2);
  assert_int_equal(mju_boxQP(x, R, index, H, g, 2, lower, upper), -1);
}

static void senseless_bounds_and_sizes_are_errors(void** state) {
  (void)state;
  const mjtNum H[1] = {1}, g[1] = {1}, bound[1] = {0};
  mjtNum x[1] = {0}, R[8];
  int index[1];
  assert_error(mju_boxQP(x, R, index, H, g, 0, NULL, NULL), "not positive");
  assert_error(mju_boxQP(x, R, index, H, g, 1, bound, bound), "lower bound 0");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_solution_satisfies_the_conditions_of_a_minimum),
      cmocka_unit_test(a_missing_bound_is_no_bound),
      cmocka_unit_test(an_indefinite_problem_fails),
      cmocka_unit_test(senseless_bounds_and_sizes_are_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
