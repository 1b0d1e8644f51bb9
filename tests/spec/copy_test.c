// Copies of whole models, and parts of one model in another. Expectations about attached models
// were recorded from the reference.

#include "spec/spec.h"
#include "support/caught.h"
#include "support/near.h"
#include "support/test.h"

static mjsBody* world_of(mjSpec* s) {
  return mjs_findBody(s, "world");
}

static const char* name_of(mjsElement* element) {
  return mjs_getString(mjs_getName(element));
}

static const char* order(mjSpec* s, mjtObj type) {
  static char text[1000];
  text[0] = 0;
  for (mjsElement* it = mjs_firstElement(s, type); it; it = mjs_nextElement(s, it)) {
    strcat(text, name_of(it));
    strcat(text, " ");
  }
  return text;
}

static mjsActuator* motor_on(mjSpec* s, const char* name, const char* joint) {
  mjsActuator* actuator = mjs_addActuator(s, NULL);
  mjs_setName(actuator->element, name);
  actuator->trntype = mjTRN_JOINT;
  mjs_setString(actuator->target, joint);
  return actuator;
}

// world: frame outer(1 0 0) { frame inner(10 0 0) { body b (joint j, geom g), geom wg } }, geom fg;
// with things that refer to it
static mjSpec* child_spec(void) {
  mjSpec* s = mj_makeSpec();
  mjs_setString(s->modelname, "child");
  mjs_setString(s->modelfiledir, "childdir");
  mjs_addDefault(s, "cls", NULL);
  mjsFrame* outer = mjs_addFrame(world_of(s), NULL);
  mjsFrame* inner = mjs_addFrame(world_of(s), outer);
  outer->pos[0] = 1;
  inner->pos[0] = 10;
  mjs_setName(outer->element, "outer");
  mjs_setName(inner->element, "inner");
  mjsBody* b = mjs_addBody(world_of(s), NULL);
  mjs_setName(b->element, "b");
  mjs_setFrame(b->element, inner);
  mjs_setName(mjs_addJoint(b, NULL)->element, "j");
  mjsGeom* g = mjs_addGeom(b, mjs_findDefault(s, "cls"));
  mjs_setName(g->element, "g");
  mjs_setString(g->material, "mat");
  mjsGeom* wg = mjs_addGeom(world_of(s), NULL);
  mjs_setName(wg->element, "wg");
  mjs_setFrame(wg->element, inner);
  mjs_setName(mjs_addGeom(world_of(s), NULL)->element, "fg");

  mjsMaterial* mat = mjs_addMaterial(s, NULL);
  mjs_setName(mat->element, "mat");
  mjs_setInStringVec(mat->textures, mjTEXROLE_RGB, "tex");
  mjs_setName(mjs_addTexture(s)->element, "tex");
  mjs_setString(mjs_addMesh(s, NULL)->file, "dir/part.stl");
  motor_on(s, "act", "j");
  motor_on(s, "dangling", "unknown");
  mjsTendon* ten = mjs_addTendon(s, NULL);
  mjs_setName(ten->element, "ten");
  mjs_wrapJoint(ten, "j", 2);
  mjsExclude* exclude = mjs_addExclude(s);
  mjs_setString(exclude->bodyname1, "b");
  mjs_setString(exclude->bodyname2, "world");
  mjsSensor* clock = mjs_addSensor(s);
  clock->type = mjSENS_CLOCK;
  mjs_setName(clock->element, "clock");
  mjsKey* key = mjs_addKey(s);
  mjs_setName(key->element, "key");
  key->time = 3;
  mjs_setDouble(key->qpos, (const double[]){0.5}, 1);
  mjs_setDouble(key->ctrl, (const double[]){7, 8}, 2);
  return s;
}

