// Distances of convex shapes, against closed forms and a search through all faces of small hulls.

#include "collision/convex/gjk.h"

#include "collision/convex/placed.h"

static const mjtNum kZero[3] = {0, 0, 0};

// g->x1 in a, g->x2 in b, so far apart as the distance says
static void check_points(const Gjk* g, ConvexShape* a, ConvexShape* b, mjtNum dist) {
  uint64_t seed = 1;
  assert_near(v3_dist(g->x1, g->x2), dist, 1e-8);
  for (int i = 0; i < 50; i++) {
    mjtNum u[3], top[3];
    random_direction(u, &seed);
    support_point(top, a, u);
    assert_that(v3_dot(u, g->x1), <=, v3_dot(u, top) + (mjtNum)rounding(1e-9));
    support_point(top, b, u);
    assert_that(v3_dot(u, g->x2), <=, v3_dot(u, top) + (mjtNum)rounding(1e-9));
  }
}

// Boxes along the axes are sqrt(sum of squared gaps) apart: by faces, edges or corners.
TEST(level_boxes_are_as_far_apart_as_their_gaps_say) {
  DOUBLE_ONLY();
  const mjtNum one[3] = {(mjtNum)0.3, (mjtNum)0.2, (mjtNum)0.1};
  const mjtNum other[3] = {(mjtNum)0.1, (mjtNum)0.4, (mjtNum)0.2};
  for (int corner = 1; corner < 27; corner++) {
    mjtNum pos[3], expected = 0;
    for (int k = 0, rest = corner; k < 3; k++, rest /= 3) {
      const mjtNum gap = (mjtNum)(0.1 * (k + 1)), reach = one[k] + other[k];
      pos[k] = rest % 3 == 0 ? reach / 3 : rest % 3 == 1 ? reach + gap : -reach - gap;
      expected += rest % 3 ? gap * gap : 0;
    }
    ConvexShape a = placed(&convex_box, one, kZero), b = placed(&convex_box, other, pos);
    Gjk g = search_to(GJK_FAR);
    g.discrete = 1;
    mjtNum dist = gjk_distance(&g, &a, &b);
    assert_near(dist, mju_sqrt(expected), 1e-12);
    check_points(&g, &a, &b, dist);
  }
}

TEST(round_shapes_are_as_far_apart_as_their_cores_less_the_radii) {
  DOUBLE_ONLY();
  const mjtNum ball[3] = {(mjtNum)0.3, 0, 0}, pin[3] = {(mjtNum)0.1, (mjtNum)0.5, 0};
  uint64_t seed = 2;
  for (int i = 0; i < 30; i++) {
    mjtNum pos[3];
    random_direction(pos, &seed);
    v3_scl(pos, pos, 2);
    ConvexShape a = placed(&convex_sphere, ball, kZero), b = placed(&convex_capsule, pin, pos);
    Gjk g = search_to(GJK_FAR);
    const mjtNum nearest[3] = {pos[0], pos[1], num_clamp(0, pos[2] - pin[1], pos[2] + pin[1])};
    mjtNum dist = gjk_distance(&g, &a, &b);
    assert_near(dist, v3_norm(nearest) - ball[0] - pin[0], 1e-8);
    check_points(&g, &a, &b, dist);
  }
}

// the least |x|^2 of points on the segment from p to q
static long double segment_least(const long double p[3], const long double q[3]) {
  long double along = 0, length = 0, least = 0;
  for (int k = 0; k < 3; k++) {
    along -= p[k] * (q[k] - p[k]);
    length += (q[k] - p[k]) * (q[k] - p[k]);
  }
  long double t = length > 0 ? fminl(1, fmaxl(0, along / length)) : 0;
  for (int k = 0; k < 3; k++) {
    long double x = p[k] + t * (q[k] - p[k]);
    least += x * x;
  }
  return least;
}

static void cross(long double out[3], const long double a[3], const long double b[3]) {
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    out[k] = a[i] * b[j] - a[j] * b[i];
  }
}

