// Contacts of a capsule and a box, one or two, moved by small twists.

#include "derivative/geometry/moved_pair.h"

static const char kPin[] = "type='capsule' size='.1 .4'";
static const char kBox[] = "type='box' size='.2 .3 .25'";

static void check(const char* place, int ncon) {
  check_rule(pair_scene("", "", kPin, kBox, place), geometry_capsule_box, ncon, 1e-4);
}

TEST(one_contact_moves_as_differences_say) {
  DOUBLE_ONLY();
  check("pos='0 .1 .7' euler='10 15 0'", 1);
}

TEST(two_contacts_move_as_differences_say) {
  DOUBLE_ONLY();
  check("pos='.28 .05 .1' euler='3 2 10'", 2);
}
