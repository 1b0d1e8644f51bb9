// Adding, finding, naming, ordering and deleting elements.

#include "base/memory.h"
#include "spec/spec.h"
#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

static mjsBody* body_in(mjsBody* parent, const char* name) {
  mjsBody* body = mjs_addBody(parent, NULL);
  mjs_setName(body->element, name);
  return body;
}

static mjsGeom* geom_in(mjsBody* parent, const char* name) {
  mjsGeom* geom = mjs_addGeom(parent, NULL);
  mjs_setName(geom->element, name);
  return geom;
}

// world: a (a1: a11, a2), geom w, b
static mjSpec* small(void) {
  mjSpec* s = mj_makeSpec();
  mjsBody* world = mjs_findBody(s, "world");
  mjsBody* a = body_in(world, "a");
  geom_in(world, "w");
  mjsBody* b = body_in(world, "b");
  geom_in(b, "gb");
  mjsBody* a1 = body_in(a, "a1");
  body_in(a, "a2");
  geom_in(a, "ga");
  geom_in(body_in(a1, "a11"), "ga11");
  return s;
}

// Names of all elements of a type in the order of visiting, separated by blanks.
static const char* order(mjSpec* s, mjtObj type) {
  static char text[1000];
  text[0] = 0;
  for (mjsElement* it = mjs_firstElement(s, type); it; it = mjs_nextElement(s, it)) {
    strcat(text, mjs_getString(mjs_getName(it)));
    strcat(text, " ");
  }
  return text;
}

static const char* children(mjsBody* body, mjtObj type, int recurse) {
  static char text[1000];
  text[0] = 0;
  for (mjsElement* it = mjs_firstChild(body, type, recurse); it;
       it = mjs_nextChild(body, it, recurse)) {
    strcat(text, mjs_getString(mjs_getName(it)));
    strcat(text, " ");
  }
  return text;
}

TEST(elements_are_visited_depth_first_in_order_of_creation) {
  mjSpec* s = small();
  assert_string_equal(order(s, mjOBJ_BODY), "world a a1 a11 a2 b ");
  assert_string_equal(order(s, mjOBJ_GEOM), "w ga ga11 gb ");
  assert_null(mjs_firstElement(s, mjOBJ_JOINT));
  assert_null(mjs_firstElement(s, mjOBJ_ACTUATOR));
  assert_null(mjs_firstElement(s, mjOBJ_UNKNOWN));

  mjsBody* a = mjs_findBody(s, "a");
  assert_string_equal(children(a, mjOBJ_BODY, 0), "a1 a2 ");
  assert_string_equal(children(a, mjOBJ_BODY, 1), "a1 a11 a2 ");
  assert_string_equal(children(a, mjOBJ_GEOM, 0), "ga ");
  assert_string_equal(children(a, mjOBJ_GEOM, 1), "ga ga11 ");
  assert_null(mjs_firstChild(a, mjOBJ_ACTUATOR, 0));
  assert_non_null(strstr(mjs_getError(s), "actuator"));
  mj_deleteSpec(s);
}

TEST(numbering_and_arrays_follow_the_order_of_visiting) {
  mjSpec* s = small();
  SpecTree* tree = spec_tree(s);
  assert_int_equal(mjs_getId(mjs_findBody(s, "a2")->element), -1);
  spec_number(tree);
  assert_int_equal(mjs_getId(mjs_findBody(s, "a2")->element), 4);
  assert_int_equal(spec_count(tree, mjOBJ_BODY), 6);
  SpecObject** bodies = spec_array(tree, mjOBJ_BODY);
  for (int i = 0; i < 6; i++) {
    assert_int_equal(bodies[i]->id, i);
  }
  heap_free(bodies);
  mj_deleteSpec(s);
}

TEST(names_are_found_by_type_and_repeated_ones_reported) {
  mjSpec* s = small();
  assert_ptr_equal(mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, "ga"))->element,
                   mjs_findElement(s, mjOBJ_GEOM, "ga"));
  assert_null(mjs_asBody(mjs_findElement(s, mjOBJ_GEOM, "ga")));
  assert_null(mjs_findElement(s, mjOBJ_GEOM, "a"));
  assert_null(mjs_findElement(s, mjOBJ_GEOM, ""));
  assert_non_null(mjs_findElement(s, mjOBJ_XBODY, "a"));
  assert_string_equal(mjs_getError(s), "");

  mjsElement* second = mjs_addGeom(mjs_findBody(s, "a"), NULL)->element;
  assert_int_equal(mjs_setName(second, "gb"), -1);
  assert_string_equal(mjs_getError(s), "Error: repeated name 'gb' in geom");
  assert_int_equal(mjs_isWarning(s), 0);
  assert_string_equal(mjs_getString(mjs_getName(second)), "gb");
  assert_int_equal(mjs_setName(second, "a"), 0);
  assert_ptr_equal(mjs_findElement(s, mjOBJ_GEOM, "a"), second);

  // written behind the index
  mjs_setString(mjs_getName(second), "changed");
  assert_ptr_equal(mjs_findElement(s, mjOBJ_GEOM, "changed"), second);
  assert_null(mjs_findElement(s, mjOBJ_GEOM, "a"));
  assert_int_equal(mjs_delete(s, second), 0);
  assert_null(mjs_findElement(s, mjOBJ_GEOM, "changed"));
  mj_deleteSpec(s);
}

