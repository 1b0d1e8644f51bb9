// Specs are built up: new elements, classes, frames, attachment, deletion.

#include "spec/same_program_log.h"

// new models

static void a_new_spec_has_a_world(Log* log) {
  mjSpec* s = mj_makeSpec();
  mjsBody* world = mjs_findBody(s, "world");
  say(log, "%s %s", mjs_getString(s->modelname), name_of(world->element));
  say(log, "%s", mjs_getString(mjs_getName(mjs_getSpecDefault(s)->element)));
  say(log, "id %d", mjs_getId(world->element));
  say(log, "spec %d", mjs_getSpec(world->element) == s);
  say(log, "parent %d", mjs_getParent(world->element) == world);
  say(log, "frame %d", mjs_getFrame(world->element) != NULL);
  say(log, "unknown %d %d %d", mjs_findBody(s, "nobody") != NULL,
      mjs_findElement(s, mjOBJ_GEOM, "nothing") != NULL, mjs_findDefault(s, "none") != NULL);
  say(log, "first %s", name_of(mjs_firstElement(s, mjOBJ_BODY)));
  for (int type = mjOBJ_JOINT; type < mjNOBJECT; type++) {
    say(log, "%d: %s", type, name_of(mjs_firstElement(s, (mjtObj)type)));
  }
  say_message(log, mjs_getError(s));
  compile_only(log, s);
  mj_deleteSpec(s);
}

static void elements_have_ids_once_compiled(Log* log) {
  mjSpec* s = mj_makeSpec();
  mjsBody* world = mjs_findBody(s, "world");
  mjsBody* one = mjs_addBody(world, NULL);
  mjsBody* two = mjs_addBody(one, NULL);
  mjs_setName(one->element, "one");
  mjs_setName(two->element, "two");
  mjsGeom* geom[3];
  for (int i = 0; i < 3; i++) {
    geom[i] = mjs_addGeom(i == 0 ? two : one, NULL);
    geom[i]->size[0] = .1;
    say(log, "geom %d before: %d", i, mjs_getId(geom[i]->element));
  }
  mjs_setName(geom[1]->element, "g");
  mjsJoint* joint = mjs_addFreeJoint(one);
  mjsSite* site = mjs_addSite(two, NULL);
  mjsCamera* camera = mjs_addCamera(one, NULL);
  mjsLight* light = mjs_addLight(world, NULL);
  mjsNumeric* numeric = mjs_addNumeric(s);
  double data[2] = {1, 2};
  mjs_setDouble(numeric->data, data, 2);
  mjs_setName(numeric->element, "num");
  compile_only(log, s);
  say(log, "%d %d %d", mjs_getId(geom[0]->element), mjs_getId(geom[1]->element),
      mjs_getId(geom[2]->element));
  say(log, "%d %d %d %d %d %d %d", mjs_getId(one->element), mjs_getId(two->element),
      mjs_getId(joint->element), mjs_getId(site->element), mjs_getId(camera->element),
      mjs_getId(light->element), mjs_getId(numeric->element));
  say(log, "%d %d", mjs_findElement(s, mjOBJ_GEOM, "g") == geom[1]->element,
      mjs_findElement(s, mjOBJ_NUMERIC, "num") == numeric->element);
  say(log, "%d %d", mjs_findBody(s, "two") == two, mjs_findChild(one, "two") == two);
  say(log, "%d", mjs_findChild(two, "one") != NULL);
  say(log, "%d %d", mjs_getParent(two->element) == one, mjs_getParent(geom[0]->element) == two);
  say(log, "%d %d", mjs_asGeom(geom[0]->element) == geom[0], mjs_asBody(geom[0]->element) != NULL);
  mj_deleteSpec(s);
}

static void elements_are_visited_in_order(Log* log) {
  mjSpec* s = parse(log, arm_model);
  for (int type = mjOBJ_BODY; type <= mjOBJ_KEY; type++) {
    if (type == mjOBJ_XBODY || type == mjOBJ_DOF) {
      continue;
    }
    int n = 0;
    for (mjsElement* it = mjs_firstElement(s, (mjtObj)type); it && n < 20;
         it = mjs_nextElement(s, it)) {
      say(log, "%d %d: '%s'", type, n++, name_of(it));
    }
  }
  mjsBody* world = mjs_findBody(s, "world");
  static const mjtObj types[] = {mjOBJ_BODY,   mjOBJ_JOINT, mjOBJ_GEOM, mjOBJ_SITE,
                                 mjOBJ_CAMERA, mjOBJ_LIGHT, mjOBJ_FRAME};
  for (int i = 0; i < 7; i++) {
    for (int recurse = 0; recurse < 2; recurse++) {
      int n = 0;
      for (mjsElement* it = mjs_firstChild(world, types[i], recurse); it && n < 20; n++) {
        say(log, "%d %d: '%s'", types[i], recurse, name_of(it));
        it = mjs_nextChild(world, it, recurse);
      }
    }
  }
  say(log, "%d", mjs_firstChild(world, mjOBJ_MESH, 1) != NULL);
  say_error(log, s);
  mj_deleteSpec(s);
}

