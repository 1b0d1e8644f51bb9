// When two geoms come together: closed forms, and many poses along the way.

#include "collision/speculative/impact.h"

#include <math.h>

#include "base/algebra/vec.h"
#include "model/data/arena.h"
#include "support/draw.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/test.h"

#define TWO(one, other)                                                            \
  "<mujoco><option timestep='.01'><flag speculative='enable'/></option><asset>"    \
  "<mesh name='m' vertex='-.1 -.1 0 .1 -.1 0 0 .1 0 0 0 .15'/></asset><worldbody>" \
  "<body><freejoint/><geom " one "/></body><body><freejoint/><geom " other         \
  "/></body></worldbody></mujoco>"

static mjData* at(const mjModel* m, const double q[14], const double v[12]) {
  mjData* d = test_data(m);
  for (int i = 0; i < 14; i++) {
    d->qpos[i] = (mjtNum)q[i];
  }
  for (int i = 0; i < 12; i++) {
    d->qvel[i] = (mjtNum)v[i];
  }
  mj_kinematics(m, d);
  mj_comPos(m, d);
  return d;
}

static int find(Impact* impact, const mjModel* m, mjData* d, mjtNum margin) {
  Travel travel;
  return travel_open(&travel, m, d) && impact_find(impact, &travel, m, d, 0, 1, margin);
}

TEST(spheres_meet_when_their_centres_are_two_radii_apart) {
  DOUBLE_ONLY();
  const mjModel* m = test_model(TWO("size='.1'", "size='.05'"));
  const double q[14] = {0, 0, 0, 1, 0, 0, 0, 0.3, 0.03, 0, 1, 0, 0, 0};
  const double v[12] = {12, 0, 0, 0, 0, 500, -14};
  mjData* d = at(m, q, v);
  Impact impact;
  assert_int_equal(find(&impact, m, d, 0), 1);
  // the normal of release 4.0.0, of the first iterate that is near
  assert_near(impact.n[0], 0.9807785928, 1e-9);
  assert_near(impact.n[1], 0.1951239401, 1e-9);
  // near is 2 to 3 percent of the distance at the beginning
  double begin = hypot(0.3, 0.03) - 0.15, dist = (double)impact.dist;
  assert_that(dist / begin, >=, 0.02 - 1e-9);
  assert_that(dist / begin, <=, 0.03);
  assert_near(hypot(0.3 - 0.26 * (double)impact.t, 0.03) - 0.15, dist, 1e-9);
  assert_near(impact.closing, (begin - dist) / (double)impact.t, 1e-9);
}

