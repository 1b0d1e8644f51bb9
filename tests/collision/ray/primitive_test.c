// Rays against shapes: what lies on the surface, what is invisible, the reference's numbers.

#include "base/algebra/vec.h"
#include "support/bridge.h"
#include "support/caught.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/random.h"
#include "support/test.h"

enum {
  NSHAPE = 6
};

static const mjtGeom shape[NSHAPE] = {mjGEOM_PLANE,     mjGEOM_SPHERE,   mjGEOM_CAPSULE,
                                      mjGEOM_ELLIPSOID, mjGEOM_CYLINDER, mjGEOM_BOX};

typedef struct {
  mjtNum pos[3], mat[9], size[3], from[3], ray[3];
} Case;

static Case random_case(uint64_t* seed) {
  Case c;
  mjtNum quat[4];
  for (int k = 0; k < 4; k++) {
    quat[k] = xorshift_random(seed);
  }
  q_normalize(quat);
  q_tomat(c.mat, quat);
  for (int k = 0; k < 3; k++) {
    c.pos[k] = xorshift_random(seed);
    c.size[k] = (mjtNum)0.3 + (mjtNum)0.25 * xorshift_random(seed);
    c.from[k] = c.pos[k] + xorshift_random(seed);
    c.ray[k] = (c.pos[k] - c.from[k]) + (mjtNum)0.5 * xorshift_random(seed);
  }
  return c;
}

// Signed measure of how far outside a shape a local point is: 0 on its surface.
static mjtNum outside(mjtGeom type, const mjtNum s[3], const mjtNum p[3]) {
  mjtNum rho = mju_sqrt(p[0] * p[0] + p[1] * p[1]);
  mjtNum past = mju_abs(p[2]) - s[1], core[3] = {p[0], p[1], past > 0 ? past : 0};
  switch (type) {
    case mjGEOM_PLANE:
      return p[2];
    case mjGEOM_SPHERE:
      return v3_norm(p) - s[0];
    case mjGEOM_CAPSULE:
      return v3_norm(core) - s[0];
    case mjGEOM_ELLIPSOID:
      return p[0] * p[0] / (s[0] * s[0]) + p[1] * p[1] / (s[1] * s[1]) +
             p[2] * p[2] / (s[2] * s[2]) - 1;
    case mjGEOM_CYLINDER:
      return num_max(rho - s[0], past);
    default:
      return num_max(num_max(mju_abs(p[0]) - s[0], mju_abs(p[1]) - s[1]), mju_abs(p[2]) - s[2]);
  }
}

TEST(a_hit_lies_on_the_surface_and_nothing_is_before_it) {
  uint64_t seed = 88172645463325252u;
  int hits[NSHAPE] = {0};
  for (int n = 0; n < 6000; n++) {
    mjtGeom type = shape[n % NSHAPE];
    Case c = random_case(&seed);
    mjtNum x = mju_rayGeom(c.pos, c.mat, c.size, c.from, c.ray, type);
    mjtNum start[3], step[3], p[3];
    v3_sub(start, c.from, c.pos);
    m3_tmulv(start, c.mat, start);
    m3_tmulv(step, c.mat, c.ray);
    if (x < 0) {
      assert_that(x, ==, -1);
      continue;
    }
    hits[n % NSHAPE]++;
    v3_addscl(p, start, step, x);
    assert_that(mju_abs(outside(type, c.size, p)), <, rounding(1e-9));
    for (int k = 1; k < 50 && type != mjGEOM_PLANE; k++) {
      v3_addscl(p, start, step, x * k / 50);
      assert_that(outside(type, c.size, p) * outside(type, c.size, start), >, -1e-12);
    }
  }
  for (int i = 0; i < NSHAPE; i++) {
    assert_that(hits[i], >, 100);
  }
}

TEST(a_ray_from_inside_always_gets_out) {
  uint64_t seed = 12345;
  for (int n = 0; n < 3000; n++) {
    Case c = random_case(&seed);
    mjtGeom type = shape[1 + n % (NSHAPE - 1)];
    v3_copy(c.from, c.pos);
    assert_that(mju_rayGeom(c.pos, c.mat, c.size, c.from, c.ray, type), >=, 0);
  }
}

