// Strings around circles, spheres and cylinders are as short as possible, and don't depend on the
// frame in which they are computed.

#include "smooth/wrap.h"

#include "support/zoo.h"

static const mjtNum kOrigin[3] = {0, 0, 0};
static const mjtNum kIdentity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static double distance(const mjtNum* a, const mjtNum* b) {
  return sqrt((double)((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                       (a[2] - b[2]) * (a[2] - b[2])));
}

// whole string; straight if it does not wrap
static double path_length(mjtNum point[6], const mjtNum x0[3], const mjtNum x1[3], mjtNum arc) {
  return arc < 0 ? distance(x0, x1) : distance(x0, point) + (double)arc + distance(point + 3, x1);
}

static void random_point(mjtNum out[3], uint64_t* seed, mjtNum least, mjtNum most) {
  mjtNum norm;
  do {
    for (int k = 0; k < 3; k++) {
      out[k] = most * uniform_random(seed);
    }
    norm = mju_norm3(out);
  } while (norm < least);
}

static int segment_enters(const double a[2], const double b[2], double r) {
  double dx = b[0] - a[0], dy = b[1] - a[1], dd = dx * dx + dy * dy;
  double t = fmax(0, fmin(1, -(a[0] * dx + a[1] * dy) / dd));
  return hypot(a[0] + t * dx, a[1] + t * dy) < r * (1 - 1e-5);
}

// The shortest of all strings that touch the circle at two of many points, and stay out of it.
static double shortest_by_force(const double a[2], const double b[2], double r) {
  enum {
    COUNT = 720
  };
  static double from_a[COUNT], from_b[COUNT];
  double step = 2 * mjPI / COUNT, best = INFINITY;
  for (int i = 0; i < COUNT; i++) {
    const double p[2] = {r * cos(i * step), r * sin(i * step)};
    from_a[i] = segment_enters(a, p, r) ? INFINITY : hypot(p[0] - a[0], p[1] - a[1]);
    from_b[i] = segment_enters(b, p, r) ? INFINITY : hypot(p[0] - b[0], p[1] - b[1]);
  }
  for (int i = 0; i < COUNT; i++) {
    for (int j = 0; j < COUNT && from_a[i] < best; j++) {
      int gap = abs(i - j);
      gap = gap < COUNT - gap ? gap : COUNT - gap;
      best = fmin(best, from_a[i] + r * gap * step + from_b[j]);
    }
  }
  return segment_enters(a, b, r) ? best : hypot(a[0] - b[0], a[1] - b[1]);
}

TEST(outside_string_is_the_shortest) {
  uint64_t seed = 3;
  int wrapped = 0;
  for (int i = 0; i < 60; i++) {
    const mjtNum r = 1;
    mjtNum x0[3], x1[3], point[6];
    random_point(x0, &seed, (mjtNum)1.1, (mjtNum)1.4);
    random_point(x1, &seed, (mjtNum)1.1, (mjtNum)1.4);
    mjtNum arc = wrap_geom(point, x0, x1, kOrigin, kIdentity, r, mjWRAP_SPHERE, NULL, 0);

    // the plane of center and ends, the first of them on the axis
    double l0 = (double)mju_norm3(x0), along = (double)mju_dot3(x0, x1) / l0;
    const double a[2] = {l0, 0};
    const double b[2] = {along, sqrt((double)mju_dot3(x1, x1) - along * along)};
    double best = shortest_by_force(a, b, (double)r);
    double length = path_length(point, x0, x1, arc);
    assert_near(length, best, 1e-3);
    assert_that(length, <, best + 1e-6);
    wrapped += arc >= 0;
  }
  assert_in_range(wrapped, 10, 50);
}

TEST(string_leaves_the_surface_along_a_tangent) {
  uint64_t seed = 5;
  int wrapped = 0;
  for (int i = 0; i < 200; i++) {
    mjtNum x0[3], x1[3], side[3], point[6], t[3];
    random_point(x0, &seed, (mjtNum)1.1, 3);
    random_point(x1, &seed, (mjtNum)1.1, 3);
    random_point(side, &seed, (mjtNum)1.1, 3);
    mjtNum arc =
        wrap_geom(point, x0, x1, kOrigin, kIdentity, 1, mjWRAP_SPHERE, i % 2 ? side : NULL, 0);
    if (arc < 0) {
      continue;
    }
    assert_near(mju_norm3(point), 1, 1e-12);
    assert_near(mju_norm3(point + 3), 1, 1e-12);
    mju_sub3(t, x0, point);
    assert_near(mju_dot3(t, point), 0, 1e-12);
    mju_sub3(t, x1, point + 3);
    assert_near(mju_dot3(t, point + 3), 0, 1e-12);
    wrapped++;
  }
  assert_that(wrapped, >, 50);
}

// On the unrolled cylinder the string is straight: length^2 = (length in the
// cross-section)^2 + height^2.
TEST(string_on_a_cylinder_is_a_helix) {
  uint64_t seed = 7;
  int wrapped = 0;
  for (int i = 0; i < 100; i++) {
    mjtNum x0[3], x1[3], point[6], flat[6];
    random_point(x0, &seed, 2, 3);
    random_point(x1, &seed, 2, 3);
    mjtNum arc = wrap_geom(point, x0, x1, kOrigin, kIdentity, 1, mjWRAP_CYLINDER, NULL, 0);
    double height = (double)(x1[2] - x0[2]), length = path_length(point, x0, x1, arc);
    x0[2] = x1[2] = 0;
    mjtNum planar = wrap_geom(flat, x0, x1, kOrigin, kIdentity, 1, mjWRAP_CYLINDER, NULL, 0);
    assert_int_equal(arc < 0, planar < 0);
    assert_near(length, hypot(path_length(flat, x0, x1, planar), height), 1e-12);
    wrapped += arc >= 0;
  }
  assert_that(wrapped, >, 10);
}

// A string through a ring touches it where moving along the ring makes it longer.
TEST(inside_string_is_as_short_as_it_can) {
  uint64_t seed = 11;
  int touching = 0;
  for (int i = 0; i < 200; i++) {
    const mjtNum inside[3] = {0, 0, 0};
    mjtNum x0[3], x1[3], point[6], moved[3];
    random_point(x0, &seed, (mjtNum)1.2, 3);
    random_point(x1, &seed, (mjtNum)1.2, 3);
    x0[2] = x1[2] = 0;
    mjtNum arc = wrap_geom(point, x0, x1, kOrigin, kIdentity, 1, mjWRAP_CYLINDER, inside, 0);
    if (arc < 0) {
      continue;
    }
    assert_that(arc, ==, 0);
    assert_near(distance(point, point + 3), 0, 0);
    assert_near(mju_norm3(point), 1, 1e-12);
    double length = path_length(point, x0, x1, arc);
    for (int s = -1; s <= 1; s += 2) {
      double c = cos(1e-3 * s), n = sin(1e-3 * s);
      mju_copy3(moved, point);
      moved[0] = (mjtNum)(c * (double)point[0] - n * (double)point[1]);
      moved[1] = (mjtNum)(n * (double)point[0] + c * (double)point[1]);
      assert_that(distance(x0, moved) + distance(moved, x1), >,
                  length - (sizeof(mjtNum) == 8 ? 1e-9 : 1e-6));
    }
    touching++;
  }
  assert_that(touching, >, 20);
}

TEST(side_site_decides_which_way_round) {
  const mjtNum x0[3] = {-2, 0, (mjtNum)0.1}, x1[3] = {2, 0, 0};
  const mjtNum above[3] = {0, 0, 2}, below[3] = {0, 0, -2};
  mjtNum up[6], down[6];
  assert_that(wrap_geom(up, x0, x1, kOrigin, kIdentity, 1, mjWRAP_SPHERE, above, 0), >, 0);
  assert_that(wrap_geom(down, x0, x1, kOrigin, kIdentity, 1, mjWRAP_SPHERE, below, 0), >, 0);
  assert_that(up[2], >, 0);
  assert_that(up[5], >, 0);
  assert_that(down[2], <, 0);
  assert_that(down[5], <, 0);

  // a straight string that passes on the wrong side is pulled round
  const mjtNum y0[3] = {-2, 0, (mjtNum)1.5}, y1[3] = {2, 0, (mjtNum)1.5};
  assert_that(wrap_geom(up, y0, y1, kOrigin, kIdentity, 1, mjWRAP_SPHERE, above, 0), <, 0);
  assert_that(wrap_geom(down, y0, y1, kOrigin, kIdentity, 1, mjWRAP_SPHERE, below, 0), >, 2);
}

// Whether a string clears the circle by a tenth or by next to nothing, it is straight where it
// passes outside, on the side it has to.
TEST(string_is_straight_where_it_passes_outside) {
  static const mjtNum size[] = {(mjtNum)1e-3, 1, 1000};
  const double least = sizeof(mjtNum) == sizeof(float) ? 1e-5 : 1e-9;
  for (int i = 0; i < 6; i++) {
    mjtWrap type = i % 2 ? mjWRAP_SPHERE : mjWRAP_CYLINDER;
    mjtNum r = size[i / 2], point[6];
    const mjtNum above[3] = {0, 2 * r, 0}, below[3] = {0, -2 * r, 0};
    for (double gap = 0.1; gap > least; gap /= 10) {
      mjtNum out = r * (mjtNum)(1 + gap), in = r * (mjtNum)(1 - gap);
      const mjtNum x0[3] = {-2 * r, out, 0}, x1[3] = {3 * r, out, 0};
      const mjtNum y0[3] = {-2 * r, in, 0}, y1[3] = {3 * r, in, 0};
      assert_that(wrap_geom(point, x0, x1, kOrigin, kIdentity, r, type, NULL, 0), <, 0);
      assert_that(wrap_geom(point, x0, x1, kOrigin, kIdentity, r, type, above, 0), <, 0);
      assert_that(wrap_geom(point, x0, x1, kOrigin, kIdentity, r, type, below, 0), >, r);
      assert_that(wrap_geom(point, y0, y1, kOrigin, kIdentity, r, type, NULL, 0), >=, 0);
      assert_that(wrap_geom(point, y0, y1, kOrigin, kIdentity, r, type, above, 0), >=, 0);
      assert_that(wrap_geom(point, y0, y1, kOrigin, kIdentity, r, type, below, 0), >, r);
    }
  }
}

TEST(same_string_from_the_other_end_and_in_another_frame) {
  uint64_t seed = 13;
  const mjtNum zero[3] = {0, 0, 0};
  int wrapped = 0;
  for (int i = 0; i < 300; i++) {
    mjtWrap type = i % 2 ? mjWRAP_SPHERE : mjWRAP_CYLINDER;
    mjtNum x0[3], x1[3], side[3], pos[3], quat[4], mat[9], y0[3], y1[3], turned[3];
    mjtNum point[6], back[6], other[6];
    random_point(x0, &seed, (mjtNum)1.1, 3);
    random_point(x1, &seed, (mjtNum)1.1, 3);
    random_point(side, &seed, 0, 2);
    const mjtNum* by = i % 3 ? side : NULL;
    mjtNum arc = wrap_geom(point, x0, x1, zero, kIdentity, 1, type, by, 0);
    mjtNum reverse = wrap_geom(back, x1, x0, zero, kIdentity, 1, type, by, 0);
    assert_int_equal(arc < 0, reverse < 0);

    random_point(pos, &seed, 0, 5);
    for (int k = 0; k < 4; k++) {
      quat[k] = uniform_random(&seed);
    }
    mju_normalize4(quat);
    mju_quat2Mat(mat, quat);
    mju_mulMatVec3(y0, mat, x0);
    mju_mulMatVec3(y1, mat, x1);
    mju_mulMatVec3(turned, mat, side);
    mju_addTo3(y0, pos);
    mju_addTo3(y1, pos);
    mju_addTo3(turned, pos);
    mjtNum there = wrap_geom(other, y0, y1, pos, mat, 1, type, by ? turned : NULL, 0);
    assert_int_equal(arc < 0, there < 0);
    if (arc >= 0) {
      assert_near(arc, reverse, 1e-5);
      assert_near(arc, there, 1e-5);
      assert_near(distance(point, back + 3), 0, 1e-5);
      wrapped++;
    }
  }
  assert_that(wrapped, >, 50);
}

TEST(ends_that_cannot_be_wrapped_are_left_straight) {
  const mjtNum out[3] = {2, 0, 0}, far[3] = {-2, (mjtNum)0.1, 0}, in[3] = {(mjtNum)0.5, 0, 0};
  const mjtNum side[3] = {0, (mjtNum)0.2, 0};
  mjtNum point[6];
  for (int t = 0; t < 2; t++) {
    mjtWrap type = t ? mjWRAP_SPHERE : mjWRAP_CYLINDER;
    assert_that(wrap_geom(point, out, in, kOrigin, kIdentity, 1, type, NULL, 0), <, 0);
    assert_that(wrap_geom(point, in, out, kOrigin, kIdentity, 1, type, NULL, 0), <, 0);
    assert_that(wrap_geom(point, in, out, kOrigin, kIdentity, 1, type, side, 0), <, 0);
    assert_that(wrap_geom(point, kOrigin, out, kOrigin, kIdentity, 1, type, NULL, 0), <, 0);
    assert_that(wrap_geom(point, out, kOrigin, kOrigin, kIdentity, 1, type, NULL, 0), <, 0);
    assert_that(wrap_geom(point, out, out, kOrigin, kIdentity, 1, type, NULL, 0), <, 0);
    assert_that(wrap_geom(point, out, far, kOrigin, kIdentity, 0, type, NULL, 0), <, 0);
    assert_that(wrap_geom(point, out, far, kOrigin, kIdentity, 1, type, side, 0), <, 0);
  }
}

// ends on the surface, in line with the center, on each other, inside: a string on the surface or
// none
TEST(any_ends_give_points_on_the_surface_or_none) {
  static const mjtNum reach[] = {
      (mjtNum)0.3, (mjtNum)0.999999, 1, (mjtNum)1.0000001, (mjtNum)1.3, 5, 0};
  uint64_t seed = 17;
  int wrapped = 0;
  for (int i = 0; i < 20000; i++) {
    mjtWrap type = i % 2 ? mjWRAP_SPHERE : mjWRAP_CYLINDER;
    mjtNum x0[3], x1[3], side[3], point[6];
    random_point(x0, &seed, (mjtNum)0.1, 1);
    random_point(x1, &seed, (mjtNum)0.1, 1);
    random_point(side, &seed, (mjtNum)0.1, 1);
    mju_normalize3(x0);
    mju_normalize3(x1);
    mju_scl3(x0, x0, reach[i % 7]);
    mju_scl3(x1, x1, reach[(i / 7) % 7]);
    mju_scl3(side, side, 2 * reach[(i / 49) % 7]);
    switch ((i / 343) % 4) {
      case 0:
        mju_scl3(x1, x0, reach[(i / 7) % 7]);
        break;
      case 1:
        mju_scl3(x1, x0, -reach[(i / 7) % 7]);
        break;
      case 2:
        mju_addScl3(x1, x0, x1, (mjtNum)1e-4);
        break;
      default:
        break;
    }
    mjtNum arc = wrap_geom(point, x0, x1, kOrigin, kIdentity, 1, type, i % 3 ? side : NULL, 0);
    if (arc == -1) {
      continue;
    }
    assert_that(arc, >=, 0);
    for (int k = 0; k < 2; k++) {
      const mjtNum* p = point + 3 * k;
      mjtNum height = type == mjWRAP_CYLINDER ? p[2] : 0;
      assert_near(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] - height * height, 1, 1e-9);
    }
    wrapped++;
  }
  assert_in_range(wrapped, 2000, 18000);
}