static long double dot(const long double a[3], const long double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// ... of the inside of a triangle; infinite if the origin isn't above it
static long double triangle_least(const long double* const x[3]) {
  long double e[3][3], n[3], side[3];
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      e[i][k] = x[(i + 1) % 3][k] - x[i][k];
    }
  }
  cross(n, e[0], e[1]);
  if (dot(n, n) < 1e-20L) {
    return INFINITY;
  }
  for (int i = 0; i < 3; i++) {
    cross(side, n, e[i]);
    if (dot(side, x[i]) > 0) {
      return INFINITY;
    }
  }
  return dot(n, x[0]) * dot(n, x[0]) / dot(n, n);
}

// Distance of the origin from the hull of up to four points: the least of all their segments and
// triangles.
static double hull_least(const mjtNum pos[3], const float* point, int num) {
  long double x[4][3], least = INFINITY;
  for (int i = 0; i < num; i++) {
    for (int k = 0; k < 3; k++) {
      x[i][k] = (long double)pos[k] + point[3 * i + k];
    }
  }
  for (int i = 0; i < num; i++) {
    for (int j = i; j < num; j++) {
      least = fminl(least, segment_least(x[i], x[j]));
      for (int k = j + 1; i < j && k < num; k++) {
        const long double* corner[3] = {x[i], x[j], x[k]};
        least = fminl(least, triangle_least(corner));
      }
    }
  }
  return (double)sqrtl(least);
}

// Points about their mean; some on one line, in one plane, or at one place.
static void small_hull(float point[12], int num, int how, uint64_t* seed) {
  mjtNum x[4][3], mean[3] = {0, 0, 0};
  for (int i = 0; i < num; i++) {
    random_vector(x[i], 1, seed);
  }
  if (how == 1 && num > 2) {
    for (int k = 0; k < 3; k++) {
      x[2][k] = (x[0][k] + 3 * x[1][k]) / 4;
    }
  } else if (how == 2 && num > 3) {
    for (int k = 0; k < 3; k++) {
      x[3][k] = x[0][k] + x[1][k] - x[2][k];
    }
  } else if (how == 3) {
    v3_copy(x[num - 1], x[0]);
  }
  for (int i = 0; i < num; i++) {
    v3_addtoscl(mean, x[i], (mjtNum)1 / num);
  }
  for (int i = 0; i < 3 * num; i++) {
    point[i] = (float)(x[i / 3][i % 3] - mean[i % 3]);
  }
}

TEST(hulls_of_few_points_are_as_far_off_as_their_nearest_face_edge_or_corner) {
  DOUBLE_ONLY();
  uint64_t seed = 3;
  const float origin[3] = {0, 0, 0};
  for (int trial = 0; trial < 400; trial++) {
    float point[12];
    int num = 1 + trial % 4;
    small_hull(point, num, trial / 4 % 4, &seed);
    ConvexShape a = placed_points(point, num), b = placed_points(origin, 1);
    random_direction(a.pos, &seed);
    v3_scl(a.pos, a.pos, (mjtNum)2.5);
    Gjk g = search_to(GJK_FAR);
    g.discrete = 1;
    double expected = hull_least(a.pos, point, num), dist = (double)gjk_distance(&g, &a, &b);
    if (!(fabs(dist - expected) < 1e-9)) {
      fail_msg("hull %d of %d points is %.12g off, expected %.12g", trial, num, dist, expected);
    }
  }
}

TEST(distance_is_the_same_from_the_other_side) {
  DOUBLE_ONLY();
  static const ConvexKind* const kinds[] = {&convex_ellipsoid, &convex_cylinder, &convex_box};
  const mjtNum size[3] = {(mjtNum)0.2, (mjtNum)0.3, (mjtNum)0.4};
  uint64_t seed = 4;
  for (int trial = 0; trial < 60; trial++) {
    mjtNum pos[3];
    random_direction(pos, &seed);
    v3_scl(pos, pos, (mjtNum)1.2);
    ConvexShape a = placed(kinds[trial % 3], size, kZero);
    ConvexShape b = placed(kinds[trial / 3 % 3], size, pos);
    case_rotation(a.mat, &seed);
    case_rotation(b.mat, &seed);
    Gjk g = search_to(GJK_FAR), back = search_to(GJK_FAR);
    mjtNum dist = gjk_distance(&g, &a, &b), other = gjk_distance(&back, &b, &a);
    assert_that(dist, >, 0);
    assert_near(dist, other, 1e-8);
    check_points(&g, &a, &b, dist);
    check_points(&back, &b, &a, other);
  }
}