TEST(a_plane_is_met_from_the_front_and_where_it_is_drawn) {
  const mjtNum zero[3] = {0, 0, 0}, mat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const mjtNum size[3] = {1, 0, 1}, above[3] = {0.5, 7, 2}, beside[3] = {1.5, 0, 2};
  const mjtNum down[3] = {0, 0, -2}, up[3] = {0, 0, 1}, below[3] = {0.5, 7, -2};
  assert_that(mju_rayGeom(zero, mat, size, above, down, mjGEOM_PLANE), ==, 1);
  assert_that(mju_rayGeom(zero, mat, size, beside, down, mjGEOM_PLANE), ==, -1);
  assert_that(mju_rayGeom(zero, mat, size, above, up, mjGEOM_PLANE), ==, -1);
  assert_that(mju_rayGeom(zero, mat, size, below, up, mjGEOM_PLANE), ==, -1);
  assert_error(mju_rayGeom(zero, mat, size, above, down, mjGEOM_MESH),
               "mju_rayGeom: unexpected geom type 7");
}

// four walls one behind the other
static const char* const walls =
    "<mujoco><asset><material name='glass' rgba='1 1 1 0'/><material name='brick'/></asset>"
    "<worldbody><geom type='box' size='.1 1 1' pos='1 0 0' rgba='1 1 1 0'/>"
    "<geom type='box' size='.1 1 1' pos='2 0 0' material='glass'/>"
    "<geom type='box' size='.1 1 1' pos='3 0 0' material='brick' rgba='1 1 1 0' group='2'/>"
    "<body name='door' pos='4 0 0'><joint/><geom type='box' size='.1 1 1'/>"
    "<geom type='box' size='.1 1 1' pos='.05 0 0'/></body></worldbody></mujoco>";

TEST(rays_pass_what_they_do_not_see) {
  mjModel* m = test_model(walls);
  mjData* d = test_data(m);
  mj_forward(m, d);
  const mjtNum from[3] = {0, 0, 0}, ray[3] = {0.5, 0, 0}, none[3] = {0, 0, 1e-16};
  mjtByte groups[mjNGROUP] = {1, 1, 0, 1, 1, 1};
  int geom = -7;
  assert_that(mju_abs(mj_ray(m, d, from, ray, NULL, 1, -1, &geom) - 5.8), <, rounding(1e-12));
  assert_int_equal(geom, 2);
  assert_that(mju_abs(mj_ray(m, d, from, ray, groups, 1, -1, &geom) - 7.8), <, rounding(1e-12));
  assert_int_equal(geom, 3);
  assert_that(mju_abs(mj_ray(m, d, from, ray, NULL, 0, -1, NULL) - 7.8), <, rounding(1e-12));
  assert_that(mju_abs(mj_ray(m, d, from, ray, NULL, 1, 0, &geom) - 7.8), <, rounding(1e-12));
  assert_that(mj_ray(m, d, from, ray, groups, 1, 1, &geom), ==, -1);
  assert_int_equal(geom, -1);
  assert_error(mj_ray(m, d, from, none, NULL, 1, -1, NULL), "vector length is too small");
}

TEST(rays_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  mjtNum (*reference)(const mjtNum*, const mjtNum*, const mjtNum*, const mjtNum*, const mjtNum*,
                      int) = bridge_function("mju_rayGeom");
  uint64_t seed = 4711;
  for (int n = 0; n < 60000; n++) {
    Case c = random_case(&seed);
    if (n % 3 == 0) {
      // along an axis of the shape
      m3_column(c.ray, c.mat, n / 3 % 3);
    }
    mjtGeom type = shape[n % NSHAPE];
    mjtNum ours = mju_rayGeom(c.pos, c.mat, c.size, c.from, c.ray, type);
    mjtNum theirs = reference(c.pos, c.mat, c.size, c.from, c.ray, type);
    assert_relative(ours, theirs, 1e-9, 1);
  }
}
