// Contacts of height fields: those of the reference one by one, and what must hold without it.

#include "base/algebra/vec.h"
#include "collision/pair_case.h"
#include "collision/same_contacts.h"
#include "collision/solids.h"
#include "support/bridge.h"
#include "support/load.h"
#include "support/near.h"
#include "support/test.h"
#include "support/text.h"

enum {
  FIRST = 1,  // geom of the first solid
};

// A field of nrow x ncol heights drawn from the seed, of so many levels (0: any), and all solids.
static void scene(char* xml, size_t size, int nrow, int ncol, int levels, double margin,
                  const char* flags, uint64_t seed) {
  size_t n = (size_t)snprintf(
      xml, size,
      "<mujoco><option><flag %s/></option><size memory='4M'/><default><geom contype='1' "
      "conaffinity='0' "
      "margin='%g'/></default><asset>" SOLID_MESHES
      "<hfield name='h' nrow='%d' ncol='%d' size='1 .8 .5 .2' elevation='",
      flags, margin, nrow, ncol);
  for (int i = 0; i < nrow * ncol; i++) {
    double z = levels ? case_int(&seed, levels) : case_real(&seed, 0, 1);
    n += (size_t)snprintf(xml + n, size - n, "%.9g ", z);
  }
  n += (size_t)snprintf(xml + n, size - n,
                        "'/></asset><worldbody><geom type='hfield' hfield='h' contype='0' "
                        "conaffinity='1'/>");
  for (int i = 0; i < NSOLID; i++) {
    n += (size_t)snprintf(xml + n, size - n, "<body><freejoint/><geom %s/></body>", solids[i]);
  }
  n += (size_t)snprintf(xml + n, size - n, "</worldbody></mujoco>");
  assert_that(n, <, size);
}

// Places all solids near the field, which may be anywhere; or upright, on its samples.
enum {
  LEVEL,
  TILTED,
  ALIGNED,
  NPLACEMENT
};
static void scatter(const mjModel* m, mjData* d, uint64_t* seed, int placement) {
  int ncol = m->hfield_ncol[0], nrow = m->hfield_nrow[0];
  v3_zero(d->geom_xpos);
  m3_identity(d->geom_xmat);
  if (placement == TILTED) {
    case_rotation(d->geom_xmat, seed);
    v3_set(d->geom_xpos, .3, -.2, .1);
  }
  for (int i = FIRST; i < m->ngeom; i++) {
    mjtNum* mat = d->geom_xmat + 9 * i;
    mjtNum pos[3] = {(mjtNum)case_real(seed, -1.2, 1.2), (mjtNum)case_real(seed, -1, 1),
                     (mjtNum)case_real(seed, -.1, .7)};
    if (placement == ALIGNED) {
      m3_identity(mat);
      pos[0] = 2 * (mjtNum)case_int(seed, ncol) / (mjtNum)(ncol - 1) - 1;
      pos[1] = (mjtNum)1.6 * (mjtNum)case_int(seed, nrow) / (mjtNum)(nrow - 1) - (mjtNum).8;
      pos[2] = (mjtNum)0.0625 * (mjtNum)case_int(seed, 10);
    } else {
      case_rotation(mat, seed);
    }
    mjtNum* world = d->geom_xpos + 3 * i;
    m3_mulv(world, d->geom_xmat, pos);
    v3_addto(world, d->geom_xpos);
  }
}

static const int grids[][2] = {{2, 2}, {2, 5}, {7, 3}, {12, 20}};
static const char* const pipelines[] = {"nativeccd='enable'", "nativeccd='disable'"};

static Bridge* load_scene(int k, const char* flags) {
  static const double margin[] = {0, 0.05, -0.3};
  static char xml[20000];
  scene(xml, sizeof(xml), grids[k % 4][0], grids[k % 4][1], k & 4 ? 3 : 0, margin[k / 8], flags,
        (uint64_t)k + 1);
  Bridge* b = test_bridge(xml);
  return b;
}

TEST(contacts_are_those_of_the_reference) {
  BRIDGE_OR_SKIP();
  Allowed allowed[mjNGEOMTYPES];
  allow_all(allowed, 1e-9);
  allowed[mjGEOM_ELLIPSOID].place = 1e-8;  // its corrected normal is a limit
  uint64_t seed = 77;
  int contacts = 0, bad = 0;
  for (int k = 0; k < 48; k++) {
    Bridge* b = load_scene(k % 24, pipelines[k / 24]);
    for (int i = 0; i < 8 * NPLACEMENT; i++) {
      scatter(b->m, b->d, &seed, i % NPLACEMENT);
      int num = same_contacts(b, allowed);
      contacts += num;
      bad += num < 0;
    }
    test_release(b);
  }
  assert_int_equal(bad, 0);
  assert_that(contacts, >, 10000);
}

