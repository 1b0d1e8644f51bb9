// The later path of GJK and EPA (behaviour gjkepa): contacts as recorded, and what both promise.

#include <condyle/behaviour.h>

#include "collision/convex/epa.h"
#include "collision/convex/placed.h"
#include "collision/later.h"
#include "support/load.h"
#include "support/recorded.h"

static const char scene[] =
    "<mujoco><option><flag multiccd='disable'/></option><asset><mesh name='wedge' vertex='0 0 0  "
    ".21 .01 .02  .03 .17 -.02  -.02 .04 .19'/><hfield name='h' nrow='4' ncol='4' "
    "size='.4 .4 .2 .1' elevation='.1 .7 .3 .5 .9 .2 .6 .4 .3 .8 .1 .7 .5 .4 .9 .2'/></asset>"
    "<worldbody><geom type='hfield' hfield='h'/><body><freejoint/><geom size='.08'/></body><body>"
    "<freejoint/><geom type='capsule' size='.06 .1'/></body><body><freejoint/><geom "
    "type='ellipsoid' size='.05 .1 .15'/></body><body><freejoint/><geom type='ellipsoid' "
    "size='.12 .04 .09'/></body><body><freejoint/><geom type='cylinder' size='.09 .07'/></body>"
    "<body><freejoint/><geom type='cylinder' size='.05 .12'/></body><body><freejoint/><geom "
    "type='box' size='.06 .1 .08'/></body><body><freejoint/><geom type='mesh' mesh='wedge'/></body>"
    "</worldbody></mujoco>";

enum {
  FIELD,
  BALL,
  CAPSULE,
  EGG,
  DISC,
  DRUM,
  ROD,
  BOX,
  WEDGE,
  CASES = 320,
  PAIRS = 16
};

static const int pairs[PAIRS][2] = {
    {BALL, EGG},     {CAPSULE, EGG},   {EGG, DISC},  {EGG, DRUM},   {EGG, BOX},   {EGG, WEDGE},
    {CAPSULE, DRUM}, {DRUM, ROD},      {DRUM, BOX},  {DRUM, WEDGE}, {BOX, WEDGE}, {BALL, WEDGE},
    {FIELD, BALL},   {FIELD, CAPSULE}, {FIELD, EGG}, {FIELD, DRUM}};

// As record_searches there: poses are written to the last digit, on which the search may depend.
static void recorded_state(mjModel* m, mjData* d, int number) {
  const int* pair = pairs[number % PAIRS];
  drawn = 12345u + 1000003u * (uint32_t)number;
  for (int g = 0; g < m->ngeom; g++) {
    int body = m->geom_bodyid[g], is_in = g == pair[0] || g == pair[1];
    m->geom_contype[g] = m->geom_conaffinity[g] = is_in;
    m->body_contype[body] = m->body_conaffinity[body] = is_in;
    m->geom_margin[g] = (mjtNum)0.01 * (mjtNum)(number / PAIRS % 2);
  }
  for (int g = 1; g < m->ngeom; g++) {
    mjtNum* pos = d->geom_xpos + 3 * g;
    for (int k = 0; k < 3; k++) {
      pos[k] = draw(-0.09, 0.09);
    }
    pos[2] += pair[0] == FIELD ? (mjtNum)0.15 : 0;
    mjtNum w = draw(-1, 1), x = draw(-1, 1), y = draw(-1, 1), z = draw(-1, 1);
    const mjtNum n = 2 / (w * w + x * x + y * y + z * z);
    const mjtNum mat[9] = {
        1 - n * (y * y + z * z), n * (x * y - w * z),     n * (x * z + w * y),
        n * (x * y + w * z),     1 - n * (x * x + z * z), n * (y * z - w * x),
        n * (x * z - w * y),     n * (y * z + w * x),     1 - n * (x * x + y * y)};
    m3_copy(d->geom_xmat + 9 * g, mat);
  }
}

// Distances, places and normals of all contacts; returns how many numbers they are.
static size_t write_contacts(mjtNum* out, const mjData* d) {
  for (int k = 0; k < d->ncon; k++, out += 7) {
    out[0] = d->contact[k].dist;
    v3_copy(out + 1, d->contact[k].pos);
    v3_copy(out + 4, d->contact[k].frame);
  }
  return 7 * (size_t)d->ncon;
}

TEST(contacts_of_the_later_path_are_recorded) {
  DOUBLE_ONLY();
  mjModel* m = later_model(scene);
  mjData* d = test_data(m);
  mj_forward(m, d);
  static mjtNum counts[CASES], numbers[7 * 50 * CASES];
  size_t n = 0;
  for (int i = 0; i < CASES; i++) {
    recorded_state(m, d, i);
    mj_collision(m, d);
    counts[i] = d->ncon;
    n += write_contacts(numbers + n, d);
  }
  assert_recorded("searches_counts", counts, CASES);
  assert_recorded_near("searches_numbers", numbers, n, 1e-6);
}

