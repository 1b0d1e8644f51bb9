#include "spec/same_program.h"

#include <mujoco/mujoco.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(Log* log, const char* format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(log->text + log->length, sizeof(log->text) - log->length, format, args);
  va_end(args);
  if (n > 0) {
    log->length += (size_t)n;
  }
  if (log->length >= sizeof(log->text) - 2) {
    log->length = sizeof(log->text) - 2;
  }
  log->text[log->length++] = '\n';
  log->text[log->length] = 0;
}

// messages

// The message of an engine as one line, without its prefix.
static void say_message(Log* log, const char* text) {
  static const char prefix[] = "Error: ";
  text = text ? text : "(null)";
  text += strncmp(text, prefix, strlen(prefix)) == 0 ? strlen(prefix) : 0;
  say(log, "message: %.*s", (int)strcspn(text, "\n"), text);
}

static void say_error(Log* log, mjSpec* s) {
  say(log, "warning %d", mjs_isWarning(s));
  say_message(log, mjs_getError(s));
}

// models

static mjSpec* parse(Log* log, const char* xml) {
  char error[400] = "";
  mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof(error));
  if (!s) {
    say_message(log, error);
  }
  return s;
}

static const char* name_of(mjsElement* element) {
  return element ? mjs_getString(mjs_getName(element)) : "(none)";
}

static void say_reals(Log* log, const char* label, const mjtNum* x, int n) {
  char line[2000];
  int at = 0;
  for (int i = 0; i < n && at < 1900; i++) {
    mjtNum v = x[i] < 1e-12 && x[i] > -1e-12 ? 0 : x[i];
    at += snprintf(line + at, sizeof(line) - (size_t)at, " %.8g", v);
  }
  line[at] = 0;
  say(log, "%s:%s", label, line);
}

static void say_ints(Log* log, const char* label, const int* x, int n) {
  char line[2000] = "";
  int at = 0;
  for (int i = 0; i < n && at < 1900; i++) {
    at += snprintf(line + at, sizeof(line) - (size_t)at, " %d", x[i]);
  }
  say(log, "%s:%s", label, line);
}

static void say_names(Log* log, const mjModel* m, mjtObj type, int n) {
  char line[4000] = "";
  int at = 0;
  for (int i = 0; i < n && at < 3900; i++) {
    const char* name = mj_id2name(m, type, i);
    at += snprintf(line + at, sizeof(line) - (size_t)at, " %s", name ? name : "-");
  }
  say(log, "%s:%s", mju_type2Str(type), line);
}

