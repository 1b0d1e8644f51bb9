// Contacts of convex geoms in lanes: whatever lanes compute or leave out, the forces are those that
// the scalar colliders' contacts give. Worlds that explode cost their neighbours nothing.

#include "lanes/beside.h"
#include "support/near.h"

enum {
  ROUNDS = 25,
  TEXT = 200000
};

// Vertices of a mesh: a round one, or a prism with that many corners, whose flat ends are dented by
// the rounding of coordinates.
static char* put_vertices(char* at, int n, int is_prism, uint64_t* seed) {
  for (int i = 0; i < n; i++) {
    double angle = 2 * mjPI * (i / 2) / (n / 2), x[3] = {cos(angle), sin(angle), i % 2 ? 1 : -1};
    for (int k = 0; k < 3 && !is_prism; k++) {
      x[k] = uniform_random(seed);
    }
    double length = is_prism ? 1 : sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    at += sprintf(at, "%.9g %.9g %.9g ", 0.1 * x[0] / length, 0.13 * x[1] / length,
                  0.08 * x[2] / length);
  }
  return at;
}

// Two free bodies with these geoms, and a third geom that is fixed, turned and shifted.
static mjModel* pair_of(const char* option, const char* fixed, const char* a, const char* b) {
  static char text[TEXT];
  uint64_t seed = 3;
  char* at = text;
  at += sprintf(at, "<mujoco><option tolerance='0' %s/><asset><mesh name='small' vertex='", option);
  at = put_vertices(at, 40, 0, &seed);
  at += sprintf(at, "'/><mesh name='large' vertex='");
  at = put_vertices(at, 900, 0, &seed);
  at += sprintf(at, "'/><mesh name='prism' vertex='");
  at = put_vertices(at, 96, 1, &seed);
  sprintf(
      at,
      "'/><mesh name='few' vertex='.1 0 0 -.1 .1 0 -.1 -.1 0 0 0 .2'/></asset><worldbody>"
      "<geom %s euler='3 5 0' pos='0 0 -.02'/><body name='a' pos='0 0 .1'><freejoint/><geom %s/>"
      "</body><body name='b' pos='.1 .05 .25'><freejoint/><geom %s/></body></worldbody></mujoco>",
      fixed, a, b);
  return test_model(text);
}

// Bodies about where they touch, anyhow turned.
static void place_bodies(mjData* d, const mjModel* m, uint64_t* seed) {
  mj_resetData(m, d);
  for (int b = 0; b < 2; b++) {
    mjtNum* q = d->qpos + 7 * b;
    for (int k = 0; k < 3; k++) {
      q[k] += (mjtNum)(0.06 * uniform_random(seed));
      d->qvel[6 * b + k] = (mjtNum)uniform_random(seed);
    }
    for (int k = 3; k < 7; k++) {
      q[k] = (mjtNum)uniform_random(seed);
    }
    mju_normalize4(q + 3);
  }
}

// Whether the scalar engine's own acceleration stays the same if the state changes in its last
// digits: where rounding decides how geoms touch it doesn't.
static int is_steady(const mjModel* m, mjData* d) {
  mjtNum acc[12], qpos[14];
  uint64_t seed = 7;
  mju_copy(acc, d->qacc, m->nv);
  mju_copy(qpos, d->qpos, m->nq);
  int steady = 1;
  for (int trial = 0; trial < 24 && steady; trial++) {
    for (int i = 0; i < m->nq; i++) {
      d->qpos[i] = qpos[i] * (1 + (mjtNum)((trial % 2 ? 1e-14 : 1e-15) * uniform_random(&seed)));
    }
    mj_forward(m, d);
    size_t where;
    steady &= relative_error(&where, d->qacc, acc, m->nv, 1.0) < 1e-11;
  }
  mju_copy(d->qpos, qpos, m->nq);
  mj_forward(m, d);
  return steady;
}

static int same_forces(const Beside* b, const mjModel* m, int lane) {
  mjtNum got[12];
  mjData* d = b->d[lane];
  mj_forward(m, d);
  b->variant->read(b->work, lane, LANE_ACC, got);
  size_t where;
  return relative_error(&where, got, d->qacc, m->nv, 1.0) <= 1e-9 || !is_steady(m, d) ||
         !numbers_differ("qacc", got, d->qacc, m->nv, 1e-9, 1.0);
}

// In all variants of double precision; some of the worlds have contacts.
static void compare(const mjModel* m) {
  DOUBLE_ONLY();
  const LaneVariant* variant;
  for (int k = 0; (variant = lanes_variant(k, 0, 0)); k++) {
    Beside b = make_beside(m, variant);
    uint64_t seed = 21;
    int touching = 0;
    for (int n = 0; n < ROUNDS; n++) {
      for (int l = 0; l < variant->lanes; l++) {
        place_bodies(b.d[l], m, &seed);
        LaneRow row = row_of(b.d[l]);
        variant->load(b.work, l, &row);
      }
      variant->step(b.work, 0);
      assert_int_equal(variant->failed(b.work), 0);
      for (int l = 0; l < variant->lanes; l++) {
        if (!same_forces(&b, m, l)) {
          fail_msg("%s: block %d, lane %d", variant->name, n, l);
        }
        touching += b.d[l]->ncon > 0;
      }
    }
    assert_that(touching, >, ROUNDS / 4);
    free_beside(&b);
  }
}

