// Polytopes as manifolds see them: what support tells, and which faces and edges meet there.

#include "collision/convex/shape/summit.h"
#include "collision/convex/shape/support_points.h"
#include "collision/convex/support.h"
#include "collision/mesh_scene.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/test.h"
#include "support/text.h"

enum {
  BOX = SCENE_SOLIDS - 1
};

static ConvexShape shape_of(const Scene* s, int geom) {
  ConvexShape shape;
  assert_true(convex_shape(&shape, s->m, s->d, geom, 0));
  return shape;
}

static int face_count(const Scene* s, int geom) {
  return geom == BOX ? 6 : s->m->mesh_polynum[s->m->geom_dataid[geom]];
}

static void random_direction(mjtNum u[3], uint64_t* seed) {
  for (int k = 0; k < 3; k++) {
    u[k] = (mjtNum)case_real(seed, -1, 1);
  }
  v3_normalize(u);
}

// Support point of a shape in a direction, and its id: its part in the difference with itself.
static int support_point(mjtNum point[3], ConvexShape* shape, const mjtNum u[3]) {
  ConvexShape other = *shape;
  Vertex vertex;
  difference_support(&vertex, shape, &other, u);
  v3_copy(point, vertex.a);
  return vertex.ia;
}

// whatever vertex the search starts from, and without a hull
TEST(support_points_are_the_furthest_vertices) {
  const Scene scene = scene_make(), *s = &scene;
  uint64_t seed = 1;
  for (int geom = SCENE_SOLIDS; geom < SCENE_GEOMS; geom++) {
    ConvexShape shape = shape_of(s, geom);
    for (int trial = 0; trial < 500; trial++) {
      if (trial == 400) {
        shape.graph = NULL;
        shape.last = -1;
      }
      mjtNum u[3], l[3], point[3], plain[3];
      random_direction(u, &seed);
      shape_direction(l, &shape, u);
      support_point(point, &shape, u);
      int start = shape.graph ? case_int(&seed, shape.graph[0]) : 0;
      mesh_support_plain(plain, &shape, u, start);
      double furthest = -INFINITY;
      for (int i = 0; i < shape.nvert; i++) {
        mjtNum v[3];
        mesh_point(v, &shape, i);
        furthest = fmax(furthest, (double)v3_dot(l, v));
      }
      furthest += (double)v3_dot(u, shape.pos);
      assert_near(v3_dot(u, point), furthest, 1e-12);
      assert_near(v3_dot(u, plain), furthest, 1e-12);
    }
  }
  scene_free(s);
}

// Directions at random, along the axes, and normal to faces: the last two often leave several
// highest.
static void make_direction(mjtNum u[3], uint64_t* seed, const ConvexShape* shape, int trial) {
  const mjModel* m = shape->model;
  random_direction(u, seed);
  if (trial % 3 == 1) {
    int axis = case_int(seed, 3);
    v3_zero(u);
    u[axis] = case_int(seed, 2) ? 1 : -1;
  } else if (trial % 3 == 2) {
    int face = m->mesh_polyadr[shape->mesh] + case_int(seed, m->mesh_polynum[shape->mesh]);
    m3_mulv(u, shape->mat, m->mesh_polynormal + 3 * (size_t)face);
  }
}

static const SupportPoints* copy_of(const ConvexShape* shape) {
  static _Alignas(64) char room[sizeof(SupportPoints) + 12 * MOST_POINTS];
  int num = points_number(shape);
  return num >= 1 && num <= MOST_POINTS ? points_fill((SupportPoints*)(void*)room, shape) : NULL;
}

// one search that copies the vertices and one that doesn't, both with their last answers for starts
TEST(copied_vertices_change_no_support_point) {
  const Scene scene = scene_make(), *s = &scene;
  uint64_t seed = 5;
  int clear = 0, tied = 0;
  for (int geom = SCENE_SOLIDS; geom < SCENE_GEOMS; geom++) {
    for (int hull = 0; hull < 2; hull++) {
      ConvexShape plain = shape_of(s, geom), quick = plain;
      if (!hull) {
        plain.graph = quick.graph = NULL;
      }
      quick.points = copy_of(&quick);
      for (int trial = 0; trial < 3000; trial++) {
        mjtNum u[3], l[3], expected[3], point[3];
        make_direction(u, &seed, &plain, trial);
        int id = support_point(expected, &plain, u);
        assert_int_equal(support_point(point, &quick, u), id);
        assert_memory_equal(point, expected, sizeof(point));
        if (quick.points) {
          shape_direction(l, &quick, u);
          int top = points_top(quick.points, l);
          assert_true(top == id || top == -1);
          clear += top >= 0;
          tied += top < 0;
        }
      }
    }
  }
  assert_that(clear, >, 1000);
  assert_that(tied, >, 1000);
  scene_free(s);
}

