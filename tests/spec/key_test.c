// Numbers of a keyframe stay with the elements for which they were written.

#include "spec/key.h"

#include "base/memory/memory.h"
#include "spec/object.h"
#include "support/near.h"
#include "support/test.h"

// A free body with a ball in it, a mocap body, an actuator with two activations.
static mjSpec* keyed(void) {
  mjSpec* s = mj_makeSpec();
  mjsBody *world = mjs_findBody(s, "world"), *base = mjs_addBody(world, NULL);
  mjs_setName(base->element, "base");
  mjs_addFreeJoint(base);
  mjsBody* arm = mjs_addBody(base, NULL);
  mjs_setName(arm->element, "arm");
  mjsJoint* ball = mjs_addJoint(arm, NULL);
  ball->type = mjJNT_BALL;
  mjs_setName(ball->element, "ball");
  mjsJoint* slide = mjs_addJoint(arm, NULL);
  slide->type = mjJNT_SLIDE;
  mjsBody* hand = mjs_addBody(world, NULL);
  hand->mocap = 1;
  mjsActuator* actuator = mjs_addActuator(s, NULL);
  actuator->actdim = 2;
  return s;
}

TEST(a_layout_has_a_place_for_every_number) {
  static const size_t size[KEY_NFIELD] = {
      [KEY_QPOS] = 7 + 4 + 1, [KEY_QVEL] = 6 + 3 + 1, [KEY_ACT] = 2,
      [KEY_MPOS] = 3,         [KEY_MQUAT] = 4,        [KEY_CTRL] = 1};
  mjSpec* s = keyed();
  KeyLayout layout;
  size_t next[KEY_NFIELD] = {0};
  assert_true(key_layout(&layout, spec_tree(s)));
  for (size_t i = 0; i < layout.nslot; i++) {
    const KeySlot* slot = layout.slot + i;
    assert_int_equal(slot->adr, next[slot->field]);
    next[slot->field] += slot->num;
  }
  for (int field = 0; field < KEY_NFIELD; field++) {
    assert_int_equal(layout.size[field], size[field]);
    assert_int_equal(next[field], size[field]);
  }
  heap_free(layout.slot);
  mj_deleteSpec(s);
}

static void shrink_without(mjSpec* s, SpecObject* object) {
  KeyLayout before;
  assert_true(key_layout(&before, spec_tree(s)));
  object_unregister(object);
  key_shrink(spec_tree(s), &before);
  object_register(object);
  heap_free(before.slot);
}

// The numbers of what goes go along; those of others stay in their order.
TEST(a_key_shrinks_by_the_numbers_of_what_goes) {
  mjSpec* s = keyed();
  SpecObject* ball = spec_object(mjs_findElement(s, mjOBJ_JOINT, "ball"));
  mjsKey* key = mjs_addKey(s);
  double qpos[12], qvel[10];
  for (int i = 0; i < 12; i++) {
    qpos[i] = 100 + i;
    qvel[i % 10] = 200 + i % 10;
  }
  mjs_setDouble(key->qpos, qpos, 12);
  mjs_setDouble(key->qvel, qvel, 10);
  shrink_without(s, ball);
  const double left[8] = {100, 101, 102, 103, 104, 105, 106, 111};
  const double slow[7] = {200, 201, 202, 203, 204, 205, 209};
  assert_int_equal(key->qpos->num, 8);
  assert_int_equal(key->qvel->num, 7);
  assert_numbers(key->qpos->ptr, left, 8, 0, 1);
  assert_numbers(key->qvel->ptr, slow, 7, 0, 1);
  mj_deleteSpec(s);
}

// Nobody knows whose numbers they are.
TEST(a_key_of_another_length_stays_as_it_is) {
  mjSpec* s = keyed();
  mjsKey* key = mjs_addKey(s);
  const double qpos[3] = {1, 2, 3};
  mjs_setDouble(key->qpos, qpos, 3);
  shrink_without(s, spec_object(mjs_findElement(s, mjOBJ_JOINT, "ball")));
  assert_int_equal(key->qpos->num, 3);
  assert_numbers(key->qpos->ptr, qpos, 3, 0, 1);
  mj_deleteSpec(s);
}

// With values of their own: what they are at in the model.
TEST(an_attached_part_brings_its_keys_under_new_names) {
  mjSpec *parent = mj_makeSpec(), *child = keyed();
  mjsKey* key = mjs_addKey(child);
  double qpos[12] = {1, 2, 3, 1, 0, 0, 0, 1, 0, 0, 0, (double)0.5};
  mjs_setName(key->element, "home");
  mjs_setDouble(key->qpos, qpos, 12);
  mjsFrame* frame = mjs_addFrame(mjs_findBody(parent, "world"), NULL);
  assert_non_null(mjs_attach(frame->element, mjs_findBody(child, "base")->element, "left_", "_1"));
  mjsGeom* geom = mjs_addGeom(mjs_findBody(parent, "left_base_1"), NULL);
  geom->size[0] = 1;
  geom = mjs_addGeom(mjs_findBody(parent, "left_arm_1"), NULL);
  geom->size[0] = 1;
  mjModel* m = mj_compile(parent, NULL);
  if (!m) {
    fail_msg("%s", mjs_getError(parent));
  }
  int id = mj_name2id(m, mjOBJ_KEY, "left_home_1");
  assert_int_equal(id, 0);
  assert_numbers(m->key_qpos, qpos, 12, 1e-6, 1);
  mj_deleteModel(m);
  mj_deleteSpec(parent);
  mj_deleteSpec(child);
}