#define PLANE "type='plane' size='5 5 1'"
#define BOX "type='box' size='.1 .12 .07'"
#define CYLINDER "type='cylinder' size='.1 .08'"
#define ELLIPSOID "type='ellipsoid' size='.1 .13 .07'"
#define CAPSULE "type='capsule' size='.06 .1'"
#define MESH(name) "type='mesh' mesh='" name "'"

TEST(boxes_cylinders_and_ellipsoids_on_a_plane) {
  compare(pair_of("", PLANE, BOX, CYLINDER));
  compare(pair_of("", PLANE, ELLIPSOID, BOX));
  compare(pair_of("", PLANE, CYLINDER, CYLINDER));
  compare(pair_of("cone='elliptic'", PLANE " margin='.02'", BOX " condim='4'", CYLINDER));
}

TEST(meshes_on_a_plane) {
  compare(pair_of("", PLANE, MESH("small"), MESH("few")));
  compare(pair_of("", PLANE " margin='.01'", MESH("large"), MESH("prism")));
}

TEST(meshes_and_each_other) {
  compare(pair_of("", BOX, MESH("small"), MESH("small")));
  compare(pair_of("", MESH("prism"), MESH("large"), MESH("small")));
  compare(pair_of("", ELLIPSOID, MESH("prism"), MESH("few")));
  compare(pair_of("", MESH("large"), CYLINDER, CAPSULE));
}

TEST(shapes_and_each_other) {
  compare(pair_of("", BOX, CAPSULE, CYLINDER));
  compare(pair_of("", CYLINDER " margin='.03'", ELLIPSOID, "size='.1'"));
  compare(pair_of("", BOX " margin='.02'", "size='.1'", BOX));
}

// The legacy search, which makes contacts of geoms that are apart.
TEST(the_legacy_search) {
  mjModel* m = mj_copyModel(NULL, pair_of("", BOX, MESH("small"), CYLINDER));
  m->opt.disableflags |= mjDSBL_NATIVECCD;
  compare(m);
  mj_deleteModel(m);
}

// Calls in which some lane asks a collider although its geoms are apart are rare: once a direction
// is known it is found again.
TEST(colliders_are_asked_where_geoms_touch) {
  DOUBLE_ONLY();
  const mjModel* m = pair_of("gravity='0 0 0'", BOX, MESH("large"), MESH("small"));
  const LaneVariant* variant = lanes_variant(0, 0, 0);
  Beside b = make_beside(m, variant);
  uint64_t seed = 5;
  for (int n = 0; n < ROUNDS; n++) {
    for (int l = 0; l < variant->lanes; l++) {
      place_bodies(b.d[l], m, &seed);
      mju_scl(b.d[l]->qvel, b.d[l]->qvel, (mjtNum)0.1, m->nv);
      LaneRow row = row_of(b.d[l]);
      variant->load(b.work, l, &row);
    }
    for (int t = 0; t < 5; t++) {
      variant->step(b.work, 0);
    }
  }
  LaneCount count = variant->count(b.work);
  assert_int_equal(count.steps, 5 * ROUNDS * variant->lanes);
  assert_that(count.near, >, count.touched);
  assert_that(count.asked, >=, count.touched);
  assert_that(10 * (count.asked - count.touched), <, 2 * count.near);
  free_beside(&b);
}

// With a world whose numbers explode in the midst, geoms are near as often as without it.
TEST(a_world_that_explodes_costs_nothing) {
  DOUBLE_ONLY();
  const mjModel* m = pair_of("", PLANE, MESH("large"), MESH("small"));
  const LaneVariant* variant = lanes_variant(0, 0, 0);
  int64_t near[2];
  mjtNum qpos[2][14];
  for (int way = 0; way < 2; way++) {
    Beside b = make_beside(m, variant);
    uint64_t seed = 9;
    for (int l = 0; l < variant->lanes; l++) {
      place_bodies(b.d[0], m, &seed);  // all worlds are alike
      seed = 9;
      if (way && l == 1) {
        b.d[0]->qpos[2] = (mjtNum)9.99e9;
        b.d[0]->qvel[2] = (mjtNum)9e9;
      }
      LaneRow row = row_of(b.d[0]);
      variant->load(b.work, l, &row);
    }
    for (int t = 0; t < 20; t++) {
      variant->step(b.work, 0);
    }
    near[way] = variant->count(b.work).near;
    mjtNum time, vel[12];
    LaneRow row = {.time = &time, .qpos = qpos[way], .qvel = vel};
    variant->store(b.work, 0, &row);
    assert_int_equal(variant->failed(b.work), way ? 2 : 0);
    free_beside(&b);
  }
  assert_that(near[0], >, 0);
  assert_that(near[1], <=, near[0]);
  assert_memory_equal(qpos[0], qpos[1], sizeof(qpos[0]));
}
