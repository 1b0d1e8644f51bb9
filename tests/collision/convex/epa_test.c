// Penetration depths of convex shapes, against closed forms and against the definition of depth.

#include "collision/convex/epa.h"

#include "collision/convex/placed.h"

static const mjtNum kZero[3] = {0, 0, 0};

// Depth of two shapes that overlap, from the simplex of their distance; 0 if there is none.
static mjtNum depth_of(Gjk* g, ConvexShape* a, ConvexShape* b) {
  static mjtNum arena[40000];
  mjData d;
  memset(&d, 0, sizeof(d));
  d.arena = arena;
  d.narena = d.cnd_arena = sizeof(arena);
  *g = search_to(0);
  g->discrete = shape_is_polytope(a) && shape_is_polytope(b);
  assert_that(gjk_distance(g, a, b), <, g->tolerance);
  assert_in_range(g->num, 2, 4);
  mjtNum depth = epa_depth(g, &d, a, b);
  assert_that(d.pstack, ==, 0u);
  return depth;
}

// Overlap along u: by how much b must move that way to be free.
static mjtNum overlap_of(ConvexShape* a, ConvexShape* b, const mjtNum u[3]) {
  Vertex v;
  difference_support(&v, a, b, u);
  return v3_dot(v.w, u);
}

// Moved by the depth along u, shapes touch: no direction overlaps less than u, and u by the depth.
static void check_is_least(const Gjk* g, ConvexShape* a, ConvexShape* b, mjtNum depth,
                           double tolerance) {
  uint64_t seed = 7;
  mjtNum u[3];
  v3_sub(u, g->x1, g->x2);
  assert_near(v3_norm(u), depth, 1e-7);
  v3_normalize(u);
  assert_near(overlap_of(a, b, u), depth, tolerance);
  for (int i = 0; i < 200; i++) {
    mjtNum other[3];
    random_direction(other, &seed);
    if (i % 2) {
      v3_addtoscl(u, other, (mjtNum)0.01);
      v3_copy(other, u);
      v3_normalize(other);
      v3_sub(u, g->x1, g->x2);
      v3_normalize(u);
    }
    if (overlap_of(a, b, other) < depth - (mjtNum)tolerance) {
      fail_msg("depth is %.12g, another direction overlaps by %.12g", (double)depth,
               (double)overlap_of(a, b, other));
    }
  }
}

// The least of the six ways out.
TEST(level_boxes_are_as_deep_as_the_shortest_way_out) {
  DOUBLE_ONLY();
  const mjtNum one[3] = {(mjtNum)0.3, (mjtNum)0.5, (mjtNum)0.4};
  const mjtNum other[3] = {(mjtNum)0.2, (mjtNum)0.1, (mjtNum)0.3};
  uint64_t seed = 1;
  for (int trial = 0; trial < 100; trial++) {
    mjtNum pos[3], expected = INFINITY;
    random_vector(pos, (mjtNum)0.45, &seed);
    for (int k = 0; k < 3; k++) {
      expected = num_min(expected, one[k] + other[k] - mju_abs(pos[k]));
    }
    ConvexShape a = placed(&convex_box, one, kZero), b = placed(&convex_box, other, pos);
    Gjk g;
    mjtNum depth = depth_of(&g, &a, &b);
    assert_near(depth, expected, 1e-12);
    check_is_least(&g, &a, &b, depth, 1e-12);
  }
}

