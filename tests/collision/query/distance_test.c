// Distances of geoms: symmetric, consistent with their segment, the reference's numbers.

#include "base/algebra/vec.h"
#include "support/bridge.h"
#include "support/load.h"
#include "support/near.h"
#include "support/random.h"
#include "support/test.h"

// two of each shape, placed at random by the tests
static const char* const shapes =
    "<mujoco><worldbody><geom type='plane' size='1 1 1'/><geom type='plane' size='1 1 1'/>"
    "<geom type='sphere' size='.2'/><geom type='sphere' size='.3'/>"
    "<geom type='capsule' size='.1 .3'/><geom type='capsule' size='.2 .1'/>"
    "<geom type='ellipsoid' size='.1 .2 .3'/><geom type='ellipsoid' size='.3 .3 .1'/>"
    "<geom type='cylinder' size='.2 .1'/><geom type='cylinder' size='.1 .3'/>"
    "<geom type='box' size='.1 .2 .3'/><geom type='box' size='.3 .2 .2'/></worldbody></mujoco>";

enum {
  FIRST_SOLID = 2,
  NGEOM = 12,
};

static void scatter(mjData* d, uint64_t* seed) {
  for (int i = 0; i < NGEOM; i++) {
    mjtNum quat[4];
    for (int k = 0; k < 4; k++) {
      quat[k] = xorshift_random(seed);
    }
    q_normalize(quat);
    q_tomat(d->geom_xmat + 9 * i, quat);
    for (int k = 0; k < 3; k++) {
      d->geom_xpos[3 * i + k] = (mjtNum)0.6 * xorshift_random(seed);
    }
  }
}

static mjModel* load(void) {
  mjModel* m = test_model(shapes);
  return m;
}

TEST(distances_are_lengths_of_their_segments) {
  mjModel* m = load();
  mjData* d = test_data(m);
  uint64_t seed = 99;
  int apart = 0, deep = 0;
  for (int n = 0; n < 100; n++) {
    scatter(d, &seed);
    for (int i = FIRST_SOLID; i < NGEOM; i++) {
      for (int j = FIRST_SOLID; j < NGEOM; j++) {
        mjtNum segment[6], back[6];
        mjtNum dist = mj_geomDistance(m, d, i, j, 5, segment);
        if (i == j) {
          continue;
        }
        assert_that(mju_abs(dist - mj_geomDistance(m, d, j, i, 5, back)), <, 1e-5);
        assert_that(mju_abs(v3_dist(segment, segment + 3) - mju_abs(dist)), <, 1e-5);
        apart += dist > 0;
        deep += dist < 0;
      }
    }
  }
  assert_that(apart, >, 1000);
  assert_that(deep, >, 1000);
}

TEST(what_is_too_far_has_the_largest_distance_and_no_segment) {
  mjModel* m = load();
  mjData* d = test_data(m);
  uint64_t seed = 7;
  scatter(d, &seed);
  for (int i = FIRST_SOLID; i < NGEOM; i++) {
    d->geom_xpos[3 * i] = 3 * (mjtNum)i;
  }
  for (int i = FIRST_SOLID; i < NGEOM; i++) {
    for (int j = FIRST_SOLID; j < NGEOM; j++) {
      mjtNum segment[6] = {1, 1, 1, 1, 1, 1};
      if (i != j) {
        assert_that(mj_geomDistance(m, d, i, j, 1, segment), ==, 1);
        assert_true(v3_iszero(segment));
        assert_true(v3_iszero(segment + 3));
      }
    }
  }
  // two planes never meet anything of each other
  assert_that(mj_geomDistance(m, d, 0, 1, 2, NULL), ==, 2);
}

TEST(distances_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  Bridge* b = test_bridge(shapes);
  mjtNum (*reference)(const void*, const void*, int, int, mjtNum, mjtNum*) =
      bridge_function("mj_geomDistance");
  const mjtNum distmax[] = {0, 0.1, 0.5, 5};
  uint64_t seed = 31337;
  int bad = 0, answers = 0;
  for (int n = 0; n < 200; n++) {
    scatter(b->d, &seed);
    bridge_push(b, "geom_xpos geom_xmat");
    for (int i = 0; i < NGEOM; i++) {
      for (int j = 0; j < NGEOM; j++) {
        mjtNum ours[6], theirs[6], max = distmax[n % 4];
        if (i == j) {
          continue;
        }
        mjtNum x = mj_geomDistance(b->m, b->d, i, j, max, ours);
        mjtNum y = reference(b->ref_m, b->ref_d, i, j, max, theirs);
        if (y != 0 && y < max) {
          answers++;
        } else if (!v3_iszero(theirs) || !v3_iszero(theirs + 3)) {
          // a segment without a distance: it gave up on the way
          continue;
        }
        char label[60];
        snprintf(label, sizeof label, "geoms %d %d within %g", i, j, (double)max);
        bad += near_apart(label, x, y, 1e-8) + numbers_differ(label, ours, theirs, 6, 1e-6, 1);
      }
    }
  }
  test_release(b);
  assert_int_equal(bad, 0);
  assert_that(answers, >, 10000);
}