// world: body pb (joint pj, frame pf, site ps), with a motor
static mjSpec* parent_spec(void) {
  mjSpec* s = mj_makeSpec();
  mjsBody* pb = mjs_addBody(world_of(s), NULL);
  mjs_setName(pb->element, "pb");
  mjs_setName(mjs_addJoint(pb, NULL)->element, "pj");
  mjs_setName(mjs_addFrame(pb, NULL)->element, "pf");
  mjsSite* ps = mjs_addSite(pb, NULL);
  mjs_setName(ps->element, "ps");
  ps->pos[0] = 1000;
  ps->alt.type = mjORIENTATION_AXISANGLE;
  ps->alt.axisangle[0] = 1;
  ps->alt.axisangle[3] = 180;
  motor_on(s, "pact", "pj");
  return s;
}

static mjsElement* attach(mjSpec* parent, mjtObj type, const char* to, mjsElement* child) {
  mjsElement* element = mjs_attach(mjs_findElement(parent, type, to), child, "x_", "_y");
  assert_string_equal(mjs_getError(parent), "");
  return element;
}

TEST(a_copy_is_equal_and_independent) {
  mjSpec* s = child_spec();
  s->option.timestep = (mjtNum)0.25;
  mjSpec* copy = mj_copySpec(s);
  mj_deleteSpec(s);
  assert_string_equal(mjs_getString(copy->modelname), "child");
  assert_near(copy->option.timestep, 0.25, 0);
  assert_string_equal(order(copy, mjOBJ_BODY), "world b ");
  assert_string_equal(order(copy, mjOBJ_GEOM), "wg fg g ");
  assert_string_equal(order(copy, mjOBJ_FRAME), "outer inner ");
  mjsGeom* g = mjs_asGeom(mjs_findElement(copy, mjOBJ_GEOM, "g"));
  assert_string_equal(mjs_getString(g->material), "mat");
  assert_ptr_equal(mjs_getDefault(g->element), mjs_findDefault(copy, "cls"));
  assert_ptr_equal(mjs_getFrame(mjs_findBody(copy, "b")->element), mjs_findFrame(copy, "inner"));
  assert_ptr_equal(mjs_getSpec(g->element), copy);

  // what refers to nothing is left out
  assert_string_equal(order(copy, mjOBJ_ACTUATOR), "act ");
  assert_string_equal(order(copy, mjOBJ_TENDON), "ten ");
  SpecObject* ten = spec_find(spec_tree(copy), mjOBJ_TENDON, "ten");
  assert_string_equal(string_text(&ten->first->as.wrap.target), "j");
  assert_near(ten->first->as.wrap.prm, 2, 0);
  mj_deleteSpec(copy);
}

