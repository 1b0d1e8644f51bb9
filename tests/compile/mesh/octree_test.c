// Octrees of meshes: the field they hold, and the reference's where it is present.

#include <string.h>

#include "support/bridge.h"
#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

#define MODEL(mesh)                     \
  "<mujoco><asset><mesh name='m' " mesh \
  "/></asset><worldbody><geom type='sdf' mesh='m'/></worldbody></mujoco>"
#define TETRA "vertex='0 0 0 1 0 0 0 2 0 0 0 3' "
#define CUBE                                                              \
  "vertex='-1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 -1 -1 1 1 -1 1 1 1 1 -1 1 1' " \
  "face='0 3 2 0 2 1 4 5 6 4 6 7 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7'"

// The leaf that holds p of the only mesh, and its interpolated distance there.
static mjtNum field_at(int* leaf, const mjModel* m, const mjtNum p[3]) {
  int node = 0;
  mjtNum c[3];
  for (;;) {
    int child = 0;
    for (int k = 0; k < 3; k++) {
      const mjtNum* box = m->oct_aabb + 6 * node;
      c[k] = (p[k] - box[k] + box[3 + k]) / (2 * box[3 + k]);
      child |= (c[k] >= (mjtNum)0.5) << k;
    }
    if (m->oct_child[8 * node] < 0) {
      break;
    }
    node = m->oct_child[8 * node + child];
  }
  *leaf = node;
  mjtNum sum = 0;
  for (int j = 0; j < 8; j++) {
    sum += m->oct_coeff[8 * node + j] * (j & 1 ? c[0] : 1 - c[0]) * (j & 2 ? c[1] : 1 - c[1]) *
           (j & 4 ? c[2] : 1 - c[2]);
  }
  return sum;
}

TEST(cells_are_as_many_as_known_for_a_cube) {
  mjModel* m = test_model(MODEL(CUBE));
  assert_int_equal(m->noct, 63497);
  assert_int_equal(m->mesh_octadr[0], 0);
  assert_int_equal(m->mesh_octnum[0], m->noct);
  assert_int_equal(m->oct_depth[0], 0);
}

// The exact distance to the cube [-1, 1]^3.
static mjtNum to_cube(const mjtNum p[3]) {
  mjtNum outside = 0, inside = -1;
  for (int k = 0; k < 3; k++) {
    mjtNum q = mju_abs(p[k]) - 1;
    inside = k == 0 ? q : mju_max(inside, q);
    outside += q > 0 ? q * q : 0;
  }
  return outside > 0 ? mju_sqrt(outside) : inside;
}

TEST(corners_of_subcells_lie_between_and_know_the_distance) {
  mjModel* m = test_model(MODEL(CUBE));
  int nexact = 0, ncorner = 8 * m->noct;
  for (int i = 0; i < m->noct; i++) {
    const mjtNum* box = m->oct_aabb + 6 * i;
    for (int j = 0; j < 8; j++) {
      int child = m->oct_child[8 * i + j];
      mjtNum p[3];
      for (int k = 0; k < 3; k++) {
        p[k] = box[k] + (j >> k & 1 ? 1 : -1) * box[3 + k];
        if (child >= 0) {
          const mjtNum* inner = m->oct_aabb + 6 * child;
          mjtNum expected = (box[k] + p[k]) / 2;
          assert_that(mju_abs(inner[k] - expected), <, (mjtNum)1e-6);
          assert_int_equal(m->oct_depth[child], m->oct_depth[i] + 1);
        }
      }
      // where a corner hangs, the field is off by what the larger cell can't follow
      mjtNum error = mju_abs(m->oct_coeff[8 * i + j] - to_cube(p));
      nexact += error < (mjtNum)1e-6;
      if (error > mju_norm(box + 3, 3)) {
        fail_msg("%g at (%g %g %g), %g off", m->oct_coeff[8 * i + j], p[0], p[1], p[2], error);
      }
    }
  }
  if (nexact < ncorner * 9 / 10) {
    fail_msg("%d of %d corners have the exact distance", nexact, ncorner);
  }
}

// Leaves differ by one level at most where they meet; the field has the same value on both sides.
TEST(field_is_continuous_across_sides_of_leaves) {
  mjModel* m = test_model(MODEL(TETRA));
  uint32_t random = 1;
  for (int i = 0; i < 20000; i++) {
    mjtNum p[3], low[3], high[3], u[3];
    for (int k = 0; k < 3; k++) {
      random = random * 1664525u + 1013904223u;
      u[k] = (mjtNum)(random >> 8) / (1 << 24);
      p[k] = m->oct_aabb[k] + (2 * u[k] - 1) * m->oct_aabb[3 + k];
    }
    int leaf, below, above, axis = i % 3;
    field_at(&leaf, m, p);
    p[axis] = m->oct_aabb[6 * leaf + axis] + m->oct_aabb[6 * leaf + 3 + axis];
    mju_copy3(low, p);
    mju_copy3(high, p);
    low[axis] -= (mjtNum)1e-7;
    high[axis] += (mjtNum)1e-7;
    mjtNum a = field_at(&below, m, low), b = field_at(&above, m, high);
    assert_near(a, b, 1e-6);
    assert_that(abs(m->oct_depth[below] - m->oct_depth[above]), <=, 1);
  }
}

