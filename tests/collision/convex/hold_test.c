// Depths that are proven from a few faces of an earlier step: they are those of a search from
// afresh to the last bit, and hulls that move slowly mostly have them.

#include "collision/convex/hold.h"

#include "base/memory/memory.h"
#include "collision/convex/hull.h"
#include "collision/convex/support_cache.h"
#include "collision/mesh_scene.h"
#include "lanes/setup/hulls.h"
#include "support/precision.h"
#include "support/test.h"

enum {
  BOX = -1  // the geom before the meshes
};

typedef struct Pair {
  ConvexShape a, b;
  Gjk g;
} Pair;

static Pair pair_of(const Scene* s, int g1, int g2, Touch* touch) {
  Pair p = {.g = {.tolerance = s->m->opt.ccd_tolerance,
                  .iterations = 170,
                  .discrete = 1,
                  .most_normal = (mjtNum)1e20,
                  .touch = touch,
                  .geom = {g1, g2}}};
  assert_true(convex_shape(&p.a, s->m, s->d, g1, 0));
  assert_true(convex_shape(&p.b, s->m, s->d, g2, 0));
  p.a.points = support_cache_find(s->d, &p.a, HULL_POINTS);
  p.b.points = support_cache_find(s->d, &p.b, HULL_POINTS);
  assert_true(shape_is_box(&p.a) || (p.a.points && p.a.points->table));
  assert_true(p.b.points && p.b.points->table);
  return p;
}

// Moves a geom by about a length, and turns it by about an angle.
static void move(mjData* d, int geom, mjtNum length, mjtNum angle, uint64_t* seed) {
  mjtNum axis[3], quat[4], turn[9], mat[9];
  for (int k = 0; k < 3; k++) {
    axis[k] = (mjtNum)case_real(seed, -1, 1);
    d->geom_xpos[3 * geom + k] += length * (mjtNum)case_real(seed, -1, 1);
  }
  mju_normalize3(axis);
  mju_axisAngle2Quat(quat, axis, angle * (mjtNum)case_real(seed, -1, 1));
  mju_quat2Mat(turn, quat);
  mju_mulMatMat(mat, turn, d->geom_xmat + 9 * geom, 3, 3, 3);
  mju_copy(d->geom_xmat + 9 * geom, mat, 9);
}

// How often a hold has told the depth in the steps of motions of this size. What it has told is
// compared with a search from afresh.
static int told(const Scene* s, int g1, int g2, mjtNum length, mjtNum angle, int* num) {
  uint64_t seed = 8;
  int count = 0;
  *num = 0;
  for (int n = 0; n < 100; n++) {
    Hold hold = {.nnear = -1};
    Touch touch = {.hold = &hold};
    scene_place(s->d, g1, g2, &seed, SCENE_ANYWHERE, 0.3);
    for (int i = 0; i < 12; i++) {
      mjtNum depth[2] = {0, 0};
      Pair again = pair_of(s, g1, g2, &touch), afresh = again;
      int tells = touch.nface > 0 && hold_tells(depth, &again.g, s->d, &again.a, &again.b);
      int state = hull_depth(depth + 1, &afresh.g, &afresh.a, &afresh.b);
      if (tells && state != HULL_UNCLEAR) {
        assert_int_equal(state, HULL_DEEP);
        assert_memory_equal(depth, depth + 1, sizeof(depth[0]));
        assert_memory_equal(again.g.x1, afresh.g.x1, sizeof(again.g.x1));
        assert_memory_equal(again.g.x2, afresh.g.x2, sizeof(again.g.x2));
        for (int k = 0; k < 3; k++) {
          assert_int_equal(again.g.vert[k].ia, afresh.g.vert[k].ia);
          assert_int_equal(again.g.vert[k].ib, afresh.g.vert[k].ib);
        }
      }
      count += tells;
      *num += i > 0 && state == HULL_DEEP;
      if (state == HULL_DEEP && !tells) {
        hold_take(&afresh.g, s->d, &afresh.a, &afresh.b, depth[1]);
      }
      move(s->d, i % 2 ? g1 : g2, length, angle, &seed);
    }
  }
  return count;
}

