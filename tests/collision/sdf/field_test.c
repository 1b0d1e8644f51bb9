// Signed distance fields: gradients are derivatives of distances, combinations follow their
// formulas, and all numbers are the reference's.

#include <condyle/load.h>

#include "base/algebra/vec.h"
#include "sdf_scene.h"
#include "support/bridge.h"
#include "support/caught.h"
#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

static mjModel* m;
static mjData* d;

static void load_scene(void) {
  m = cnd_loadXMLString(SDF_SCENE, NULL, NULL);
  assert_non_null(m);
  d = mj_makeData(m);
  mj_kinematics(m, d);
}

BEFORE_ALL() {
  load_scene();
}

static void free_scene(void) {
  mj_deleteData(d);
  mj_deleteModel(m);
}

AFTER_ALL() {
  free_scene();
}

// Two shapes of the scene and how the second one lies in the frame of the first.
typedef struct Two {
  const mjpPlugin* plugin[2];
  int id[2];
  mjtGeom type[2];
  mjtNum pos[3], mat[9];
  mjSDF sdf;
} Two;

static void set_two(Two* t, mjtSDFType kind, int geom1, int geom2) {
  const mjtNum quat[4] = {0.8, 0.2, -0.4, 0.4};
  memset(t, 0, sizeof(*t));
  for (int i = 0; i < 2; i++) {
    int geom = i ? geom2 : geom1;
    t->type[i] = (mjtGeom)m->geom_type[geom];
    t->id[i] = t->type[i] == mjGEOM_SDF ? m->geom_dataid[geom] : geom;
  }
  v3_set(t->pos, (mjtNum)0.05, (mjtNum)0.02, (mjtNum)-0.03);
  q_tomat(t->mat, quat);
  t->sdf = (mjSDF){t->plugin, t->id, kind, t->pos, t->mat, t->type};
}

static mjtNum distance(Two* t, mjtSDFType kind, const mjtNum x[3]) {
  t->sdf.type = kind;
  return mjc_distance(m, d, &t->sdf, x);
}

static void gradient(mjtNum out[3], Two* t, mjtSDFType kind, const mjtNum x[3]) {
  t->sdf.type = kind;
  mjc_gradient(m, d, &t->sdf, out, x);
}

// (f(x + h) - f(x - h)) / 2h
static void differences(mjtNum out[3], Two* t, mjtSDFType kind, const mjtNum x[3], mjtNum step) {
  for (int k = 0; k < 3; k++) {
    mjtNum ahead[3], behind[3];
    v3_copy(ahead, x);
    v3_copy(behind, x);
    ahead[k] += step;
    behind[k] -= step;
    out[k] = (distance(t, kind, ahead) - distance(t, kind, behind)) / (2 * step);
  }
}

static const mjtNum step = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-7 : (mjtNum)1e-3;
static const double slack = sizeof(mjtNum) == sizeof(double) ? 1e-6 : 5e-2;

// That of an ellipsoid is made a unit vector, that of a box is only so outside.
TEST(gradients_of_primitives_are_derivatives) {
  uint64_t seed = 7;
  int inside = 0, outside = 0;
  for (int n = 0; n < 8000; n++) {
    Two t;
    int geom = SPHERE + n % 5;
    set_two(&t, mjSDFTYPE_SINGLE, geom, SPHERE);
    mjtNum x[3], g[3], expected[3];
    draw_vector(x, (mjtNum)0.4, &seed);
    mjtNum dist = distance(&t, mjSDFTYPE_SINGLE, x);
    if ((geom == BOX && dist < 0) || mju_abs(dist) < 1e-2) {
      continue;
    }
    gradient(g, &t, mjSDFTYPE_SINGLE, x);
    differences(expected, &t, mjSDFTYPE_SINGLE, x, step);
    if (geom == ELLIPSOID) {
      v3_normalize(expected);
    }
    inside += dist < 0;
    outside += dist > 0;
    // beside an edge of the field differences see both sides
    if (v3_dist(g, expected) > 0.2) {
      continue;
    }
    assert_numbers(g, expected, 3, slack, 1);
  }
  assert_that(inside, >, 150);
  assert_that(outside, >, 2000);
}

// The cell of an octree around x: half of its sides.
static void cell_half(mjtNum half[3], int mesh, const mjtNum x[3]) {
  int root = m->mesh_octadr[mesh], cell = root;
  for (;;) {
    const mjtNum* box = m->oct_aabb + 6 * cell;
    int slot = (x[0] >= box[0]) | (x[1] >= box[1]) << 1 | (x[2] >= box[2]) << 2;
    int child = m->oct_child[8 * cell + slot];
    v3_copy(half, box + 3);
    if (child < 0) {
      return;
    }
    cell = root + child;
  }
}