TEST(a_body_attached_to_a_frame_keeps_its_address) {
  mjSpec* c = child_spec();
  mjSpec* p = parent_spec();
  mjsBody* b = mjs_findBody(c, "b");
  assert_ptr_equal(attach(p, mjOBJ_FRAME, "pf", b->element), b->element);
  assert_string_equal(order(p, mjOBJ_BODY), "world pb x_b_y ");
  assert_string_equal(order(p, mjOBJ_JOINT), "pj x_j_y ");
  assert_string_equal(order(p, mjOBJ_GEOM), "x_g_y ");
  assert_string_equal(order(p, mjOBJ_ACTUATOR), "pact x_act_y ");
  assert_string_equal(order(p, mjOBJ_TENDON), "x_ten_y ");
  assert_string_equal(order(p, mjOBJ_SENSOR), "x_clock_y ");
  assert_string_equal(order(p, mjOBJ_FRAME), "pf ");
  assert_string_equal(order(c, mjOBJ_BODY), "world ");
  assert_ptr_equal(mjs_getFrame(b->element), mjs_findFrame(p, "pf"));

  // names of assets and classes follow; the plain name is kept where only that exists
  mjsGeom* g = mjs_asGeom(mjs_findElement(p, mjOBJ_GEOM, "x_g_y"));
  assert_string_equal(mjs_getString(g->material), "x_mat_y");
  assert_ptr_equal(mjs_getDefault(g->element), mjs_findDefault(p, "x_cls_y"));
  assert_ptr_equal(mjs_getDefault(b->element), mjs_getSpecDefault(p));
  assert_non_null(mjs_findDefault(p, "x_main_y"));
  mjsMaterial* mat = mjs_asMaterial(mjs_findElement(p, mjOBJ_MATERIAL, "x_mat_y"));
  assert_string_equal(mjs_getString(mat->textures->ptr + mjTEXROLE_RGB), "x_tex_y");
  assert_non_null(mjs_findElement(p, mjOBJ_TEXTURE, "x_tex_y"));
  assert_non_null(mjs_findElement(p, mjOBJ_MESH, "x_part_y"));
  mjsExclude* exclude = mjs_asExclude(mjs_firstElement(p, mjOBJ_EXCLUDE));
  assert_string_equal(mjs_getString(exclude->bodyname1), "x_b_y");
  assert_string_equal(mjs_getString(exclude->bodyname2), "world");

  // the child lives as long as its parts need it
  assert_int_equal(spec_tree(c)->attached, 1);
  mj_deleteSpec(c);
  assert_string_equal(string_text(spec_object(b->element)->origin->spec.modelfiledir), "childdir");
  assert_ptr_equal(mjs_findSpec(p, "child"), &spec_object(b->element)->origin->spec);
  mj_deleteSpec(p);
}

TEST(a_frame_attached_to_a_body_brings_the_frames_around_it) {
  mjSpec* c = child_spec();
  mjSpec* p = parent_spec();
  mjsElement* inner = mjs_findFrame(c, "inner")->element;
  assert_ptr_equal(attach(p, mjOBJ_BODY, "pb", inner), inner);
  assert_string_equal(order(p, mjOBJ_BODY), "world pb x_b_y ");
  assert_string_equal(order(p, mjOBJ_GEOM), "x_wg_y x_g_y ");
  assert_string_equal(order(c, mjOBJ_GEOM), "fg ");
  mjsFrame* outer = mjs_getFrame(inner);
  assert_string_equal(name_of(outer->element), "x_outer_y");
  assert_near(outer->pos[0], 1, 0);
  assert_null(mjs_getFrame(outer->element));
  assert_ptr_equal(mjs_getFrame(mjs_findBody(p, "x_b_y")->element)->element, inner);
  mj_deleteSpec(c);
  mj_deleteSpec(p);
}

TEST(a_frame_attached_to_a_frame_leaves_those_around_it) {
  mjSpec* c = child_spec();
  mjSpec* p = parent_spec();
  mjsElement* inner = mjs_findFrame(c, "inner")->element;
  attach(p, mjOBJ_FRAME, "pf", inner);
  assert_ptr_equal(mjs_getFrame(inner), mjs_findFrame(p, "pf"));
  assert_string_equal(order(p, mjOBJ_FRAME), "pf x_inner_y ");
  mj_deleteSpec(c);
  mj_deleteSpec(p);
}

TEST(a_whole_model_is_attached_in_a_frame_of_its_own) {
  mjSpec* c = child_spec();
  mjSpec* p = parent_spec();
  mjs_setDeepCopy(p, 1);
  mjsElement* frame = attach(p, mjOBJ_FRAME, "pf", c->element);
  assert_string_equal(name_of(frame), "");
  assert_string_equal(order(p, mjOBJ_GEOM), "x_wg_y x_fg_y x_g_y ");
  assert_ptr_equal(mjs_getFrame(frame), mjs_findFrame(p, "pf"));
  assert_ptr_equal(mjs_getFrame(mjs_findFrame(p, "x_outer_y")->element)->element, frame);
  assert_ptr_equal(mjs_getFrame(mjs_findElement(p, mjOBJ_GEOM, "x_fg_y"))->element, frame);

  // a deep copy leaves the child as it was
  assert_int_equal(spec_tree(c)->attached, 0);
  assert_string_equal(order(c, mjOBJ_FRAME), "outer inner ");
  assert_string_equal(order(c, mjOBJ_BODY), "world b ");
  assert_null(mjs_getFrame(mjs_findElement(c, mjOBJ_GEOM, "fg")));
  mj_deleteSpec(c);
  mj_deleteSpec(p);
}

