// Support points and faces of boxes, against their definition.

#include "collision/convex/shape/extreme.h"

static double outside(const mjtNum size[3], const mjtNum x[3]) {
  double most = -INFINITY;
  for (int k = 0; k < 3; k++) {
    most = fmax(most, fabs((double)x[k]) - (double)size[k]);
  }
  return most;
}

static const Defined kThis = {&convex_box, {(mjtNum)0.2, (mjtNum)0.3, (mjtNum)0.5}, outside};

TEST(no_point_of_a_box_is_beyond_its_support_point) {
  check_support_is_extreme(&kThis);
}

TEST(half_of_the_margin_is_added_to_a_box) {
  check_margin_adds(&kThis);
}

// Each of the eight is the support point of the directions into its octant, under one id.
TEST(corners_of_a_box_are_told_by_their_ids) {
  uint64_t seed = 5;
  int seen = 0;
  ConvexShape s = anywhere(&kThis, &seed);
  for (int trial = 0; trial < 200; trial++) {
    mjtNum u[3], x[3], local[3];
    random_direction(u, &seed);
    int id = support_point(x, &s, u);
    v3_sub(local, x, s.pos);
    m3_tmulv(local, s.mat, local);
    for (int k = 0; k < 3; k++) {
      assert_near(local[k], (id >> k & 1 ? 1 : -1) * s.size[k], 1e-12);
    }
    seen |= 1 << id;
  }
  assert_int_equal(seen, 255);
}

// A face of u holds its four corners, two diagonal corners of it find that face by u alone.
TEST(faces_hold_the_corners_that_are_highest_along_their_normals) {
  const mjtNum zero[3] = {0, 0, 0};
  ConvexShape s = placed(kThis.kind, kThis.size, zero);
  const Facets* facets = s.kind->facets;
  static mjtNum v[MAX_FACETS][3];
  assert_int_equal(facets->number(&s), 6);
  for (int f = 0; f < 6; f++) {
    mjtNum n[3], top[3];
    int found[MAX_FACETS], id[4];
    facets->normal(n, &s, f);
    support_point(top, &s, n);
    assert_int_equal(facets->polygon(v, &s, f), 4);
    for (int i = 0; i < 4; i++) {
      assert_near(v3_dot(v[i], n), v3_dot(top, n), 1e-15);
      id[i] = (v[i][0] > 0) + 2 * (v[i][1] > 0) + 4 * (v[i][2] > 0);
    }
    const int edge[2] = {id[0], id[1]}, diagonal[2] = {id[0], id[2]};
    assert_int_equal(facets->faces(found, &s, id, 3, n), 1);
    assert_int_equal(found[0], f);
    assert_int_equal(facets->faces(found, &s, edge, 2, n), 2);
    assert_true(found[0] == f || found[1] == f);
    assert_int_equal(facets->faces(found, &s, diagonal, 2, n), 1);
    assert_int_equal(found[0], f);
  }
}