TEST(what_touches_has_no_distance) {
  DOUBLE_ONLY();
  const mjtNum half[3] = {(mjtNum)0.5, (mjtNum)0.5, (mjtNum)0.5};
  static const mjtNum place[][3] = {{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {1, (mjtNum)0.25, 0}};
  for (int i = 0; i < 4; i++) {
    ConvexShape a = placed(&convex_box, half, kZero), b = placed(&convex_box, half, place[i]);
    Gjk g = search_to(GJK_FAR);
    assert_near(gjk_distance(&g, &a, &b), 0, 1e-12);
  }
}

// The tetrahedron of A - B has the origin inside: all weights have one sign.
TEST(deep_shapes_end_in_a_simplex_around_the_origin) {
  const mjtNum half[3] = {(mjtNum)0.5, (mjtNum)0.4, (mjtNum)0.3};
  uint64_t seed = 6;
  for (int trial = 0; trial < 50; trial++) {
    mjtNum pos[3];
    random_vector(pos, (mjtNum)0.2, &seed);
    ConvexShape a = placed(&convex_box, half, kZero), b = placed(&convex_ellipsoid, half, pos);
    case_rotation(a.mat, &seed);
    Gjk g = search_to(trial % 2 ? 0 : GJK_FAR);
    assert_near(gjk_distance(&g, &a, &b), 0, 1e-9);
    assert_int_equal(g.num, 4);
    for (int i = 0; i < 4; i++) {
      mjtNum e1[3], e2[3], n[3], out[3];
      const mjtNum *w = g.vert[i].w, *p = g.vert[(i + 1) % 4].w;
      v3_sub(e1, g.vert[(i + 2) % 4].w, p);
      v3_sub(e2, g.vert[(i + 3) % 4].w, p);
      v3_cross(n, e1, e2);
      v3_sub(out, w, p);
      assert_that(v3_dot(n, out) * -v3_dot(n, p), >, 0);
    }
  }
}

TEST(beyond_the_cutoff_shapes_are_just_far) {
  const mjtNum half[3] = {(mjtNum)0.5, (mjtNum)0.5, (mjtNum)0.5}, pos[3] = {2, 0, 0};
  static const mjtNum cutoff[] = {0, (mjtNum)0.5, (mjtNum)0.99, (mjtNum)1.01};
  for (int i = 0; i < 4; i++) {
    ConvexShape a = placed(&convex_box, half, kZero), b = placed(&convex_box, half, pos);
    Gjk g = search_to(cutoff[i]);
    mjtNum dist = gjk_distance(&g, &a, &b);
    assert_near(dist, cutoff[i] > 1 ? 1 : GJK_FAR, 1e-9);
  }
}

// It is e(u) of some direction, so never less than the depth.
TEST(overlap_seen_on_the_way_is_no_less_than_the_depth) {
  const mjtNum half[3] = {(mjtNum)0.5, (mjtNum)0.5, (mjtNum)0.5};
  for (int i = 0; i < 20; i++) {
    const mjtNum pos[3] = {(mjtNum)(0.05 * i), (mjtNum)0.1, (mjtNum)-0.02 * (mjtNum)i};
    ConvexShape a = placed(&convex_box, half, kZero), b = placed(&convex_box, half, pos);
    Gjk g = search_to(0);
    gjk_distance(&g, &a, &b);
    assert_that(g.overlap, >=, 1 - num_max(pos[0], (mjtNum)0.1) - (mjtNum)1e-6);
    assert_that(g.overlap, <, 3);
  }
}
