// A quadratic minimum in a box meets its conditions; missing bounds are none, senseless input is
// an error.

#include "base/trials.h"
#include "support/caught.h"

enum {
  SIDE = 6
};

// The minimum is where the gradient vanishes on free components and pushes outwards on the others.
TEST(the_solution_satisfies_the_conditions_of_a_minimum) {
  TRIALS(mju_boxQP) {
    int n = 1 + draw_int(SIDE), index[SIDE], bounds = draw_int(8);
    mjtNum x[SIDE], R[SIDE * (SIDE + 7)], B[SIDE * SIDE], H[SIDE * SIDE], g[SIDE], lower[SIDE];
    mjtNum upper[SIDE];
    draw_scaled(B, n * n, 1);
    mju_mulMatMatT(H, B, B, n, n, n);
    draw_scaled(g, n, draw_int(8) ? draw_scale(-3, 3) : 0);
    draw_scaled(x, n, 2);
    for (int i = 0; i < n; i++) {
      H[i * (n + 1)] += (mjtNum)0.1;
      lower[i] = draw_unit();
      upper[i] = lower[i] + draw_scale(-6, 2);
    }
    const mjtNum *lo = bounds & 1 ? lower : NULL, *hi = bounds & 2 ? upper : NULL;
    int* asked = draw_int(8) ? index : NULL;
    int nfree = f(x, R, asked, H, g, n, lo, hi);
    check_that(nfree >= 0 && nfree <= n);

    // gradients that count as zero have a norm of 1e-8 (single precision: 3e-5)
    const Exact zero = sizeof(mjtNum) == 8 ? 2e-8L : 1e-2L;
    int next = 0;
    for (int i = 0; i < n; i++) {
      Exact slope = exact_dot(H + i * n, x, n) + g[i];
      int low = lo && x[i] == lo[i], high = hi && x[i] == hi[i];
      check_that(!lo || x[i] >= lo[i]);
      check_that(!hi || x[i] <= hi[i]);
      if (asked && next < nfree && index[next] == i) {
        check_that(fabsl(slope) <= zero);
        next++;
      } else {
        check_that((slope >= -zero || high) && (slope <= zero || low));
        check_that(!asked || low || high);
      }
    }
    check_that(!asked || next == nfree);

    // R is the factor of the free part
    for (int i = 0; asked && i < nfree; i++) {
      for (int j = 0; j <= i; j++) {
        check_exact1(H[index[i] * n + index[j]], exact_dot(R + i * nfree, R + j * nfree, j + 1),
                     100);
      }
    }
  }
}

TEST(arrays_are_allocated_as_asked) {
  mjtNum *x, *R, *H, *g, *lower = NULL, *upper = NULL;
  int* index = NULL;
  const int n = 5;
  mju_boxQPmalloc(&x, &R, NULL, &H, &g, n, NULL, NULL);
  mju_eye(H, n);
  mju_fill(g, -1, n);
  assert_int_equal(mju_boxQP(x, R, NULL, H, g, n, NULL, NULL), n);
  mju_free(x);
  mju_free(R);
  mju_free(H);
  mju_free(g);

  mju_boxQPmalloc(&x, &R, &index, &H, &g, n, &lower, &upper);
  mju_eye(H, n);
  mju_fill(g, -1, n);
  mju_fill(lower, -2, n);
  mju_fill(upper, (mjtNum)0.5, n);
  mju_zero(x, n);
  assert_int_equal(mju_boxQP(x, R, index, H, g, n, lower, upper), 0);
  assert_that(x[0], ==, (mjtNum)0.5);
  assert_that(x[n - 1], ==, (mjtNum)0.5);
  mju_free(x);
  mju_free(R);
  mju_free(index);
  mju_free(H);
  mju_free(g);
  mju_free(lower);
  mju_free(upper);
}

TEST(a_missing_bound_is_no_bound) {
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

TEST(an_indefinite_problem_fails) {
  const mjtNum H[4] = {-1, 0, 0, -1}, g[2] = {1, 1}, lower[2] = {-1, -1}, upper[2] = {1, 1};
  mjtNum x[2] = {0, 0}, R[18];
  int index[2];
  assert_int_equal(mju_boxQP(x, R, index, H, g, 2, NULL, NULL), -1);
  mju_zero(x, 2);
  assert_int_equal(mju_boxQP(x, R, index, H, g, 2, lower, upper), -1);
}

TEST(senseless_bounds_and_sizes_are_errors) {
  const mjtNum H[1] = {1}, g[1] = {1}, bound[1] = {0};
  mjtNum x[1] = {0}, R[8];
  int index[1];
  assert_error(mju_boxQP(x, R, index, H, g, 0, NULL, NULL),
               "mju_boxQP: problem size 0 is not positive");
  assert_error(mju_boxQP(x, R, index, H, g, 1, bound, bound),
               "mju_boxQP: lower bound 0, 0, is not below the upper one, 0");
}
