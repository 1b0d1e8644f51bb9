// Two bodies with more pairs of geoms than an int counts still collide through their trees of
// boxes.

#include "collision/marks.h"
#include "support/zoo.h"

// 65536 spheres on a square grid
#define GRID                                                                     \
  "<replicate count='256' offset='1 0 0'><replicate count='256' offset='0 1 0'>" \
  "<geom size='.1'/></replicate></replicate>"

// The grids overlap in one corner, with one sphere each.
TEST(pairs_of_geoms_beyond_an_int_are_pruned) {
  mjModel* m =
      test_model("<mujoco><size memory='64M'/><worldbody>" GRID
                 "<body pos='255 255 .15'><freejoint/>" GRID "</body></worldbody></mujoco>");
  mjData* d = test_data(m);
  mj_fwdPosition(m, d);
  assert_int_equal(d->ncon, 1);
  assert_int_equal(d->contact[0].geom[0], 65535);
  assert_int_equal(d->contact[0].geom[1], 65536);
  collision_mark(m, d);
  assert_true(d->bvh_active[m->body_bvhadr[0]]);
  assert_true(d->bvh_active[m->body_bvhadr[1]]);
}
