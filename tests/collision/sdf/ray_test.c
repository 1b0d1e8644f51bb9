// Rays that march into signed distance fields.

#include "collision/sdf/ray.h"
#include "base/algebra/vec.h"
#include "sdf_scene.h"
#include "support/bridge.h"
#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

// From outside of the box of the shape at a point within it.
static void random_ray(mjtNum from[3], mjtNum along[3], const mjtNum center[3], uint64_t* seed) {
  mjtNum to[3];
  draw_vector(from, 1, seed);
  v3_normalize(from);
  v3_scl(from, from, (mjtNum)(0.6 + 0.3 * (1 + xorshift_random(seed))));
  v3_addto(from, center);
  draw_vector(to, (mjtNum)0.2, seed);
  v3_addto(to, center);
  v3_sub(along, to, from);
  v3_scl(along, along, (mjtNum)(1.5 + xorshift_random(seed)));
}

TEST(rays_end_on_the_surface) {
  mjModel* m = test_model(SDF_SCENE);
  mjData* d = test_data(m);
  mj_kinematics(m, d);
  uint64_t seed = 2;
  int hits = 0;
  for (int n = 0; n < 1000; n++) {
    int geom = n % 2 ? FIELD_A : FIELD_B;
    mjtNum from[3], along[3], x[3];
    random_ray(from, along, d->geom_xpos + 3 * geom, &seed);
    mjtNum length = ray_sdf(m, d, geom, from, along, NULL);
    if (length < 0) {
      assert_that(length, ==, -1);
      continue;
    }
    hits++;
    v3_addscl(x, from, along, length / v3_norm(along));
    v3_subfrom(x, d->geom_xpos + 3 * geom);
    m3_tmulv(x, d->geom_xmat + 9 * geom, x);
    int id = m->geom_dataid[geom];
    mjtGeom type = mjGEOM_SDF;
    mjSDF sdf = {.id = &id, .type = mjSDFTYPE_SINGLE, .geomtype = &type};
    assert_near(mjc_distance(m, d, &sdf, x), 0, 2e-7);
  }
  assert_that(hits, >, 500);
}

TEST(rays_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  Bridge* b = test_bridge(SDF_SCENE);
  mjtNum (*reference)(const void*, const void*, const mjtNum*, const mjtNum*, const mjtByte*,
                      mjtByte, int, int*) = bridge_function("mj_ray");
  uint64_t seed = 6;
  int hits = 0;
  for (int n = 0; n < 400; n++) {
    bridge_random(b, (unsigned)n, 0.3);
    bridge_run(b, "mj_kinematics");
    bridge_pull(b, "geom_xpos geom_xmat");
    mjtNum from[3], along[3];
    random_ray(from, along, b->d->geom_xpos + 3 * (n % 2 ? FIELD_A : FIELD_B), &seed);
    int ours_geom, theirs_geom;
    mjtNum ours = mj_ray(b->m, b->d, from, along, NULL, 1, -1, &ours_geom);
    mjtNum theirs = reference(b->ref_m, b->ref_d, from, along, NULL, 1, -1, &theirs_geom);
    assert_int_equal(ours_geom, theirs_geom);
    assert_relative(ours, theirs, 1e-9, 1);
    hits += ours_geom >= FIELD_A;
  }
  assert_that(hits, >, 40);
}

TEST(rays_that_miss_the_box_or_start_where_nothing_is_end) {
  mjModel* m = test_model(SDF_SCENE);
  mjData* d = test_data(m);
  mj_kinematics(m, d);
  const mjtNum from[3] = {0, 0, 2}, up[3] = {0, 0, 1}, down[3] = {0, 0, -1};
  const mjtNum bad[3] = {(mjtNum)NAN, 0, 2};
  assert_that(ray_sdf(m, d, FIELD_A, from, up, NULL), ==, -1);
  assert_that(ray_sdf(m, d, FIELD_A, from, down, NULL), >, 1);
  assert_that(ray_sdf(m, d, FIELD_A, bad, down, NULL), ==, -1);
  assert_that(ray_sdf(m, d, FIELD_A, from, bad, NULL), ==, -1);
}
