// The search for depth itself, where the depth is known.

#include "support/depth.h"

#include "collision/pair_case.h"
#include "support/near.h"

// Boxes: the least of the overlaps along the 15 axes of separation.
static double depth_of_boxes(const PairCase* p, const Overlap* o) {
  double least = INFINITY;
  for (int i = 0; i < 15; i++) {
    long double u[3], norm = 0;
    const mjtNum *a = p->mat + (i < 9 ? i / 3 : i % 3), *b = p->mat + 9 + i % 3;
    for (int k = 0; k < 3; k++) {
      int x = (k + 1) % 3, y = (k + 2) % 3;
      long double both = (long double)a[3 * x] * b[3 * y] - (long double)a[3 * y] * b[3 * x];
      u[k] = i < 9 ? both : p->mat[(i < 12 ? 0 : 9) + 3 * k + i % 3];
      norm += u[k] * u[k];
    }
    for (int way = 0; way < 2 && norm > 1e-20L; way++) {
      least = fmin(least, (double)overlap_along(o, u));
      for (int k = 0; k < 3; k++) {
        u[k] = -u[k];
      }
    }
  }
  return least;
}

TEST(boxes_are_as_deep_as_along_an_axis_of_separation) {
  const int type[2] = {mjGEOM_BOX, mjGEOM_BOX};
  uint64_t seed = 12;
  for (int i = 0; i < 60; i++) {
    PairCase p = pair_case(&seed, i % 3);
    Overlap o = case_overlap(&p, type);
    double depth = depth_of_boxes(&p, &o), found = (double)overlap_least(NULL, &o, NULL);
    // those that are apart may be furthest apart along other directions
    assert_that(found, <=, depth + rounding(1e-9));
    assert_true(depth < 0 || found >= depth - rounding(1e-9));
  }
}

TEST(balls_are_as_deep_as_their_centres_are_near) {
  const int type[2] = {mjGEOM_SPHERE, mjGEOM_SPHERE};
  uint64_t seed = 13;
  for (int i = 0; i < 20; i++) {
    PairCase p = pair_case(&seed, 0);
    Overlap o = case_overlap(&p, type);
    long double u[3], found = overlap_least(u, &o, NULL);
    double gap = 0, along = 0;
    for (int k = 0; k < 3; k++) {
      double x = (double)(p.pos[3 + k] - p.pos[k]);
      gap += x * x;
      along += x * (double)u[k];
    }
    assert_near(found, (double)(p.size[0] + p.size[3]) - sqrt(gap), 1e-10);
    assert_near(along, sqrt(gap), 1e-6);
  }
}

// A ball about the centre of an ellipsoid, or of a cylinder, leaves by the short way.
TEST(round_shapes_are_left_by_the_short_way) {
  static const struct {
    int type;
    mjtNum size[3], depth;
  } cases[] = {{mjGEOM_ELLIPSOID, {3, 2, 1}, 1},
               {mjGEOM_CYLINDER, {2, 0.5, 0}, 0.5},
               {mjGEOM_CYLINDER, {0.5, 2, 0}, 0.5},
               {mjGEOM_CAPSULE, {0.5, 2, 0}, 0.5}};
  uint64_t seed = 14;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const int type[2] = {mjGEOM_SPHERE, cases[i].type};
    PairCase p = {.size = {(mjtNum)0.1}};
    memcpy(p.size + 3, cases[i].size, sizeof cases[i].size);
    case_rotation(p.mat, &seed);
    case_rotation(p.mat + 9, &seed);
    Overlap o = case_overlap(&p, type);
    assert_near(overlap_least(NULL, &o, NULL), cases[i].depth + (mjtNum)0.1, 1e-9);
  }
}

// A mesh of its corners is as wide as a box, and a point on its surface is neither in nor out.
TEST(a_mesh_is_as_wide_as_its_vertices) {
  const int type[2] = {mjGEOM_BOX, mjGEOM_BOX};
  float vert[24];
  uint64_t seed = 15;
  PairCase p = pair_case(&seed, 0);
  Overlap o = case_overlap(&p, type), mesh = o;
  for (int i = 0; i < 24; i++) {
    vert[i] = (float)(i / 3 >> i % 3 & 1 ? 1 : -1);
    p.size[i % 3] = 1;
  }
  mesh.shape[0] = (DepthShape){mjGEOM_MESH, p.size, p.pos, p.mat, vert, 8};
  assert_near(overlap_least(NULL, &mesh, NULL), overlap_least(NULL, &o, NULL), 1e-9);
  mjtNum inside[3] = {p.pos[0], p.pos[1], p.pos[2]}, on[3];
  for (int k = 0; k < 3; k++) {
    on[k] = p.pos[k] + p.mat[3 * k];
  }
  assert_that(overlap_outside(&mesh, 0, inside), <, -0.9L);
  assert_that(fabsl(overlap_outside(&mesh, 0, on)), <, 0.05L);
}

// The vertex of a mesh furthest along way u, from its centre in the directions of the world.
static void furthest_corner(long double corner[3], const DepthShape* s, const long double u[3],
                            int way) {
  long double best = -INFINITY;
  for (int i = 0; i < s->nvert; i++) {
    long double x[3], along = 0;
    for (int k = 0; k < 3; k++) {
      x[k] = 0;
      for (int j = 0; j < 3; j++) {
        x[k] += (long double)s->mat[3 * k + j] * s->vert[3 * i + j];
      }
      along += way * u[k] * x[k];
    }
    if (along > best) {
      best = along;
      memcpy(corner, x, sizeof x);
    }
  }
}

// The corners of two clouds that are furthest towards each other, one behind the other along u: the
// gap is that of the corners, as planes across u part the clouds there.
TEST(clouds_are_apart_by_their_nearest_corners) {
  const int type[2] = {mjGEOM_BOX, mjGEOM_BOX};
  enum {
    CLOUD = 150
  };
  float vert[2][3 * CLOUD];
  uint64_t seed = 16;
  for (int i = 0; i < 60; i++) {
    PairCase p = pair_case(&seed, 0);
    Overlap o = case_overlap(&p, type);
    const mjtNum flat = (mjtNum)pow(10, -(i % 5)), gap = i % 3 ? (mjtNum)1e-3 : (mjtNum)1e-6;
    long double u[3], corner[2][3], norm = 0;
    for (int k = 0; k < 3; k++) {
      u[k] = case_real(&seed, -1, 1);
      norm += u[k] * u[k];
    }
    for (int k = 0; k < 2; k++) {
      for (int j = 0; j < CLOUD; j++) {
        float* x = vert[k] + 3 * j;
        double r[3], length = 0;
        for (int l = 0; l < 3; l++) {
          r[l] = case_real(&seed, -1, 1);
          length += r[l] * r[l];
        }
        for (int l = 0; l < 3; l++) {
          x[l] = (float)(r[l] / sqrt(length) * (l ? 1 : (double)flat));
        }
      }
      o.shape[k] = (DepthShape){mjGEOM_MESH, p.size, p.pos + 3 * k, p.mat + 9 * k, vert[k], CLOUD};
      furthest_corner(corner[k], o.shape + k, u, k ? -1 : 1);
    }
    for (int k = 0; k < 3; k++) {
      p.pos[3 + k] = p.pos[k] + (mjtNum)(corner[0][k] - corner[1][k] + gap * u[k] / sqrtl(norm));
    }
    assert_near(overlap_least(NULL, &o, NULL), -gap, 1e-12);
  }
}