// The vertices that are no lower along l than the highest by more than tie.
static int level_of(int level[MOST_POINTS], const ConvexShape* shape, const mjtNum l[3],
                    mjtNum tie) {
  mjtNum v[3], top = -INFINITY;
  int num = 0;
  for (int i = 0; i < points_number(shape); i++) {
    mesh_vertex(v, shape, i);
    top = num_max(top, v3_dot(v, l));
  }
  for (int i = 0; i < points_number(shape); i++) {
    mesh_vertex(v, shape, i);
    if (v3_dot(v, l) >= top - tie) {
      level[num++] = i;
    }
  }
  return num;
}

// from any vertex to the highest, to all that are as high, and to where each climb ends
TEST(walks_end_where_all_searches_do) {
  const Scene scene = scene_make(), *s = &scene;
  const mjtNum tie = (mjtNum)(sizeof(mjtNum) == sizeof(double) ? 1e-13 : 1e-7);
  uint64_t seed = 6;
  int ends[3] = {0, 0, 0}, several = 0;
  for (int geom = SCENE_SOLIDS; geom < SCENE_GEOMS; geom++) {
    ConvexShape shape = shape_of(s, geom);
    const int hull = points_number(&shape);
    for (int trial = 0; trial < 3000 && mesh_is_climbed(&shape); trial++) {
      static int expected[MOST_POINTS], level[MOST_POINTS];
      mjtNum u[3], l[3], point[3];
      make_direction(u, &seed, &shape, trial);
      shape_direction(l, &shape, u);
      const int end = summit_support(&shape, l, case_int(&seed, hull + 2) - 1);
      ends[end < 0 ? -end : 0]++;
      for (int i = 0; i < 5 && end >= 0; i++) {
        shape.last = case_int(&seed, hull);
        assert_int_equal(shape.kind->support(point, &shape, u), end);
      }
      level_of(expected, &shape, l, 0);
      const int top = summit_highest(&shape, l, case_int(&seed, hull + 2) - 1);
      assert_int_equal(top, expected[0]);
      const int num = level_of(expected, &shape, l, tie);
      assert_int_equal(summit_level(level, MOST_POINTS, &shape, l, top, tie), num);
      assert_memory_equal(level, expected, (size_t)num * sizeof(level[0]));
      assert_int_equal(summit_level(level, num - 1, &shape, l, top, tie), 0);
      several += num > 1;
    }
  }
  assert_that(ends[0], >, 1000);
  assert_that(ends[-SUMMIT_TIED], >, 100);
  assert_that(ends[-SUMMIT_WIDE], >, 100);
  assert_that(several, >, 1000);
  scene_free(s);
}

// A box whose corners are rounded by short edges: rounded coordinates leave dents there, in which
// climbs end beside the highest vertex.
static mjModel* dented(void) {
  Text t = {0};
  uint64_t seed = 4;
  text_add(&t, "<mujoco><asset><mesh name='box' inertia='shell' vertex='");
  for (int i = 0; i < 400; i++) {
    mjtNum p[3];
    random_direction(p, &seed);
    for (int k = 0; k < 3; k++) {
      text_add(&t, "%.9g ", (p[k] > 0 ? 0.1 : -0.1) + 1e-4 * (double)p[k]);
    }
  }
  text_add(&t, "'/></asset><worldbody><geom type='mesh' mesh='box'/></worldbody></mujoco>");
  mjModel* m = test_model(t.text);
  free(t.text);
  return m;
}

TEST(walks_pass_dents) {
  DOUBLE_ONLY();
  mjModel* m = dented();
  mjData* d = test_data(m);
  ConvexShape shape;
  uint64_t seed = 7;
  int dents = 0;
  mj_kinematics(m, d);
  assert_true(convex_shape(&shape, m, d, 0, 0));
  const int hull = points_number(&shape);
  for (int trial = 0; trial < 30000; trial++) {
    static int expected[MOST_POINTS];
    mjtNum l[3], u[3], aside[3], point[3];
    const int face = case_int(&seed, m->mesh_polynum[0]);
    random_direction(aside, &seed);
    v3_addscl(l, m->mesh_polynormal + 3 * (size_t)face, aside,
              (mjtNum)pow(10, case_real(&seed, -8, -3)));
    v3_normalize(l);
    level_of(expected, &shape, l, 0);
    shape.last = case_int(&seed, hull);
    m3_mulv(u, shape.mat, l);
    const int climbed = shape.kind->support(point, &shape, u);
    const int end = summit_support(&shape, l, case_int(&seed, hull));
    if (end >= 0) {
      assert_int_equal(end, climbed);
    }
    dents += climbed != expected[0];
    assert_int_equal(summit_highest(&shape, l, case_int(&seed, hull)), expected[0]);
  }
  assert_that(dents, >, 3);
}

