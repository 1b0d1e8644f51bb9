// Rays against skins: a tetrahedron, from all sides, and against the reference.

#include "support/bridge.h"
#include "support/test.h"

static const float kVert[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const int kFace[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

TEST(a_ray_meets_the_nearest_face_and_names_its_nearest_vertex) {
  int vertex = -2;
  const mjtNum below[3] = {(mjtNum)0.1, (mjtNum)0.7, -1}, up[3] = {0, 0, 2};
  assert_that(mju_raySkin(4, 4, kFace, kVert, below, up, &vertex), ==, (mjtNum)0.5);
  assert_int_equal(vertex, 2);
  assert_that(mju_raySkin(4, 4, kFace, kVert, below, up, NULL), ==, (mjtNum)0.5);

  // past it, and away from it
  const mjtNum down[3] = {0, 0, -2}, beside[3] = {(mjtNum)0.9, (mjtNum)0.9, -1};
  assert_that(mju_raySkin(4, 4, kFace, kVert, below, down, &vertex), ==, -1);
  assert_int_equal(vertex, -1);
  assert_that(mju_raySkin(4, 4, kFace, kVert, beside, up, &vertex), ==, -1);
  assert_that(mju_raySkin(0, 0, kFace, kVert, below, up, &vertex), ==, -1);
}

static uint64_t seed = 1;

static mjtNum draw(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (mjtNum)((double)(seed >> 40) / (1 << 23) - 1);
}

TEST(random_rays_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  mjtNum (*theirs)(int, int, const int*, const float*, const mjtNum*, const mjtNum*, int*) =
      bridge_function("mju_raySkin");
  int hits = 0;
  for (int i = 0; i < 2000; i++) {
    mjtNum from[3] = {2 * draw(), 2 * draw(), 2 * draw()}, along[3];
    int ours_vertex = -2, their_vertex = -2;
    for (int k = 0; k < 3; k++) {
      along[k] = (mjtNum)0.25 - from[k] + (mjtNum)0.5 * draw();
    }
    mjtNum ours = mju_raySkin(4, 4, kFace, kVert, from, along, &ours_vertex);
    mjtNum other = theirs(4, 4, kFace, kVert, from, along, &their_vertex);
    assert_that(mju_abs(ours - other), <, 1e-12);
    assert_int_equal(ours_vertex, ours >= 0 ? their_vertex : -1);  // theirs is left alone
    hits += ours >= 0;
  }
  assert_that(hits, >, 500);
}