// The distance to the nearest of the four planes.
TEST(a_point_in_a_tetrahedron_is_as_deep_as_its_nearest_plane) {
  DOUBLE_ONLY();
  const float corner[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, origin[3] = {0, 0, 0};
  uint64_t seed = 2;
  for (int trial = 0; trial < 100; trial++) {
    mjtNum x[3], sum = 1;
    for (int k = 0; k < 3; k++) {
      x[k] = sum * (mjtNum)case_real(&seed, 0.05, 0.6);
      sum -= x[k];
    }
    ConvexShape a = placed_points(corner, 4), b = placed_points(origin, 1);
    v3_copy(b.pos, x);
    // the search starts between the centers
    v3_set(a.pos, 0, 0, 0);
    Gjk g;
    mjtNum depth = depth_of(&g, &a, &b);
    assert_near(depth, num_min(num_min(x[0], x[1]), num_min(x[2], sum / mju_sqrt(3))), 1e-12);
    assert_close(g.x2, x, 3, 1e-12);
  }
}

TEST(spheres_are_as_deep_as_their_radii_less_the_distance) {
  DOUBLE_ONLY();
  const mjtNum one[3] = {(mjtNum)0.3, 0, 0}, other[3] = {(mjtNum)0.2, 0, 0};
  uint64_t seed = 3;
  for (int trial = 0; trial < 20; trial++) {
    mjtNum pos[3];
    random_direction(pos, &seed);
    v3_scl(pos, pos, (mjtNum)case_real(&seed, 0.35, 0.45));
    ConvexShape a = placed(&convex_sphere, one, kZero), b = placed(&convex_sphere, other, pos);
    Gjk g;
    mjtNum depth = depth_of(&g, &a, &b);
    assert_near(depth, (mjtNum)0.5 - v3_norm(pos), 1e-4);
    assert_that(depth, <=, (mjtNum)0.5 - v3_norm(pos) + (mjtNum)1e-9);
  }
}

TEST(no_direction_overlaps_less_than_the_depth) {
  DOUBLE_ONLY();
  static const ConvexKind* const kinds[] = {&convex_box, &convex_cylinder, &convex_ellipsoid};
  const mjtNum size[3] = {(mjtNum)0.4, (mjtNum)0.5, (mjtNum)0.6};
  uint64_t seed = 4;
  for (int trial = 0; trial < 45; trial++) {
    mjtNum pos[3];
    random_vector(pos, (mjtNum)0.3, &seed);
    ConvexShape a = placed(kinds[trial % 3], size, kZero);
    ConvexShape b = placed(kinds[trial / 3 % 3], size, pos);
    case_rotation(a.mat, &seed);
    case_rotation(b.mat, &seed);
    Gjk g;
    mjtNum depth = depth_of(&g, &a, &b);
    assert_that(depth, >, 0);
    check_is_least(&g, &a, &b, depth, g.discrete ? 1e-12 : 1e-3);
  }
}

TEST(depth_is_the_same_from_the_other_side) {
  DOUBLE_ONLY();
  const mjtNum size[3] = {(mjtNum)0.4, (mjtNum)0.5, (mjtNum)0.6};
  uint64_t seed = 5;
  for (int trial = 0; trial < 30; trial++) {
    mjtNum pos[3], way[3], back[3];
    random_vector(pos, (mjtNum)0.3, &seed);
    ConvexShape a = placed(&convex_box, size, kZero), b = placed(&convex_box, size, pos);
    case_rotation(a.mat, &seed);
    Gjk g, other;
    mjtNum depth = depth_of(&g, &a, &b);
    assert_near(depth_of(&other, &b, &a), depth, 1e-12);
    v3_sub(way, g.x1, g.x2);
    v3_sub(back, other.x2, other.x1);
    assert_close(way, back, 3, 1e-9);
  }
}

// No memory, no depth, and a warning.
TEST(depth_without_memory_is_zero) {
  const mjtNum size[3] = {(mjtNum)0.4, (mjtNum)0.5, (mjtNum)0.6}, pos[3] = {(mjtNum)0.1, 0, 0};
  ConvexShape a = placed(&convex_box, size, kZero), b = placed(&convex_box, size, pos);
  mjtNum arena[10];
  mjData d;
  memset(&d, 0, sizeof(d));
  d.arena = arena;
  d.narena = d.cnd_arena = sizeof(arena);
  Gjk g = search_to(0);
  gjk_distance(&g, &a, &b);
  assert_near(epa_depth(&g, &d, &a, &b), 0, 0);
  assert_int_equal(d.warning[mjWARN_CONTACTFULL].number, 1);
}

// x1 and x2 are the same mean of the triangle's corners that makes `near` of their differences.
TEST(points_of_a_triangle_are_means_by_the_weights_of_the_place) {
  const mjtNum w[3][3] = {{1, 0, (mjtNum)0.5}, {0, 1, (mjtNum)0.5}, {-1, -1, (mjtNum)0.5}};
  const mjtNum weight[3] = {(mjtNum)0.5, (mjtNum)0.3, (mjtNum)0.2};
  Gjk g = search_to(0);
  mjtNum near[3] = {0, 0, 0}, gap[3], x1[3] = {0, 0, 0};
  uint64_t seed = 9;
  for (int i = 0; i < 3; i++) {
    random_vector(g.vert[i].a, 1, &seed);
    v3_copy(g.vert[i].w, w[i]);
    v3_sub(g.vert[i].b, g.vert[i].a, w[i]);
    v3_addtoscl(near, w[i], weight[i]);
    v3_addtoscl(x1, g.vert[i].a, weight[i]);
  }
  assert_near(epa_points(&g, near), 0.2, 1e-12);
  assert_close(g.x1, x1, 3, 1e-12);
  v3_sub(gap, g.x1, g.x2);
  assert_close(gap, near, 3, 1e-12);
}
