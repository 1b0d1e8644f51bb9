// Surfaces of geoms: how their points move as the normal turns and as they grow, against their
// support points.

#include "derivative/geometry/contact_geometry.h"

#include "collision/convex/shape.h"
#include "derivative/scene.h"

static const char kGeoms[] =
    "<mujoco><worldbody><body pos='1 2 3' euler='10 20 30'><freejoint/>"
    "<geom size='.3'/><geom type='capsule' size='.2 .4'/><geom type='ellipsoid' size='.2 .3 .4'/>"
    "<geom type='cylinder' size='.2 .3'/><geom type='box' size='.2 .3 .4'/></body></worldbody>"
    "</mujoco>";

// Support point of a geom in a direction n + a t1 + b t2.
typedef struct {
  Scene* s;
  int geom;
  mjtNum frame[9];
} Spot;

static void point_at(mjtNum out[3], const mjtNum a[2], void* of) {
  const Spot* spot = of;
  ConvexShape shape;
  mjtNum u[3];
  assert_true(convex_shape(&shape, spot->s->m, spot->s->d, spot->geom, 0));
  mju_copy3(u, spot->frame);
  mju_addToScl3(u, spot->frame + 3, a[0]);
  mju_addToScl3(u, spot->frame + 6, a[1]);
  mju_normalize3(u);
  shape.kind->support(out, &shape, u);
}

static void random_spot(Spot* spot, uint64_t* seed) {
  mjtNum quat[4];
  random_fill(quat, 4, seed);
  mju_normalize4(quat);
  mju_quat2Mat(spot->frame, quat);
}

// As the normal turns by S a, the point moves by C a: dp/dn S = C.
TEST(points_move_with_the_normal_as_support_points_do) {
  DOUBLE_ONLY();
  Scene s = scene_make(kGeoms, 0);
  uint64_t seed = 4;
  for (int trial = 0; trial < 100; trial++) {
    Spot spot = {.s = &s, .geom = trial % s.m->ngeom};
    SurfaceShape shape;
    mjtNum point[3], J[6], across[4], moved[4];
    const mjtNum zero[2] = {0, 0};
    random_spot(&spot, &seed);
    point_at(point, zero, &spot);
    differences(J, point_at, &spot, zero, 3, 2, (mjtNum)1e-5);
    mju_mulMatMat(across, spot.frame + 3, J, 2, 3, 2);
    assert_int_equal(surface_of(&shape, s.m, s.d, spot.geom, point, spot.frame, spot.frame), 1);
    mju_mulMatMat(moved, across, shape.S, 2, 2, 2);
    assert_close(moved, shape.C, 4, 1e-7);
  }
  scene_free(&s);
}

// Sizes of the geom instead.
static void point_by_size(mjtNum out[3], const mjtNum size[3], void* of) {
  const Spot* spot = of;
  const mjtNum zero[2] = {0, 0};
  mjtNum* own = spot->s->m->geom_size + 3 * spot->geom;
  mjtNum before[3];
  mju_copy3(before, own);
  mju_copy3(own, size);
  point_at(out, zero, of);
  mju_copy3(own, before);
}

TEST(points_move_with_the_sizes_as_support_points_do) {
  DOUBLE_ONLY();
  Scene s = scene_make(kGeoms, 0);
  uint64_t seed = 5;
  for (int trial = 0; trial < 50; trial++) {
    Spot spot = {.s = &s, .geom = trial % s.m->ngeom};
    mjtNum point[3], J[9], growth[3][3];
    const mjtNum zero[2] = {0, 0};
    random_spot(&spot, &seed);
    point_at(point, zero, &spot);
    differences(J, point_by_size, &spot, s.m->geom_size + 3 * spot.geom, 3, 3, (mjtNum)1e-4);
    surface_growth(growth, s.m, s.d, spot.geom, point, spot.frame);
    for (int k = 0; k < 3; k++) {
      const mjtNum column[3] = {J[k], J[3 + k], J[6 + k]};
      assert_close(growth[k], column, 3, 1e-8);
    }
  }
  scene_free(&s);
}

// Features of a box, by where the point is.
TEST(a_box_has_faces_edges_and_corners) {
  Scene s = scene_make(kGeoms, 0);
  const mjtNum* size = s.m->geom_size + 12;
  for (int sides = 1; sides <= 3; sides++) {
    mjtNum local[3] = {0, 0, 0}, n[3] = {0, 0, 0}, point[3], normal[3], frame[9];
    SurfaceShape shape;
    for (int k = 0; k < sides; k++) {
      local[k] = size[k];
      n[k] = 1;
    }
    mju_normalize3(n);
    mju_mulMatVec3(point, s.d->geom_xmat + 36, local);
    mju_addTo3(point, s.d->geom_xpos + 12);
    mju_mulMatVec3(normal, s.d->geom_xmat + 36, n);
    mju_copy3(frame, normal);
    mju_cross(frame + 3, normal, s.d->geom_xmat + 36);  // not parallel to an axis
    mju_normalize3(frame + 3);
    mju_cross(frame + 6, frame, frame + 3);
    assert_int_equal(surface_of(&shape, s.m, s.d, 4, point, normal, frame), 1);
    // how many directions the point can move in, and the normal
    assert_near(shape.C[0] + shape.C[3], sides == 1 ? 2 : sides == 2 ? 1 : 0, 1e-9);
    assert_near(shape.S[0] + shape.S[3], sides == 1 ? 0 : sides == 2 ? 1 : 2, 1e-9);
  }
  scene_free(&s);
}
