// The output of scenarios, the models they start from, and the list of all.

#include "spec/same_program.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "spec/same_program_log.h"

void say(Log* log, const char* format, ...) {
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

void say_message(Log* log, const char* text) {
  static const char prefix[] = "Error: ";
  text = text ? text : "(null)";
  text += strncmp(text, prefix, strlen(prefix)) == 0 ? strlen(prefix) : 0;
  say(log, "message: %.*s", (int)strcspn(text, "\n"), text);
}

void say_error(Log* log, mjSpec* s) {
  say(log, "warning %d", mjs_isWarning(s));
  say_message(log, mjs_getError(s));
}

// models

mjSpec* parse(Log* log, const char* xml) {
  char error[400] = "";
  mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof(error));
  if (!s) {
    say_message(log, error);
  }
  return s;
}

const char* name_of(mjsElement* element) {
  return element ? mjs_getString(mjs_getName(element)) : "(none)";
}

void say_reals(Log* log, const char* label, const mjtNum* x, int n) {
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

void say_model(Log* log, const mjModel* m) {
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

mjModel* compile(Log* log, mjSpec* s) {
  mjModel* m = mj_compile(s, NULL);
  if (m) {
    say_model(log, m);
  } else {
    say_error(log, s);
  }
  return m;
}

void compile_only(Log* log, mjSpec* s) {
  mj_deleteModel(compile(log, s));
}

// texts

const char arm_model[] =
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

const char base_model[] =
    "<mujoco model='base'><default><geom rgba='0 1 0 1'/><joint damping='7'/></default><worldbody>"
    "<body name='root' pos='0 0 2'><freejoint name='free'/><geom name='ball' size='.3'/>"
    "<frame name='mount' pos='.3 0 0' euler='0 0 90'><site name='tip' pos='0 0 .1' euler='90 0 "
    "0'/></frame></body></worldbody><keyframe><key name='home' qpos='1 2 3 1 0 0 0'/></keyframe>"
    "</mujoco>";

const Scenario* same_program(int i) {
  static const Scenario* const families[] = {structure_scenarios, use_scenarios, edit_scenarios};
  for (size_t f = 0; f < sizeof(families) / sizeof(families[0]); f++) {
    for (const Scenario* it = families[f]; it->name; it++) {
      if (i-- == 0) {
        return it;
      }
    }
  }
  return NULL;
}
