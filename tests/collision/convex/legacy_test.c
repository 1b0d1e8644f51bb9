// The legacy pipeline of convex shapes (mjDSBL_NATIVECCD): contacts and distances of the reference,
// and what must hold without it.

#include "base/algebra/vec.h"
#include "collision/pair_case.h"
#include "collision/same_contacts.h"
#include "collision/solids.h"
#include "support/bridge.h"
#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

// Two of each solid, each on a body of its own.
static void scene(char* xml, size_t size, double margin, const char* flags) {
  size_t n = (size_t)snprintf(
      xml, size,
      "<mujoco><option><flag %s/></option><size memory='8M'/><default><geom margin='%g'/></default>"
      "<asset>" SOLID_MESHES "</asset><worldbody>",
      flags, margin);
  for (int i = 0; i < 2 * NSOLID; i++) {
    n += (size_t)snprintf(xml + n, size - n, "<body><freejoint/><geom %s/></body>",
                          solids[i % NSOLID]);
  }
  n += (size_t)snprintf(xml + n, size - n, "</worldbody></mujoco>");
  assert_that(n, <, size);
}

// Anywhere, or aligned on a grid.
static void scatter(const mjModel* m, mjData* d, uint64_t* seed, int aligned) {
  for (int i = 0; i < m->ngeom; i++) {
    mjtNum* pos = d->geom_xpos + 3 * i;
    for (int k = 0; k < 3; k++) {
      pos[k] = (mjtNum)(aligned ? 0.125 * (case_int(seed, 9) - 4) : case_real(seed, -.6, .6));
    }
    if (aligned) {
      case_quarter(d->geom_xmat + 9 * i, seed);
    } else {
      case_rotation(d->geom_xmat + 9 * i, seed);
    }
  }
}

TEST(contacts_are_those_of_the_reference) {
  BRIDGE_OR_SKIP();
  static const char* const flags[] = {"nativeccd='disable'",
                                      "nativeccd='disable' multiccd='enable'"};
  static char xml[20000];
  Allowed allowed[mjNGEOMTYPES];
  allow_all(allowed, 1e-11);
  uint64_t seed = 4711;
  int contacts = 0, bad = 0;
  for (int k = 0; k < 4; k++) {
    scene(xml, sizeof(xml), k & 1 ? 0.0625 : 0, flags[k / 2]);
    Bridge* b = test_bridge(xml);
    for (int i = 0; i < 60; i++) {
      scatter(b->m, b->d, &seed, i % 3 == 2);
      int num = same_contacts(b, allowed);
      contacts += num;
      bad += num < 0;
    }
    test_release(b);
  }
  assert_int_equal(bad, 0);
  assert_that(contacts, >, 1000);
}

// From the nearest contact within the distance asked for, in the order asked for.
TEST(distances_are_those_of_the_reference) {
  BRIDGE_OR_SKIP();
  static char xml[20000];
  scene(xml, sizeof(xml), 0, "nativeccd='disable'");
  Bridge* b = test_bridge(xml);
  const mjtNum distmax[] = {0, 0.1, 1};
  uint64_t seed = 2024;
  int bad = 0, answers = 0;
  for (int n = 0; n < 30; n++) {
    scatter(b->m, b->d, &seed, n % 3 == 2);
    bridge_push(b, "geom_xpos geom_xmat");
    for (int i = 0; i < b->m->ngeom; i++) {
      for (int j = 0; j < b->m->ngeom; j++) {
        if (i != j) {
          bad += distances_differ(b, i, j, distmax[n % 3], 1e-9, &answers);
        }
      }
    }
  }
  test_release(b);
  assert_int_equal(bad, 0);
  assert_that(answers, >, 1000);
}

static mjModel* load(double margin, const char* flags) {
  static char xml[20000];
  scene(xml, sizeof(xml), margin, flags);
  mjModel* m = test_model(xml);
  return m;
}

// The ray of the centres is one way out, the native search finds the shortest.
TEST(depths_are_not_below_the_shortest_way_out) {
  mjModel* m = load(0, "nativeccd='disable'");
  mjData* d = test_data(m);
  const mjtNum error = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-5 : (mjtNum)1e-3;
  uint64_t seed = 99;
  int overlaps = 0;
  mj_forward(m, d);
  for (int n = 0; n < 30; n++) {
    scatter(m, d, &seed, 0);
    for (int i = 0; i < m->ngeom; i++) {
      for (int j = i + 1; j < m->ngeom; j++) {
        mjtNum segment[6];
        m->opt.disableflags = mjDSBL_NATIVECCD;
        mjtNum ray = mj_geomDistance(m, d, i, j, 0, segment);
        m->opt.disableflags = 0;
        mjtNum shortest = mj_geomDistance(m, d, i, j, 0, segment);
        int boxes = m->geom_type[i] == mjGEOM_BOX && m->geom_type[j] == mjGEOM_BOX;  // other rules
        assert_true(boxes || ray <= shortest + error);
        assert_int_equal(boxes || (ray < 0) == (shortest < 0) || shortest > -error, 1);
        overlaps += ray < 0;
      }
    }
  }
  assert_that(overlaps, >, 200);
}

