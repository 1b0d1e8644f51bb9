#include "base/numbers.h"

// range, force, scale, lmin, lmax, vmax, fpmax, fvmax
static const mjtNum prm[9] = {(mjtNum)0.75, (mjtNum)1.05, -1,          200,        (mjtNum)0.5,
                              (mjtNum)1.6,  (mjtNum)1.5,  (mjtNum)1.3, (mjtNum)1.2};
static const mjtNum range[2] = {(mjtNum)0.2, (mjtNum)0.5};
static const mjtNum acc0 = 50;

// meters of a normalized length
static mjtNum meters(mjtNum L) {
  mjtNum unit = (range[1] - range[0]) / (prm[1] - prm[0]);
  return range[0] + (L - prm[0]) * unit;
}

static void the_gain_peaks_at_optimal_length_and_rest(void** state) {
  (void)state;
  mjtNum peak = mju_muscleGain(meters(1), 0, range, acc0, prm);
  check_number(peak, -prm[3] / acc0, 20);
  for (mjtNum L = (mjtNum)0.4; L < 2; L += (mjtNum)0.01) {
    mjtNum gain = mju_muscleGain(meters(L), 0, range, acc0, prm);
    assert_true(gain <= 0 && gain >= peak - (mjtNum)1e-5);
    if (L < prm[4] - (mjtNum)0.001 || L > prm[5] + (mjtNum)0.001) {
      assert_true(gain == 0);
    }
  }
  // a given force is taken as it is
  mjtNum given[9];
  mju_copy(given, prm, 9);
  given[2] = 7;
  check_number(mju_muscleGain(meters(1), 0, range, acc0, given), -7, 20);
}

static void a_faster_shortening_muscle_is_weaker(void** state) {
  (void)state;
  mjtNum before = 0;
  for (mjtNum v = -1; v < 1; v += (mjtNum)0.01) {
    mjtNum gain = -mju_muscleGain(meters(1), v * 2, range, acc0, prm);
    assert_true(gain >= before - (mjtNum)1e-5);
    before = gain;
  }
  check_number(before, prm[8] * prm[3] / acc0, 20);
}

static void the_passive_force_starts_beyond_optimal_length(void** state) {
  (void)state;
  assert_true(mju_muscleBias(meters((mjtNum)0.99), range, acc0, prm) == 0);
  mjtNum b = (1 + prm[5]) / 2;
  check_number(mju_muscleBias(meters(b), range, acc0, prm), -prm[7] * prm[3] / acc0 / 2, 100);
  // straight from there on
  mjtNum f1 = mju_muscleBias(meters((mjtNum)1.5), range, acc0, prm);
  mjtNum f2 = mju_muscleBias(meters((mjtNum)1.6), range, acc0, prm);
  mjtNum f3 = mju_muscleBias(meters((mjtNum)1.7), range, acc0, prm);
  check_number(f3 - f2, f2 - f1, 200);
}

static void activation_follows_control_slower_downwards(void** state) {
  (void)state;
  const mjtNum hard[3] = {(mjtNum)0.01, (mjtNum)0.04, 0};
  check_number(mju_muscleDynamics(1, 0, hard), 1 / ((mjtNum)0.01 * (mjtNum)0.5), 10);
  check_number(mju_muscleDynamics(0, 1, hard), -1 / ((mjtNum)0.04 / 2), 10);
  check_number(mju_muscleDynamics(7, 0, hard), mju_muscleDynamics(1, 0, hard), 0);

  // with a width the two time constants meet smoothly
  const mjtNum soft[3] = {(mjtNum)0.01, (mjtNum)0.04, (mjtNum)0.2};
  mjtNum act = (mjtNum)0.5, step = (mjtNum)1e-4, before = mju_muscleDynamics(act - 1, act, soft);
  for (mjtNum u = 0; u <= 1; u += step) {
    mjtNum rate = mju_muscleDynamics(u, act, soft);
    assert_true(rate - before > -(mjtNum)1e-4 && rate - before < (mjtNum)0.1);
    before = rate;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_gain_peaks_at_optimal_length_and_rest),
      cmocka_unit_test(a_faster_shortening_muscle_is_weaker),
      cmocka_unit_test(the_passive_force_starts_beyond_optimal_length),
      cmocka_unit_test(activation_follows_control_slower_downwards),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
