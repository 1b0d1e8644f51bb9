// The search that keeps all vertices: its clear answers are true, and unclear cases are left to
// other searches.

#include "collision/convex/hull.h"
#include "collision/convex/support_cache.h"
#include "collision/mesh_scene.h"
#include "support/depth.h"
#include "support/precision.h"
#include "support/test.h"

typedef struct Pair {
  ConvexShape a, b;
  Gjk g;
} Pair;

static Pair pair_of(const Scene* s, int g1, int g2) {
  Pair p = {.g = {.tolerance = s->m->opt.ccd_tolerance,
                  .iterations = 170,
                  .discrete = 1,
                  .most_normal = (mjtNum)1e20}};
  assert_true(convex_shape(&p.a, s->m, s->d, g1, 0));
  assert_true(convex_shape(&p.b, s->m, s->d, g2, 0));
  p.a.points = support_cache_find(s->d, &p.a, MOST_POINTS);
  p.b.points = support_cache_find(s->d, &p.b, MOST_POINTS);
  assert_true(p.a.points);
  assert_true(p.b.points);
  return p;
}

// What is clear is the least overlap of all directions, which is not looked for by supports.
TEST(clear_depths_are_the_least_overlap) {
  const Scene scene = scene_make(), *s = &scene;
  DOUBLE_ONLY();
  uint64_t seed = 5;
  int num[3] = {0, 0, 0};
  for (int n = 0; n < 6 * SCENE_PLACES; n++) {
    for (int g2 = SCENE_SOLIDS + 1; g2 < SCENE_GEOMS - 1; g2++) {
      scene_place(s->d, g2 - 1, g2, &seed, n % SCENE_PLACES, 0.4);
      mj_markStack(s->d);
      Pair p = pair_of(s, g2 - 1, g2);
      mjtNum depth = 0, normal[3] = {1, 0, 0};
      int answer = hull_depth(&depth, &p.g, &p.a, &p.b);
      mj_freeStack(s->d);
      num[answer]++;
      if (answer == HULL_UNCLEAR) {
        continue;
      }
      int deep = answer == HULL_DEEP;
      if (deep) {
        v3_sub(normal, p.g.x1, p.g.x2);
        v3_scl(normal, normal, 1 / depth);
      }
      Overlap o = overlap_of_geoms(s->m, s->d, g2 - 1, g2, 0);
      double least = (double)overlap_least(NULL, &o, deep ? normal : NULL);
      if (deep ? !(fabs(depth - least) < 1e-9) || !(fabs(v3_norm(normal) - 1) < 1e-9)
               : !(least < 1e-9)) {
        fail_msg("geoms %d %d, round %d: depth %.12g, least overlap %.12g", g2 - 1, g2, n,
                 (double)depth, least);
      }
    }
  }
  assert_that(num[HULL_APART], >, 5);
  assert_that(num[HULL_DEEP], >, num[HULL_UNCLEAR]);
  scene_free(s);
}

// The search that begins with a polytope of another pose ends with the same bits as one from
// afresh.
TEST(kept_polytopes_change_no_depth) {
  const Scene scene = scene_make(), *s = &scene;
  DOUBLE_ONLY();
  const int g1 = SCENE_SOLIDS + 9, g2 = SCENE_SOLIDS + 5;
  uint64_t seed = 8;
  int num[3] = {0, 0, 0};
  for (int n = 0; n < 300; n++) {
    scene_place(s->d, g1, g2, &seed, SCENE_ANYWHERE, 0.3);
    Touch touch = {.nface = 0};
    for (int i = 0; i < 4; i++) {
      mj_markStack(s->d);
      Pair afresh = pair_of(s, g1, g2), again = afresh;
      mjtNum depth[2] = {0, 0};
      again.g.touch = &touch;
      int answer = hull_again(depth, &again.g, &again.a, &again.b);
      afresh.g.touch = &touch;
      if (hull_depth(depth + 1, &afresh.g, &afresh.a, &afresh.b) == HULL_DEEP &&
          answer == HULL_DEEP) {
        assert_memory_equal(depth, depth + 1, sizeof(depth[0]));
        assert_memory_equal(again.g.x1, afresh.g.x1, sizeof(again.g.x1));
        assert_memory_equal(again.g.x2, afresh.g.x2, sizeof(again.g.x2));
        for (int k = 0; k < 3; k++) {
          assert_int_equal(again.g.vert[k].ia, afresh.g.vert[k].ia);
          assert_int_equal(again.g.vert[k].ib, afresh.g.vert[k].ib);
        }
      }
      num[answer]++;
      mj_freeStack(s->d);
      for (int k = 0; k < 3; k++) {
        s->d->geom_xpos[3 * g2 + k] += (mjtNum)case_real(&seed, -0.02, 0.02);
      }
    }
  }
  assert_that(num[HULL_DEEP], >, 300);
  scene_free(s);
}

static int answer_of(const Scene* s, int g1, int g2, const mjtNum shift[3], int iterations) {
  mjtNum depth;
  mj_markStack(s->d);
  Pair p = pair_of(s, g1, g2);
  v3_add(p.b.pos, p.a.pos, shift);
  p.g.iterations = iterations;
  int answer = hull_depth(&depth, &p.g, &p.a, &p.b);
  mj_freeStack(s->d);
  return answer;
}

// the same centre, faces that lie on each other, no number; points of two balls have none of these
TEST(ties_are_left_to_others) {
  const Scene scene = scene_make(), *s = &scene;
  DOUBLE_ONLY();
  const mjtNum shift[4][3] = {{0, 0, 0},
                              {(mjtNum)0.03, (mjtNum)0.02, (mjtNum)0.01},
                              {(mjtNum)0.1, (mjtNum)-0.3, (mjtNum)0.1},
                              {0, 0, (mjtNum)NAN}};
  const mjtNum touching[3] = {(mjtNum)0.35, (mjtNum)0.2, (mjtNum)0.3};
  const int box = SCENE_SOLIDS, ball = SCENE_SOLIDS + 9;
  uint64_t seed = 3;
  scene_place(s->d, ball, ball - 1, &seed, SCENE_ANYWHERE, 0);
  for (int i = 0; i < 4; i++) {
    assert_int_equal(answer_of(s, box, box, shift[i], 50), HULL_UNCLEAR);
  }
  assert_int_equal(answer_of(s, ball, ball - 1, touching, 50), HULL_DEEP);
  assert_int_equal(answer_of(s, ball, ball - 1, touching, 10), HULL_UNCLEAR);
  scene_free(s);
}