TEST(a_site_becomes_a_frame_with_its_pose) {
  mjSpec* c = child_spec();
  mjSpec* p = parent_spec();
  mjsElement* body = attach(p, mjOBJ_SITE, "ps", mjs_findBody(c, "b")->element);
  mjsFrame* frame = mjs_getFrame(body);
  assert_near(frame->pos[0], 1000, 0);
  assert_near(frame->quat[1], 1, 1e-15);
  assert_string_equal(name_of(frame->element), "");
  mj_deleteSpec(c);
  mj_deleteSpec(p);
}

TEST(a_world_that_moves_leaves_an_empty_one) {
  mjSpec* c = child_spec();
  mjSpec* p = parent_spec();
  mjsElement* world = world_of(c)->element;
  mjs_delete(c, mjs_firstElement(c, mjOBJ_KEY));
  assert_ptr_equal(attach(p, mjOBJ_SITE, "ps", world), world);
  assert_string_equal(order(p, mjOBJ_BODY), "world pb x_world_y x_b_y ");
  assert_string_equal(order(p, mjOBJ_GEOM), "x_wg_y x_fg_y x_g_y ");
  assert_near(mjs_getFrame(world)->pos[0], 1000, 0);
  assert_string_equal(order(c, mjOBJ_BODY), "world ");
  assert_string_equal(order(c, mjOBJ_GEOM), "");
  assert_ptr_not_equal(world_of(c)->element, world);
  assert_null(mj_compile(c, NULL));
  assert_non_null(strstr(mjs_getError(c), "attached by reference to a parent spec"));
  mjs_setName(mjs_addBody(world_of(c), NULL)->element, "new");
  assert_string_equal(order(c, mjOBJ_BODY), "world new ");
  mj_deleteSpec(c);
  mj_deleteSpec(p);
}

TEST(a_world_that_can_not_move_stays) {
  mjSpec* c = child_spec();
  mjSpec* p = parent_spec();
  mjsElement* world = world_of(c)->element;
  mjs_delete(c, mjs_firstElement(c, mjOBJ_KEY));
  mjs_setName(motor_on(p, "x_act_y", "pj")->element, "x_act_y");
  assert_null(mjs_attach(mjs_findElement(p, mjOBJ_SITE, "ps"), world, "x_", "_y"));
  assert_non_null(strstr(mjs_getError(p), "repeated name 'x_act_y' in actuator"));
  assert_ptr_equal(world_of(c)->element, world);
  assert_string_equal(order(c, mjOBJ_BODY), "world b ");
  assert_string_equal(order(c, mjOBJ_GEOM), "wg fg g ");
  assert_string_equal(order(p, mjOBJ_BODY), "world pb ");
  assert_null(mjs_findSpec(p, "child"));
  mj_deleteSpec(c);
  mj_deleteSpec(p);
}

// A body with a joint and a key, and a frame to attach to.
static mjSpec* keyed_spec(const char* name, double qpos) {
  mjSpec* s = mj_makeSpec();
  mjsBody* body = mjs_addBody(world_of(s), NULL);
  mjs_setName(body->element, name);
  mjs_addJoint(body, NULL);
  mjs_addGeom(body, NULL)->size[0] = 1;
  mjs_setName(mjs_addFrame(body, NULL)->element, name);
  mjsKey* key = mjs_addKey(s);
  mjs_setName(key->element, name);
  mjs_setDouble(key->qpos, &qpos, 1);
  return s;
}