static void say_model(Log* log, const mjModel* m) {
  say_names(log, m, mjOBJ_BODY, m->nbody);
  say_names(log, m, mjOBJ_JOINT, m->njnt);
  say_names(log, m, mjOBJ_GEOM, m->ngeom);
  say_names(log, m, mjOBJ_SITE, m->nsite);
  say_names(log, m, mjOBJ_CAMERA, m->ncam);
  say_names(log, m, mjOBJ_LIGHT, m->nlight);
  say_names(log, m, mjOBJ_MESH, m->nmesh);
  say_names(log, m, mjOBJ_TEXTURE, m->ntex);
  say_names(log, m, mjOBJ_MATERIAL, m->nmat);
  say_names(log, m, mjOBJ_PAIR, m->npair);
  say_names(log, m, mjOBJ_EXCLUDE, m->nexclude);
  say_names(log, m, mjOBJ_EQUALITY, m->neq);
  say_names(log, m, mjOBJ_TENDON, m->ntendon);
  say_names(log, m, mjOBJ_ACTUATOR, m->nu);
  say_names(log, m, mjOBJ_SENSOR, m->nsensor);
  say_names(log, m, mjOBJ_NUMERIC, m->nnumeric);
  say_names(log, m, mjOBJ_TEXT, m->ntext);
  say_names(log, m, mjOBJ_TUPLE, m->ntuple);
  say_names(log, m, mjOBJ_KEY, m->nkey);
  say_ints(log, "parent", m->body_parentid, m->nbody);
  say_reals(log, "body_pos", m->body_pos, 3 * m->nbody);
  say_reals(log, "body_quat", m->body_quat, 4 * m->nbody);
  say_reals(log, "body_mass", m->body_mass, m->nbody);
  say_reals(log, "geom_pos", m->geom_pos, 3 * m->ngeom);
  say_reals(log, "site_pos", m->site_pos, 3 * m->nsite);
  say_reals(log, "damping", m->dof_damping, m->nv);
  say_reals(log, "armature", m->dof_armature, m->nv);
  say_reals(log, "range", m->jnt_range, 2 * m->njnt);
  say_ints(log, "matid", m->geom_matid, m->ngeom);
  say_ints(log, "dataid", m->geom_dataid, m->ngeom);
  say_ints(log, "trnid", m->actuator_trnid, 2 * m->nu);
  say_ints(log, "objid", m->sensor_objid, m->nsensor);
  say_ints(log, "wrap", m->wrap_objid, m->nwrap);
  say_ints(log, "eq", m->eq_obj1id, m->neq);
  say_ints(log, "tuple", m->tuple_objid, m->ntupledata);
  say_reals(log, "key_time", m->key_time, m->nkey);
  say_reals(log, "key_qpos", m->key_qpos, m->nkey * m->nq);
  say_reals(log, "key_qvel", m->key_qvel, m->nkey * m->nv);
  say_reals(log, "key_ctrl", m->key_ctrl, m->nkey * m->nu);
  say_reals(log, "key_mpos", m->key_mpos, m->nkey * 3 * m->nmocap);
}

static mjModel* compile(Log* log, mjSpec* s) {
  mjModel* m = mj_compile(s, NULL);
  if (m) {
    say_model(log, m);
  } else {
    say_error(log, s);
  }
  return m;
}

static void compile_only(Log* log, mjSpec* s) {
  mj_deleteModel(compile(log, s));
}

// texts

static const char arm[] =
    "<mujoco model='arm'><compiler angle='radian'/><option><flag contact='disable'/></option>"
    "<default><geom rgba='1 0 0 1'/><joint armature='.1'/>"
    "<default class='soft'><joint damping='3'/><geom friction='.5'/></default></default>"
    "<asset><texture name='tex' type='2d' builtin='flat' width='4' height='4'/>"
    "<material name='mat' texture='tex'/><mesh name='tet' vertex='0 0 0 1 0 0 0 2 0 0 0 3'/>"
    "</asset>"
    "<worldbody><geom name='floor' type='box' size='1 1 .1'/><site name='mark' pos='1 0 0'/>"
    "<frame name='f' pos='0 0 1'><body name='a' euler='0 1 0'><joint name='j' class='soft' "
    "range='-1 1'/><geom name='g' size='.1' material='mat'/><site name='s' pos='0 .1 0'/>"
    "<body name='b' pos='1 0 0' childclass='soft'><joint name='k' type='slide'/>"
    "<geom size='.1 .2' type='capsule'/><geom name='gm' type='mesh' mesh='tet'/><camera name='c' "
    "mode='targetbody' target='a'/></body></body></frame>"
    "<body name='m' mocap='true' pos='0 0 3'><geom size='.1'/></body></worldbody>"
    "<contact><exclude name='e' body1='a' body2='b'/><pair name='p' geom1='g' "
    "geom2='gm'/></contact>"
    "<equality><weld name='w' body1='b' body2='m'/><joint name='q' joint1='j' "
    "joint2='k'/></equality>"
    "<tendon><fixed name='t'><joint joint='j' coef='1'/><joint joint='k' coef='2'/></fixed>"
    "<spatial name='sp'><site site='s'/><site site='mark'/></spatial></tendon>"
    "<actuator><motor name='mo' joint='j'/><position name='po' tendon='t' kp='3'/></actuator>"
    "<sensor><gyro name='gy' site='s'/><jointpos joint='k'/><clock/></sensor>"
    "<custom><numeric name='n' data='1 2 3'/><text name='x' data='hi'/><tuple name='u'>"
    "<element objtype='body' objname='a'/><element objtype='geom' objname='g'/></tuple></custom>"
    "<keyframe><key name='up' time='2' qpos='.1 .2' ctrl='3 4' mpos='1 2 3'/><key qvel='5 6'/>"
    "</keyframe></mujoco>";

