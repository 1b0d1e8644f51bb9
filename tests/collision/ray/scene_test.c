// Rays into meshes, height fields and many geoms without the reference: against every triangle and
// geom one by one, errors, numbers that are none.

#include "base/algebra/vec.h"
#include "collision/ray/ray.h"
#include "support/caught.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/random.h"
#include "support/test.h"

static const char* const scene =
    "<mujoco><asset><mesh name='torus' builtin='supertorus' params='16 .4 1 1'/>"
    "<hfield name='hills' nrow='5' ncol='8' size='1 .7 .6 .2' elevation='0 3 1 4 1 5 9 2 6 5 3 5 8 "
    "9 7 9 3 2 3 8 4 6 "
    "2 6 4 3 3 8 3 2 7 9 5 0 2 8 8 4 1 9'/></asset><worldbody>"
    "<geom type='mesh' mesh='torus' pos='.1 .2 .3' euler='20 30 40'/>"
    "<geom type='hfield' hfield='hills' pos='5 .2 .3' euler='20 -30 40'/>"
    "<body name='eye' pos='.1 .2 9'><geom type='sphere' size='.1'/><site name='down' zaxis='0 0 "
    "-1'/></body>"
    "<body name='sky' pos='5 .2 9'><site name='fall' zaxis='0 0 -1'/></body></worldbody>"
    "<sensor><rangefinder site='down'/><rangefinder site='fall'/></sensor></mujoco>";

enum {
  TORUS,
  HILLS,
  EYE
};

static mjModel* load(mjData** d) {
  mjModel* m = test_model(scene);
  *d = mj_makeData(m);
  assert_non_null(*d);
  mj_forward(m, *d);
  return m;
}

// all faces of the torus
static mjtNum nearest_face(const mjModel* m, const mjtNum o[3], const mjtNum v[3]) {
  mjtNum view[2][3], x = -1;
  ray_view(view, v);
  for (int i = 0; i < m->nmeshface; i++) {
    mjtNum corner[3][3];
    for (int k = 0; k < 9; k++) {
      corner[k / 3][k % 3] = m->mesh_vert[3 * m->mesh_face[3 * i + k / 3] + k % 3];
    }
    x = ray_nearer(x, ray_triangle(o, v, view, corner));
  }
  return x;
}

// height of the hills over a place in their frame, by weights of the corners of its triangle
static mjtNum hill(const mjModel* m, mjtNum x, mjtNum y) {
  const mjtNum* size = m->hfield_size;
  mjtNum s = (x + size[0]) / (2 * size[0]) * 7, t = (y + size[1]) / (2 * size[1]) * 4;
  int c = int_min(6, (int)s), r = int_min(3, (int)t);
  const float* data = m->hfield_data + 8 * r + c;
  const mjtNum h[4] = {data[0], data[1], data[8], data[9]};
  s -= (mjtNum)c;
  t -= (mjtNum)r;
  return size[2] * (s > t ? h[0] + s * (h[1] - h[0]) + t * (h[3] - h[1])
                          : h[0] + t * (h[2] - h[0]) + s * (h[3] - h[2]));
}

// How far a place in the frame of the hills is outside of them: base, samples and sides are one
// solid.
static mjtNum outside_hills(const mjModel* m, const mjtNum p[3]) {
  const mjtNum* size = m->hfield_size;
  mjtNum out = num_max(num_max(mju_abs(p[0]) - size[0], mju_abs(p[1]) - size[1]), -size[3] - p[2]);
  return out > 0 ? out : num_max(out, p[2] - hill(m, p[0], p[1]));
}

static void random_ray(mjtNum pnt[3], mjtNum vec[3], const mjtNum centre[3], uint64_t* seed) {
  for (int k = 0; k < 3; k++) {
    pnt[k] = centre[k] + 3 * xorshift_random(seed);
    vec[k] = centre[k] + (mjtNum)0.7 * xorshift_random(seed) - pnt[k];
  }
}

TEST(a_mesh_is_met_at_the_nearest_of_all_its_faces) {
  mjData* d;
  mjModel* m = load(&d);
  uint64_t seed = 5;
  int hits = 0;
  for (int n = 0; n < 3000; n++) {
    mjtNum pnt[3], vec[3], o[3], v[3];
    random_ray(pnt, vec, d->geom_xpos + 3 * TORUS, &seed);
    ray_tolocal(o, v, d->geom_xpos + 3 * TORUS, d->geom_xmat + 9 * TORUS, pnt, vec);
    mjtNum x = mj_rayMesh(m, d, TORUS, pnt, vec);
    assert_that(x, ==, nearest_face(m, o, v));
    assert_true(mj_ray(m, d, pnt, vec, NULL, 1, 1, NULL) == x || x < 0);
    hits += x >= 0;
  }
  assert_in_range(hits, 1000, 2900);
  mj_deleteData(d);
}

TEST(a_ray_stops_where_it_enters_the_hills) {
  DOUBLE_ONLY();
  mjData* d;
  mjModel* m = load(&d);
  uint64_t seed = 6;
  int hits = 0;
  for (int n = 0; n < 3000; n++) {
    mjtNum pnt[3], vec[3], o[3], v[3], p[3];
    random_ray(pnt, vec, d->geom_xpos + 3 * HILLS, &seed);
    ray_tolocal(o, v, d->geom_xpos + 3 * HILLS, d->geom_xmat + 9 * HILLS, pnt, vec);
    if (outside_hills(m, o) < 0) {
      continue;
    }
    mjtNum x = mj_rayHfield(m, d, HILLS, pnt, vec), end = x < 0 ? 3 : x * (1 - (mjtNum)1e-9);
    for (int k = 0; k <= 300; k++) {
      v3_addscl(p, o, v, end * k / 300);
      assert_that(outside_hills(m, p), >, -1e-9);
    }
    if (x >= 0) {
      v3_addscl(p, o, v, x);
      assert_near(outside_hills(m, p), 0, 1e-9);
      hits++;
    }
  }
  assert_in_range(hits, 1000, 2900);
  mj_deleteData(d);
}