TEST(what_a_hold_tells_is_the_depth) {
  const Scene scene = scene_make(), *s = &scene;
  DOUBLE_ONLY();
  mjtByte* used = calloc((size_t)s->m->nmesh, 1);
  memset(used, 1, (size_t)s->m->nmesh);
  const SupportPoints** hulls = hulls_make(s->m, used);
  mj_markStack(s->d);
  support_cache_lend(s->m, s->d, hulls);
  const struct {
    int g1, g2;
    mjtNum length, angle, share;  // of the steps in which it tells, at least
  } row[] = {{9, 5, 1e-5, 1e-4, 0.9},   {9, 5, 1e-3, 1e-3, 0.3},   {9, 5, 1e-2, 1e-2, 0},
             {5, 6, 1e-5, 1e-4, 0.9},   {7, 8, 1e-4, 1e-3, 0.3},   {6, 8, 1e-1, 1, 0},
             {BOX, 9, 1e-5, 1e-4, 0.9}, {BOX, 5, 1e-3, 1e-3, 0.3}, {BOX, 3, 1e-2, 1e-2, 0}};
  for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
    int num, count = told(s, SCENE_SOLIDS + row[i].g1, SCENE_SOLIDS + row[i].g2, row[i].length,
                          row[i].angle, &num);
    print_message("%d of %d\n", count, num);
    assert_that(num, >, 100);
    assert_that(count, >=, row[i].share * num);
  }
  support_cache_close(s->d);
  mj_freeStack(s->d);
  hulls_free(hulls, s->m->nmesh);
  free(used);
  scene_free(s);
}

// The vertices about as high as the highest, along directions of which some are normals of faces.
TEST(faces_by_tables_are_those_by_all_vertices) {
  enum {
    MOST = 64
  };
  const Scene scene = scene_make(), *s = &scene;
  DOUBLE_ONLY();
  mjtByte* used = calloc((size_t)s->m->nmesh, 1);
  memset(used, 1, (size_t)s->m->nmesh);
  const SupportPoints** hulls = hulls_make(s->m, used);
  uint64_t seed = 2;
  int faces = 0;
  for (int mesh = 0; mesh < s->m->nmesh; mesh++) {
    static const mjtNum origin[3] = {0, 0, 0}, axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const mjtNum size[3] = {1, 1, 1};
    ConvexShape shape;
    assert_true(convex_placed(&shape, s->m, mjGEOM_MESH, mesh, size, origin, axes, 0));
    shape.points = hulls[mesh];
    assert_true(shape.points && shape.points->table);
    SupportPoints* bare = memory_take(points_bytes(shape.points->num));
    memcpy(bare, shape.points, points_bytes(shape.points->num));
    bare->table = NULL;
    for (int i = 0; i < 300; i++) {
      const int face = i % int_max(1, s->m->mesh_polynum[mesh]);
      mjtNum u[3], tie = i % 3 ? (mjtNum)1e-13 : (mjtNum)1e-9;
      v3_copy(u, s->m->mesh_polynormal + 3 * (s->m->mesh_polyadr[mesh] + face));
      for (int k = 0; k < 3 && i % 2; k++) {
        u[k] = (mjtNum)case_real(&seed, -1, 1);
      }
      v3_normalize(u);
      int is_clear, id = points_highest(&is_clear, shape.points, u, POINT_ROUNDING), level[2][MOST];
      shape.points = bare;
      const int all = mesh_level(level[0], MOST, &shape, u, id, tie);
      shape.points = hulls[mesh];
      assert_int_equal(mesh_level(level[1], MOST, &shape, u, id, tie), all);
      assert_memory_equal(level[0], level[1], (size_t)all * sizeof(int));
      faces += all > 2;
    }
    mju_free(bare);
  }
  assert_that(faces, >, 100);
  hulls_free(hulls, s->m->nmesh);
  free(used);
  scene_free(s);
}