static const char base[] =
    "<mujoco model='base'><default><geom rgba='0 1 0 1'/><joint damping='7'/></default><worldbody>"
    "<body name='root' pos='0 0 2'><freejoint name='free'/><geom name='ball' size='.3'/>"
    "<frame name='mount' pos='.3 0 0' euler='0 0 90'><site name='tip' pos='0 0 .1' euler='90 0 "
    "0'/></frame></body></worldbody><keyframe><key name='home' qpos='1 2 3 1 0 0 0'/></keyframe>"
    "</mujoco>";

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
  mjSpec* s = parse(log, arm);
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
  mjSpec* s = parse(log, arm);
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
  mjSpec* s = parse(log, base);
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
  mjSpec* s = parse(log, base);
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
  mjSpec *p = parse(log, base), *c = parse(log, arm);
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
  mjSpec *p = parse(log, base), *c = parse(log, arm);
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
  mjSpec* s = parse(log, arm);
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
  mjSpec *p = parse(log, base), *c = parse(log, arm);
  mjs_attach(mjs_findFrame(p, "mount")->element, mjs_findBody(c, "a")->element, "x_", "");
  say(log, "child");
  compile_only(log, c);
  say(log, "parent");
  compile_only(log, p);
  mj_deleteSpec(p);
  mj_deleteSpec(c);
}

static void nameless_keys_of_two_children_stay_apart(Log* log) {
  mjSpec* p = parse(log, base);
  for (int i = 0; i < 2; i++) {
    mjSpec* c = parse(log, arm);
    mjs_attach(mjs_findFrame(p, "mount")->element, mjs_findBody(c, "a")->element, i ? "r_" : "l_",
               "");
    mj_deleteSpec(c);
  }
  compile_only(log, p);
  mj_deleteSpec(p);
}

// deletion

static void delete_named(Log* log, mjtObj type, const char* name) {
  mjSpec* s = parse(log, arm);
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
  mjSpec* s = parse(log, base);
  say(log, "%d", mjs_delete(s, NULL));
  say_message(log, mjs_getError(s));
  mj_deleteSpec(s);
}

// whole models

static void a_copy_is_independent(Log* log) {
  mjSpec* s = parse(log, arm);
  mjSpec* c = mj_copySpec(s);
  mjs_findBody(s, "a")->pos[0] = 9;
  mj_deleteSpec(s);
  compile_only(log, c);
  mj_deleteSpec(c);
}