// Within the root box it is a derivative by places in a cell whose sides count as one.
TEST(gradients_of_octrees_are_derivatives_by_cell) {
  uint64_t seed = 9;
  int near = 0, far = 0;
  for (int n = 0; n < 2000; n++) {
    Two t;
    int geom = n % 2 ? FIELD_A : FIELD_B;
    set_two(&t, mjSDFTYPE_SINGLE, geom, SPHERE);
    mjtNum x[3], g[3], expected[3], half[3];
    const mjtNum* box = m->oct_aabb + 6 * m->mesh_octadr[t.id[0]];
    for (int k = 0; k < 3; k++) {
      x[k] = box[k] + (mjtNum)(n % 4 < 2 ? 0.99 : 1.5) * box[3 + k] * xorshift_random(&seed);
    }
    int is_far = 0;
    for (int k = 0; k < 3; k++) {
      is_far |= mju_abs(x[k] - box[k]) > box[3 + k];
    }
    gradient(g, &t, mjSDFTYPE_SINGLE, x);
    differences(expected, &t, mjSDFTYPE_SINGLE, x, step);
    cell_half(half, t.id[0], x);
    for (int k = 0; k < 3 && !is_far; k++) {
      expected[k] *= 2 * half[k];
    }
    // a corner of a cell, or a difference across one
    if (v3_dist(g, expected) > 0.02 * v3_norm(expected)) {
      continue;
    }
    (*(is_far ? &far : &near))++;
    if (!is_far) {
      assert_numbers(g, expected, 3, slack, 1);
    }
  }
  assert_that(near, >, 900);
  assert_that(far, >, 500);
}

TEST(combinations_are_what_they_are_called) {
  uint64_t seed = 5;
  for (int n = 0; n < 500; n++) {
    Two t, alone;
    int geom1 = n % NSHAPE, geom2 = (n / NSHAPE) % NSHAPE;
    set_two(&t, mjSDFTYPE_SINGLE, geom1, geom2);
    set_two(&alone, mjSDFTYPE_SINGLE, geom2, geom1);
    mjtNum x[3], y[3], g[3], ga[3], gb[3], expected[3];
    draw_vector(x, (mjtNum)0.4, &seed);
    m3_mulv(y, t.mat, x);
    v3_addto(y, t.pos);
    mjtNum a = distance(&t, mjSDFTYPE_SINGLE, x), b = distance(&alone, mjSDFTYPE_SINGLE, y);
    gradient(ga, &t, mjSDFTYPE_SINGLE, x);
    gradient(gb, &alone, mjSDFTYPE_SINGLE, y);
    m3_tmulv(gb, t.mat, gb);
    mjtNum larger = a > b ? a : b;
    const mjtNum* steeper = a > b ? ga : gb;

    assert_near(distance(&t, mjSDFTYPE_INTERSECTION, x), larger, 1e-14);
    gradient(g, &t, mjSDFTYPE_INTERSECTION, x);
    assert_close(g, steeper, 3, 1e-14);

    assert_near(distance(&t, mjSDFTYPE_COLLISION, x), a + b + mju_abs(larger), 1e-14);
    gradient(g, &t, mjSDFTYPE_COLLISION, x);
    v3_add(expected, ga, gb);
    v3_addtoscl(expected, steeper, larger > 0 ? 1 : -1);
    assert_close(g, expected, 3, 1e-14);

    assert_near(distance(&t, mjSDFTYPE_MIDSURFACE, x), a - b, 1e-14);
    gradient(g, &t, mjSDFTYPE_MIDSURFACE, x);
    v3_normalize(ga);
    v3_normalize(gb);
    v3_sub(expected, ga, gb);
    if (v3_norm(expected) > 1e-3) {
      v3_normalize(expected);
      assert_close(g, expected, 3, 1e-11);
    }
  }
}

// The reference with the scene, in place of the own one of the fixture.
static Bridge* reference_scene(void) {
  Bridge* b = test_bridge(SDF_SCENE);
  free_scene();
  m = b->m;
  d = b->d;
  return b;
}

static void own_scene(Bridge* b) {
  test_release(b);
  load_scene();
}