TEST(many_names_survive_growth_and_removal_of_the_index) {
  mjSpec* s = mj_makeSpec();
  mjsBody* world = mjs_findBody(s, "world");
  char name[20];
  for (int i = 0; i < 2000; i++) {
    snprintf(name, sizeof(name), "geom%d", i);
    geom_in(world, name);
  }
  for (int i = 0; i < 2000; i += 3) {
    snprintf(name, sizeof(name), "geom%d", i);
    assert_int_equal(mjs_delete(s, mjs_findElement(s, mjOBJ_GEOM, name)), 0);
  }
  for (int i = 0; i < 2000; i++) {
    snprintf(name, sizeof(name), "geom%d", i);
    mjsElement* found = mjs_findElement(s, mjOBJ_GEOM, name);
    if (i % 3 == 0) {
      assert_null(found);
    } else {
      assert_string_equal(mjs_getString(mjs_getName(found)), name);
    }
  }
  mj_deleteSpec(s);
}

TEST(a_mesh_without_name_is_found_by_its_file) {
  mjSpec* s = mj_makeSpec();
  mjsMesh* mesh = mjs_addMesh(s, NULL);
  mjs_setString(mesh->file, "some/dir/part.v2.stl");
  assert_ptr_equal(mjs_findElement(s, mjOBJ_MESH, "part.v2"), mesh->element);
  mjs_setName(mesh->element, "named");
  assert_null(mjs_findElement(s, mjOBJ_MESH, "part.v2"));
  mj_deleteSpec(s);
}

TEST(frames_enclose_elements_of_their_own_body_only) {
  mjSpec* s = small();
  mjsBody* a = mjs_findBody(s, "a");
  mjsFrame* outer = mjs_addFrame(a, NULL);
  mjsFrame* inner = mjs_addFrame(a, outer);
  mjsElement* geom = mjs_findElement(s, mjOBJ_GEOM, "ga");
  mjs_setName(inner->element, "inner");
  assert_ptr_equal(mjs_findFrame(s, "inner"), inner);
  assert_ptr_equal(mjs_getFrame(inner->element), outer);
  assert_int_equal(mjs_setFrame(geom, inner), 0);
  assert_ptr_equal(mjs_getFrame(geom), inner);
  assert_int_equal(mjs_setFrame(mjs_findElement(s, mjOBJ_GEOM, "gb"), inner), -1);
  assert_non_null(strstr(mjs_getError(s), "mismatched parents"));
  assert_int_equal(mjs_setFrame(geom, NULL), -1);
  assert_int_equal(mjs_setFrame(outer->element, inner), -1);

  // what a deleted frame held moves outwards
  assert_int_equal(mjs_delete(s, inner->element), 0);
  assert_ptr_equal(mjs_getFrame(geom), outer);
  mj_deleteSpec(s);
}

TEST(parents_and_children_are_found_by_name) {
  mjSpec* s = small();
  mjsBody* a = mjs_findBody(s, "a");
  assert_ptr_equal(mjs_findChild(a, "a11"), mjs_findBody(s, "a11"));
  assert_ptr_equal(mjs_findChild(a, "a"), a);
  assert_null(mjs_findChild(a, "b"));
  assert_ptr_equal(mjs_getParent(a->element), mjs_findBody(s, "world"));
  assert_null(mjs_getParent(mjs_findBody(s, "world")->element));
  assert_null(mjs_getParent(mjs_addActuator(s, NULL)->element));
  assert_ptr_equal(mjs_getSpec(a->element), s);
  mj_deleteSpec(s);
}

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

static int cleaned;

static void count_cleanup(const void* data) {
  cleaned += *(const int*)data;
}

TEST(user_values_are_kept_replaced_and_cleaned_up) {
  static const int one = 1, ten = 10, hundred = 100;
  mjSpec* s = small();
  mjsElement* a = mjs_findBody(s, "a")->element;
  cleaned = 0;
  mjs_setUserValue(a, "plain", &one);
  mjs_setUserValueWithCleanup(a, "k", &one, count_cleanup);
  mjs_setUserValueWithCleanup(a, "k", &ten, count_cleanup);
  assert_int_equal(cleaned, 1);
  mjs_setUserValueWithCleanup(a, "l", &hundred, count_cleanup);
  assert_ptr_equal(mjs_getUserValue(a, "k"), &ten);
  assert_null(mjs_getUserValue(a, "m"));
  mjs_deleteUserValue(a, "k");
  mjs_deleteUserValue(a, "m");
  assert_int_equal(cleaned, 11);
  mj_deleteSpec(s);
  assert_int_equal(cleaned, 111);
}

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
  mjModel* m = mj_compile(s, NULL);
  assert_non_null(m);
  static const double center[3] = {0, 3, 3}, inertia[3] = {2.5, 2, 1};
  assert_float_equal(m->body_mass[1], 2, 0);
  for (int i = 0; i < 3; i++) {
    assert_float_equal(m->body_ipos[3 + i], center[i], 1e-14);
    assert_float_equal(m->body_inertia[3 + i], inertia[i], 1e-14);
  }
  mj_deleteModel(m);
}

TEST(a_chain_of_very_many_bodies_is_copied_and_freed) {
  mjSpec* s = mj_makeSpec();
  mjsBody* body = mjs_findBody(s, "world");
  for (int i = 0; i < 100000; i++) {
    body = mjs_addBody(body, NULL);
    assert_non_null(body);
  }
  mjSpec* copy = mj_copySpec(s);
  assert_non_null(copy);
  assert_int_equal(spec_count(spec_tree(copy), mjOBJ_BODY), 100001);
  mj_deleteSpec(s);
  mj_deleteSpec(copy);
}
