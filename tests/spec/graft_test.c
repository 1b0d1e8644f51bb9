// Elements moved or copied into another model, under new names.

#include "spec/graft.h"

#include "support/test.h"

// A part with a hinge, a geom in a frame, and an actuator on the hinge.
static mjSpec* part(void) {
  mjSpec* s = mj_makeSpec();
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), NULL);
  mjs_setName(body->element, "arm");
  mjs_setName(mjs_addJoint(body, NULL)->element, "hinge");
  mjsFrame* frame = mjs_addFrame(body, NULL);
  mjs_setName(frame->element, "inner");
  mjsGeom* geom = mjs_addGeom(body, NULL);
  mjs_setName(geom->element, "tip");
  mjs_setFrame(geom->element, frame);
  mjsActuator* actuator = mjs_addActuator(s, NULL);
  mjs_setName(actuator->element, "motor");
  actuator->trntype = mjTRN_JOINT;
  mjs_setString(actuator->target, "hinge");
  return s;
}

TEST(names_and_what_refers_to_them_change_alike) {
  for (int copies = 0; copies < 2; copies++) {
    mjSpec *parent = mj_makeSpec(), *child = part();
    mjs_setDeepCopy(parent, copies);
    mjsElement *arm = mjs_findBody(child, "arm")->element, *there;
    mjsFrame* frame = mjs_addFrame(mjs_findBody(parent, "world"), NULL);
    there = mjs_attach(frame->element, arm, "a_", "_z");
    assert_non_null(there);
    // what is moved keeps its address
    assert_int_equal(there == arm, !copies);
    assert_non_null(mjs_findElement(parent, mjOBJ_GEOM, "a_tip_z"));
    assert_null(mjs_findElement(parent, mjOBJ_GEOM, "tip"));
    mjsActuator* motor = mjs_asActuator(mjs_findElement(parent, mjOBJ_ACTUATOR, "a_motor_z"));
    assert_non_null(motor);
    assert_string_equal(mjs_getString(motor->target), "a_hinge_z");
    assert_int_equal(mjs_findBody(child, "arm") != NULL, copies);
    mj_deleteSpec(parent);
    mj_deleteSpec(child);
  }
}

TEST(what_is_inside_a_frame_is_told_through_frames_between) {
  mjSpec* s = part();
  mjsBody* body = mjs_findBody(s, "arm");
  mjsFrame *inner = mjs_findFrame(s, "inner"), *outer = mjs_addFrame(body, NULL);
  SpecObject* geom = spec_object(mjs_findElement(s, mjOBJ_GEOM, "tip"));
  assert_false(graft_isinside(geom, spec_object(outer->element)));
  mjs_setFrame(inner->element, outer);
  assert_true(graft_isinside(geom, spec_object(inner->element)));
  assert_true(graft_isinside(geom, spec_object(outer->element)));
  assert_false(graft_isinside(spec_object(outer->element), spec_object(inner->element)));
  mj_deleteSpec(s);
}

// Taken back, a tree has what it had at the mark.
TEST(undoing_leaves_nothing_of_what_came_after_the_mark) {
  mjSpec* s = part();
  SpecTree* tree = spec_tree(s);
  SpecObject* arm = spec_object(mjs_findBody(s, "arm")->element);
  GraftMark mark;
  int before[2] = {spec_count(tree, mjOBJ_GEOM), spec_count(tree, mjOBJ_ACTUATOR)};
  graft_begin(&mark, tree, arm);
  spec_add(tree, mjOBJ_GEOM, arm, NULL);
  spec_add(tree, mjOBJ_ACTUATOR, NULL, NULL);
  assert_int_equal(spec_count(tree, mjOBJ_GEOM), before[0] + 1);
  graft_undo(&mark);
  assert_int_equal(spec_count(tree, mjOBJ_GEOM), before[0]);
  assert_int_equal(spec_count(tree, mjOBJ_ACTUATOR), before[1]);
  assert_non_null(mjs_findElement(s, mjOBJ_GEOM, "tip"));
  mj_deleteSpec(s);
}

TEST(a_name_that_the_parent_has_is_refused) {
  mjSpec *parent = mj_makeSpec(), *child = part();
  SpecObject* tip = spec_object(mjs_findElement(child, mjOBJ_GEOM, "tip"));
  mjs_setName(mjs_addGeom(mjs_findBody(parent, "world"), NULL)->element, "a_tip");
  Attachment attachment = {.tree = spec_tree(parent),
                           .from = spec_tree(child),
                           .prefix = "a_",
                           .suffix = "",
                           .foreign = 1};
  assert_false(graft_checkname(tip, &attachment));
  assert_non_null(strstr(mjs_getError(parent), "a_tip"));
  attachment.prefix = "b_";
  assert_true(graft_checkname(tip, &attachment));
  mj_deleteSpec(parent);
  mj_deleteSpec(child);
}
