// Which bodies a contact of a deformable acts on, and contacts that act as springs.

#include "derivative/scene.h"
#include "smooth/flex/flex.h"

// A sheet on sliders over a ball that can move.
#define SHEET(PASSIVE)                                                                            \
  "<mujoco><worldbody><body pos='.03 .02 -.07'><freejoint/><geom size='.07' conaffinity='0'/>"    \
  "</body><flexcomp type='grid' count='2 2 1' spacing='.2 .2 .1' dim='2' mass='.4' name='cloth' " \
  "radius='.03' pos='0 0 .02'><contact selfcollide='none' internal='false' passive='" PASSIVE     \
  "'/></flexcomp></worldbody></mujoco>"

TEST(nearer_corners_have_larger_weights_of_length_one) {
  Scene s = scene_make(SHEET("false"), 0);
  assert_that(s.d->ncon, >, 0);
  for (int i = 0; i < s.d->ncon; i++) {
    const mjContact* con = s.d->contact + i;
    FlexCorners corners;
    mjtNum sum = 0, product[4];
    flex_contact_corners(&corners, s.m, s.d, con, 1);
    assert_int_equal(corners.n, 3);
    for (int k = 0; k < 3; k++) {
      const mjtNum* x = s.d->flexvert_xpos + 3 * corners.vert[k];
      product[k] = corners.weight[k] * mju_dist3(con->pos, x);
      sum += corners.weight[k] * corners.weight[k];
      assert_near(product[k], product[0], 1e-12);
      assert_true(flex_is_counted(&corners, k, 0));
      assert_int_equal(flex_is_counted(&corners, k, 1), k == 2);
    }
    assert_near(sum, 1, 1e-12);
  }
  scene_free(&s);
}

TEST(bodies_of_a_contact_are_those_of_both_sides) {
  Scene s = scene_make(SHEET("false"), 0);
  FlexBodies of;
  flex_contact_bodies(&of, s.m, s.d, s.d->contact, 0);
  assert_int_equal(of.n, 4);
  assert_int_equal(of.body[0], s.m->geom_bodyid[0]);
  assert_near(of.weight[0], -1, 0);
  for (int k = 1; k < 4; k++) {
    assert_that(of.weight[k], >, 0);
    assert_that(of.body[k], >, of.body[0]);
  }
  assert_false(flex_is_passive(s.m, s.d->contact));
  scene_free(&s);
}

// -k dist along the normal at the ball, and by the weights at the corners
TEST(passive_contacts_push_by_their_depth) {
  DOUBLE_ONLY();
  Scene s = scene_make(SHEET("true"), 0);
  mjtNum *qfrc = scene_zeros(&s, s.nv), *expected = scene_zeros(&s, s.nv);
  const mjtNum zero[3] = {0, 0, 0};
  for (int i = 0; i < s.d->ncon; i++) {
    const mjContact* con = s.d->contact + i;
    FlexBodies of;
    assert_true(flex_is_passive(s.m, con));
    assert_that(con->dist, <, 0);
    flex_contact_bodies(&of, s.m, s.d, con, 0);
    for (int k = 0; k < of.n; k++) {
      mjtNum force[3];
      mju_scl3(force, con->frame, -FLEX_PASSIVE_STIFFNESS * con->dist * of.weight[k]);
      mj_applyFT(s.m, s.d, force, zero, con->pos, of.body[k], expected);
    }
  }
  flex_contact_forces(qfrc, s.m, s.d);
  assert_that(largest_of(qfrc, s.nv), >, 1);
  assert_numbers(qfrc, expected, s.nv, 1e-12, largest_of(expected, s.nv));
  // the ball goes down, the sheet up
  assert_that(qfrc[2], <, 0);
  scene_free(&s);
}
