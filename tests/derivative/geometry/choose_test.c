// The rule of a pair is that of its collider; what has none is refused by name.

#include "derivative/geometry/moved_pair.h"
#include "support/caught.h"

TEST(pairs_get_the_rule_of_their_collider) {
  DOUBLE_ONLY();
  const char* plane = "type='plane' size='3 3 1' euler='3 2 0'";
  check_rule(pair_scene("", "", plane, "size='.3'", "pos='0 0 .25'"), contact_geometry, 1, 1e-4);
  check_rule(pair_scene("", "", plane, "type='box' size='.2 .3 .1'", "pos='0 0 .2' euler='30 9 0'"),
             contact_geometry, 2, 1e-4);
  // searches are not sharp enough for differences
  Scene s = pair_scene("", "", "type='ellipsoid' size='.2 .3 .4'",
                       "type='ellipsoid' size='.2 .1 .1'", "pos='.2 .2 .3' euler='30 9 0'");
  ContactGeometry out, closest;
  assert_int_equal(s.d->ncon, 1);
  assert_int_equal(contact_geometry(&out, s.m, s.d, s.d->contact), 0);
  assert_int_equal(geometry_convex(&closest, s.m, s.d, s.d->contact), 0);
  assert_close(out.dist, closest.dist, 36, 0);
  scene_free(&s);
}

TEST(nearest_points_that_lie_flat_are_a_kink_with_a_distance) {
  Scene s = pair_scene("", "", "type='box' size='.2 .2 .2'", "type='box' size='.2 .2 .2'",
                       "pos='.1 .05 .5'");
  mjContact near = {.dist = (mjtNum)0.1,
                    .geom = {0, 1},
                    .pos = {(mjtNum)0.05, 0, (mjtNum)0.25},
                    .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}};
  ContactGeometry out;
  assert_int_equal(contact_geometry_nearest(&out, s.m, s.d, &near), 1);
  assert_near(out.dist[3], 1, 1e-12);
  scene_free(&s);
}

TEST(contacts_of_the_older_pipeline_are_refused_by_name) {
  Scene s = pair_scene("<flag nativeccd='disable'/>", "", "type='ellipsoid' size='.2 .3 .4'",
                       "type='ellipsoid' size='.2 .1 .2'", "pos='.2 .2 .2'");
  ContactGeometry out;
  assert_int_equal(s.d->ncon, 1);
  assert_error(contact_geometry(&out, s.m, s.d, s.d->contact),
               "geoms \"one\" (ellipsoid) and \"two\" (ellipsoid): with the flag nativeccd");
  scene_free(&s);
}

static int unknown(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                   mjtNum margin) {
  (void)m;
  (void)d;
  (void)con;
  (void)g1;
  (void)g2;
  (void)margin;
  return 0;
}

TEST(a_collider_that_nobody_knows_has_no_rule) {
  Scene s = pair_scene("", "", "size='.3'", "size='.2'", "pos='.2 .3 .25'");
  ContactGeometry out;
  mjfCollision before = mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE];
  mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE] = unknown;
  assert_error(contact_geometry(&out, s.m, s.d, s.d->contact), "no rule is known");
  mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE] = before;
  scene_free(&s);
}
