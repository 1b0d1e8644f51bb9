// Normals of what rays hit are at right angles to the surface around the hit, and point outwards.

#include <mujoco/mujoco.h>

#include "base/algebra/vec.h"
#include "support/load.h"
#include "support/random.h"
#include "support/test.h"

static const char* const kShapes[] = {
    "type='plane' size='3 3 1'",    "type='sphere' size='.5'",
    "type='capsule' size='.3 .4'",  "type='ellipsoid' size='.3 .5 .7'",
    "type='cylinder' size='.3 .4'", "type='box' size='.3 .4 .5'",
    "type='mesh' mesh='torus'",     "type='hfield' hfield='hills'",
};

static const char kScene[] =
    "<mujoco><asset><mesh name='torus' builtin='supertorus' params='16 .4 1 1' scale='.4 .4 .4'/>"
    "<hfield name='hills' nrow='5' ncol='8' size='1 .7 .6 .2' elevation='0 3 1 4 1 5 9 2 6 5 3 5 8 "
    "9 7 9 3 2 3 8 4 6 2 6 4 3 3 8 3 2 7 9 5 0 2 8 8 4 1 9'/></asset><worldbody>"
    "<geom %s pos='.1 .2 .3' euler='20 30 40'/></worldbody></mujoco>";

static void cast(mjtNum hit[3], mjtNum* x, const mjModel* m, const mjData* d, const mjtNum pnt[3],
                 const mjtNum vec[3]) {
  int geom;
  *x = mj_ray(m, d, pnt, vec, NULL, 1, -1, &geom);
  mju_addScl(hit, pnt, vec, *x, 3);
}

// Rays from all around towards places near the middle, and rays a little beside each.
TEST_EACH(normals_are_at_right_angles_to_the_surface, kShapes) {
  char xml[1000];
  snprintf(xml, sizeof(xml), kScene, text);
  mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  mj_forward(m, d);
  uint64_t seed = 3;
  int hits = 0, wrong = 0, is_double = sizeof(mjtNum) == sizeof(double);
  for (int k = 0; k < 2000; k++) {
    mjtNum pnt[3], aim[3], vec[3], n[3], hit[3], x;
    for (int i = 0; i < 3; i++) {
      aim[i] = d->geom_xpos[i] + (mjtNum)(0.8 * uniform_random(&seed) - 0.4);
      pnt[i] = (mjtNum)(2 * uniform_random(&seed) - 1);
    }
    v3_normalize(pnt);
    mju_addScl(pnt, aim, pnt, 4, 3);
    v3_sub(vec, aim, pnt);
    v3_normalize(vec);
    x = cnd_rayNormal(m, d, pnt, vec, NULL, 1, -1, NULL, n);
    if (x < 0) {
      continue;
    }
    mju_addScl(hit, pnt, vec, x, 3);
    hits++;
    if (mju_abs(v3_norm(n) - 1) > (is_double ? 1e-9 : 1e-5)) {
      fail_msg("|n| is %.12g", (double)v3_norm(n));
    }
    // from outside, so against the ray; a torus of triangles may be met at an edge
    int bad = v3_dot(n, vec) > 0;
    for (int side = 0; side < 2; side++) {
      mjtNum beside[3], other[3], y, step = (mjtNum)(is_double ? 1e-5 : 1e-3);
      v3_copy(beside, vec);
      beside[side] += step;
      v3_normalize(beside);
      cast(other, &y, m, d, pnt, beside);
      v3_subfrom(other, hit);
      // a point of the surface in the plane of the normal, but for its curvature
      bad |= y < 0 || mju_abs(v3_dot(other, n)) >
                          (mjtNum)(is_double ? 0.02 : 0.05) * v3_norm(other) + (mjtNum)1e-9;
    }
    wrong += bad;
  }
  assert_that(hits, >, 200);
  // longer steps beside the ray cross more edges of facets
  assert_that(wrong, <, hits / (is_double ? 25 : 8));
}

// The gradient of interpolated distances is not quite that of the surface.
TEST(the_normal_of_a_distance_field_is_near_that_of_its_mesh) {
  char xml[1000];
  mjModel* m[2];
  mjData* d[2];
  for (int k = 0; k < 2; k++) {
    snprintf(xml, sizeof(xml), kScene, k ? "type='sdf' mesh='torus'" : "type='mesh' mesh='torus'");
    m[k] = test_model(xml);
    d[k] = test_data(m[k]);
    mj_forward(m[k], d[k]);
  }
  uint64_t seed = 3;
  int hits = 0, far = 0;
  for (int i = 0; i < 500; i++) {
    mjtNum pnt[3] = {(mjtNum)uniform_random(&seed) - 1, (mjtNum)uniform_random(&seed), 5};
    mjtNum vec[3] = {0, 0, -2}, n[2][3], x[2];
    for (int k = 0; k < 2; k++) {
      x[k] = cnd_rayNormal(m[k], d[k], pnt, vec, NULL, 1, -1, NULL, n[k]);
    }
    if (x[0] >= 0 && x[1] >= 0) {
      hits++;
      far += !(v3_dot(n[0], n[1]) > 0.8);
    }
  }
  assert_that(hits, >, 20);
  assert_that(far, <, hits / 5);
}

TEST(a_ray_from_inside_has_the_outward_normal) {
  mjModel* m = test_model("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
  mjData* d = test_data(m);
  mj_forward(m, d);
  const mjtNum pnt[3] = {0}, vec[3] = {0, 2, 0};
  mjtNum n[3];
  assert_that(cnd_rayNormal(m, d, pnt, vec, NULL, 1, -1, NULL, n), ==, (mjtNum)0.5);
  assert_that(n[1], ==, 1);
}
