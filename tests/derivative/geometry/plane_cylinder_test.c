// Contacts of a cylinder and a plane, moved by small twists.

#include "derivative/geometry/moved_pair.h"

static const char kPlane[] = "type='plane' size='3 3 1' euler='10 20 0'";
static const char kTin[] = "type='cylinder' size='.2 .3'";

TEST(points_of_a_tilted_cylinder_move_as_differences_say) {
  DOUBLE_ONLY();
  check_rule(pair_scene("", "", kPlane, kTin, "pos='0 0 .25' euler='50 20 3'"),
             geometry_plane_cylinder, 1, 1e-4);
  check_rule(pair_scene("", "", "type='plane' size='3 3 1'", kTin, "pos='0 0 .18' euler='92 20 0'"),
             geometry_plane_cylinder, 2, 1e-4);
}

// Nothing tells which point of the disk is lowest.
TEST(a_cylinder_that_stands_level_is_at_a_kink) {
  Scene s = pair_scene("", "", "type='plane' size='3 3 1'", kTin, "pos='0 0 .29'");
  ContactGeometry out;
  assert_that(s.d->ncon, >, 0);
  assert_int_equal(geometry_plane_cylinder(&out, s.m, s.d, s.d->contact), 1);
  assert_near(out.dist[3], 1, 1e-12);
  scene_free(&s);
}