// A string that grazes the surface, up to rounding, is as long as a straight one; a cosine must not
// round out of its range.
TEST(grazing_string_is_straight) {
  DOUBLE_ONLY();
  uint64_t seed = 3;
  int wrapped = 0;
  for (int i = 0; i < 2000; i++) {
    mjtNum turn = (mjtNum)mjPI * uniform_random(&seed), near[3] = {mju_cos(turn), mju_sin(turn), 0};
    mjtNum along[3] = {-near[1], near[0], 0}, x0[3], x1[3], point[6];
    mju_scl3(near, near, 1 - mju_pow(10, -13 + 5 * uniform_random(&seed)));
    mju_addScl3(x0, near, along, (mjtNum)1.5 + uniform_random(&seed));
    mju_addScl3(x1, near, along, (mjtNum)-1.5 - uniform_random(&seed));
    mjtNum arc = wrap_geom(point, x0, x1, kOrigin, kIdentity, 1, mjWRAP_CYLINDER, NULL, 0);
    wrapped += arc != -1;
    assert_near(path_length(point, x0, x1, arc), distance(x0, x1), 1e-7);
  }
  assert_that(wrapped, >, 500);
}

// as above, where lengths are so small that their squares are nothing
TEST(tiny_string_through_the_center_is_left_straight) {
  DOUBLE_ONLY();
  const mjtNum x0[3] = {(mjtNum)1e-9, 0, 0}, x1[3] = {(mjtNum)-2e-9, 0, 0}, side[3] = {0, 0, 0};
  mjtNum point[6];
  mjtNum arc =
      wrap_geom(point, x0, x1, kOrigin, kIdentity, (mjtNum)1e-10, mjWRAP_CYLINDER, side, 0);
  assert_that(arc, ==, -1);
}

// center and ends in line: any plane will do, and the string goes half way round
TEST(string_through_the_center_picks_a_plane) {
  for (int k = 0; k < 3; k++) {
    mjtNum x0[3] = {0, 0, 0}, x1[3] = {0, 0, 0}, point[6];
    x0[k] = 2;
    x1[k] = -2;
    mjtNum arc = wrap_geom(point, x0, x1, kOrigin, kIdentity, 1, mjWRAP_SPHERE, NULL, 0);
    assert_near(arc, mjPI - 2 * acos(0.5), 1e-12);
    assert_near(mju_norm3(point), 1, 1e-12);
  }
}
