// Corrected contact normals are the normals of the surfaces.

#include "collision/convex/normal.h"
#include "collision/collide.h"
#include "collision/pair_case.h"
#include "support/near.h"
#include "support/test.h"

static ConvexShape shape_at(const ConvexKind* kind, const mjtNum size[3], uint64_t* seed) {
  ConvexShape s = {.kind = kind, .radius = size[0], .last = -1};
  v3_copy(s.size, size);
  case_rotation(s.mat, seed);
  v3_set(s.pos, (mjtNum)case_real(seed, -1, 1), (mjtNum)case_real(seed, -1, 1), 0);
  return s;
}

// A contact of the shape at a point of its frame, with a normal that points somewhere.
static mjContact contact_at(const ConvexShape* s, const mjtNum local[3], uint64_t* seed) {
  mjContact con;
  mjtNum mat[9], pos[3];
  case_rotation(mat, seed);
  shape_point(pos, s, local);
  contact_set(&con, (mjtNum)-0.1, pos, mat);
  v3_set(con.frame + 3, 1, 0, 0);
  return con;
}

static const mjtNum size[3] = {(mjtNum)0.3, (mjtNum)0.5, (mjtNum)0.4};

// The normal at y + t n, with y on the surface and n its normal there, is n: of the first shape
// outwards, of the second inwards.
static void check(const ConvexKind* kind, const mjtNum y[3], const mjtNum n[3], mjtNum t,
                  uint64_t* seed, double tolerance) {
  const mjtNum box_size[3] = {1, 1, 1};
  ConvexShape s = shape_at(kind, size, seed), box = shape_at(&convex_box, box_size, seed);
  mjtNum x[3], expected[3];
  v3_addscl(x, y, n, t);
  for (int second = 0; second < 2; second++) {
    mjContact con = contact_at(&s, x, seed);
    correct_normal(&con, second ? &box : &s, second ? &s : &box);
    m3_mulv(expected, s.mat, n);
    v3_scl(expected, expected, second ? -1 : 1);
    assert_close(con.frame, expected, 3, tolerance);
    assert_true(v3_iszero(con.frame + 3));
    assert_that(con.dist, ==, (mjtNum)-0.1);
  }
}

TEST(normals_are_those_of_the_surface) {
  uint64_t seed = 3;
  for (int i = 0; i < 200; i++) {
    mjtNum mat[9], y[3], t = (mjtNum)case_real(&seed, -.05, .2);
    case_rotation(mat, &seed);
    const mjtNum* n = mat;
    v3_scl(y, n, size[0]);
    check(&convex_sphere, y, n, t, &seed, 1e-9);
    y[2] += n[2] > 0 ? size[1] : -size[1];
    check(&convex_capsule, y, n, t, &seed, 1e-9);

    // outside: the nearest point, as far as Newton's steps go
    mjtNum sn[3] = {size[0] * n[0], size[1] * n[1], size[2] * n[2]}, norm = v3_norm(sn);
    v3_set(y, size[0] * sn[0] / norm, size[1] * sn[1] / norm, size[2] * sn[2] / norm);
    check(&convex_ellipsoid, y, n, mju_abs(t), &seed, 1e-5);

    // beside, far from the caps
    mjtNum side[3] = {n[0], n[1], 0};
    v3_normalize(side);
    v3_set(y, size[0] * side[0], size[0] * side[1], (mjtNum)case_real(&seed, -.4, .4));
    check(&convex_cylinder, y, side, t, &seed, 1e-9);
  }
}

// Inside an ellipsoid the ray along the normal leaves the surface where that is its normal.
TEST(normals_inside_an_ellipsoid_are_fixed_points) {
  uint64_t seed = 5;
  for (int i = 0; i < 200; i++) {
    ConvexShape s = shape_at(&convex_ellipsoid, size, &seed), none = {.kind = &convex_box};
    mjtNum x[3], n[3], y[3], inside;
    // not deep, where the steps are too few
    mjtNum mat[9], scale = (mjtNum)case_real(&seed, .8, 1);
    case_rotation(mat, &seed);
    v3_set(x, scale * size[0] * mat[0], scale * size[1] * mat[1], scale * size[2] * mat[2]);
    mjContact con = contact_at(&s, x, &seed);
    correct_normal(&con, &s, &none);
    m3_tmulv(n, s.mat, con.frame);
    // along n to the surface, by bisection
    mjtNum lo = 0, hi = 2;
    while (hi - lo > (mjtNum)1e-7) {
      mjtNum t = (lo + hi) / 2;
      v3_addscl(y, x, n, t);
      inside = -1;
      for (int k = 0; k < 3; k++) {
        inside += y[k] * y[k] / (size[k] * size[k]);
      }
      *(inside < 0 ? &lo : &hi) = t;
    }
    for (int k = 0; k < 3; k++) {
      y[k] /= size[k] * size[k];
    }
    v3_normalize(y);
    assert_that(v3_dist(y, n), <, (mjtNum)1e-4);
  }
}

TEST(flat_shapes_keep_the_normal) {
  uint64_t seed = 9;
  ConvexShape box = shape_at(&convex_box, size, &seed), mesh = shape_at(&convex_mesh, size, &seed);
  ConvexShape tin = shape_at(&convex_cylinder, size, &seed);
  const mjtNum middle[3] = {0, 0, 0}, cap[3] = {0, 0, (mjtNum)0.49};
  const ConvexShape* other[] = {&box, &mesh, &tin};
  for (int i = 0; i < 3; i++) {
    mjContact con = i < 2 ? contact_at(other[i], middle, &seed) : contact_at(&tin, cap, &seed);
    mjContact before = con;
    correct_normal(&con, &box, other[i]);
    assert_close(con.frame, before.frame, 6, 1e-15);
  }
}