TEST(a_rangefinder_sees_meshes_and_height_fields) {
  mjData* d;
  mjModel* m = load(&d);
  const mjtNum down[3] = {0, 0, -1};
  for (int i = 0; i < 2; i++) {
    const mjtNum* site = d->site_xpos + 3 * i;
    mjtNum x = i ? mj_rayHfield(m, d, HILLS, site, down) : mj_rayMesh(m, d, TORUS, site, down);
    assert_true(i == 0 || x > 0);
    assert_near(d->sensordata[i], x, 1e-12);
  }
  mj_deleteData(d);
}

TEST(what_is_no_ray_meets_nothing) {
  mjData* d;
  mjModel* m = load(&d);
  for (int n = 0; n < 12; n++) {
    mjtNum ray[6] = {0, 0, 5, 0, 0, -1};
    ray[n % 6] = n < 6 ? (mjtNum)NAN : (mjtNum)INFINITY;
    mjtNum x = 7;
    int geom = 7;
    mj_multiRay(m, d, ray, ray + 3, NULL, 1, -1, &geom, &x, 1, 100);
    assert_that(x, ==, -1);
    assert_that(geom, ==, -1);
    assert_that(mj_ray(m, d, ray, ray + 3, NULL, 1, -1, NULL), ==, -1);
    assert_that(mj_rayMesh(m, d, TORUS, ray, ray + 3), ==, -1);
    assert_that(mj_rayHfield(m, d, HILLS, ray, ray + 3), ==, -1);
    for (int type = mjGEOM_PLANE; type < mjGEOM_MESH; type++) {
      if (type != mjGEOM_HFIELD) {
        const mjtNum mat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, size[3] = {1, 1, 1}, zero[3] = {0, 0, 0};
        assert_that(mju_rayGeom(zero, mat, size, ray, ray + 3, type), ==, -1);
      }
    }
  }
  mj_deleteData(d);
}

// geoms that don't collide are in no tree, for which many rays would have rules of their own
TEST(many_rays_find_the_nearest_of_many_geoms) {
  enum {
    NGEOM = 1100,
    NRAY = 500
  };
  static char text[128 * NGEOM + 128];
  static const char* const types[] = {"sphere", "capsule", "box", "cylinder", "ellipsoid"};
  uint64_t seed = 3;
  size_t end = (size_t)snprintf(text, sizeof(text), "<mujoco><worldbody>");
  for (int i = 0; i < NGEOM; i++) {
    mjtNum pos[3] = {xorshift_random(&seed), xorshift_random(&seed), xorshift_random(&seed)};
    end += (size_t)snprintf(text + end, sizeof(text) - end,
                            "<geom type='%s' size='.02 .03 .04' pos='%.3f %.3f %.3f' contype='0' "
                            "conaffinity='0'/>",
                            types[i % 5], pos[0], pos[1], pos[2]);
  }
  snprintf(text + end, sizeof(text) - end, "</worldbody></mujoco>");
  mjModel* m = test_model(text);
  mjData* d = test_data(m);
  mj_forward(m, d);

  // from outside of the heap and from within it
  for (int inside = 0; inside < 2; inside++) {
    const mjtNum pnt[3] = {inside ? (mjtNum)0.1 : 3, (mjtNum)0.2, (mjtNum)0.1};
    static mjtNum vec[3 * NRAY], x[NRAY];
    static int geom[NRAY];
    int hits = 0;
    for (int k = 0; k < 3 * NRAY; k++) {
      vec[k] = xorshift_random(&seed) - (inside ? 0 : pnt[k % 3]);
    }
    mj_multiRay(m, d, pnt, vec, NULL, 1, -1, geom, x, NRAY, 100);
    for (int i = 0; i < NRAY; i++) {
      mjtNum nearest = -1;
      int first = -1, one;
      for (int g = 0; g < NGEOM; g++) {
        mjtNum met = ray_geom(m, d, g, pnt, vec + 3 * i, NULL);
        if (met >= 0 && (first < 0 || met < nearest)) {
          nearest = met;
          first = g;
        }
      }
      assert_that(x[i], ==, nearest);
      assert_that(geom[i], ==, first);
      assert_that(mj_ray(m, d, pnt, vec + 3 * i, NULL, 1, -1, &one), ==, nearest);
      assert_that(one, ==, first);
      hits += first >= 0;
    }
    assert_in_range(hits, NRAY / 4, NRAY - 1);
  }
}

TEST(wrong_calls_are_errors) {
  mjData* d;
  mjModel* m = load(&d);
  const mjtNum pnt[3] = {0, 0, 0}, none[6] = {1, 0, 0, 0, 0, (mjtNum)1e-17};
  mjtNum x[2];
  int geom[2];
  assert_error(mj_multiRay(m, d, pnt, none, NULL, 1, -1, geom, x, 2, 1),
               "mj_multiRay: vector length is too small");
  assert_error(mj_rayMesh(m, d, HILLS, pnt, none), "geom 1 is not a mesh");
  assert_error(mj_rayHfield(m, d, EYE, pnt, none), "geom 2 is not a height field");
  assert_error(mj_rayMesh(m, d, 3, pnt, none), "geom 3 does not exist");
  mj_deleteData(d);
}