TEST(what_passes_by_or_flies_apart_has_no_impact) {
  const mjModel* m = test_model(TWO("size='.1'", "type='box' size='.1 .1 .1'"));
  const double q[14] = {0, 0, 0.5, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
  Impact impact;
  assert_int_equal(find(&impact, m, at(m, q, (const double[12]){0, 0, -40}), 0), 1);
  assert_int_equal(find(&impact, m, at(m, q, (const double[12]){0, 0, 40}), 0), 0);
  assert_int_equal(find(&impact, m, at(m, q, (const double[12]){0, 0, -29}), 0), 0);
  assert_int_equal(find(&impact, m, at(m, q, (const double[12]){40, 0, 0}), 0), 0);
  assert_int_equal(find(&impact, m, at(m, q, (const double[12]){20, 0, -40, 0, 0, 0, 20}), 0), 1);
}

TEST(a_margin_is_met_sooner) {
  DOUBLE_ONLY();
  const mjModel* m = test_model(TWO("size='.1'", "type='box' size='.1 .1 .1'"));
  const double q[14] = {0, 0, 0.5, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, v[12] = {0, 0, -40};
  Impact impact;
  assert_int_equal(find(&impact, m, at(m, q, v), 0), 1);
  assert_near(impact.t, 0.98 * 0.3 / 0.4, 1e-9);
  assert_int_equal(find(&impact, m, at(m, q, v), (mjtNum)0.1), 1);
  assert_near(impact.t, 0.98 * 0.2 / 0.4, 1e-9);
  assert_int_equal(find(&impact, m, at(m, q, v), (mjtNum)0.31), 0);  // they touch already
}

// A capsule whose spin about its own axis spoils the bound: after 16 advances the way is straight.
TEST(turning_in_place_does_not_hide_an_impact) {
  DOUBLE_ONLY();
  const mjModel* m = test_model(TWO("type='capsule' size='.1 .1'", "type='box' size='1 1 .1'"));
  const double q[14] = {0, 0, 0.3, 1, 0, 0, 0, 0, 0, -0.1, 1, 0, 0, 0};
  Impact impact;
  assert_int_equal(find(&impact, m, at(m, q, (const double[12]){0, 0, -15, 0, 0, 210}), 0), 1);
  assert_near(impact.t, 0.6484001668, 1e-9);
  const double spins[] = {228, 1000, 1e5};
  for (int i = 0; i < 3; i++) {
    const double v[12] = {0, 0, -15, 0, 0, spins[i]};
    assert_int_equal(find(&impact, m, at(m, q, v), 0), 1);
    assert_near(impact.t, 0.98 * 0.1 / 0.15, 1e-9);
  }
}

// Kinds of shapes, turning: they don't overlap on the way to the impact, and if there is none they
// don't at all.
static void along_the_way(const char* xml, int scenes) {
  const mjModel* m = test_model(xml);
  int hits = 0;
  for (int i = 0; i < scenes; i++) {
    draw_scene(i);
    double q[14], v[12];
    for (int k = 0; k < 14; k++) {
      q[k] = k % 7 < 3 ? real(-0.05, 0.05) : real(-1, 1);
    }
    for (int k = 0; k < 12; k++) {
      v[k] = k % 6 < 3 ? real(-3, 3) : real(-15, 15);
    }
    q[2] += 0.5;
    v[2] -= 45;
    mjData* d = at(m, q, v);
    Impact impact;
    int hit = find(&impact, m, d, 0);
    hits += hit;
    mjData* moved = test_data(m);
    for (int n = 0; n <= 40; n++) {
      mjtNum until = hit ? impact.t : 1;
      mju_copy(moved->qpos, d->qpos, m->nq);
      mj_integratePos(m, moved->qpos, d->qvel, until * n / 40 * m->opt.timestep);
      mj_kinematics(m, moved);
      assert_that(mj_geomDistance(m, moved, 0, 1, 1, NULL), >, (mjtNum)-1e-6);
    }
    test_release(moved);
    test_release(d);
  }
  assert_that(hits, >, scenes / 3);
}

TEST(boxes_and_capsules_do_not_overlap_before) {
  along_the_way(TWO("type='box' size='.1 .05 .2'", "type='capsule' size='.05 .2'"), 60);
}

TEST(meshes_and_cylinders_do_not_overlap_before) {
  along_the_way(TWO("type='mesh' mesh='m'", "type='cylinder' size='.1 .1'"), 60);
}

TEST(ellipsoids_do_not_overlap_before) {
  along_the_way(TWO("type='ellipsoid' size='.1 .05 .2'", "type='ellipsoid' size='.2 .1 .1'"), 60);
}

TEST(points_go_back_to_where_they_were) {
  const mjModel* m = test_model(TWO("type='box' size='.1 .1 .1'", "size='.1'"));
  const double q[14] = {0, 0, 0.5, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
  mjData* d = at(m, q, (const double[12]){1, 2, -40, 10, 20, 30});
  Impact impact;
  assert_int_equal(find(&impact, m, d, 0), 1);
  // a corner of the sphere's box, and one of the box's
  mjtNum corner[3], out[3];
  v3_set(corner, (mjtNum)0.1, (mjtNum)-0.1, (mjtNum)0.1);
  for (int i = 0; i < 2; i++) {
    const Traveller* side = impact.side + i;
    mjtNum now[3], then[3];
    v3_toworld(now, corner, side->shape.pos, side->shape.mat);
    v3_toworld(then, corner, side->pos, side->mat);
    impact_origin(out, &impact, i, now);
    assert_close(out, then, 3, 1e-12);
  }
}