static void names_are_unique_by_type(Log* log) {
  mjSpec* s = parse(log, arm_model);
  mjsElement* a = mjs_findBody(s, "a")->element;
  say(log, "%d", mjs_setName(a, "b"));
  say_error(log, s);
  say(log, "%d", mjs_setName(a, "a2"));
  say(log, "%s", name_of(a));
  say(log, "%d", mjs_setName(mjs_findElement(s, mjOBJ_GEOM, "g"), "a2"));
  say(log, "%d", mjs_setName(mjs_findElement(s, mjOBJ_MATERIAL, "mat"), "tex"));
  say(log, "%d", mjs_setName(mjs_findElement(s, mjOBJ_MESH, "tet"), ""));
  mj_deleteSpec(s);
}

static void repeated_names_do_not_compile(Log* log) {
  mjSpec* s = parse(log, base_model);
  mjsBody* root = mjs_findBody(s, "root");
  for (int i = 0; i < 2; i++) {
    mjsGeom* geom = mjs_addGeom(root, NULL);
    geom->size[0] = .1;
    say(log, "%d", mjs_setName(geom->element, "same"));
  }
  compile_only(log, s);
  mj_deleteSpec(s);
}

// classes

static void classes_hold_what_elements_start_with(Log* log) {
  mjSpec* s = mj_makeSpec();
  mjsDefault* top = mjs_getSpecDefault(s);
  top->geom->size[0] = .3;
  mjsDefault* one = mjs_addDefault(s, "one", NULL);
  one->geom->size[0] = .5;
  one->joint->damping = 2;
  mjsDefault* two = mjs_addDefault(s, "two", one);
  two->joint->stiffness = 4;
  say(log, "again %d", mjs_addDefault(s, "two", NULL) != NULL);
  say_message(log, mjs_getError(s));
  one->joint->damping = 3;
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), two);
  mjs_setString(body->childclass, "one");
  mjsGeom* geom = mjs_addGeom(body, NULL);
  mjsJoint* joint = mjs_addJoint(body, two);
  say(log, "%g %g %g", geom->size[0], joint->damping, joint->stiffness);
  mjsBody* child = mjs_addBody(body, NULL);
  say(log, "child '%s'", mjs_getString(child->childclass));
  say(log, "%s %s %s", mjs_getString(mjs_getName(mjs_getDefault(geom->element)->element)),
      mjs_getString(mjs_getName(mjs_getDefault(joint->element)->element)),
      mjs_getString(mjs_getName(mjs_getDefault(body->element)->element)));
  mjs_setDefault(geom->element, two);
  say(log, "%s %g", mjs_getString(mjs_getName(mjs_getDefault(geom->element)->element)),
      geom->size[0]);
  say(log, "%d %d", mjs_findDefault(s, "two") == two, mjs_findDefault(s, "main") == top);
  say(log, "delete %d", mjs_delete(s, one->element));
  say(log, "%d %d", mjs_findDefault(s, "one") != NULL, mjs_findDefault(s, "two") != NULL);
  say(log, "delete main %d", mjs_delete(s, top->element));
  say_error(log, s);
  mj_deleteSpec(s);
}

static void frames_hold_elements_of_their_body(Log* log) {
  mjSpec* s = parse(log, base_model);
  mjsBody *world = mjs_findBody(s, "world"), *root = mjs_findBody(s, "root");
  mjsFrame* mount = mjs_findFrame(s, "mount");
  mjsFrame* inner = mjs_addFrame(root, mount);
  inner->pos[1] = 1;
  mjsFrame* other = mjs_addFrame(world, NULL);
  mjsElement *ball = mjs_findElement(s, mjOBJ_GEOM, "ball"),
             *tip = mjs_findElement(s, mjOBJ_SITE, "tip");
  say(log, "%d %d %d", mjs_getFrame(tip) == mount, mjs_getFrame(ball) != NULL,
      mjs_getFrame(inner->element) == mount);
  say(log, "%d", mjs_setFrame(ball, inner));
  say(log, "%d", mjs_getFrame(ball) == inner);
  say(log, "%d", mjs_setFrame(ball, other));
  say_error(log, s);
  say(log, "%d", mjs_setFrame(NULL, other));
  say(log, "%d", mjs_setFrame(tip, NULL));
  say(log, "%d", mjs_setFrame(root->element, other));
  other->pos[2] = 5;
  compile_only(log, s);
  compile_only(log, s);
  mj_deleteSpec(s);
}

