// Default classes: what new elements start from.

#include "support/near.h"
#include "support/test.h"

static mjsBody* world_of(mjSpec* s) {
  return mjs_findBody(s, "world");
}

TEST(a_class_starts_as_a_copy_of_its_parent) {
  mjSpec* s = mj_makeSpec();
  mjsDefault* main = mjs_getSpecDefault(s);
  assert_string_equal(mjs_getString(mjs_getName(main->element)), "main");
  main->geom->density = 500;
  mjs_setString(main->geom->material, "steel");
  mjsDefault* red = mjs_addDefault(s, "red", NULL);
  red->geom->rgba[0] = 1;
  mjsDefault* deep = mjs_addDefault(s, "deep", red);
  main->geom->density = 700;
  assert_near(deep->geom->density, 500, 0);
  assert_near(deep->geom->rgba[0], 1, 0);
  assert_string_equal(mjs_getString(deep->geom->material), "steel");
  assert_ptr_equal(mjs_findDefault(s, "deep"), deep);
  assert_null(mjs_addDefault(s, "red", NULL));
  assert_null(mjs_addDefault(s, "main", NULL));
  assert_null(mjs_addDefault(s, "", NULL));
  assert_null(mjs_findDefault(s, "none"));
  mj_deleteSpec(s);
}

TEST(textures_copy_the_class_they_are_made_with) {
  mjSpec* s = mj_makeSpec();
  mjsDefault* red = mjs_addDefault(s, "red", NULL);
  red->texture->width = 7;
  assert_int_equal(cnd_addTexture(s, red)->width, 7);
  assert_int_equal(cnd_addTexture(s, NULL)->width, mjs_addTexture(s)->width);
  mj_deleteSpec(s);
}

TEST(elements_copy_the_class_of_their_body_when_made) {
  mjSpec* s = mj_makeSpec();
  mjsDefault* red = mjs_addDefault(s, "red", NULL);
  mjsDefault* blue = mjs_addDefault(s, "blue", NULL);
  red->geom->rgba[0] = 0.25f;
  blue->geom->rgba[0] = 0.75f;
  mjs_setDouble(red->joint->userdata, (const double[]){1, 2}, 2);

  // a body made from a class hands it down as childclass
  mjsBody* plain = mjs_addBody(world_of(s), NULL);
  assert_string_equal(mjs_getString(plain->childclass), "main");
  mjsBody* body = mjs_addBody(world_of(s), red);
  mjsBody* below = mjs_addBody(body, NULL);
  assert_string_equal(mjs_getString(below->childclass), "red");
  mjsGeom* geom = mjs_addGeom(below, NULL);
  assert_near(geom->rgba[0], 0.25, 0);
  assert_ptr_equal(mjs_getDefault(geom->element), red);
  assert_near(mjs_addGeom(below, blue)->rgba[0], 0.75, 0);
  assert_near(mjs_addGeom(plain, NULL)->rgba[0], 0.5, 0);

  // vectors are copies; free joints take nothing
  mjsJoint* joint = mjs_addJoint(below, NULL);
  int size;
  mjs_setDouble(red->joint->userdata, NULL, 0);
  mjs_getDouble(joint->userdata, &size);
  assert_int_equal(size, 2);
  red->joint->damping = 3;
  assert_int_equal(mjs_addFreeJoint(below)->type, mjJNT_FREE);
  assert_near(mjs_addFreeJoint(below)->damping, 0, 0);

  // later changes don't reach existing elements
  red->geom->rgba[0] = 0;
  assert_near(geom->rgba[0], 0.25, 0);

  // an unknown childclass counts as main
  mjs_setString(below->childclass, "gone");
  assert_near(mjs_addGeom(below, NULL)->rgba[0], 0.5, 0);
  mj_deleteSpec(s);
}

TEST(elements_outside_of_bodies_start_from_main) {
  mjSpec* s = mj_makeSpec();
  mjsDefault* main = mjs_getSpecDefault(s);
  mjsDefault* soft = mjs_addDefault(s, "soft", NULL);
  main->actuator->gear[0] = 5;
  main->flex->radius = 1;
  soft->equality->solref[0] = 7;
  soft->mesh->scale[0] = 2;
  assert_near(mjs_addActuator(s, NULL)->gear[0], 5, 0);
  assert_near(mjs_addActuator(s, soft)->gear[0], 1, 0);
  assert_near(mjs_addEquality(s, soft)->solref[0], 7, 0);
  assert_near(mjs_addMesh(s, soft)->scale[0], 2, 0);
  assert_near(mjs_addFlex(s)->radius, 0.005, 0);
  assert_ptr_equal(mjs_getDefault(mjs_addTendon(s, soft)->element), soft);
  assert_null(mjs_getDefault(mjs_addSensor(s)->element));
  mj_deleteSpec(s);
}

TEST(recording_another_class_changes_no_value) {
  mjSpec* s = mj_makeSpec();
  mjsDefault* red = mjs_addDefault(s, "red", NULL);
  red->geom->density = 1;
  mjsGeom* geom = mjs_addGeom(world_of(s), NULL);
  assert_ptr_equal(mjs_getDefault(geom->element), mjs_getSpecDefault(s));
  mjs_setDefault(geom->element, red);
  assert_ptr_equal(mjs_getDefault(geom->element), red);
  assert_near(geom->density, 1000, 0);
  mj_deleteSpec(s);
}

TEST(deleting_a_class_deletes_its_subclasses) {
  mjSpec* s = mj_makeSpec();
  mjsDefault* red = mjs_addDefault(s, "red", NULL);
  mjs_addDefault(s, "darkred", red);
  mjs_addDefault(s, "blue", NULL);
  assert_int_equal(mjs_delete(s, red->element), 0);
  assert_null(mjs_findDefault(s, "red"));
  assert_null(mjs_findDefault(s, "darkred"));
  assert_non_null(mjs_findDefault(s, "blue"));
  assert_int_equal(mjs_delete(s, mjs_getSpecDefault(s)->element), -1);
  mj_deleteSpec(s);
}
