// The rule of closest points, and what the rules of pairs share.

#include "derivative/geometry/rules.h"

#include "derivative/geometry/moved_pair.h"

// Pairs that formulas bring into contact: geoms, and the place of the second.
typedef struct {
  const char *geom1, *geom2, *place;
} Pair;

static const Pair pairs[] = {
    {"type='plane' size='3 3 1' euler='10 20 0'", "size='.3'", "pos='.1 .2 .25'"},
    {"type='plane' size='3 3 1'", "type='ellipsoid' size='.1 .2 .3'",
     "pos='0 0 .2' euler='50 20 3'"},
    {"size='.3'", "size='.2'", "pos='.2 .3 .25'"},
    {"size='.3'", "type='capsule' size='.2 .3'", "pos='.2 .3 .25' euler='50 20 3'"},
    {"size='.3'", "type='capsule' size='.2 .3'", "pos='.3 .1 .45' euler='60 30 0'"},
    {"size='.3'", "type='cylinder' size='.2 .3'", "pos='.45 0 .1' euler='50 20 3'"},
    {"size='.3'", "type='box' size='.2 .3 .4'", "pos='.55 .3 .5' euler='10 20 3'"},
    {"type='capsule' size='.1 .4'", "type='capsule' size='.2 .3'",
     "pos='.25 0 .1' euler='50 20 3'"},
};

TEST(closest_points_move_as_differences_say) {
  DOUBLE_ONLY();
  for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
    check_rule(pair_scene("", "", pairs[i].geom1, pairs[i].geom2, pairs[i].place), geometry_convex,
               1, 1e-4);
  }
}

TEST(a_contact_is_half_way_between_its_points) {
  const mjContact con = {.dist = -2, .pos = {1, 2, 3}, .frame = {0, 0, 1}};
  const mjtNum one[3] = {1, 2, 4}, two[3] = {1, 2, 2};
  mjtNum p1[3], p2[3];
  witness_points(p1, p2, &con);
  assert_close(p1, one, 3, 0);
  assert_close(p2, two, 3, 0);
}

TEST(a_pair_is_found_in_either_order) {
  int geom1[2] = {3, 5}, geom2[2] = {4, 1};
  mjModel m;
  memset(&m, 0, sizeof(m));
  m.npair = 2;
  m.pair_geom1 = geom1;
  m.pair_geom2 = geom2;
  mjContact con = {.geom = {1, 5}};
  assert_int_equal(contact_pair(&m, &con), 1);
  con.geom[0] = 3;
  con.geom[1] = 4;
  assert_int_equal(contact_pair(&m, &con), 0);
  con.geom[1] = 5;
  assert_int_equal(contact_pair(&m, &con), -1);
}
