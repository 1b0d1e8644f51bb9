// The impedance curve's promises, for random parameters; then known numbers.

#include "constraint/rows/impedance.h"

#include "support/near.h"
#include "support/test.h"

static mjtNum uniform(mjtNum low, mjtNum high) {
  return low + (high - low) * (mjtNum)rand() / (mjtNum)RAND_MAX;
}

static void random_solimp(mjtNum solimp[mjNIMP]) {
  solimp[0] = uniform(0, 1);
  solimp[1] = uniform(0, 1);
  solimp[2] = uniform((mjtNum)0.001, 1);
  solimp[3] = uniform((mjtNum)0.1, (mjtNum)0.9);
  solimp[4] = uniform(1, 5);
}

TEST(impedance_is_monotone_and_continuous) {
  for (int trial = 0; trial < 100; trial++) {
    mjtNum solimp[mjNIMP], d, slope, last = 0;
    random_solimp(solimp);
    for (int i = 0; i <= 1000; i++) {
      impedance(&d, &slope, solimp, solimp[2] * (mjtNum)i / 900);
      if (i) {
        assert_that((d - last) * (solimp[1] - solimp[0]), >=,
                    (sizeof(mjtNum) == sizeof(double) ? -1e-12 : -1e-7));
        assert_that(fabs((double)(d - last)), <, 0.02 * solimp[4]);
      }
      last = d;
    }
    impedance(&d, &slope, solimp, 0);
    assert_relative(d, fmax(solimp[0], mjMINIMP), 1e-12, 1);
    impedance(&d, &slope, solimp, 2 * solimp[2]);
    assert_relative(d, fmin(fmax(solimp[1], mjMINIMP), mjMAXIMP), 1e-12, 1);
  }
}

TEST(impedance_is_even_and_its_slope_is_odd) {
  mjtNum solimp[mjNIMP], d[2], slope[2];
  for (int trial = 0; trial < 100; trial++) {
    random_solimp(solimp);
    mjtNum r = uniform(0, solimp[2]);
    impedance(&d[0], &slope[0], solimp, r);
    impedance(&d[1], &slope[1], solimp, -r);
    assert_that(d[0], ==, d[1]);
    assert_that(slope[0], ==, -slope[1]);
  }
}

TEST(slope_is_the_derivative) {
  mjtNum solimp[mjNIMP], d[3], slope[3];
  for (int trial = 0; trial < 100; trial++) {
    random_solimp(solimp);
    mjtNum r = uniform(solimp[2] * (mjtNum)0.05, solimp[2] * (mjtNum)0.95);
    mjtNum h = (sizeof(mjtNum) == 8 ? (mjtNum)1e-6 : (mjtNum)1e-3) * solimp[2];
    for (int i = 0; i < 3; i++) {
      impedance(&d[i], &slope[i], solimp, r + (mjtNum)(i - 1) * h);
    }
    assert_relative((d[2] - d[0]) / (2 * h), slope[1], sizeof(mjtNum) == 8 ? 1e-5 : 1e-2, 1);
  }
}

TEST(impedance_is_the_mean_when_flat) {
  mjtNum d, slope;
  const mjtNum equal[mjNIMP] = {(mjtNum)0.7, (mjtNum)0.7, 1, (mjtNum)0.5, 2};
  const mjtNum narrow[mjNIMP] = {(mjtNum)0.5, (mjtNum)0.9, 0, (mjtNum)0.5, 2};
  impedance(&d, &slope, equal, (mjtNum)0.3);
  assert_relative(d, (mjtNum)0.7, (mjtNum)1e-6, 1);
  assert_that(slope, ==, 0);
  impedance(&d, &slope, narrow, (mjtNum)0.3);
  assert_relative(d, (mjtNum)0.7, (mjtNum)1e-6, 1);
  assert_that(slope, ==, 0);
}

TEST(impedance_of_the_default_curve) {
  const mjtNum solimp[mjNIMP] = {(mjtNum)0.9, (mjtNum)0.95, (mjtNum)0.001, (mjtNum)0.5, 2};
  const double expected[6] = {0.9, 0.90625, 0.925, 0.94375, 0.95, 0.95};
  for (int i = 0; i < 6; i++) {
    mjtNum d, slope;
    impedance(&d, &slope, solimp, (mjtNum)0.00025 * (mjtNum)i);
    assert_relative(d, (mjtNum)expected[i], (mjtNum)1e-6, 1);
  }
}

TEST(spring_of_the_default_reference) {
  const mjtNum solimp[mjNIMP] = {(mjtNum)0.9, (mjtNum)0.95, (mjtNum)0.001, (mjtNum)0.5, 2};
  const mjtNum standard[mjNREF] = {(mjtNum)0.02, 1}, direct[mjNREF] = {-100, -5};
  assert_relative(reference_stiffness(standard, solimp), (mjtNum)2770.0831024930747, (mjtNum)1e-5,
                  1);
  assert_relative(reference_damping(standard, solimp), (mjtNum)105.26315789473685, (mjtNum)1e-5, 1);
  assert_relative(reference_stiffness(direct, solimp), (mjtNum)(100 / 0.9025), (mjtNum)1e-5, 1);
  assert_relative(reference_damping(direct, solimp), (mjtNum)(5 / 0.95), (mjtNum)1e-5, 1);
}

TEST(reference_is_made_safe) {
  mjModel m = {0};
  m.opt.timestep = (mjtNum)0.01;
  const mjtNum fallback[mjNREF] = {(mjtNum)0.02, 1};
  mjtNum out[mjNREF];

  // too fast for the time step, unless that is allowed
  const mjtNum fast[mjNREF] = {(mjtNum)0.001, (mjtNum)0.5};
  assert_int_equal(reference_check(out, &m, fast, fallback), 0);
  assert_that(out[0], ==, 2 * m.opt.timestep);
  assert_that(out[1], ==, (mjtNum)0.5);
  m.opt.disableflags = mjDSBL_REFSAFE;
  reference_check(out, &m, fast, fallback);
  assert_that(out[0], ==, fast[0]);

  // half of each format
  const mjtNum mixed[mjNREF] = {(mjtNum)0.1, -1};
  assert_int_equal(reference_check(out, &m, mixed, fallback), 1);
  assert_that(out[0], ==, fallback[0]);
  assert_that(out[1], ==, fallback[1]);
}