// Compiled in between or not, keys get all prefixes.
TEST(keys_of_parts_of_parts_have_all_names_around) {
  for (int between = 0; between < 2; between++) {
    mjSpec *a = keyed_spec("a", 1), *b = keyed_spec("b", 2), *c = keyed_spec("c", 3);
    mjs_attach(mjs_findFrame(b, "b")->element, mjs_findBody(c, "c")->element, "y_", "_u");
    mj_deleteModel(between ? mj_compile(b, NULL) : NULL);
    mjsElement *frame = mjs_findFrame(a, "a")->element, *body = mjs_findBody(b, "b")->element;
    void (*before)(const char*) = mju_user_warning;
    mju_user_warning = keep_warning;
    warning_text[0] = 0;
    assert_non_null(mjs_attach(frame, body, "x_", "_v"));
    mju_user_warning = before;
    assert_that(between, ==, !strstr(warning_text, "model has pending keyframes"));
    mjModel* m = mj_compile(a, NULL);
    assert_non_null(m);
    assert_string_equal(order(a, mjOBJ_KEY), "a x_b_v x_y_c_u_v ");
    static const mjtNum expected[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3};
    for (int i = 0; i < 9; i++) {
      assert_near(m->key_qpos[i], expected[i], 0);
    }
    mj_deleteModel(m);
    mj_deleteSpec(a);
    mj_deleteSpec(b);
    mj_deleteSpec(c);
  }
}

TEST(keyframes_follow_their_elements) {
  mjSpec* c = child_spec();
  mjSpec* p = parent_spec();
  mjs_setName(mjs_addKey(p)->element, "pk");
  mjs_delete(c, mjs_findElement(c, mjOBJ_ACTUATOR, "dangling"));
  mjs_setDouble(mjs_asKey(mjs_firstElement(c, mjOBJ_KEY))->ctrl, (const double[]){7}, 1);
  attach(p, mjOBJ_FRAME, "pf", mjs_findBody(c, "b")->element);

  // joints that are added later, before or after, don't disturb the numbers
  mjs_addJoint(mjs_findBody(p, "pb"), NULL);
  assert_string_equal(order(p, mjOBJ_KEY), "pk ");
  assert_int_equal(spec_flushkeys(spec_tree(p)), 1);
  assert_string_equal(order(p, mjOBJ_KEY), "pk x_key_y ");
  mjsKey* key = mjs_asKey(mjs_findElement(p, mjOBJ_KEY, "x_key_y"));
  assert_near(key->time, 3, 0);
  int size;
  const double* qpos = mjs_getDouble(key->qpos, &size);
  assert_int_equal(size, 3);
  assert_true(isnan(qpos[0]));
  assert_true(isnan(qpos[1]));
  assert_near(qpos[2], 0.5, 0);
  const double* ctrl = mjs_getDouble(key->ctrl, &size);
  assert_int_equal(size, 2);
  assert_true(isnan(ctrl[0]));
  assert_near(ctrl[1], 7, 0);
  mjs_getDouble(key->qvel, &size);
  assert_int_equal(size, 0);
  mj_deleteSpec(c);
  mj_deleteSpec(p);
}

TEST(a_keyframe_of_wrong_size_stops_the_attachment) {
  mjSpec* c = child_spec();
  mjSpec* p = parent_spec();
  mjs_setDouble(mjs_asKey(mjs_firstElement(c, mjOBJ_KEY))->qvel, (const double[]){1, 2}, 2);
  assert_null(mjs_attach(mjs_findFrame(p, "pf")->element, mjs_findBody(c, "b")->element, "", ""));
  assert_non_null(strstr(mjs_getError(p), "invalid qvel size, got 2, should be 1"));
  mj_deleteSpec(c);
  mj_deleteSpec(p);
}

