// Elements that are deleted, and what goes with them.

#include <condyle/spec.h>
#include "spec/small_spec.h"
#include "support/near.h"

TEST(what_cannot_be_deleted_is_refused) {
  mjSpec* s = small();
  mjSpec* other = mj_makeSpec();
  assert_int_equal(mjs_delete(s, NULL), -1);
  assert_non_null(strstr(mjs_getError(s), "null"));
  assert_int_equal(mjs_delete(s, mjs_getSpecDefault(s)->element), -1);
  assert_int_equal(mjs_delete(s, mjs_findBody(s, "world")->element), -1);
  assert_int_equal(mjs_delete(s, s->element), -1);
  assert_int_equal(mjs_delete(other, mjs_findBody(s, "a")->element), -1);
  assert_string_equal(mjs_getError(other), "Error: element is not in this model");
  mj_deleteSpec(s);
  mj_deleteSpec(other);
}

static mjsActuator* motor_on(mjSpec* s, const char* joint) {
  mjsActuator* actuator = mjs_addActuator(s, NULL);
  actuator->trntype = mjTRN_JOINT;
  mjs_setString(actuator->target, joint);
  mjs_setName(actuator->element, joint);
  return actuator;
}

TEST(deleting_a_body_takes_its_dependents_and_their_numbers) {
  mjSpec* s = small();
  static const char* const bodies[] = {"a", "a11", "b"};
  for (int i = 0; i < 3; i++) {
    mjsJoint* joint = mjs_addJoint(mjs_findBody(s, bodies[i]), NULL);
    mjs_setName(joint->element, bodies[i]);
    motor_on(s, bodies[i]);
  }
  motor_on(s, "unknown");
  mjs_findBody(s, "a11")->mocap = 1;
  mjsTendon* tendon = mjs_addTendon(s, NULL);
  mjs_setName(tendon->element, "t");
  mjs_wrapJoint(tendon, "b", 1);
  mjs_wrapJoint(tendon, "a11", 1);
  mjsActuator* pull = mjs_addActuator(s, NULL);
  pull->trntype = mjTRN_TENDON;
  mjs_setString(pull->target, "t");
  mjsKey* key = mjs_addKey(s);
  mjs_setDouble(key->qpos, (const double[]){1, 2, 3}, 3);
  mjs_setDouble(key->ctrl, (const double[]){4, 5, 6, 7, 8}, 5);
  mjs_setDouble(key->mpos, (const double[]){1, 2, 3}, 3);
  mjs_setDouble(key->qvel, (const double[]){1, 2}, 2);

  assert_int_equal(mjs_delete(s, mjs_findBody(s, "a1")->element), 0);
  assert_string_equal(order(s, mjOBJ_BODY), "world a a2 b ");
  assert_string_equal(order(s, mjOBJ_ACTUATOR), "a b unknown ");
  assert_null(mjs_firstElement(s, mjOBJ_TENDON));
  assert_null(mjs_findElement(s, mjOBJ_GEOM, "ga11"));
  int size;
  const double* qpos = mjs_getDouble(key->qpos, &size);
  assert_int_equal(size, 2);
  assert_near(qpos[0], 1, 0);
  assert_near(qpos[1], 3, 0);
  const double* ctrl = mjs_getDouble(key->ctrl, &size);
  assert_int_equal(size, 3);
  assert_near(ctrl[1], 6, 0);
  assert_near(ctrl[2], 7, 0);
  mjs_getDouble(key->mpos, &size);
  assert_int_equal(size, 0);
  mjs_getDouble(key->qvel, &size);
  assert_int_equal(size, 2);
  mj_deleteSpec(s);
}

TEST(numbers_of_a_kept_element_outlive_it) {
  mjSpec* s = mj_makeSpec();
  mjsBody *world = mjs_findBody(s, "world"), *body = mjs_addBody(world, NULL);
  mjsGeom* geom = mjs_addGeom(body, NULL);
  mjs_setName(geom->element, "kept");
  assert_string_equal(cnd_elementName(geom->element), "kept");
  assert_string_equal(cnd_elementName(body->element), "");
  const double* size = geom->size;
  geom->size[0] = 3;
  cnd_keepElement(geom->element);
  cnd_keepElement(geom->element);
  assert_int_equal(mjs_delete(s, body->element), 0);
  assert_that(size[0], ==, 3);
  assert_null(mjs_findElement(s, mjOBJ_GEOM, "kept"));
  mj_deleteSpec(s);
}