// Capsules against triangles of flexes, as record_cloth has them: a formula, not a search.
TEST(contacts_of_capsules_with_triangles_are_recorded) {
  DOUBLE_ONLY();
  enum {
    STATES = 60
  };
  cnd_setDefaultDialect(400);
  mjModel* m = test_model(
      "<mujoco><worldbody><body><freejoint/><geom type='capsule' size='.06 .08'/></body><flexcomp "
      "name='f' type='grid' dim='2' count='2 2 1' spacing='.2 .2 .1' radius='.01' mass='1'>"
      "<contact selfcollide='none' margin='.005'/></flexcomp></worldbody></mujoco>");
  cnd_setDefaultDialect(303);
  mjData* d = test_data(m);
  static mjtNum counts[STATES], numbers[7 * 50 * STATES];
  size_t n = 0;
  for (int i = 0; i < STATES; i++) {
    drawn = 12345u + 1000003u * (uint32_t)i;
    for (int k = 0; k < m->nq; k++) {
      double size = k < 3 ? 0.12 : (k < 7 ? 1 : 0.01);
      d->qpos[k] = draw(-size, size);
    }
    mj_normalizeQuat(m, d->qpos);
    mj_forward(m, d);
    counts[i] = d->ncon;
    n += write_contacts(numbers + n, d);
  }
  assert_recorded("cloth_counts", counts, STATES);
  assert_recorded("cloth_numbers", numbers, n);
}

// By the rules of 3.3.7 curved shapes and margins have other numbers.
TEST(the_path_matters_for_curved_shapes_and_margins) {
  DOUBLE_ONLY();
  mjModel* m = later_model(scene);
  mjData* d = test_data(m);
  mj_forward(m, d);
  int changed = 0;
  for (int i = 0; i < 2 * PAIRS; i++) {
    mjtNum dist[2], pos[2][3];
    int found = 1;
    for (int later = 0; later < 2 && found; later++) {
      m->opt.behaviour ^= 1 << cndBEHAVIOUR_gjkepa;
      recorded_state(m, d, i);
      mj_collision(m, d);
      found = d->ncon > 0;
      dist[later] = d->contact->dist;
      v3_copy(pos[later], d->contact->pos);
    }
    changed += found && (dist[0] != dist[1] || v3_dist(pos[0], pos[1]) > 0);
    m->opt.behaviour |= 1 << cndBEHAVIOUR_gjkepa;
  }
  assert_that(changed, >, PAIRS / 2);
}

TEST(the_path_matters_where_the_general_search_is_asked) {
  assert_int_equal(cnd_behaviourMatters(later_model(scene), cndBEHAVIOUR_gjkepa), 1);
  assert_int_equal(
      cnd_behaviourMatters(test_model("<mujoco><worldbody><geom type='plane' size='1 1 1'/><geom "
                                      "size='.1'/><geom type='box' size='.1 .1 .1'/><geom "
                                      "type='ellipsoid' size='.1 .1 .1' contype='0'/></worldbody>"
                                      "</mujoco>"),
                           cndBEHAVIOUR_gjkepa),
      1);
  assert_int_equal(
      cnd_behaviourMatters(test_model("<mujoco><worldbody><geom type='plane' size='1 1 1'/><geom "
                                      "size='.1'/><geom type='box' size='.1 .1 .1'/></worldbody>"
                                      "</mujoco>"),
                           cndBEHAVIOUR_gjkepa),
      0);
}

static const mjtNum size[3] = {(mjtNum)0.4, (mjtNum)0.5, (mjtNum)0.6};
static const ConvexKind* const kinds[] = {&convex_ellipsoid, &convex_cylinder, &convex_box};

static void random_pair(ConvexShape* a, ConvexShape* b, int trial, mjtNum spread, uint64_t* seed) {
  mjtNum pos[3];
  random_vector(pos, spread, seed);
  *a = placed(kinds[trial % 3], size, (const mjtNum[3]){0, 0, 0});
  *b = placed(kinds[trial / 3 % 3], size, pos);
  case_rotation(a->mat, seed);
  case_rotation(b->mat, seed);
}

// The distance is that of the points, after any number of iterations.
TEST(a_search_that_is_cut_short_tells_the_distance_of_its_points) {
  DOUBLE_ONLY();
  uint64_t seed = 11;
  int apart = 0;
  for (int trial = 0; trial < 90; trial++) {
    ConvexShape a, b;
    random_pair(&a, &b, trial, 2, &seed);
    for (int iterations = 1; iterations < 12; iterations++) {
      Gjk g = search_to(GJK_FAR);
      g.later = 1;
      g.iterations = iterations;
      mjtNum dist = gjk_distance(&g, &a, &b);
      if (dist > 0) {
        apart++;
        assert_near(v3_dist(g.x1, g.x2), dist, 1e-10);
      }
    }
  }
  assert_that(apart, >, 500);
}

// A B that is moved along n by the depth and the tolerance is free: the search ends only where its
// own direction says so.
//
//     max over w in A - B of n . w < depth + tolerance
TEST(the_way_out_is_as_long_as_the_depth_to_the_tolerance) {
  DOUBLE_ONLY();
  static mjtNum arena[40000];
  uint64_t seed = 12;
  for (int trial = 0; trial < 90; trial++) {
    ConvexShape a, b;
    random_pair(&a, &b, trial, (mjtNum)0.4, &seed);
    mjData d;
    memset(&d, 0, sizeof(d));
    d.arena = arena;
    d.narena = d.cnd_arena = sizeof(arena);
    Gjk g = search_to(0);
    g.later = 1;
    g.tolerance = (mjtNum)1e-5;
    g.discrete = shape_is_polytope(&a) && shape_is_polytope(&b);
    assert_that(gjk_distance(&g, &a, &b), <=, g.tolerance);
    mjtNum depth = epa_depth(&g, &d, &a, &b), n[3];
    assert_that(depth, >, 0);
    v3_sub(n, g.x1, g.x2);
    v3_normalize(n);
    Vertex w;
    difference_support(&w, &a, &b, n);
    assert_near(v3_dist(g.x1, g.x2), depth, 1e-12);
    assert_that(v3_dot(n, w.w), <, depth + g.tolerance);
    assert_that(v3_dot(n, w.w), >, depth - (mjtNum)1e-12);
  }
}