// Contacts of the meshes in the collision stage, where their vertices are copied and searches are
// skipped that would find nothing, and by the collider itself, which skips none. Returns their
// number.
static int compare_skipped(const mjModel* m, mjData* d) {
  int contacts = 0;
  mj_collision(m, d);
  for (int g = FIRST; g < m->ngeom; g++) {
    mjContact own[mjMAXCONPAIR];
    if (m->geom_type[g] != mjGEOM_MESH) {
      continue;
    }
    int num = mjCOLLISIONFUNC[mjGEOM_HFIELD][mjGEOM_MESH](m, d, own, 0, g, m->geom_margin[g]);
    int found = 0;
    for (int c = 0; c < d->ncon; c++) {
      const mjContact* con = d->contact + c;
      if (con->geom[0] == 0 && con->geom[1] == g) {
        assert_in_range(found, 0, num - 1);
        assert_memory_equal(con->pos, own[found].pos, sizeof(con->pos));
        assert_that(con->dist, ==, own[found].dist);
        found++;
      }
    }
    assert_int_equal(found, num);
    contacts += num;
  }
  return contacts;
}

TEST(searches_that_are_skipped_change_no_contact) {
  static const double margin[] = {0, 0.05, -0.3};
  uint64_t seed = 79;
  int contacts = 0;
  for (int k = 0; k < 24; k++) {
    static char xml[20000];
    scene(xml, sizeof(xml), grids[k % 4][0], grids[k % 4][1], k & 4 ? 3 : 0, margin[k / 8],
          pipelines[k % 2], (uint64_t)k + 1);
    mjModel* m = test_model(xml);
    mjData* d = test_data(m);
    for (int i = 0; i < 20 * NPLACEMENT; i++) {
      scatter(m, d, &seed, i % NPLACEMENT);
      contacts += compare_skipped(m, d);
    }
    test_release(m);
  }
  assert_that(contacts, >, 500);
}

// Bricks whose sides are along the field's axes and whose middles are as those of prisms, so that
// two corners tie where a search begins: then the one before decides.
TEST(skipped_searches_change_no_tie) {
  uint64_t seed = 80;
  int contacts = 0;
  for (int k = 0; k < 8; k++) {
    Text t = {0};
    text_add(
        &t,
        "<mujoco><asset><mesh name='plain' scale='.3 .3 .3' vertex='-.3 -.2 -.1 .3 -.2 -.1 -.3 .2 "
        "-.1 .3 .2 "
        "-.1 -.3 -.2 .1 .3 -.2 .1 -.3 .2 .1 .3 .2 .1'/><mesh name='ridged' scale='.3 .3 .3' "
        "vertex='-.3 -.2 -.1 "
        ".3 -.2 -.1 -.3 .2 -.1 .3 .2 -.1 -.3 -.2 .1 .3 -.2 .1 -.3 .2 .1 .3 .2 .1 0 0 .2 0 0 "
        "-.2 .4 0 0 -.4 0 0'/><hfield name='h' nrow='9' ncol='9' size='1 1 .2 .1' elevation='");
    for (int i = 0; i < 81; i++) {
      text_add(&t, "%g ", case_real(&seed, 0, 1));
    }
    text_add(&t,
             "'/></asset><worldbody><geom type='hfield' hfield='h'/><body><freejoint/><geom "
             "type='mesh' mesh='plain'/></body><body><freejoint/><geom type='mesh' mesh='ridged'/>"
             "</body></worldbody></mujoco>");
    mjModel* m = test_model(t.text);
    free(t.text);
    mjData* d = test_data(m);
    mj_kinematics(m, d);
    for (int i = 0; i < 200; i++) {
      for (int g = FIRST; g < m->ngeom; g++) {
        mjtNum* pos = d->geom_xpos + 3 * g;
        for (int axis = 0; axis < 2; axis++) {
          pos[axis] = ((mjtNum)case_int(&seed, 24) / 3 - 4) / 4;
        }
        pos[2] = (mjtNum)case_real(&seed, 0, 0.2);
        m3_identity(d->geom_xmat + 9 * g);
        if (case_int(&seed, 2)) {
          case_quarter(d->geom_xmat + 9 * g, &seed);
        }
      }
      contacts += compare_skipped(m, d);
    }
    test_release(m);
  }
  assert_that(contacts, >, 500);
}