static void compare_at(const Bridge* b, Two* t, mjtSDFType kind, const mjtNum x[3]) {
  mjtNum (*ref_distance)(const void*, const void*, const mjSDF*, const mjtNum*) =
      bridge_function("mjc_distance");
  void (*ref_gradient)(const void*, const void*, const mjSDF*, mjtNum*, const mjtNum*) =
      bridge_function("mjc_gradient");
  mjtNum ours[4], theirs[4];
  ours[0] = distance(t, kind, x);
  gradient(ours + 1, t, kind, x);
  theirs[0] = ref_distance(b->ref_m, b->ref_d, &t->sdf, x);
  ref_gradient(b->ref_m, b->ref_d, &t->sdf, theirs + 1, x);
  assert_numbers(ours, theirs, 4, 1e-9, 1);
}

TEST(distances_and_gradients_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  Bridge* b = reference_scene();
  uint64_t seed = 3;
  for (int n = 0; n < 40000; n++) {
    Two t;
    mjtSDFType kind = (mjtSDFType)(n % 4);
    set_two(&t, kind, n / 4 % NSHAPE, n / 4 / NSHAPE % NSHAPE);
    mjtNum x[3];
    draw_vector(x, (mjtNum)(n % 3 ? 0.3 : 0.6), &seed);
    compare_at(b, &t, kind, x);
  }
  own_scene(b);
}

// x on an axis, an edge, a corner, the surface, at the centre
TEST(ties_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  Bridge* b = reference_scene();
  for (int geom = SPHERE; geom < NSHAPE; geom++) {
    Two t;
    set_two(&t, mjSDFTYPE_SINGLE, geom, SPHERE);
    const mjtNum* size = m->geom_size + 3 * geom;
    for (int n = 0; n < 125; n++) {
      const mjtNum part[5] = {-2, -1, 0, (mjtNum)0.5, 1};
      const mjtNum x[3] = {part[n % 5] * size[0], part[n / 5 % 5] * size[1],
                           part[n / 25] * size[2]};
      compare_at(b, &t, mjSDFTYPE_SINGLE, x);
    }
  }
  own_scene(b);
}

TEST(a_plugin_is_asked_for_its_shape) {
  mjpPlugin plugin = torus_plugin();
  int slot = mjp_registerPlugin(&plugin), id = 0;
  const mjpPlugin *given = mjp_getPluginAtSlot(slot), *none = NULL;
  mjtGeom type = mjGEOM_SDF;
  mjModel sizes = *m;
  sizes.nplugin = 1;
  mjSDF torus = {.plugin = &given, .id = &id, .type = mjSDFTYPE_SINGLE, .geomtype = &type};
  const mjtNum x[3] = {(mjtNum)0.3, 0, 0}, along[3] = {1, 0, 0};
  mjtNum g[3];
  assert_near(mjc_distance(&sizes, d, &torus, x), 0.02, 1e-15);
  mjc_gradient(&sizes, d, &torus, g, x);
  assert_close(g, along, 3, 1e-15);
  // without it: the octree of mesh 0
  torus.plugin = &none;
  assert_that(
      mjc_distance(m, d, &torus, x), !=,
      mjc_distance(&sizes, d, &(mjSDF){&given, &id, mjSDFTYPE_SINGLE, NULL, NULL, &type}, x));
}

TEST(what_has_no_field_is_an_error) {
  mjtNum x[3] = {0, 0, 0}, g[3];
  Two t;
  set_two(&t, mjSDFTYPE_SINGLE, FIELD_A, SPHERE);
  t.id[0] = 99;
  assert_error(distance(&t, mjSDFTYPE_SINGLE, x), "mesh 99 does not exist: there are 2");
  t.type[0] = mjGEOM_BOX;
  assert_error(gradient(g, &t, mjSDFTYPE_SINGLE, x), "geom 99 does not exist: there are 8");
  t.id[0] = 0;
  t.type[0] = mjGEOM_HFIELD;
  assert_error(distance(&t, mjSDFTYPE_SINGLE, x), "has no distance field");
  t.type[0] = (mjtGeom)77;
  assert_error(distance(&t, mjSDFTYPE_SINGLE, x), "shape 77 does not exist");
  set_two(&t, mjSDFTYPE_SINGLE, FIELD_A, SPHERE);
  assert_error(distance(&t, (mjtSDFType)4, x), "combination 4 does not exist");
  t.sdf.relpos = NULL;
  assert_error(distance(&t, mjSDFTYPE_COLLISION, x), "NULL");
  int cells = m->mesh_octnum[0];
  m->mesh_octnum[0] = 0;
  assert_error(distance(&t, mjSDFTYPE_SINGLE, x), "has no distance field");
  m->mesh_octnum[0] = cells;
  assert_error(mjc_getSDF(m, FIELD_A), "geom 6 has no plugin");
  assert_error(mjc_getSDF(m, 8), "geom 8 does not exist");
}