// template body t (joint j, mocap no) replicated twice in its own model, then deleted
TEST(replicas_take_referring_elements_and_keyframes_along) {
  mjSpec* s = mj_makeSpec();
  mjsBody* t = mjs_addBody(world_of(s), NULL);
  mjs_setName(t->element, "t");
  mjsFrame* inside = mjs_addFrame(t, NULL);
  mjsBody* r = mjs_addBody(t, NULL);
  mjs_setName(r->element, "r");
  mjs_setFrame(r->element, inside);
  mjs_setName(mjs_addJoint(r, NULL)->element, "j");
  motor_on(s, "m", "j");
  mjsSensor* clock = mjs_addSensor(s);
  clock->type = mjSENS_CLOCK;
  mjsKey* key = mjs_addKey(s);
  mjs_setName(key->element, "k");
  mjs_setDouble(key->qpos, (const double[]){1}, 1);

  // not without deep copy
  assert_null(mjs_attach(world_of(s)->element, inside->element, "", "0"));
  mjs_setDeepCopy(s, 1);
  assert_non_null(mjs_attach(world_of(s)->element, inside->element, "", "0"));
  assert_non_null(mjs_attach(world_of(s)->element, inside->element, "", "1"));
  assert_int_equal(mjs_delete(s, t->element), 0);
  assert_string_equal(order(s, mjOBJ_BODY), "world r0 r1 ");
  assert_string_equal(order(s, mjOBJ_ACTUATOR), "m0 m1 ");
  assert_int_equal(spec_count(spec_tree(s), mjOBJ_SENSOR), 1);

  // order and values as in the reference: replicas first, the original last
  assert_int_equal(spec_flushkeys(spec_tree(s)), 1);
  assert_string_equal(order(s, mjOBJ_KEY), "k0 k1 k ");
  const double* qpos = mjs_getDouble(mjs_asKey(mjs_findElement(s, mjOBJ_KEY, "k1"))->qpos, NULL);
  assert_true(isnan(qpos[0]));
  assert_near(qpos[1], 1, 0);
  qpos = mjs_getDouble(mjs_asKey(mjs_findElement(s, mjOBJ_KEY, "k"))->qpos, NULL);
  assert_true(isnan(qpos[0]));
  assert_true(isnan(qpos[1]));
  mj_deleteSpec(s);
}

TEST(what_cannot_be_attached_is_refused) {
  mjSpec* c = child_spec();
  mjSpec* p = parent_spec();
  mjsElement* geom = mjs_findElement(c, mjOBJ_GEOM, "g");
  mjsElement* body = mjs_findBody(c, "b")->element;
  mjsElement* frame = mjs_findFrame(p, "pf")->element;
  assert_null(mjs_attach(mjs_findElement(p, mjOBJ_JOINT, "pj"), body, "", ""));
  assert_string_equal(mjs_getError(p), "Error: parent element is not a frame, body or site");
  assert_null(mjs_attach(frame, geom, "", ""));
  assert_null(mjs_attach(mjs_findBody(p, "pb")->element, body, "", ""));
  assert_null(mjs_attach(frame, mjs_findBody(p, "pb")->element, "", ""));
  assert_error(mjs_attach(NULL, body, "", ""), "parent element is null");
  assert_error(mjs_attach(frame, NULL, "", ""), "child element is null");
  mj_deleteSpec(c);
  mj_deleteSpec(p);
}

static void count_freed(const void* count) {
  ++*(int*)(uintptr_t)count;
}

// A spec of a name that counts when it is freed, with a frame to attach to and a body to attach.
static mjSpec* counted_spec(const char* name, int* freed) {
  mjSpec* s = mj_makeSpec();
  mjs_setString(s->modelname, name);
  mjs_setDeepCopy(s, 1);
  mjs_setName(mjs_addFrame(world_of(s), NULL)->element, "frame");
  mjs_setName(mjs_addBody(world_of(s), NULL)->element, "body");
  mjs_setUserValueWithCleanup(world_of(s)->element, "key", freed, count_freed);
  return s;
}