// Whatever the shapes and options are, the search ends.
TEST(nonsense_is_survived) {
  static const mjtNum number[] = {0, -1, (mjtNum)1e-30, (mjtNum)1e30, INFINITY, NAN};
  static const int iterations[] = {35, 0, -5, 2147483647};
  mjModel* m = load(0.01, "nativeccd='disable' multiccd='enable'");
  mjData* d = test_data(m);
  uint64_t seed = 7;
  mj_forward(m, d);
  for (size_t n = 0; n < 4 * sizeof(number) / sizeof(number[0]); n++) {
    m->opt.ccd_iterations = iterations[n % 4];
    m->opt.ccd_tolerance = n % 3 == 2 ? number[n / 4] : (mjtNum)1e-6;
    for (int i = 0; i < m->ngeom; i++) {
      scatter(m, d, &seed, n % 2 == 1);
      mjtNum size = m->geom_size[3 * i];
      m->geom_size[3 * i] = number[n / 4];
      mj_collision(m, d);
      m->geom_size[3 * i] = size;
      d->geom_xpos[3 * i + (int)(n % 3)] = number[n / 4];
      mj_collision(m, d);
    }
    for (int i = 0; i < m->ngeom; i++) {
      v3_zero(d->geom_xpos + 3 * i);
    }
    mj_collision(m, d);
  }
}

// The contacts of a model's first state, in the dialect of a release: how far each is, and the
// normal's numbers behind it.
static void expect_contacts(const char* dialect, const char* content, const double (*known)[4],
                            int n) {
  char text[2000];
  snprintf(text, sizeof(text),
           "<mujoco><compiler dialect='%s'/><option><flag nativeccd='disable' multiccd='enable'/>"
           "</option>%s</mujoco>",
           dialect, content);
  mjModel* m = test_model(text);
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_int_equal(d->ncon, n);
  for (int i = 0; i < n; i++) {
    assert_near(d->contact[i].dist, known[i][0], 1e-9);
    for (int k = 0; k < 3; k++) {
      assert_near(d->contact[i].frame[k], known[i][k + 1], 1e-9);
    }
  }
}

// Numbers of MuJoCo 3.3.7 and 4.0.0.
TEST(normals_of_rolled_contacts_are_corrected_by_the_shapes_of_the_dialect) {
  const char* content =
      "<worldbody><geom type='box' size='.3 .3 .1' pos='0 0 -.1'/><body pos='0 0 .09'>"
      "<freejoint/><geom type='cylinder' size='.1 .2' euler='90 0 0'/></body></worldbody>";
  const double early[5][4] = {{-0.01, 0, 0, -1},
                              {-0.01, -0.000595651382486904, 0, -0.9999998225997},
                              {-0.01, 0.00131007315367101, 0, -0.999999141853798},
                              {-0.01, 0, -0.000999999833333564, -0.999999500000042},
                              {-0.01, 0, 0.00099999983333312, -0.999999500000042}};
  const double later[5][4] = {{-0.01, 0, 0, -1},
                              {-0.01, -0.0015956497177215, 0, -0.999998726950179},
                              {-0.01, 0.00231006905586805, 0, -0.999997331786919},
                              {-0.01, 0, 0, -1},
                              {-0.01, 0, 0, -1}};
  expect_contacts("3.3", content, early, 5);
  expect_contacts("4.0", content, later, 5);
}

TEST(a_margin_leaves_the_distance_from_a_height_field_by_the_later_rule) {
  const char* content =
      "<asset><hfield name='h' nrow='3' ncol='3' size='1 1 .2 .3' "
      "elevation='0 .3 .1 .7 1 .2 .4 .1 .6'/></asset><worldbody>"
      "<geom type='hfield' hfield='h' margin='.02'/><body pos='.31 .22 .25'><freejoint/>"
      "<geom type='box' size='.1 .2 .15' euler='20 30 40' margin='.02'/></body></worldbody>";
  const double early[2][4] = {
      {-0.0643530444277214, 0.472907137275305, -0.325527883227739, 0.818773739659097},
      {-0.156638947591225, 0.157959614016514, 0.0197451551348543, 0.987248139622686}};
  const double later[3][4] = {
      {0.0257538511035486, 0.0502673051416763, 0.948034699032009, 0.314170984441724},
      {-0.037977615664815, 0.472906969897838, -0.325527421828329, 0.818774019775815},
      {-0.126893909890073, 0.157959711831202, 0.0197456980526866, 0.987248113113728}};
  expect_contacts("3.3", content, early, 2);
  expect_contacts("4.0", content, later, 3);
}