TEST(distances_are_those_of_the_reference) {
  BRIDGE_OR_SKIP();
  const mjtNum distmax[] = {0, 0.1, 1};
  uint64_t seed = 78;
  int bad = 0, answers = 0;
  for (int k = 0; k < 8; k++) {
    Bridge* b = load_scene(k % 4, pipelines[k / 4]);
    for (int i = 0; i < 4 * NPLACEMENT; i++) {
      scatter(b->m, b->d, &seed, i % NPLACEMENT);
      bridge_push(b, "geom_xpos geom_xmat");
      for (int g = FIRST; g < b->m->ngeom; g++) {
        bad += distances_differ(b, i & 1 ? g : 0, i & 1 ? 0 : g, distmax[i % 3], 1e-8, &answers);
      }
    }
    test_release(b);
  }
  assert_int_equal(bad, 0);
  assert_that(answers, >, 300);
}

// A sphere over the middle of a triangle of a flat field touches that one alone, from straight
// above.
TEST(flat_fields_are_planes) {
  mjModel* m = test_model(
      "<mujoco><asset><hfield name='h' nrow='5' ncol='5' size='2 2 1 .5'/></asset><worldbody>"
      "<geom type='hfield' hfield='h'/><body pos='.7 .4 .19'><freejoint/><geom size='.2'/></body>"
      "</worldbody></mujoco>");
  mjData* d = test_data(m);
  for (int legacy = 0; legacy < 2; legacy++) {
    m->opt.disableflags = legacy ? mjDSBL_NATIVECCD : 0;
    mj_forward(m, d);
    assert_int_equal(d->ncon, 1);
    const mjtNum pos[3] = {(mjtNum).7, (mjtNum).4, (mjtNum)-.005}, up[3] = {0, 0, 1};
    assert_near(d->contact[0].dist, -.01, legacy ? 2e-3 : 1e-9);
    assert_close(d->contact[0].pos, pos, 3, legacy ? 2e-3 : 1e-9);
    assert_close(d->contact[0].frame, up, 3, legacy ? 2e-2 : 1e-9);
  }
}

// Beside, above and below the field there is nothing; above an edge there is.
TEST(fields_end_at_their_edges) {
  mjModel* m = test_model(
      "<mujoco><asset><hfield name='h' nrow='4' ncol='4' size='1 2 1 .5'/></asset><worldbody>"
      "<geom type='hfield' hfield='h'/><body><freejoint/><geom type='box' size='.2 .2 .2'/></body>"
      "</worldbody></mujoco>");
  mjData* d = test_data(m);
  static const struct {
    mjtNum pos[3];
    int touches;
  } place[] = {
      {{0, 0, (mjtNum).19}, 1},
      {{0, 0, (mjtNum).21}, 0},
      {{(mjtNum)1.19, 0, (mjtNum).1}, 1},
      {{(mjtNum)1.21, 0, (mjtNum).1}, 0},
      {{(mjtNum)-1.19, 0, (mjtNum).1}, 1},
      {{(mjtNum)-1.21, 0, (mjtNum).1}, 0},
      {{0, (mjtNum)2.19, (mjtNum).1}, 1},
      {{0, (mjtNum)2.21, (mjtNum).1}, 0},
      {{0, (mjtNum)-2.19, (mjtNum).1}, 1},
      {{0, (mjtNum)-2.21, (mjtNum).1}, 0},
      {{0, 0, (mjtNum)-.69}, 1},
      {{0, 0, (mjtNum)-.71}, 0},
  };
  for (size_t i = 0; i < 2 * sizeof(place) / sizeof(place[0]); i++) {
    m->opt.disableflags = i & 1 ? mjDSBL_NATIVECCD : 0;
    v3_copy(d->qpos, place[i / 2].pos);
    mj_forward(m, d);
    assert_int_equal(d->ncon > 0, place[i / 2].touches);
  }
}