// attachment

static void attach_once(Log* log, mjtObj parent, const char* parentname, mjtObj child,
                        const char* childname, int deep) {
  mjSpec *p = parse(log, base_model), *c = parse(log, arm_model);
  mjs_setDeepCopy(p, deep);
  mjsElement* to = parent == mjOBJ_FRAME ? mjs_findFrame(p, parentname)->element
                                         : mjs_findElement(p, parent, parentname);
  mjsElement* what = child == mjOBJ_MODEL   ? c->element
                     : child == mjOBJ_FRAME ? mjs_findFrame(c, childname)->element
                                            : mjs_findElement(c, child, childname);
  say(log, "%s %s, deep %d", parentname, childname, deep);
  mjsElement* made = mjs_attach(to, what, "x_", "_y");
  say(log, "%s", name_of(made));
  int good = 0;
  if (made) {
    say(log, "%d", made->elemtype);
    mjModel* m = compile(log, p);
    good = m != NULL;
    mj_deleteModel(m);
    say(log, "child's name now '%s'", name_of(what));
    say(log, "%d", mjs_findSpec(p, "arm") != NULL);
  } else {
    say_error(log, p);
  }
  mj_deleteSpec(c);
  if (good) {
    compile_only(log, p);
  }
  mj_deleteSpec(p);
}

static void bodies_are_attached_to_frames(Log* log) {
  attach_once(log, mjOBJ_FRAME, "mount", mjOBJ_BODY, "a", 0);
  attach_once(log, mjOBJ_FRAME, "mount", mjOBJ_BODY, "b", 0);
}
static void bodies_are_copied_to_frames(Log* log) {
  attach_once(log, mjOBJ_FRAME, "mount", mjOBJ_BODY, "a", 1);
}
static void bodies_are_attached_to_sites(Log* log) {
  attach_once(log, mjOBJ_SITE, "tip", mjOBJ_BODY, "a", 0);
  attach_once(log, mjOBJ_SITE, "tip", mjOBJ_FRAME, "f", 1);
}
static void frames_are_attached_to_bodies(Log* log) {
  attach_once(log, mjOBJ_BODY, "root", mjOBJ_FRAME, "f", 0);
  attach_once(log, mjOBJ_FRAME, "mount", mjOBJ_FRAME, "f", 0);
}
static void whole_specs_are_attached_to_frames(Log* log) {
  attach_once(log, mjOBJ_FRAME, "mount", mjOBJ_MODEL, "", 0);
  attach_once(log, mjOBJ_BODY, "root", mjOBJ_MODEL, "", 1);
}
static void whole_specs_are_attached_to_sites(Log* log) {
  attach_once(log, mjOBJ_SITE, "tip", mjOBJ_MODEL, "", 0);
}
static void what_cannot_be_attached_is_refused(Log* log) {
  attach_once(log, mjOBJ_BODY, "root", mjOBJ_BODY, "a", 0);
  attach_once(log, mjOBJ_FRAME, "mount", mjOBJ_GEOM, "g", 0);
  attach_once(log, mjOBJ_SITE, "tip", mjOBJ_SITE, "s", 0);
  attach_once(log, mjOBJ_GEOM, "ball", mjOBJ_BODY, "a", 0);
}

static void attaching_twice(Log* log, int deep, const char* prefix1, const char* prefix2) {
  mjSpec *p = parse(log, base_model), *c = parse(log, arm_model);
  mjsFrame* mount = mjs_findFrame(p, "mount");
  mjs_setDeepCopy(p, deep);
  mjsElement* a = mjs_findBody(c, "a")->element;
  say(log, "first %s", name_of(mjs_attach(mount->element, a, prefix1, "")));
  say_error(log, p);
  mjsElement* again = mjs_attach(mount->element, a, prefix2, "");
  say(log, "second %d %s", again != NULL, name_of(again));
  if (again) {
    compile_only(log, p);
  } else {
    say_message(log, mjs_getError(p));
  }
  mj_deleteSpec(c);
  mj_deleteSpec(p);
}
static void copies_are_attached_twice_with_different_prefixes(Log* log) {
  attaching_twice(log, 1, "x_", "y_");
}
static void the_same_prefix_twice_is_refused(Log* log) {
  attaching_twice(log, 1, "x_", "x_");
}

