// A body that becomes a frame leaves its content, its pose and its mass.

#include "spec/small_spec.h"
#include "support/load.h"
#include "support/near.h"

TEST(a_body_becomes_a_frame_with_its_pose) {
  mjSpec* s = small();
  mjsBody* a = mjs_findBody(s, "a");
  mjsBody* a1 = mjs_findBody(s, "a1");
  mjsFrame* around = mjs_addFrame(a, NULL);
  mjs_setFrame(a1->element, around);
  a1->pos[0] = 5;
  a1->alt.type = mjORIENTATION_EULER;
  a1->alt.euler[2] = 90;
  mjsFrame* frame = mjs_bodyToFrame(&a1);
  assert_null(a1);
  assert_ptr_equal(mjs_getFrame(frame->element), around);
  assert_near(frame->pos[0], 5, 0);
  assert_near(frame->quat[3], 0.70710678118654752, 1e-15);
  mjsBody* a11 = mjs_findBody(s, "a11");
  assert_ptr_equal(mjs_getParent(a11->element), a);
  assert_ptr_equal(mjs_getFrame(a11->element), frame);
  assert_string_equal(order(s, mjOBJ_BODY), "world a a2 a11 b ");
  mj_deleteSpec(s);
}

TEST(explicit_masses_add_up_when_a_body_becomes_a_frame) {
  mjSpec* s = small();
  mjsBody* a = mjs_findBody(s, "a");
  mjsBody* a1 = mjs_findBody(s, "a1");
  a1->mass = 1;
  a1->ipos[0] = 0;
  for (int i = 0; i < 3; i++) {
    a1->inertia[i] = i + 1;
  }
  a1->pos[0] = 2;
  mjsGeom* geom = mjs_addGeom(a, NULL);
  assert_null(mjs_bodyToFrame(&a1));
  assert_non_null(strstr(mjs_getError(s), "has none"));
  assert_non_null(a1);
  mjs_delete(s, geom->element);

  // one unit of mass at (2, 0, 0), one at the origin
  a->mass = 1;
  a->ipos[0] = 0;
  assert_non_null(mjs_bodyToFrame(&a1));
  assert_near(a->mass, 2, 0);
  assert_near(a->ipos[0], 1, 1e-15);
  assert_near(a->fullinertia[0], 1, 1e-15);
  assert_near(a->fullinertia[1], 2 + 2, 1e-15);
  assert_near(a->fullinertia[2], 3 + 2, 1e-15);
  assert_near(a->fullinertia[3], 0, 1e-15);
  mj_deleteSpec(s);
}

// A parent that weighs nothing takes the mass over: twice, once through a turned frame.
TEST(the_mass_of_a_body_that_becomes_a_frame_goes_to_an_empty_parent) {
  mjSpec* s = test_spec(
      "<mujoco><worldbody><body name='a'><freejoint/><frame euler='0 0 90' pos='0 0 3'>"
      "<body name='b' pos='2 0 0'><inertial pos='1 0 0' mass='2' diaginertia='1 2 2.5'/>"
      "<geom size='.1'/></body></frame></body></worldbody></mujoco>");
  mjsBody* b = mjs_findBody(s, "b");
  assert_non_null(mjs_bodyToFrame(&b));
  mjModel* m = test_compile(s);
  static const double center[3] = {0, 3, 3}, inertia[3] = {2.5, 2, 1};
  assert_float_equal(m->body_mass[1], 2, 0);
  for (int i = 0; i < 3; i++) {
    assert_float_equal(m->body_ipos[3 + i], center[i], 1e-14);
    assert_float_equal(m->body_inertia[3 + i], inertia[i], 1e-14);
  }
}