TEST(contacts_stop_at_the_limit) {
  mjModel* m = test_model(
      "<mujoco><asset><hfield name='h' nrow='30' ncol='30' size='1 1 1 .5'/></asset><worldbody>"
      "<geom type='hfield' hfield='h'/><body pos='0 0 .1'><freejoint/><geom type='box' size='.6 .6 "
      ".2'/>"
      "</body></worldbody></mujoco>");
  mjData* d = test_data(m);
  for (int legacy = 0; legacy < 2; legacy++) {
    m->opt.disableflags = legacy ? mjDSBL_NATIVECCD : 0;
    mj_forward(m, d);
    assert_int_equal(d->ncon, mjMAXCONPAIR);
    // the first rows, from the lowest y on
    for (int i = 1; i < d->ncon; i++) {
      assert_that(d->contact[i].pos[1], >, d->contact[i - 1].pos[1] - (mjtNum)0.1);
    }
  }
}

static void collide_all(const mjModel* m, mjData* d) {
  mj_collision(m, d);
  assert_in_range(d->ncon, 0, NSOLID * mjMAXCONPAIR);
  for (int g = FIRST; g < m->ngeom; g++) {
    mjtNum segment[6];
    mj_geomDistance(m, d, 0, g, (mjtNum)0.1, segment);
    mj_geomDistance(m, d, g, 0, mjMAXVAL, segment);
  }
}

// Whatever stands in the fields that a program may edit, the walk ends and reads samples alone.
TEST(nonsense_is_survived) {
  static char xml[20000];
  static const mjtNum number[] = {0, 1, -1, (mjtNum)1e-30, (mjtNum)1e30, INFINITY, -INFINITY, NAN};
  enum {
    NNUMBER = sizeof(number) / sizeof(number[0])
  };
  for (int legacy = 0; legacy < 2; legacy++) {
    scene(xml, sizeof(xml), 4, 6, 0, 0.01, pipelines[legacy], 5);
    mjModel* m = test_model(xml);
    mjData* d = test_data(m);
    uint64_t seed = 3;
    mj_forward(m, d);
    for (int n = 0; n < 5; n++) {
      static const int fewer[5][2] = {{0, 0}, {0, 3}, {1, 1}, {1, 4}, {4, 1}};
      m->hfield_nrow[0] = fewer[n][0];
      m->hfield_ncol[0] = fewer[n][1];
      scatter(m, d, &seed, LEVEL);
      mj_collision(m, d);
      assert_int_equal(d->ncon, 0);
      collide_all(m, d);
    }
    m->hfield_nrow[0] = 4;
    m->hfield_ncol[0] = 6;
    for (int n = 0; n < NNUMBER; n++) {
      mjtNum* field[] = {m->hfield_size, m->hfield_size + 1, m->hfield_size + 2, m->hfield_size + 3,
                         d->geom_xpos,   d->geom_xpos + 2,   d->geom_xpos + 3,   m->geom_size + 6};
      for (size_t f = 0; f < sizeof(field) / sizeof(field[0]); f++) {
        mjtNum before = *field[f];
        scatter(m, d, &seed, LEVEL);
        *field[f] = number[n];
        collide_all(m, d);
        *field[f] = before;
      }
      for (int g = FIRST; g < m->ngeom; g++) {
        scatter(m, d, &seed, LEVEL);
        for (int k = 0; k < 3; k++) {
          d->geom_xpos[3 * g + k] = number[n];
        }
        collide_all(m, d);
      }
      scatter(m, d, &seed, LEVEL);
      float before = m->hfield_data[9];
      m->hfield_data[9] = (float)number[n];
      collide_all(m, d);
      m->hfield_data[9] = before;
    }
    test_release(m);
  }
}

static int warnings;

static void count_warning(const char* text) {
  warnings += strstr(text, "height field") != NULL;
}

// As in the reference, with a warning.
TEST(distance_fields_pass_through) {
  mjModel* m = test_model("<mujoco><asset>" SOLID_MESHES
                          "<hfield name='h' nrow='4' ncol='4' size='1 2 1 .5'/></asset>"
                          "<worldbody><geom type='hfield' hfield='h'/><body><freejoint/>"
                          "<geom type='sdf' mesh='large'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  warnings = 0;
  mju_user_warning = count_warning;
  mj_forward(m, d);
  assert_int_equal(d->ncon, 0);
  mj_forward(m, d);
  assert_int_equal(warnings, 1);
  assert_that(mj_geomDistance(m, d, 0, 1, 2, NULL), ==, 2);
  mju_user_warning = NULL;
}
