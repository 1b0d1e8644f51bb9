// The largest number of contacts of a pair is never exceeded.

#include "collision/collide.h"
#include "support/caught.h"
#include "support/load.h"
#include "support/random.h"
#include "support/test.h"

static const char shapes[] =
    "<mujoco><size memory='4M'/><asset><hfield name='h' nrow='5' ncol='5' size='.5 .5 .2 .1'/>"
    "<mesh name='cube' vertex='.1 .1 .1 .1 .1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 -.1 "
    "-.1 .1 -.1 -.1 -.1'/></asset><worldbody>"
    "<geom type='plane' size='1 1 1'/><geom type='hfield' hfield='h'/>"
    "<body><freejoint/><geom size='.1'/></body>"
    "<body><freejoint/><geom type='capsule' size='.1 .2'/></body>"
    "<body><freejoint/><geom type='ellipsoid' size='.1 .2 .15'/></body>"
    "<body><freejoint/><geom type='cylinder' size='.1 .1'/></body>"
    "<body><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body><freejoint/><geom type='mesh' mesh='cube'/></body>"
    "<body><freejoint/><geom type='capsule' size='.1 .2'/></body>"
    "<body><freejoint/><geom type='cylinder' size='.1 .1'/></body>"
    "<body><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body><freejoint/><geom type='mesh' mesh='cube'/></body>"
    "</worldbody></mujoco>";

enum {
  NGEOM = 12
};

// Places all geoms near the origin; every other time aligned with each other, up to a small turn.
static void scatter(mjData* d, uint64_t* seed, int trial) {
  for (int i = 0; i < NGEOM; i++) {
    mjtNum q[4] = {1, 0, 0, 0};
    for (int k = 0; k < 4; k++) {
      q[k] += trial % 4 == 0   ? 0
              : trial % 4 == 1 ? 1e-9 * uniform_random(seed)
              : trial % 4 == 2 ? (k == 3 ? uniform_random(seed) : 0)
                               : 4 * uniform_random(seed);
    }
    mju_normalize4(q);
    mju_quat2Mat(d->geom_xmat + 9 * i, q);
    for (int k = 0; k < 3; k++) {
      mjtNum x = uniform_random(seed);
      d->geom_xpos[3 * i + k] = trial % 2 ? 0.15 * x : 0.05 * floor(3 * x) * (k < 2);
    }
    d->geom_xpos[3 * i + 2] += 0.19 * (i % 2);
  }
}

// Contacts of two geoms whatever their masks.
static int count_contacts(const mjModel* m, mjData* d, int a, int b, mjtNum margin) {
  int turned = m->geom_type[a] > m->geom_type[b];
  int g1 = turned ? b : a, g2 = turned ? a : b;
  mjfCollision collide = mjCOLLISIONFUNC[m->geom_type[g1]][m->geom_type[g2]];
  mjContact con[mjMAXCONPAIR];
  mj_markStack(d);
  int num = collide ? collide(m, d, con, g1, g2, margin) : 0;
  mj_freeStack(d);
  if (m->geom_type[g1] == mjGEOM_BOX && m->geom_type[g2] == mjGEOM_BOX) {
    Solid box1 = solid_of(m, d, g1), box2 = solid_of(m, d, g2);
    num = box_box_clean(con, num, &box1, &box2, margin);
  }
  return num;
}

TEST(no_pair_has_more_contacts_than_its_bound) {
  mjModel* m = test_model(shapes);
  mjData* d = test_data(m);
  mj_forward(m, d);
  uint64_t seed = 271828;
  int reached[2][NGEOM][NGEOM] = {0}, bad = 0;
  for (int trial = 0; trial < 400; trial++) {
    int multi = trial / 4 % 2, margin = trial / 8 % 2;
    m->opt.enableflags = multi ? mjENBL_MULTICCD : 0;
    m->opt.disableflags = trial / 16 % 4 == 3 ? mjDSBL_NATIVECCD : 0;
    for (int i = 0; i < NGEOM; i++) {
      m->geom_margin[i] = margin ? 0.01 : 0;
    }
    scatter(d, &seed, trial);
    for (int i = 0; i < NGEOM; i++) {
      for (int j = 0; j < i; j++) {
        int most = mj_maxContact(m, i, j, -1);
        assert_int_equal(most, mj_maxContact(m, j, i, margin));
        int num = count_contacts(m, d, i, j, margin ? 0.01 : 0);
        if (num > most) {
          print_error("geoms %d %d, trial %d: %d contacts, bound %d\n", i, j, trial, num, most);
          bad++;
        }
        reached[multi][i][j] = reached[multi][i][j] > num ? reached[multi][i][j] : num;
      }
    }
  }
  assert_int_equal(bad, 0);
  // and some reach it
  assert_int_equal(reached[0][5][0], 4);
  // points of boxes that are one to single precision leave no more than the corners of an octagon
  int octagon = 8 + (sizeof(mjtNum) == sizeof(double));
  int boxes = reached[0][10][6] > reached[1][10][6] ? reached[0][10][6] : reached[1][10][6];
  assert_in_range(boxes, octagon, 24);
  assert_int_equal(reached[1][11][7], 5);
}

TEST(bounds_are_those_of_the_colliders) {
  static const int expected[8][8] = {
      {0, 0, 1, 2, 1, 4, 4, 3},  // plane, then what follows in mjtGeom
      {0, 0, 50, 50, 50, 50, 50, 50}, {0, 0, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 2, 1, 1, 2, 1},
      {0, 0, 0, 0, 1, 1, 1, 1},       {0, 0, 0, 0, 0, 1, 1, 1}, {0, 0, 0, 0, 0, 0, 24, 1},
      {0, 0, 0, 0, 0, 0, 0, 1},
  };
  mjModel* m = test_model(shapes);
  for (int i = 0; i < 8; i++) {
    for (int j = i; j < 8; j++) {
      assert_int_equal(mj_maxContact(m, i, j, -1), expected[i][j]);
    }
  }
}

TEST(margins_of_explicit_pairs_count) {
  mjModel* m = test_model(
      "<mujoco><option><flag multiccd='enable'/></option><asset><mesh name='m' "
      "vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody>"
      "<geom name='a' type='mesh' mesh='m'/><body><freejoint/><geom name='b' type='box' "
      "size='.1 .1 .1'/></body></worldbody><contact><pair geom1='a' geom2='b' "
      "margin='.1'/></contact></mujoco>");
  assert_int_equal(mj_maxContact(m, 0, 1, 0), 4);
  assert_int_equal(mj_maxContact(m, 0, 1, 1), 5);
  assert_int_equal(mj_maxContact(m, 0, 1, -1), 5);
}

static int custom(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                  mjtNum margin) {
  (void)m, (void)d, (void)con, (void)g1, (void)g2, (void)margin;
  return 0;
}

TEST(colliders_of_the_program_may_make_as_many_as_there_is_room_for) {
  mjModel* m = test_model(shapes);
  mjfCollision before = mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE];
  mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE] = custom;
  assert_int_equal(mj_maxContact(m, 2, 2, 0), mjMAXCONPAIR);
  mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE] = before;
  assert_error(mj_maxContact(m, 2, NGEOM, 0), "mj_maxContact: geom");
}