static void attach_body(mjSpec* to, mjSpec* from, const char* prefix) {
  const mjsElement* body = mjs_findBody(from, "body")->element;
  assert_non_null(mjs_attach(mjs_findFrame(to, "frame")->element, body, prefix, ""));
}

// Specs attached to each other, in circles of two and three, live until the last owner is gone.
TEST(specs_attached_to_each_other_are_freed) {
  for (int last = 0; last < 3; last++) {
    int freed[4] = {0, 0, 0, 0};
    mjSpec *s[3], *top = counted_spec("top", &freed[3]);
    for (int i = 0; i < 3; i++) {
      s[i] = counted_spec(i == 0 ? "a" : i == 1 ? "b" : "c", &freed[i]);
    }
    attach_body(s[0], s[1], "1_");
    attach_body(s[1], s[0], "2_");
    attach_body(s[1], s[2], "3_");
    attach_body(s[2], s[0], "4_");
    attach_body(top, s[1], "5_");
    assert_ptr_equal(mjs_findSpec(s[2], "a"), s[0]);
    assert_null(mjs_findSpec(s[2], "b"));
    assert_null(mjs_findSpec(s[2], "c"));
    assert_null(mjs_findSpec(s[2], "top"));
    for (int i = 0; i < 3; i++) {
      mj_deleteSpec(i == last ? NULL : s[i]);
    }
    assert_int_equal(freed[0] + freed[1] + freed[2], 0);
    mjModel* model = mj_compile(s[last], NULL);
    assert_non_null(model);
    mj_deleteModel(model);
    mj_deleteSpec(s[last]);
    assert_int_equal(freed[0] + freed[1] + freed[2], 0);
    mj_deleteSpec(top);
    for (int i = 0; i < 4; i++) {
      assert_int_equal(freed[i], 1);
    }
  }
}

TEST(names_that_exist_are_refused_and_nothing_changes) {
  mjSpec* c = child_spec();
  mjSpec* p = parent_spec();
  mjs_setDeepCopy(p, 1);
  mjsElement* b = mjs_findBody(c, "b")->element;
  attach(p, mjOBJ_FRAME, "pf", b);
  int nbody = spec_count(spec_tree(p), mjOBJ_BODY), ngeom = spec_count(spec_tree(p), mjOBJ_GEOM);
  mjsElement* frame = mjs_findFrame(p, "pf")->element;
  assert_null(mjs_attach(frame, b, "x_", "_y"));
  assert_string_equal(mjs_getError(p), "Error: repeated name 'x_part_y' in mesh");
  assert_null(mjs_attach(frame, mjs_findBody(p, "x_b_y")->element, "", ""));
  assert_string_equal(mjs_getError(p), "Error: repeated name 'x_b_y' in body");
  assert_string_equal(order(p, mjOBJ_MATERIAL), "x_mat_y ");
  assert_int_equal(spec_count(spec_tree(p), mjOBJ_BODY), nbody);
  assert_int_equal(spec_count(spec_tree(p), mjOBJ_GEOM), ngeom);
  assert_non_null(mjs_attach(frame, b, "z_", "_y"));
  assert_string_equal(order(p, mjOBJ_MATERIAL), "x_mat_y z_mat_y ");

  // names that the parent repeats itself
  mjs_setName(mjs_addSensor(p)->element, "twin");
  mjsElement* twin = mjs_addSensor(p)->element;
  mjs_setName(twin, "twin");
  assert_null(mjs_attach(frame, b, "w_", "_y"));
  assert_string_equal(mjs_getError(p), "Error: repeated name 'twin' in sensor");
  mjs_delete(p, twin);
  assert_non_null(mjs_attach(frame, b, "w_", "_y"));
  mj_deleteSpec(c);
  mj_deleteSpec(p);
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
