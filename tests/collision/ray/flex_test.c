// Rays against flexes: a triangle whose distances are known, and flexes of all dimensions against
// the reference.

#include "support/models.h"

static const char kTriangle[] =
    "<mujoco><worldbody><body name='a'/></worldbody><deformable>"
    "<flex name='f' radius='.1' body='a' vertex='0 0 0 1 0 0 0 1 0' element='0 1 2'/>"
    "</deformable></mujoco>";

TEST(a_ray_meets_faces_edges_or_vertices_as_asked) {
  mjModel* m = test_model(kTriangle);
  mjData* d = test_data(m);
  mj_kinematics(m, d);
  mj_flex(m, d);
  const mjtNum down[3] = {0, 0, -2};
  const mjtNum inside[3] = {(mjtNum)0.2, (mjtNum)0.3, 2}, side[3] = {(mjtNum)0.4, 0, 2};
  const mjtNum corner[3] = {1, 0, 2}, beside[3] = {(mjtNum)1.05, 0, 2}, outside[3] = {2, 2, 2};
  int vertex = -2;

  // the middle surface of a face; edges and vertices inflated by the radius
  assert_that(mju_abs(mju_rayFlex(m, d, 0, 0, 0, 1, 0, 0, inside, down, &vertex) - (mjtNum)1), <,
              (mjtNum)1e-6);
  assert_int_equal(vertex, 0);
  assert_that(mju_abs(mju_rayFlex(m, d, 0, 0, 1, 0, 0, 0, side, down, NULL) - (mjtNum)0.95), <,
              (mjtNum)1e-6);
  assert_that(mju_abs(mju_rayFlex(m, d, 0, 1, 0, 0, 0, 0, corner, down, &vertex) - (mjtNum)0.95), <,
              (mjtNum)1e-6);
  assert_int_equal(vertex, 1);

  // past it, and what is not asked for
  assert_that(mju_rayFlex(m, d, 0, 1, 1, 1, 1, 0, outside, down, NULL), ==, -1);
  assert_that(mju_rayFlex(m, d, 0, 1, 1, 0, 0, 0, inside, down, NULL), ==, -1);
  assert_that(mju_rayFlex(m, d, 0, 0, 0, 1, 0, 0, beside, down, NULL), ==, -1);
}

typedef mjtNum RayFlex(const void*, const void*, int, mjtByte, mjtByte, mjtByte, mjtByte, int,
                       const mjtNum*, const mjtNum*, int*);

// Random rays at a flex, with each choice of its parts; returns how many met it.
static int compare_rays(const Bridge* b, int flex, uint64_t* seed) {
  RayFlex* theirs;
  void* symbol = bridge_function("mju_rayFlex");
  memcpy(&theirs, &symbol, sizeof symbol);
  const mjtNum* vert = b->d->flexvert_xpos + 3 * b->m->flex_vertadr[flex];
  int hits = 0;
  for (int i = 0; i < 800; i++) {
    mjtNum from[3], along[3];
    const mjtNum* to = vert + 3 * (i % b->m->flex_vertnum[flex]);
    for (int k = 0; k < 3; k++) {
      from[k] = (mjtNum)(3 * uniform_random(seed));
      along[k] = to[k] - from[k] + (mjtNum)(0.05 * uniform_random(seed));
    }
    mjtByte v = i & 1, e = i >> 1 & 1, f = i >> 2 & 1, s = i >> 3 & 1;
    int ours_vertex = -2, their_vertex = -2;
    mjtNum ours = mju_rayFlex(b->m, b->d, 0, v, e, f, s, flex, from, along, &ours_vertex);
    mjtNum other = theirs(b->ref_m, b->ref_d, 0, v, e, f, s, flex, from, along, &their_vertex);
    assert_that(mju_abs(ours - other), <, 1e-9);
    if (ours >= 0) {
      assert_int_equal(ours_vertex, their_vertex);
      hits++;
    }
  }
  return hits;
}

TEST(random_rays_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  static const char* const names[] = {"flex_cable", "flex_cloth", "flex_solid"};
  uint64_t seed = 1;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    char path[1000];
    snprintf(path, sizeof path, "%s/tests/models/%s.xml", CONDYLE_SOURCE_DIR, names[i]);
    Bridge* b = both_models(path);
    mj_forward(b->m, b->d);
    void (*forward)(const void*, void*);
    void* symbol = bridge_function("mj_forward");
    memcpy(&forward, &symbol, sizeof symbol);
    forward(b->ref_m, b->ref_d);
    for (int flex = 0; flex < b->m->nflex; flex++) {
      assert_that(compare_rays(b, flex, &seed), >, 20);
    }
    test_release(b);
  }
}