static void a_spec_is_attached_to_itself(Log* log) {
  mjSpec* s = parse(log, arm_model);
  mjsFrame* f = mjs_addFrame(mjs_findBody(s, "world"), NULL);
  f->pos[0] = 3;
  mjsElement* last = NULL;
  for (mjsElement* it = mjs_firstElement(s, mjOBJ_SENSOR); it; it = mjs_nextElement(s, it)) {
    last = it;
  }
  mjs_delete(s, last);  // the clock
  mjs_setDeepCopy(s, 1);
  mjsElement* made = mjs_attach(f->element, mjs_findBody(s, "a")->element, "d_", "");
  say(log, "deep %s", name_of(made));
  compile_only(log, s);
  mj_deleteSpec(s);
}

static void an_attached_spec_does_not_compile_alone(Log* log) {
  mjSpec *p = parse(log, base_model), *c = parse(log, arm_model);
  mjs_attach(mjs_findFrame(p, "mount")->element, mjs_findBody(c, "a")->element, "x_", "");
  say(log, "child");
  compile_only(log, c);
  say(log, "parent");
  compile_only(log, p);
  mj_deleteSpec(p);
  mj_deleteSpec(c);
}

static void nameless_keys_of_two_children_stay_apart(Log* log) {
  mjSpec* p = parse(log, base_model);
  for (int i = 0; i < 2; i++) {
    mjSpec* c = parse(log, arm_model);
    mjs_attach(mjs_findFrame(p, "mount")->element, mjs_findBody(c, "a")->element, i ? "r_" : "l_",
               "");
    mj_deleteSpec(c);
  }
  compile_only(log, p);
  mj_deleteSpec(p);
}

// deletion

static void delete_named(Log* log, mjtObj type, const char* name) {
  mjSpec* s = parse(log, arm_model);
  mjsElement* element = mjs_findElement(s, type, name);
  say(log, "delete %d %s: %d", type, name, mjs_delete(s, element));
  say(log, "found %d", mjs_findElement(s, type, name) != NULL);
  compile_only(log, s);
  mj_deleteSpec(s);
}
static void deleted_elements_are_gone(Log* log) {
  delete_named(log, mjOBJ_ACTUATOR, "mo");
  delete_named(log, mjOBJ_EQUALITY, "w");
  delete_named(log, mjOBJ_SENSOR, "gy");
  delete_named(log, mjOBJ_KEY, "up");
  delete_named(log, mjOBJ_NUMERIC, "n");
  delete_named(log, mjOBJ_EXCLUDE, "e");
  delete_named(log, mjOBJ_TUPLE, "u");
  delete_named(log, mjOBJ_CAMERA, "c");
}
static void what_needs_deleted_elements_does_not_compile(Log* log) {
  delete_named(log, mjOBJ_JOINT, "k");
  delete_named(log, mjOBJ_SITE, "s");
  delete_named(log, mjOBJ_MATERIAL, "mat");
  delete_named(log, mjOBJ_MESH, "tet");
  delete_named(log, mjOBJ_TENDON, "t");
}
static void deleting_nothing_is_an_error(Log* log) {
  mjSpec* s = parse(log, base_model);
  say(log, "%d", mjs_delete(s, NULL));
  say_message(log, mjs_getError(s));
  mj_deleteSpec(s);
}

const Scenario structure_scenarios[] = {
    SCENARIO(a_new_spec_has_a_world),
    SCENARIO(elements_have_ids_once_compiled),
    SCENARIO(elements_are_visited_in_order),
    SCENARIO(names_are_unique_by_type),
    SCENARIO(repeated_names_do_not_compile),
    SCENARIO(classes_hold_what_elements_start_with),
    SCENARIO(frames_hold_elements_of_their_body),
    SCENARIO(bodies_are_attached_to_frames),
    SCENARIO(bodies_are_copied_to_frames),
    SCENARIO(bodies_are_attached_to_sites),
    SCENARIO(frames_are_attached_to_bodies),
    SCENARIO(whole_specs_are_attached_to_frames),
    SCENARIO(whole_specs_are_attached_to_sites),
    SCENARIO(what_cannot_be_attached_is_refused),
    SCENARIO(copies_are_attached_twice_with_different_prefixes),
    SCENARIO(the_same_prefix_twice_is_refused),
    SCENARIO(a_spec_is_attached_to_itself),
    SCENARIO(an_attached_spec_does_not_compile_alone),
    SCENARIO(nameless_keys_of_two_children_stay_apart),
    SCENARIO(deleted_elements_are_gone),
    SCENARIO(what_needs_deleted_elements_does_not_compile),
    SCENARIO(deleting_nothing_is_an_error),
    {NULL, NULL},
};
