// Contacts of two boxes, by faces and by edges, moved by small twists.

#include "derivative/geometry/moved_pair.h"

static void check(const char* place, int ncon) {
  check_rule(pair_scene("", "", "type='box' size='.3 .4 .2'", "type='box' size='.2 .3 .25'", place),
             geometry_boxes, ncon, 1e-4);
}

TEST(contacts_on_a_face_move_as_differences_say) {
  DOUBLE_ONLY();
  check("pos='0 0 .44' euler='1 2 30'", 4);
  check("pos='.3 .35 .44' euler='2 1 40'", 3);
}

TEST(contacts_of_edges_move_as_differences_say) {
  DOUBLE_ONLY();
  check("pos='.52 0 .35' euler='45 3 30'", 1);
}
