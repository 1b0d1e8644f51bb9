// Features of deformables that contacts are on, and how they move.

#include "derivative/geometry/flex_feature.h"

#include "derivative/scene.h"

// A sheet or a solid, and a ball below: under a corner, an edge or a face.
static const char kSheet[] =
    "<mujoco><worldbody><geom size='.07' pos='%s' conaffinity='0'/><flexcomp type='grid' "
    "%s spacing='.2 .2 .1' mass='.4' name='cloth' radius='.03' pos='0 0 .02'>"
    "<contact selfcollide='none' internal='false'/></flexcomp></worldbody></mujoco>";

static const char kThin[] = "dim='2' count='2 2 1'", kSolid[] = "dim='3' count='2 2 2'";

static void check_feature(const char* grid, const char* pos, int corners) {
  char xml[1000];
  snprintf(xml, sizeof(xml), kSheet, pos, grid);
  Scene s = scene_make(xml, 0);
  int most = 0;
  for (int i = 0; i < s.d->ncon; i++) {
    const mjContact* con = s.d->contact + i;
    FlexFeature feature;
    if (con->elem[1] < 0) {
      continue;
    }
    assert_true(flex_feature(&feature, s.m, s.d, con, 1));
    most = feature.n > most ? feature.n : most;
    // c = pos + n (dist/2 + r), the mean of the corners by their shares
    mjtNum c[3], mean[3] = {0, 0, 0}, sum = 0;
    for (int k = 0; k < feature.n; k++) {
      const mjtNum* x = s.d->flexvert_xpos + 3 * feature.corners.vert[feature.corner[k]];
      mju_addToScl3(mean, x, feature.share[k]);
      sum += feature.share[k];
      assert_that(feature.share[k], >=, 0);
    }
    mju_copy3(c, con->pos);
    mju_addToScl3(c, con->frame, con->dist / 2 + s.m->flex_radius[0]);
    assert_near(sum, 1, 1e-12);
    assert_close(mean, c, 3, 1e-6);  // as near as searches of solids end
  }
  assert_int_equal(most, corners);  // an element beside it is touched at its edge
  scene_free(&s);
}

TEST(a_contact_is_on_the_feature_that_it_touches) {
  DOUBLE_ONLY();
  check_feature(kThin, "-.12 -.11 -.04", 1);
  check_feature(kThin, "-.12 .03 -.04", 2);
  check_feature(kThin, "-.04 .03 -.05", 3);
  // of the four of a solid the one above is left out
  check_feature(kSolid, "-.04 .03 -.1", 3);
}

// Corners that move like a body: what turns about the normal or the edge is left out.
TEST(a_feature_that_moves_like_a_body_has_its_twist) {
  uint64_t seed = 3;
  for (int n = 1; n <= 3; n++) {
    FlexFeature feature = {.n = n, .corner = {2, 0, 1}};
    mjtNum x[4][3], v[4][3], twist[6], out[6], expected[3], arm[3], e[2][3], axis[3], c[3] = {0};
    mjtNum moved[3], shift[3] = {0};
    random_fill(x[0], 12, &seed);
    random_fill(twist, 6, &seed);
    for (int i = 0; i < 4; i++) {
      mju_cross(v[i], twist, x[i]);
      mju_addTo3(v[i], twist + 3);
    }
    for (int i = 0; i < n; i++) {
      feature.share[i] = (mjtNum)1 / n;
      mju_addToScl3(c, x[feature.corner[i]], feature.share[i]);
      mju_addToScl3(shift, v[feature.corner[i]], feature.share[i]);
    }
    flex_feature_twist(out, &feature, x, v);
    for (int i = 1; i < n; i++) {
      mju_sub3(e[i - 1], x[feature.corner[i]], x[feature.corner[0]]);
    }
    if (n == 1) {
      mju_zero3(expected);
    } else {
      if (n == 2) {
        mju_copy3(axis, e[0]);
      } else {
        mju_cross(axis, e[0], e[1]);
      }
      mju_normalize3(axis);
      mju_copy3(expected, twist);
      mju_addToScl3(expected, axis, -mju_dot3(axis, twist));
    }
    assert_close(out, expected, 3, 1e-12);
    mju_cross(arm, out, c);
    mju_add3(moved, out + 3, arm);
    assert_close(moved, shift, 3, 1e-12);
  }
}

// Stretching shows nothing of a feature but its shift.
TEST(stretching_does_not_turn_a_feature) {
  FlexFeature feature = {.n = 3, .corner = {0, 1, 2}, .share = {1, 0, 0}};
  const mjtNum x[4][3] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {0, 0, 0}};
  const mjtNum v[4][3] = {{0, 0, 0}, {3, -1, 0}, {2, 5, 0}, {0, 0, 0}}, none[6] = {0};
  mjtNum out[6];
  flex_feature_twist(out, &feature, x, v);
  assert_close(out, none, 6, 1e-15);
}
