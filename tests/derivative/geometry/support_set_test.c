// The feature of a polytope (vertex, edge, face) on which a point lies, found from nearby vertices.

#include "derivative/geometry/support_set.h"

#include "support/near.h"

// the top of a box, one corner of its bottom
static const mjtNum kVertex[5][3] = {{1, 1, 1}, {-1, 1, 1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, -1}};

static SupportSet set_at(const mjtNum x[3], const mjtNum n[3]) {
  SupportSet t;
  int top = 0;
  for (int i = 1; i < 5; i++) {
    top = mju_dot3(kVertex[i], n) > mju_dot3(kVertex[top], n) ? i : top;
  }
  support_set_begin(&t, x, n, kVertex[top], (mjtNum)1e-4, (mjtNum)1e-3);
  for (int i = 0; i < 5; i++) {
    support_set_add(&t, kVertex[i]);
  }
  return t;
}

TEST(a_point_is_on_the_face_edge_or_corner_that_has_it) {
  const mjtNum up[3] = {0, 0, 1}, slant[3] = {0, (mjtNum)0.6, (mjtNum)0.8};
  const mjtNum steep[3] = {(mjtNum)0.48, (mjtNum)0.36, (mjtNum)0.8};
  const mjtNum middle[3] = {(mjtNum)0.3, (mjtNum)0.2, 1}, rim[3] = {(mjtNum)0.3, 1, 1};
  mjtNum axis[3];
  SupportSet t = set_at(middle, up);
  assert_int_equal(t.num, 4);
  assert_int_equal(support_set_feature(axis, &t), FEATURE_FACE);
  t = set_at(rim, slant);
  assert_int_equal(t.num, 2);
  assert_int_equal(support_set_feature(axis, &t), FEATURE_EDGE);
  assert_near(mju_abs(axis[0]), 1, 1e-12);
  t = set_at(kVertex[0], steep);
  assert_int_equal(t.num, 1);
  assert_int_equal(support_set_feature(axis, &t), FEATURE_CORNER);
}

// A normal that is off by less than the angle changes nothing; the point decides.
TEST(a_normal_that_is_a_little_off_leaves_the_feature) {
  const mjtNum off[3] = {(mjtNum)3e-4, (mjtNum)2e-4, 1}, middle[3] = {(mjtNum)0.3, (mjtNum)0.2, 1};
  const mjtNum rim[3] = {(mjtNum)0.3, 1, 1};
  mjtNum axis[3];
  SupportSet t = set_at(middle, off);
  assert_int_equal(support_set_feature(axis, &t), FEATURE_FACE);
  t = set_at(rim, off);
  assert_int_equal(support_set_feature(axis, &t), FEATURE_EDGE);
}

TEST(a_point_elsewhere_has_no_feature) {
  const mjtNum steep[3] = {(mjtNum)0.48, (mjtNum)0.36, (mjtNum)0.8}, x[3] = {0, 0, 0};
  mjtNum axis[3];
  SupportSet t = set_at(x, steep);
  assert_int_equal(support_set_feature(axis, &t), FEATURE_NONE);
}

TEST(vertices_at_one_place_count_once) {
  const mjtNum up[3] = {0, 0, 1};
  SupportSet t = set_at(kVertex[0], up);
  int before = t.num;
  support_set_add(&t, kVertex[1]);
  assert_int_equal(t.num, before);
  for (int i = 0; i < 2 * MAX_SUPPORT_SET; i++) {
    const mjtNum v[3] = {(mjtNum)i, 2, 1};
    support_set_add(&t, v);
  }
  assert_int_equal(t.num, MAX_SUPPORT_SET);
}