// points off the origin, one to three of which are highest; never the zeros behind the last
TEST(only_a_clear_top_is_an_answer) {
  static float vert[3 * MOST_POINTS];
  const mjtNum l[3] = {0, 0, 1};
  uint64_t seed = 8;
  for (int num = 1; num <= MOST_POINTS; num++) {
    ConvexShape mesh = {.kind = &convex_mesh, .vert = vert, .nvert = num};
    for (int i = 0; i < num; i++) {
      vert[3 * i] = (float)case_real(&seed, -1, 1);
      vert[3 * i + 1] = (float)case_real(&seed, -1, 1);
      vert[3 * i + 2] = (float)case_real(&seed, 1, 2);
    }
    int high = case_int(&seed, num), other = case_int(&seed, num);
    vert[3 * high + 2] = 3;
    assert_int_equal(points_top(copy_of(&mesh), l), high);
    vert[3 * other + 2] = 3 - 1e-5F;
    assert_int_equal(points_top(copy_of(&mesh), l), other == high ? high : -1);
    for (int i = 0; i < num; i++) {
      vert[3 * i + 2] -= 10;
    }
    assert_int_equal(points_top(copy_of(&mesh), l), num % 16 ? -1 : (other == high ? high : -1));
  }
}

TEST(faces_are_flat_and_nothing_is_beyond_them) {
  const Scene scene = scene_make(), *s = &scene;
  for (int geom = BOX; geom < SCENE_GEOMS; geom++) {
    ConvexShape shape = shape_of(s, geom);
    const Facets* facets = shape.kind->facets;
    for (int f = 0; f < face_count(s, geom); f++) {
      static mjtNum v[MAX_FACETS][3];
      mjtNum n[3], u[3], support[3], turn[3], e1[3], e2[3];
      facets->normal(n, &shape, f);
      int num = facets->polygon(v, &shape, f);
      assert_in_range(num, 3, MAX_FACETS);
      m3_mulv(u, shape.mat, n);
      support_point(support, &shape, u);
      for (int i = 0; i < num; i++) {
        v3_sub(e1, v[(i + 1) % num], v[i]);
        v3_sub(e2, v[(i + 2) % num], v[(i + 1) % num]);
        v3_cross(turn, e1, e2);
        assert_that(v3_dot(turn, n), <, (mjtNum)1e-7);  // clockwise; floats may bend it
        shape_point(e1, &shape, v[i]);
        assert_near(v3_dot(u, e1), v3_dot(u, support), 2e-4);  // faces nearly in a plane are one
      }
    }
  }
  scene_free(s);
}

// Ids of support points and their places, as many as random directions find.
static int find_vertices(int id[], mjtNum place[][3], int most, ConvexShape* shape) {
  uint64_t seed = 9;
  int num = 0;
  for (int trial = 0; trial < 3000 && num < most; trial++) {
    mjtNum u[3], point[3];
    random_direction(u, &seed);
    int found = support_point(point, shape, u), is_new = 1;
    for (int i = 0; i < num; i++) {
      is_new = is_new && id[i] != found;
    }
    if (is_new) {
      id[num] = found;
      v3_copy(place[num++], point);
    }
  }
  return num;
}

static int holds(const ConvexShape* shape, int face, const mjtNum point[3]) {
  static mjtNum v[MAX_FACETS][3];
  int num = shape->kind->facets->polygon(v, shape, face);
  for (int i = 0; i < num; i++) {
    mjtNum x[3];
    shape_point(x, shape, v[i]);
    if (v3_dist(x, point) < (mjtNum)1e-6) {
      return 1;
    }
  }
  return 0;
}

// The faces at a vertex are those that hold it, an edge has two of them; edges at a vertex lead
// along both.
TEST(faces_and_edges_at_a_vertex_hold_it) {
  const Scene scene = scene_make(), *s = &scene;
  enum {
    MOST = 60
  };
  for (int geom = BOX; geom < SCENE_GEOMS; geom++) {
    ConvexShape shape = shape_of(s, geom);
    const Facets* facets = shape.kind->facets;
    int id[MOST], face[MAX_FACETS], shared[MAX_FACETS];
    mjtNum place[MOST][3], u[3] = {0, 0, 1};
    static mjtNum end[MAX_FACETS][3];
    int num = find_vertices(id, place, MOST, &shape);
    assert_in_range(num, 4, MOST);
    for (int i = 0; i < num; i++) {
      int nface = facets->faces(face, &shape, id + i, 1, u), all = 0;
      for (int f = 0; f < nface; f++) {
        assert_true(holds(&shape, face[f], place[i]));
      }
      for (int f = 0; f < face_count(s, geom); f++) {
        all += holds(&shape, f, place[i]);
      }
      assert_int_equal(nface, all);
      assert_int_equal(facets->ends(end, &shape, id[i]), nface);
      for (int k = 0; k < nface; k++) {
        shape_point(end[k], &shape, end[k]);
        int along = 0;
        for (int f = 0; f < nface; f++) {
          along += holds(&shape, face[f], end[k]);
        }
        assert_int_equal(along, 2);
        for (int j = 0; j < num; j++) {
          const int pair[2] = {id[i], id[j]};
          if (v3_dist(place[j], end[k]) < (mjtNum)1e-6) {
            assert_int_equal(facets->faces(shared, &shape, pair, 2, u), 2);
          }
        }
      }
    }
  }
  scene_free(s);
}
