#include "base/numbers.h"

static void extremes_and_clipping_take_the_nearer_end(void** state) {
  (void)state;
  assert_true(mju_min(1, 2) == 1 && mju_min(2, 1) == 1);
  assert_true(mju_max(1, 2) == 2 && mju_max(2, 1) == 2);
  assert_true(mju_min((mjtNum)NAN, 1) == 1 && mju_max((mjtNum)NAN, 1) == 1);
  assert_true(mju_clip(3, 0, 2) == 2 && mju_clip(-1, 0, 2) == 0 && mju_clip(1, 0, 2) == 1);
  assert_true(isnan(mju_clip((mjtNum)NAN, 0, 1)));
  assert_true(mju_sign(-3) == -1 && mju_sign(0) == 0 && mju_sign(2) == 1);
}

static void halves_are_rounded_up(void** state) {
  (void)state;
  assert_int_equal(mju_round((mjtNum)2.5), 3);
  assert_int_equal(mju_round((mjtNum)-2.5), -2);
  assert_int_equal(mju_round((mjtNum)2.4), 2);
  assert_int_equal(mju_round((mjtNum)-2.6), -3);
  assert_int_equal(mju_round(7), 7);
}

static void bad_is_what_is_not_a_number_or_too_large(void** state) {
  (void)state;
  assert_true(mju_isBad((mjtNum)NAN) && mju_isBad((mjtNum)INFINITY) && mju_isBad((mjtNum)-1.1e10));
  assert_false(mju_isBad((mjtNum)mjMAXVAL) || mju_isBad(0));
  assert_true(mju_isZero(NULL, 0) && mju_isZero((mjtNum[]){0, (mjtNum)-0.0}, 2));
  assert_false(mju_isZero((mjtNum[]){0, (mjtNum)1e-30}, 2));
}

static void the_sigmoid_rises_smoothly_from_0_to_1(void** state) {
  (void)state;
  assert_true(mju_sigmoid(-1) == 0 && mju_sigmoid(0) == 0 && mju_sigmoid(1) == 1 &&
              mju_sigmoid(2) == 1);
  for (int i = 1; i < 100; i++) {
    mjtNum x = (mjtNum)i / 100;
    check_number(mju_sigmoid(x) + mju_sigmoid(1 - x), 1, 4);
    check_number(mju_sigmoid(x), 6 * mju_pow(x, 5) - 15 * mju_pow(x, 4) + 10 * mju_pow(x, 3), 10);
  }
}

static void a_force_is_recovered_from_its_pyramid(void** state) {
  (void)state;
  const mjtNum mu[5] = {1, (mjtNum)0.8, (mjtNum)0.1, (mjtNum)0.01, (mjtNum)0.02};
  const mjtNum force[6] = {10, 1, -1, (mjtNum)0.1, (mjtNum)0.005, (mjtNum)-0.01};
  for (int dim = 3; dim <= 6; dim++) {
    mjtNum pyramid[10], back[6];
    mju_encodePyramid(pyramid, force, mu, dim);
    mju_decodePyramid(back, pyramid, mu, dim);
    check_near(back, force, dim, 4);
  }
  // without friction, and with more of it than the cone holds
  mjtNum pyramid[4], back[3];
  mju_decodePyramid(back, force, mu, 1);
  assert_true(back[0] == 10);
  mju_encodePyramid(pyramid, (mjtNum[]){2, 100, 0}, mu, 3);
  check_near(pyramid, (mjtNum[]){1, 0, (mjtNum)0.5, (mjtNum)0.5}, 4, 1);
}

// x(t) from 20,000 steps of Runge-Kutta
static double integrate(double x, double v, double k, double b, double t) {
  int n = 20000;
  double h = t / n;
  for (int i = 0; i < n; i++) {
    double a1 = -k * x - b * v, v2 = v + h / 2 * a1, x2 = x + h / 2 * v;
    double a2 = -k * x2 - b * v2, v3 = v + h / 2 * a2, x3 = x + h / 2 * v2;
    double a3 = -k * x3 - b * v3, v4 = v + h * a3, x4 = x + h * v3;
    double a4 = -k * x4 - b * v4;
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return x;
}

static void a_spring_with_any_damping_follows_its_equation(void** state) {
  (void)state;
  const double damping[] = {0, 0.5, 4, 7};
  for (int i = 0; i < 4; i++) {
    mjtNum x = mju_springDamper(1, -2, 4, (mjtNum)damping[i], (mjtNum)1.5);
    check_number(x, (mjtNum)integrate(1, -2, 4, damping[i], 1.5), 1e4);
  }
}

static void halton_numbers_are_mirrored_digits(void** state) {
  (void)state;
  assert_true(mju_Halton(0, 2) == 0 && mju_Halton(-3, 2) == 0);
  check_number(mju_Halton(6, 2), (mjtNum)0.375, 1);
  check_number(mju_Halton(5, 3), (mjtNum)7 / 9, 2);
}

static void normal_numbers_have_mean_0_and_variance_1(void** state) {
  (void)state;
  double sum = 0, sum2 = 0;
  int n = 20000;
  for (int i = 0; i < n; i++) {
    mjtNum second, first = mju_standardNormal(i % 2 ? &second : NULL);
    sum += (double)first;
    sum2 += (double)(first * first);
  }
  assert_true(fabs(sum / n) < 0.03 && fabs(sum2 / n - 1) < 0.05);
}

static void sorting_is_ascending(void** state) {
  (void)state;
  mjtNum list[40];
  int ints[40];
  random_numbers(list, 40);
  for (int i = 0; i < 40; i++) {
    ints[i] = (int)(list[i] * 10);
  }
  mju_insertionSort(list, 40);
  mju_insertionSortInt(ints, 40);
  for (int i = 1; i < 40; i++) {
    assert_true(list[i - 1] <= list[i] && ints[i - 1] <= ints[i]);
  }
  mju_insertionSort(list, 0);
  mju_insertionSortInt(ints, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(extremes_and_clipping_take_the_nearer_end),
      cmocka_unit_test(halves_are_rounded_up),
      cmocka_unit_test(bad_is_what_is_not_a_number_or_too_large),
      cmocka_unit_test(the_sigmoid_rises_smoothly_from_0_to_1),
      cmocka_unit_test(a_force_is_recovered_from_its_pyramid),
      cmocka_unit_test(a_spring_with_any_damping_follows_its_equation),
      cmocka_unit_test(halton_numbers_are_mirrored_digits),
      cmocka_unit_test(normal_numbers_have_mean_0_and_variance_1),
      cmocka_unit_test(sorting_is_ascending),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
