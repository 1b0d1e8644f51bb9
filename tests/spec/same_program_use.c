// Specs are used: copied, compiled again, asked for values, saved.

#include "spec/same_program_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// whole models

static void a_copy_is_independent(Log* log) {
  mjSpec* s = parse(log, arm_model);
  mjSpec* c = mj_copySpec(s);
  mjs_findBody(s, "a")->pos[0] = 9;
  mj_deleteSpec(s);
  compile_only(log, c);
  mj_deleteSpec(c);
}

static void recompiling_keeps_the_state(Log* log) {
  mjSpec* s = parse(log, arm_model);
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
  mjSpec* s = parse(log, arm_model);
  mjModel* m = mj_compile(s, NULL);
  mjData* d = mj_makeData(m);
  mjs_delete(s, mjs_findElement(s, mjOBJ_JOINT, "k"));
  say(log, "%d", mj_recompile(s, NULL, m, d));
  say_error(log, s);
  mj_deleteSpec(s);
}

static void models_and_specs_outlive_each_other(Log* log) {
  mjSpec* s = parse(log, arm_model);
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
  mjSpec* s = parse(log, base_model);
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
  mjSpec* s = parse(log, base_model);
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
    // of contact sensors; later releases have the fields of rangefinders there
    sensor->intprm[0] = type == mjSENS_CONTACT ? 3 : 0;
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
  mjSpec* s = parse(log, base_model);
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
  mj_addBufferVFS(&vfs, "good.xml", base_model, (int)strlen(base_model));
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

const Scenario use_scenarios[] = {
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
    {NULL, NULL},
};