static void recompiling_keeps_the_state(Log* log) {
  mjSpec* s = parse(log, arm);
  mjModel* m = mj_compile(s, NULL);
  mjData* d = mj_makeData(m);
  for (int i = 0; i < m->nq; i++) {
    d->qpos[i] = .1 * (i + 1);
    d->qvel[i] = .01 * (i + 1);
  }
  d->ctrl[0] = .5;
  d->ctrl[1] = .6;
  d->mocap_pos[0] = 4;
  d->time = 3;
  mjsBody* first = mjs_addBody(mjs_findFrame(s, "f") ? mjs_findBody(s, "world") : NULL, NULL);
  mjsGeom* geom = mjs_addGeom(first, NULL);
  geom->size[0] = .1;
  mjs_addFreeJoint(first);
  mjs_delete(s, mjs_findElement(s, mjOBJ_ACTUATOR, "po"));
  for (mjsElement* key; (key = mjs_firstElement(s, mjOBJ_KEY));) {
    mjs_delete(s, key);
  }
  if (mj_recompile(s, NULL, m, d)) {
    say_error(log, s);
    mj_deleteSpec(s);
    return;
  }
  say_model(log, m);
  say_reals(log, "qpos", d->qpos, m->nq);
  say_reals(log, "qvel", d->qvel, m->nv);
  say_reals(log, "ctrl", d->ctrl, m->nu);
  say_reals(log, "mocap", d->mocap_pos, 3 * m->nmocap);
  say(log, "time %g", d->time);
  mj_forward(m, d);
  say_reals(log, "xpos", d->xpos, 3 * m->nbody);
  mj_deleteSpec(s);
  mj_step(m, d);
  say_reals(log, "qpos", d->qpos, m->nq);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void a_failed_recompilation_says_why(Log* log) {
  mjSpec* s = parse(log, arm);
  mjModel* m = mj_compile(s, NULL);
  mjData* d = mj_makeData(m);
  mjs_delete(s, mjs_findElement(s, mjOBJ_JOINT, "k"));
  say(log, "%d", mj_recompile(s, NULL, m, d));
  say_error(log, s);
  mj_deleteSpec(s);
}

static void models_and_specs_outlive_each_other(Log* log) {
  mjSpec* s = parse(log, arm);
  mjModel* m = mj_compile(s, NULL);
  mjModel* n = mj_compile(s, NULL);
  mj_deleteModel(m);
  mjs_findBody(s, "a")->pos[0] = 2;
  m = mj_compile(s, NULL);
  mj_deleteSpec(s);
  say_model(log, m);
  say_model(log, n);
  mjData* d = mj_makeData(m);
  mj_step(m, d);
  say_reals(log, "qpos", d->qpos, m->nq);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteModel(n);
}

static void numbers_are_copied_back(Log* log) {
  static char xml[1 << 14];
  char error[300] = "";
  mjSpec* s = parse(log, base);
  say(log, "uncompiled: %d", mj_saveXMLString(s, xml, sizeof(xml), error, sizeof(error)));
  say_message(log, error);
  mjModel* m = mj_compile(s, NULL);
  m->body_pos[3] = 7;
  m->geom_size[0] = .9;
  say(log, "%d", mj_copyBack(s, m));
  say(log, "%d", mj_saveXMLString(s, xml, sizeof(xml), error, sizeof(error)));
  say(log, "%d %d", strstr(xml, "pos=\"7 0 2\"") != NULL, strstr(xml, "size=\"0.9\"") != NULL);
  mjs_addGeom(mjs_findBody(s, "root"), NULL)->size[0] = 1;
  mjModel* n = mj_compile(s, NULL);
  say(log, "of another model: %d", mj_copyBack(s, m));
  say_error(log, s);
  mj_deleteModel(m);
  mj_deleteModel(n);
  mj_deleteSpec(s);
}

static void bodies_become_frames(Log* log) {
  mjSpec* s = parse(log,
                    "<mujoco><worldbody><body name='a' pos='1 0 0'><body name='b' pos='0 1 0' "
                    "quat='1 0 0 1'><geom name='g' size='.1' pos='1 0 0'/><body name='c' pos='0 0 "
                    "1'><geom size='.2'/></body></body></body></worldbody></mujoco>");
  mjsBody* b = mjs_findBody(s, "b");
  mjsFrame* frame = mjs_bodyToFrame(&b);
  say(log, "%d %d %g", frame != NULL, b != NULL, frame->pos[1]);
  compile_only(log, s);
  mj_deleteSpec(s);
}

// values

static int cleaned;
static void cleanup(const void* data) {
  cleaned += *(const int*)data;
}

static void user_values_go_with_their_element(Log* log) {
  static const int one = 1, ten = 10, hundred = 100;
  mjSpec* s = parse(log, base);
  mjsElement* root = mjs_findBody(s, "root")->element;
  cleaned = 0;
  say(log, "%d", mjs_getUserValue(root, "k") != NULL);
  mjs_setUserValue(root, "k", &one);
  say(log, "%d", mjs_getUserValue(root, "k") == &one);
  mjs_setUserValueWithCleanup(root, "k", &ten, cleanup);
  say(log, "%d", mjs_getUserValue(root, "k") == &ten);
  mjs_setUserValueWithCleanup(root, "k", &hundred, cleanup);
  say(log, "replaced %d", cleaned);
  mjs_setUserValueWithCleanup(root, "l", &one, cleanup);
  mjs_deleteUserValue(root, "l");
  say(log, "deleted %d %d", cleaned, mjs_getUserValue(root, "l") != NULL);
  mjs_deleteUserValue(root, "unknown");
  mj_deleteSpec(s);
  say(log, "with the spec %d", cleaned);
}

static void texts_and_arrays_are_set(Log* log) {
  mjSpec* s = mj_makeSpec();
  mjsTexture* texture = mjs_addTexture(s);
  mjs_setStringVec(texture->cubefiles, "a b  c\td");
  say(log, "%d", mjs_setInStringVec(texture->cubefiles, 1, "e"));
  mjsKey* key = mjs_addKey(s);
  double x[3] = {1, 2, 3};
  int n = -1;
  say(log, "%d", mjs_getDouble(key->qpos, NULL) != NULL);
  const double* got = mjs_getDouble(key->qpos, &n);
  say(log, "%d", n);
  mjs_setDouble(key->qpos, x, 3);
  got = mjs_getDouble(key->qpos, &n);
  say(log, "%d %g", n, got[2]);
  mjs_setDouble(key->qpos, x, 0);
  mjs_getDouble(key->qpos, &n);
  say(log, "%d", n);
  mjs_setString(s->modelname, "");
  say(log, "'%s'", mjs_getString(s->modelname));
  mjs_setString(s->modelname, "a model");
  say(log, "'%s'", mjs_getString(s->modelname));
  mj_deleteSpec(s);
}

static void orientations_are_resolved(Log* log) {
  static const struct {
    mjtOrientation type;
    double v[6];
    const char* sequence;
  } cases[] = {
      {mjORIENTATION_QUAT, {1, 2, 3, 4}, "xyz"},
      {mjORIENTATION_AXISANGLE, {0, 0, 2, 90}, "xyz"},
      {mjORIENTATION_AXISANGLE, {0, 0, 0, 90}, ""},
      {mjORIENTATION_XYAXES, {1, 1, 0, 0, 1, 1}, ""},
      {mjORIENTATION_XYAXES, {1, 0, 0, 1, 0, 0}, ""},
      {mjORIENTATION_XYAXES, {0, 0, 0, 1, 0, 0}, ""},
      {mjORIENTATION_ZAXIS, {1, 2, 3}, ""},
      {mjORIENTATION_ZAXIS, {0, 0, -1}, ""},
      {mjORIENTATION_ZAXIS, {0, 0, 0}, ""},
      {mjORIENTATION_EULER, {10, 20, 30}, "xyz"},
      {mjORIENTATION_EULER, {10, 20, 30}, "ZYX"},
      {mjORIENTATION_EULER, {10, 20, 30}, "xQz"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    for (int degree = 0; degree < 2; degree++) {
      mjsOrientation o;
      mjs_defaultOrientation(&o);
      o.type = cases[i].type;
      memcpy(o.axisangle, cases[i].v, sizeof(o.axisangle));
      memcpy(o.xyaxes, cases[i].v, sizeof(o.xyaxes));
      memcpy(o.zaxis, cases[i].v, sizeof(o.zaxis));
      memcpy(o.euler, cases[i].v, sizeof(o.euler));
      double quat[4] = {1, 0, 0, 0};
      const char* problem = mjs_resolveOrientation(quat, (mjtByte)degree, cases[i].sequence, &o);
      say_message(log, problem ? problem : "none");
      if (!problem) {
        mjtNum q[4] = {quat[0], quat[1], quat[2], quat[3]};
        say_reals(log, "quat", q, 4);
      }
    }
  }
}

static void sensors_have_a_dimension(Log* log) {
  mjSpec* s = mj_makeSpec();
  mjsSensor* sensor = mjs_addSensor(s);
  for (int type = mjSENS_TOUCH; type <= mjSENS_USER; type++) {
    if (type == mjSENS_TACTILE) {
      continue;
    }
    sensor->type = (mjtSensor)type;
    sensor->dim = 5;
    sensor->intprm[0] = 3;
    sensor->intprm[1] = 1;
    sensor->intprm[2] = 2;
    say(log, "%d: %d", type, mjs_sensorDim(sensor));
  }
  mj_deleteSpec(s);
}

static void say_actuator(Log* log, const mjsActuator* a, const char* problem) {
  say_message(log, problem && problem[0] ? problem : "none");
  if (problem && problem[0]) {
    return;
  }
  say(log, "%d %d %d %d %d", a->gaintype, a->biastype, a->dyntype, a->ctrllimited, a->actlimited);
  mjtNum x[30];
  for (int i = 0; i < 10; i++) {
    x[i] = a->gainprm[i];
    x[10 + i] = a->biasprm[i];
    x[20 + i] = a->dynprm[i];
  }
  say_reals(log, "prm", x, 30);
}

static void actuators_have_shortcuts(Log* log) {
  mjSpec* s = mj_makeSpec();
  double kv = 2, ratio = .7, tc = .1, minus = -1, two[2] = {.01, .02}, range[2] = {.8, 1.1};
#define NEW mjsActuator* a = mjs_addActuator(s, NULL)
#define CASE(call)                 \
  {                                \
    NEW;                           \
    const char* problem = call;    \
    say_actuator(log, a, problem); \
  }
  CASE(mjs_setToMotor(a))
  CASE(mjs_setToPosition(a, 10, NULL, NULL, NULL, 0))
  CASE(mjs_setToPosition(a, 10, &kv, NULL, NULL, 0))
  CASE(mjs_setToPosition(a, 10, NULL, &ratio, NULL, 0))
  CASE(mjs_setToPosition(a, 10, &kv, &ratio, NULL, 0))
  CASE(mjs_setToPosition(a, 10, &minus, NULL, NULL, 0))
  CASE(mjs_setToPosition(a, 10, NULL, &minus, NULL, 0))
  CASE(mjs_setToPosition(a, 10, NULL, NULL, &tc, 1))
  CASE(mjs_setToPosition(a, 10, NULL, NULL, &minus, 1))
  CASE(mjs_setToIntVelocity(a, 10, &kv, NULL, NULL, 0))
  CASE(mjs_setToIntVelocity(a, 10, NULL, &ratio, &tc, 1))
  CASE(mjs_setToVelocity(a, 3))
  CASE(mjs_setToDamper(a, 3))
  CASE(mjs_setToDamper(a, -3))
  CASE(mjs_setToCylinder(a, .1, .2, .3, -1))
  CASE(mjs_setToCylinder(a, .1, .2, .3, .4))
  CASE(mjs_setToMuscle(a, two, .1, range, 5, 100, .4, 1.7, 2, 1.4, 1.3))
  CASE(mjs_setToMuscle(a, (double[]){-1, -1}, -1, (double[]){-1, -1}, -1, -1, -1, -1, -1, -1, -1))
  CASE(mjs_setToAdhesion(a, 3))
  CASE(mjs_setToAdhesion(a, -3))
#undef CASE
#undef NEW
  mj_deleteSpec(s);
}

static void builtin_meshes_say_what_they_cannot_make(Log* log) {
  mjSpec* s = mj_makeSpec();
  mjsMesh* mesh = mjs_addMesh(s, NULL);
  double p[6] = {2, 0, 0, 0, 0, 0}, large[2] = {9, 9};
  say(log, "%d", mjs_makeMesh(mesh, mjMESH_BUILTIN_SPHERE, p, 1));
  say(log, "%d", mjs_makeMesh(mesh, mjMESH_BUILTIN_SPHERE, large, 1));
  say(log, "%d", mjs_makeMesh(mesh, mjMESH_BUILTIN_SPHERE, p, 2));
  say_message(log, mjs_getError(s));
  say(log, "%d", mjs_makeMesh(mesh, (mjtMeshBuiltin)77, p, 2));
  mj_deleteSpec(s);
}

static void plugins_that_do_not_exist_are_not_activated(Log* log) {
  mjSpec* s = mj_makeSpec();
  say(log, "%d", mjs_activatePlugin(s, "mujoco.no.such.plugin"));
  say_message(log, mjs_getError(s));
  compile_only(log, s);
  mj_deleteSpec(s);
}

// saving

static void too_small_buffers_are_told(Log* log) {
  char xml[40] = "untouched", error[300] = "";
  mjSpec* s = parse(log, base);
  mjModel* m = mj_compile(s, NULL);
  int needed = mj_saveXMLString(s, xml, sizeof(xml), error, sizeof(error));
  say(log, "more %d, %d", needed > 40, xml[0] == 'u');
  error[strcspn(error, "0123456789")] = 0;
  say_message(log, error);
  error[0] = 0;
  char* large = malloc((size_t)needed + 10);
  say(log, "exact %d", mj_saveXMLString(s, large, needed, error, sizeof(error)) == needed);
  error[0] = 0;
  say(log, "enough %d", mj_saveXMLString(s, large, needed + 1, error, sizeof(error)));
  say_message(log, error);
  say(log, "length %d", (int)strlen(large) - needed);
  say(log, "none %d", mj_saveXMLString(s, NULL, 0, error, sizeof(error)) == needed);
  free(large);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void the_last_file_is_that_of_the_last_success(Log* log) {
  char error[300] = "";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "good.xml", base, (int)sizeof(base) - 1);
  mj_addBufferVFS(&vfs, "bad.xml", "<mujoco><worldbody><geom/></worldbody></mujoco>", 47);
  mj_addBufferVFS(&vfs, "worse.xml", "<mujoco><world", 14);
  mjModel* m = mj_loadXML("good.xml", &vfs, error, sizeof(error));
  say(log, "loaded %d '%s'", m != NULL, error);
  const char* path = "/tmp/condyle_same_program.xml";
  say(log, "saved %d", mj_saveLastXML(path, m, error, sizeof(error)));
  say(log, "bad %d", mj_loadXML("bad.xml", &vfs, error, sizeof(error)) != NULL);
  say_message(log, error);
  error[0] = 0;
  say(log, "saved %d", mj_saveLastXML(path, m, error, sizeof(error)));
  say_message(log, error);
  say(log, "worse %d", mj_loadXML("worse.xml", &vfs, error, sizeof(error)) != NULL);
  error[0] = 0;
  say(log, "saved %d", mj_saveLastXML(path, m, error, sizeof(error)));
  say_message(log, error);
  say(log, "nowhere %d", mj_saveLastXML("/no/such/folder/x.xml", m, error, sizeof(error)));
  say_message(log, error);
  error[0] = 0;
  mj_freeLastXML();
  say(log, "freed %d", mj_saveLastXML(path, m, error, sizeof(error)));
  say_message(log, error);
  remove(path);
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
}

#define SCENARIO(name) \
  { #name, name }
static const Scenario scenarios[] = {
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
    SCENARIO(a_copy_is_independent),
    SCENARIO(recompiling_keeps_the_state),
    SCENARIO(a_failed_recompilation_says_why),
    SCENARIO(models_and_specs_outlive_each_other),
    SCENARIO(numbers_are_copied_back),
    SCENARIO(bodies_become_frames),
    SCENARIO(user_values_go_with_their_element),
    SCENARIO(texts_and_arrays_are_set),
    SCENARIO(orientations_are_resolved),
    SCENARIO(sensors_have_a_dimension),
    SCENARIO(actuators_have_shortcuts),
    SCENARIO(builtin_meshes_say_what_they_cannot_make),
    SCENARIO(plugins_that_do_not_exist_are_not_activated),
    SCENARIO(too_small_buffers_are_told),
    SCENARIO(the_last_file_is_that_of_the_last_success),
};

const Scenario* same_program(int i) {
  return i < (int)(sizeof(scenarios) / sizeof(scenarios[0])) ? &scenarios[i] : NULL;
}
