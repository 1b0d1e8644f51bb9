// Contacts of a polytope and a height field, as their search has left them, moved by small twists.

#include "derivative/geometry/moved_pair.h"

static const char kHills[] =
    "<hfield name='hills' nrow='4' ncol='4' size='1 1 .3 .1' elevation='0 .2 .1 0 .3 .5 .2 .1 0 .4 "
    "1 .2 .1 0 .2 .3'/>";

static int without_margin(ContactGeometry* out, const mjModel* m, const mjData* d,
                          const mjContact* con) {
  return geometry_prism(out, m, d, con, 0);
}

TEST(contacts_on_prisms_move_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = pair_scene("", kHills, "type='hfield' hfield='hills'", "type='box' size='.2 .15 .1'",
                       "pos='.1 .05 .3' euler='20 30 10'");
  int n = s.d->ncon;
  assert_that(n, >, 0);
  check_rule(s, without_margin, n, 1e-4);
}

// A ball has a surface of its own to tell.
TEST(round_shapes_are_left_to_the_rule_of_surfaces) {
  Scene s = pair_scene("", kHills, "type='hfield' hfield='hills'", "size='.2'", "pos='.1 .05 .25'");
  ContactGeometry out;
  assert_that(s.d->ncon, >, 0);
  assert_int_equal(geometry_prism(&out, s.m, s.d, s.d->contact, 0), GEOMETRY_NOT_CLOSEST);
  scene_free(&s);
}
