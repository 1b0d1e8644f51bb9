// Several contacts of polytopes that searches find, moved by small twists.

#include "derivative/geometry/moved_pair.h"

// by the mesh of a box
static const char kBrick[] =
    "<mesh name='brick' vertex='.2 .3 .25 .2 .3 -.25 .2 -.3 .25 .2 -.3 -.25 -.2 .3 .25 -.2 .3 -.25 "
    "-.2 -.3 .25 -.2 -.3 -.25'/>";

static int without_margin(ContactGeometry* out, const mjModel* m, const mjData* d,
                          const mjContact* con) {
  return geometry_manifold(out, m, d, con, 0);
}

TEST(points_of_a_manifold_move_as_differences_say) {
  DOUBLE_ONLY();
  check_rule(pair_scene("<flag multiccd='enable'/>", kBrick, "type='box' size='.5 .6 .2'",
                        "type='mesh' mesh='brick'", "pos='0 0 .44' euler='.05 .03 30'"),
             without_margin, 4, 1e-5);
}
