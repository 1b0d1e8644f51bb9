#include "base/numbers.h"

// shapes: (ntotal, nband, ndense)
static const int shape[][3] = {{1, 1, 0}, {6, 1, 0}, {7, 3, 0}, {7, 3, 2},
                               {9, 4, 1}, {5, 5, 0}, {5, 2, 5}, {12, 1, 3}};
enum {
  NSHAPE = sizeof(shape) / sizeof(shape[0])
};

static mjtNum full[NMAX * NMAX], band[NMAX * NMAX], dense[NMAX * NMAX];
static mjtNum x[NMAX], y[NMAX], z[NMAX];

// a positive definite matrix with zeros outside the band
static void make_banded(int n, int nband, int ndense) {
  random_spd(full, n);
  for (int i = 0; i < n; i++) {
    full[i * n + i] += 20;
    for (int j = 0; j < i; j++) {
      if (i - j >= nband && i < n - ndense) {
        full[i * n + j] = full[j * n + i] = 0;
      }
    }
  }
}

static void a_band_matrix_and_back_is_the_same(void** state) {
  (void)state;
  for (int s = 0; s < NSHAPE; s++) {
    int n = shape[s][0], nband = shape[s][1], ndense = shape[s][2];
    make_banded(n, nband, ndense);
    mju_dense2Band(band, full, n, nband, ndense);
    mju_band2Dense(dense, band, n, nband, ndense, 1);
    check_near(dense, full, n * n, 0);
    for (int i = 0; i < n; i++) {
      assert_true(band[mju_bandDiag(i, n, nband, ndense)] == full[i * n + i]);
    }

    mju_band2Dense(dense, band, n, nband, ndense, 0);
    assert_true(n == 1 || dense[1] == 0);
  }
}

static void a_band_matrix_multiplies_as_the_dense_one(void** state) {
  (void)state;
  for (int s = 0; s < NSHAPE; s++) {
    int n = shape[s][0], nband = shape[s][1], ndense = shape[s][2];
    make_banded(n, nband, ndense);
    mju_dense2Band(band, full, n, nband, ndense);
    random_numbers(x, 2 * n);
    mju_bandMulMatVec(y, band, x, n, nband, ndense, 2, 1);
    for (int v = 0; v < 2; v++) {
      mju_mulMatVec(z, full, x + v * n, n, n);
      check_near(y + v * n, z, n, 20);
    }
    // the lower triangle alone
    mju_bandMulMatVec(y, band, x, n, nband, ndense, 1, 0);
    mju_band2Dense(dense, band, n, nband, ndense, 0);
    mju_mulMatVec(z, dense, x, n, n);
    check_near(y, z, n, 20);
  }
}

static void a_band_system_is_solved_with_its_larger_diagonal(void** state) {
  (void)state;
  const mjtNum add = (mjtNum)0.5, mul = (mjtNum)0.1;
  for (int s = 0; s < NSHAPE; s++) {
    int n = shape[s][0], nband = shape[s][1], ndense = shape[s][2];
    make_banded(n, nband, ndense);
    mju_dense2Band(band, full, n, nband, ndense);
    for (int i = 0; i < n; i++) {
      full[i * n + i] += add + mul * full[i * n + i];
    }
    mjtNum smallest = mju_cholFactorBand(band, n, nband, ndense, add, mul);
    mju_cholFactor(full, n, mjMINVAL);
    mjtNum expected = full[0] * full[0];
    for (int i = 0; i < n; i++) {
      expected = mju_min(expected, full[i * n + i] * full[i * n + i]);
    }
    check_number(smallest, expected, 200);

    random_numbers(x, n);
    mju_cholSolve(y, full, x, n);
    mju_cholSolveBand(z, band, x, n, nband, ndense);
    check_near(z, y, n, 200);
    mju_cholSolveBand(x, band, x, n, nband, ndense);
    check_near(x, z, n, 0);
  }
}

static void an_indefinite_band_has_no_factor(void** state) {
  (void)state;
  mjtNum M[4] = {0, 1, 2, 1};  // (1 2; 2 1)
  assert_true(mju_cholFactorBand(M, 2, 2, 0, 0, 0) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_band_matrix_and_back_is_the_same),
      cmocka_unit_test(a_band_matrix_multiplies_as_the_dense_one),
      cmocka_unit_test(a_band_system_is_solved_with_its_larger_diagonal),
      cmocka_unit_test(an_indefinite_band_has_no_factor),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
