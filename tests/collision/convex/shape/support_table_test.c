// Tables of support points against a search of all points.

#include "collision/convex/shape/support_table.h"

#include <mujoco/api/base.h>

#include "support/near.h"
#include "support/random.h"

enum {
  MOST = 800
};

static const mjtNum kBand = (mjtNum)1e-4;

// Points of a rough ellipsoid, one or several times the same; some ids are left out.
static int make_points(float* point, int* id, int n, uint64_t* seed) {
  int num = 0;
  for (int i = 0; i < n; i++) {
    mjtNum x[3];
    for (int k = 0; k < 3; k++) {
      x[k] = (mjtNum)uniform_random(seed);
    }
    v3_normalize(x);
    for (int k = 0; k < 3; k++) {
      point[3 * i + k] = (float)((double)x[k] * (0.3 + 0.2 * k) + 0.1);
    }
    if (i % 5) {
      id[num++] = i;
    }
  }
  return num;
}

// The highest point of a table is that of all points, and what is said of the next one is true up
// to the band.
static void check(const float* point, const int* id, int n, uint64_t* seed) {
  SupportTable* t = support_table_make(point, id, n, kBand);
  assert_non_null(t);
  for (int trial = 0; trial < 3000; trial++) {
    mjtNum l[3] = {0, 0, 0}, lead, first = -1, second = -1;
    int best = -1, dented;
    for (int k = 0; k < 3; k++) {
      l[k] = trial < 6 ? (mjtNum)((trial / 2 == k) * (trial % 2 ? -1 : 1))
                       : (mjtNum)uniform_random(seed);
    }
    v3_normalize(l);
    for (int i = 0; i < n; i++) {
      const float* v = point + 3 * (size_t)(id ? id[i] : i);
      mjtNum h = l[0] * v[0] + l[1] * v[1] + l[2] * v[2];
      best = h > first ? i : best;
      second = h > first ? first : num_max(second, h);
      first = num_max(first, h);
    }
    int got = support_table_highest(&lead, &dented, t, l);
    if (first - second > 1e-12 || first == second) {  // of equal ones the first
      assert_int_equal(got, best);
    }
    assert_near(num_min(lead, kBand / 10), num_min(first - second, kBand / 10), 1e-12);
    assert_int_equal(dented, 0);
  }
  mju_free(t);
}

TEST(the_highest_point_is_found) {
  DOUBLE_ONLY();
  static float point[3 * MOST];
  static int id[MOST];
  uint64_t seed = 3;
  const int sizes[] = {1, 2, 4, 8, 30, 200, MOST};
  for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
    int num = make_points(point, id, sizes[k], &seed);
    check(point, NULL, sizes[k], &seed);
    if (num) {
      check(point, id, num, &seed);
    }
  }
}

TEST(a_search_looks_at_few_points) {
  static float point[3 * MOST];
  static int id[MOST];
  uint64_t seed = 5;
  make_points(point, id, MOST, &seed);
  SupportTable* t = support_table_make(point, NULL, MOST, kBand);
  int ncell = 6 * t->side * t->side;
  assert_that(t->first[ncell], <, 12 * ncell);
  mju_free(t);
}

TEST(no_direction_has_no_point) {
  const float point[6] = {1, 0, 0, 0, 1, 0};
  const mjtNum none[3] = {0, 0, 0}, unknown[3] = {(mjtNum)NAN, 0, 1};
  mjtNum lead;
  int dented;
  SupportTable* t = support_table_make(point, NULL, 2, kBand);
  assert_int_equal(support_table_highest(&lead, &dented, t, none), -1);
  assert_int_equal(support_table_highest(&lead, &dented, t, unknown), -1);
  mju_free(t);
}

// Of marked cells those around the direction, and no others.
TEST(dents_mark_the_cells_around_them) {
  static float point[3 * MOST];
  static int id[MOST];
  uint64_t seed = 7;
  make_points(point, id, MOST, &seed);
  SupportTable* t = support_table_make(point, NULL, MOST, kBand);
  const mjtNum n[3] = {0, (mjtNum)0.6, (mjtNum)-0.8}, angle = (mjtNum)0.02;
  support_table_dent(t, n, angle);
  for (int trial = 0; trial < 3000; trial++) {
    mjtNum l[3], lead;
    int dented;
    for (int k = 0; k < 3; k++) {
      l[k] = n[k] + (mjtNum)(uniform_random(&seed) * (trial % 3 ? 1 : 0.02));
    }
    v3_normalize(l);
    support_table_highest(&lead, &dented, t, l);
    mjtNum away = v3_dist(l, n);
    assert_true(away > angle || dented);
    assert_true(away < 1 || !dented);
  }
  mju_free(t);
}