TEST(repeated_vertices_do_not_change_the_sign) {
  mjModel* one = test_model(MODEL(TETRA "face='0 2 1 0 1 3 1 2 3 0 3 2'"));
  mjModel* many =
      test_model(MODEL("vertex='0 0 0 0 2 0 1 0 0  0 0 0 1 0 0 0 0 3  1 0 0 0 2 0 0 0 3 "
                       "0 0 0 0 0 3 0 2 0' face='0 1 2 3 4 5 6 7 8 9 10 11'"));
  assert_int_equal(
      bridge_compare_models(one, many, "noct oct_depth oct_child oct_aabb oct_coeff", 1e-9), 0);
}

TEST(faces_without_area_leave_no_trace) {
  mjModel* without = test_model(MODEL(TETRA "face='0 2 1 0 1 3 1 2 3 0 3 2'"));
  mjModel* with = test_model(MODEL(TETRA "face='0 2 1 0 1 3 1 2 3 0 3 2 0 0 0 1 2 2'"));
  assert_int_equal(
      bridge_compare_models(without, with, "noct oct_depth oct_child oct_aabb oct_coeff", 1e-9), 0);
}

TEST(only_meshes_of_sdf_geoms_have_octrees) {
  mjModel* m = test_model(
      "<mujoco><asset><mesh name='a' " TETRA "/><mesh name='b' " TETRA "/><mesh name='c' " TETRA
      "scale='1 1 2'/></asset><worldbody><geom type='mesh' mesh='a'/><geom type='sdf' mesh='b'/>"
      "<geom type='mesh' mesh='b'/><geom type='sdf' mesh='c'/></worldbody></mujoco>");
  assert_int_equal(m->mesh_octadr[0], -1);
  assert_int_equal(m->mesh_octnum[0], 0);
  assert_int_equal(m->mesh_octadr[1], 0);
  assert_int_equal(m->mesh_octadr[2], m->mesh_octnum[1]);
  assert_int_equal(m->oct_child[8 * m->mesh_octadr[2]], 1);
  assert_int_equal(m->noct, m->mesh_octnum[1] + m->mesh_octnum[2]);
}

TEST(a_mesh_that_asks_for_an_octree_has_one) {
  mjSpec* spec = test_spec("<mujoco><asset><mesh name='a' " TETRA
                           "/></asset><worldbody><geom type='mesh' mesh='a'/>"
                           "</worldbody></mujoco>");
  mjsMesh* mesh = mjs_asMesh(mjs_findElement(spec, mjOBJ_MESH, "a"));
  mesh->needsdf = 1;
  const mjModel* m = test_compile(spec);
  const mjModel* same = test_model(MODEL(TETRA));
  assert_int_equal(
      bridge_compare_models(m, same, "noct mesh_octadr mesh_octnum oct_aabb oct_coeff", 0), 0);
  mesh->needsdf = 0;
  const mjModel* without = test_compile(spec);
  assert_int_equal(without->noct, 0);
}

// Numbers of cells of release 4.0.0 for a tetrahedron; a cell and its eight parts at depth 1.
TEST(octrees_are_as_deep_as_asked) {
  static const int most[][2] = {{0, 1}, {1, 9}, {3, 329}, {4, 1657}, {6, 30873}};
  mjSpec* spec = mj_parseXMLString(MODEL("vertex='0 0 0 1 0 0 0 1 0 0 0 1' "), NULL, NULL, 0);
  assert_non_null(spec);
  mjsMesh* mesh = mjs_asMesh(mjs_findElement(spec, mjOBJ_MESH, "m"));
  assert_int_equal(mesh->octree_maxdepth, 6);
  for (int i = 0; i < 5; i++) {
    mesh->octree_maxdepth = most[i][0];
    mjModel* m = mj_compile(spec, NULL);
    assert_non_null(m);
    assert_int_equal(m->noct, most[i][1]);
    int deepest = 0;
    for (int k = 0; k < m->noct; k++) {
      deepest = m->oct_depth[k] > deepest ? m->oct_depth[k] : deepest;
    }
    assert_int_equal(deepest, most[i][0]);
    mj_deleteModel(m);
  }
  mesh->octree_maxdepth = 9;
  assert_null(mj_compile(spec, NULL));
  assert_non_null(strstr(mjs_getError(spec), "octree_maxdepth must be from 0 to 8, not 9"));
  mj_deleteSpec(spec);
}

TEST(octrees_are_those_of_the_reference) {
  BRIDGE_OR_SKIP();
  static const char* const models[] = {
      MODEL(CUBE),
      MODEL(TETRA),
      MODEL(TETRA "scale='1 1 -.5' refpos='1 2 3' refquat='1 2 3 4'"),
      MODEL(TETRA "face='0 2 1 0 1 3 1 2 3' inertia='shell'"),  // open
      MODEL("builtin='sphere' params='2'"),
      MODEL("builtin='supertorus' params='12 .4 1 .7'"),
  };
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    Bridge* b = test_bridge(models[i]);
    mjModel* m = test_model(models[i]);
    int different =
        bridge_compare_models(m, b->m,
                              "noct mesh_octadr mesh_octnum oct_depth oct_child oct_aabb oct_coeff "
                              "geom_type geom_dataid geom_size geom_aabb geom_rbound",
                              1e-9);
    if (different) {
      fail_msg("%s: %d fields differ", models[i], different);
    }
  }
}
