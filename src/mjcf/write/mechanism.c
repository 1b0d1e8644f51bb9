// mechanism.c: writes contact, equality, tendon, actuator, sensor and keyframe.
//                                                                   theory/model/format.md, Writing

#include <mujoco/api/base.h>
#include <mujoco/api/spec.h>
#include <string.h>

#include "base/actuator.h"
#include "base/memory/memory.h"
#include "mjcf/write/context.h"
#include "mjcf/write/plugin.h"
#include "mjcf/write/rows.h"
#include "mjcf/write/sections.h"
#include "model/plastic.h"

// contact

// Objects of a type in the order of their ids, which differs from that of the spec if the compiler
// sorts. The caller frees the list.
static const SpecObject** by_id(Writer* w, mjtObj type, int count) {
  const SpecObject** list = heap_zero((size_t)count + 1, sizeof(SpecObject*));
  for (SPEC_EACH(object, w->tree, type)) {
    if (object->id >= 0 && object->id < count) {
      list[object->id] = object;
    }
  }
  return list;
}

static void pair_values(mjsPair* out, const mjModel* m, int i) {
  out->condim = m->pair_dim[i];
  out->margin = write_real(m->pair_margin[i]);
  out->gap = write_real(m->pair_gap[i]);
  out->adhesion = write_real(m->pair_adhesion[i]);
  mju_copy(out->solref, m->pair_solref + mjNREF * i, mjNREF);
  mju_copy(out->solreffriction, m->pair_solreffriction + mjNREF * i, mjNREF);
  mju_copy(out->solimp, m->pair_solimp + mjNIMP * i, mjNIMP);
  write_take(out->friction, m->pair_friction + 5 * i, 5);
}

static void write_pair(Writer* w, const SpecObject* object) {
  ElementValues own, class;
  write_values(&own, &class, w, object);
  if (!w->written) {
    pair_values(&own.pair, w->m, object->id);
  }

  write_classed(w, "pair", object);
  write_rows(w, write_schema("contact", "pair"), &own, &class, NULL);
  write_end(w);
}

static void write_exclude(Writer* w, const SpecObject* object) {
  write_named(w, "exclude", object);
  write_rows(w, write_schema("contact", "exclude"), &object->as.exclude, NULL, NULL);
  write_end(w);
}

void write_contact(Writer* w) {
  if (w->written) {
    write_each(w, mjOBJ_PAIR, write_pair);
    write_each(w, mjOBJ_EXCLUDE, write_exclude);
    return;
  }
  int npair = w->m->npair, nexclude = w->m->nexclude;
  const SpecObject** pair = by_id(w, mjOBJ_PAIR, npair);
  const SpecObject** exclude = by_id(w, mjOBJ_EXCLUDE, nexclude);
  for (int i = 0; i < npair; i++) {
    if (pair[i]) {
      write_pair(w, pair[i]);
    }
  }
  for (int i = 0; i < nexclude; i++) {
    if (exclude[i]) {
      write_exclude(w, exclude[i]);
    }
  }
  heap_free(pair);
  heap_free(exclude);
}

// equality

// Constraints of bodies have an anchor and, if welded, a pose. Those of sites have neither.
// [theory/model/model.md, Reference configuration]
static const RowChoice choice_bodies = {.always = "anchor relpose torquescale polycoef"};
static const RowChoice choice_given = {.always = "anchor"};
static const RowChoice choice_sites = {.always = "torquescale", .never = "anchor relpose"};
static const RowChoice choice_given_sites = {.never = "anchor relpose"};

// Takes the numbers of a constraint from the model. Without edits of the model a weld whose pose is
// that of the reference configuration goes on to say so, by a quaternion of zeros.
static void take_equality(mjsEquality* own, const Writer* w, int i) {
  double pose[7];
  memcpy(pose, own->data + 3, sizeof(pose));
  write_take(own->data, w->m->eq_data + mjNEQDATA * i, mjNEQDATA);
  int is_open = pose[3] == 0 && pose[4] == 0 && pose[5] == 0 && pose[6] == 0;
  if (own->type == mjEQ_WELD && own->objtype == mjOBJ_BODY && is_open && !w->tree->copied_back) {
    memcpy(own->data + 3, pose, sizeof(pose));
  }
}

void write_equality(Writer* w) {
  const mjModel* m = w->m;
  for (SPEC_EACH(object, w->tree, mjOBJ_EQUALITY)) {
    int i = object->id;
    const SchemaElement* element = write_schemavalue("equality", object->as.equality.type);
    if (!element) {
      continue;
    }
    ElementValues own, class;
    write_values(&own, &class, w, object);
    class.equality.name1 = class.equality.name2 = NULL;
    if (!w->written) {
      own.equality.active = m->eq_active0[i];
      take_equality(&own.equality, w, i);
      mju_copy(own.equality.solref, m->eq_solref + mjNREF * i, mjNREF);
      mju_copy(own.equality.solimp, m->eq_solimp + mjNIMP * i, mjNIMP);
    }
    write_classed(w, element->name, object);
    int sites = own.equality.objtype == mjOBJ_SITE;
    if (own.equality.type == mjEQ_CONNECT || own.equality.type == mjEQ_WELD) {
      write_text(w, sites ? "site1" : "body1", string_text(own.equality.name1));
      write_given(w, sites ? "site2" : "body2", own.equality.name2);
    }
    if (own.equality.type == mjEQ_FLEXSTRAIN) {
      write_reals(w, "cell", own.equality.data, 3);
    }
    write_rows(w, element, &own, &class,
               sites && w->written ? &choice_given_sites
               : sites             ? &choice_sites
               : w->written        ? &choice_given
                                   : &choice_bodies);
    write_end(w);
  }
}

// tendon

// Writes one number if both ends are the same.
void write_springlength(Writer* w, const mjsTendon* tendon, const mjsTendon* fallback) {
  const double *length = tendon->springlength, *before = fallback->springlength;
  if (length[0] != before[0] || length[1] != before[1]) {
    write_reals(w, "springlength", length, length[0] == length[1] ? 1 : 2);
  }
}

static void tendon_values(mjsTendon* out, const Writer* w, int i) {
  const mjModel* m = w->m;
  write_take(out->range, m->tendon_range + 2 * i, 2);
  write_take(out->actfrcrange, m->tendon_actfrcrange + 2 * i, 2);
  out->limited = write_limited(w, out->limited, m->tendon_limited[i], out->range);
  out->actfrclimited = m->tendon_actfrclimited[i];
  out->margin = write_real(m->tendon_margin[i]);
  out->stiffness = write_real(m->tendon_stiffness[i]);
  out->damping = write_real(m->tendon_damping[i]);
  write_take(out->stiffnesspoly, m->tendon_stiffnesspoly + mjNPOLY * i, mjNPOLY);
  write_take(out->dampingpoly, m->tendon_dampingpoly + mjNPOLY * i, mjNPOLY);
  out->springyield = write_real(m->tendon_springyield[i]);
  out->armature = write_real(m->tendon_armature[i]);
  out->frictionloss = write_real(m->tendon_frictionloss[i]);
  out->width = write_real(m->tendon_width[i]);
  memcpy(out->rgba, m->tendon_rgba + 4 * i, sizeof(out->rgba));
  mju_copy(out->solref_limit, m->tendon_solref_lim + mjNREF * i, mjNREF);
  mju_copy(out->solimp_limit, m->tendon_solimp_lim + mjNIMP * i, mjNIMP);
  mju_copy(out->solref_friction, m->tendon_solref_fri + mjNREF * i, mjNREF);
  mju_copy(out->solimp_friction, m->tendon_solimp_fri + mjNIMP * i, mjNIMP);
}

static void write_wrap(Writer* w, const SpecWrap* wrap, double prm) {
  const char* target = string_text(&wrap->target);
  switch (wrap->pub.type) {
    case mjWRAP_JOINT:
      write_begin(w, "joint");
      write_text(w, "joint", target);
      write_reals(w, "coef", &prm, 1);
      break;
    case mjWRAP_PULLEY:
      write_begin(w, "pulley");
      write_reals(w, "divisor", &prm, 1);
      break;
    case mjWRAP_SITE:
      write_begin(w, "site");
      write_text(w, "site", target);
      break;
    default:
      write_begin(w, "geom");
      write_text(w, "geom", target);
      write_given(w, "sidesite", &wrap->sidesite);
  }
  write_end(w);
}

void write_tendon(Writer* w) {
  const mjModel* m = w->m;
  for (SPEC_EACH(object, w->tree, mjOBJ_TENDON)) {
    int i = object->id, adr = w->written ? 0 : m->tendon_adr[i];
    const SpecObject* first = spec_firstchild(object, mjOBJ_UNKNOWN);
    const char* kind = first && first->as.wrap.pub.type == mjWRAP_JOINT ? "fixed" : "spatial";
    ElementValues own, class;
    write_values(&own, &class, w, object);
    if (!w->written) {
      tendon_values(&own.tendon, w, i);
    }

    // classes can't set these
    class.tendon.actfrclimited = 0;
    class.tendon.actfrcrange[0] = class.tendon.actfrcrange[1] = class.tendon.armature = 0;
    write_classed(w, kind, object);
    write_rows(w, write_schema("tendon", kind), &own, &class,
               &(RowChoice){.never = "user",
                            .always = own.tendon.actfrclimited ? "actuatorfrclimited" : NULL});
    write_springlength(w, &own.tendon, &class.tendon);
    if (w->written) {
      write_userof(w, own.tendon.userdata, class.tendon.userdata);
    } else {
      write_user(w, m->tendon_user + i * m->nuser_tendon, m->nuser_tendon, class.tendon.userdata);
    }
    for (SPEC_EACH_CHILD(wrap, object, mjOBJ_UNKNOWN)) {
      const SpecWrap* it = &wrap->as.wrap;
      write_wrap(w, it, w->written ? it->prm : write_real(m->wrap_prm[adr++]));
    }
    write_end(w);
  }
}

// actuator

static void write_target(Writer* w, const mjsActuator* actuator) {
  const char* attribute = schema_word(schema_transmissions(), actuator->trntype);
  if (!attribute) {
    return;
  }
  write_text(w, attribute, string_text(actuator->target));
  if (actuator->trntype == mjTRN_SLIDERCRANK) {
    write_text(w, "slidersite", string_text(actuator->slidersite));
  } else {
    write_given(w, "refsite", actuator->refsite);
  }
}

// Does the first control have the ctrlrange of the element? That of a pid is for positions.
static int has_range(const mjModel* m, int i) {
  int is_pid = m->actuator_gaintype[i] == mjGAIN_PID;
  return is_pid ? m->actuator_ctrlspec[i] & mjINPUT_POS : m->actuator_ctrlnum[i] > 0;
}

static void take_ranges(mjsActuator* out, const mjModel* m, int i) {
  const mjtNum* range = m->actuator_ctrlrange + 2 * m->actuator_ctrladr[i];
  int spec = m->actuator_ctrlspec[i];
  if (has_range(m, i)) {
    write_take(out->ctrlrange, range, 2);
    range += 2;
  }
  if (m->actuator_gaintype[i] == mjGAIN_PID && (spec & mjINPUT_VEL)) {
    write_take(out->velrange, range, 2);
    range += 2;
  }
  if (m->actuator_gaintype[i] == mjGAIN_PID && (spec & mjINPUT_FF)) {
    write_take(out->ffrange, range, 2);
  }
}

// Writes which inputs an actuator has, if the class doesn't say the same.
void write_inputs(Writer* w, const mjsActuator* actuator, const mjsActuator* class) {
  int spec = actuator->ctrlspec, is_alike = actuator->gaintype == class->gaintype;
  if (!w->written && !gain_has_law((int)actuator->gaintype) &&
      actuator->type != mjACTUATOR_GENERAL && w->tree->spec.compiler.dialect < INPUT_DIALECT) {
    return;  // only scales of frames ask for that of a shortcut, and 3.3.7 doesn't know the word
  }
  if (spec == (is_alike ? class->ctrlspec : 0)) {
    return;
  }
  if (spec) {
    int is_turn = actuator->gaintype == mjGAIN_SO3;
    write_mask(w, "input", schema_inputs(), is_turn ? spec * 2 * mjINPUT_PRESSURE : spec);
  } else {
    write_text(w, "input", "");
  }
}

// Takes the model's values. Damping ratios and length ranges that the compiler resolves stay as the
// author gave them, unless w->expanded.
static void actuator_values(mjsActuator* out, const Writer* w, int i) {
  const mjModel* m = w->m;
  write_take(out->dynprm, m->actuator_dynprm + mjNDYN * i, mjNDYN);
  write_take(out->gainprm, m->actuator_gainprm + mjNGAIN * i, mjNGAIN);
  take_ranges(out, m, i);
  write_take(out->forcerange, m->actuator_forcerange + 2 * i, 2);
  write_take(out->actrange, m->actuator_actrange + 2 * i, 2);
  write_take(out->gear, m->actuator_gear + 6 * m->actuator_outadr[i], 6);
  out->cranklength = write_real(m->actuator_cranklength[i]);
  double ratio = out->biasprm[2];
  write_take(out->biasprm, m->actuator_biasprm + mjNBIAS * i, mjNBIAS);
  if (w->expanded) {
    write_take(out->lengthrange, m->actuator_lengthrange + 2 * m->actuator_outadr[i], 2);
  } else if (ratio > 0) {
    out->biasprm[2] = ratio;
  }
  if (has_range(m, i)) {
    out->ctrllimited = write_limited(
        w, out->ctrllimited, m->actuator_ctrllimited[m->actuator_ctrladr[i]], out->ctrlrange);
  }
  out->forcelimited =
      write_limited(w, out->forcelimited, m->actuator_forcelimited[i], out->forcerange);
  out->actlimited = write_limited(w, out->actlimited, m->actuator_actlimited[i], out->actrange);
  out->actearly = m->actuator_actearly[i];
  out->damping[0] = write_real(m->actuator_damping[i]);
  write_take(out->damping + 1, m->actuator_dampingpoly + mjNPOLY * i, mjNPOLY);
  out->armature = write_real(m->actuator_armature[i]);
  out->nsample = m->actuator_history[2 * i];
  out->interp = m->actuator_history[2 * i + 1];
  out->delay = write_real(m->actuator_delay[i]);
}

void write_actuator(Writer* w) {
  const mjModel* m = w->m;
  for (SPEC_EACH(object, w->tree, mjOBJ_ACTUATOR)) {
    ElementValues own, class;
    write_values(&own, &class, w, object);
    if (!w->written) {
      actuator_values(&own.actuator, w, object->id);
    }
    memset(class.actuator.lengthrange, 0, sizeof(class.actuator.lengthrange));
    const char* kind = own.actuator.plugin.active ? "plugin" : "general";
    write_classed(w, kind, object);
    write_target(w, &own.actuator);
    if (!w->written) {
      own.actuator.inheritrange = class.actuator.inheritrange;  // the range is written
    }
    write_rows(
        w, write_schema("actuator", kind), &own, &class,
        &(RowChoice){.never =
                         own.actuator.trntype == mjTRN_SLIDERCRANK ? "user" : "user cranklength"});
    write_inputs(w, &own.actuator, &class.actuator);
    if (w->written) {
      write_userof(w, own.actuator.userdata, class.actuator.userdata);
    } else {
      write_user(w, m->actuator_user + object->id * m->nuser_actuator, m->nuser_actuator,
                 class.actuator.userdata);
    }
    if (own.actuator.plugin.active) {
      write_pluginof(w, object);
      write_configof(w, object);
    }
    write_end(w);
  }
}

// sensor

// Writes the i-th object of a distance or contact sensor, with the attribute for its type.
static void write_object(Writer* w, int i, mjtObj type, const mjString* name) {
  const char* attribute = schema_word(schema_sensorends(i), (int)type);
  if (attribute) {
    write_given(w, attribute, name);
  }
}

// Writes a pair of type and name.
static void write_typed(Writer* w, const SchemaElement* element, const char* attribute, mjtObj type,
                        const mjString* name) {
  if (!string_empty(name) && schema_row(element, attribute)) {
    write_key(w, attribute, schema_objects(), (int)type);
  }
}

static void write_contactsensor(Writer* w, const SchemaElement* element, const int intprm[3]) {
  if (intprm[2] != 1) {
    write_int(w, "num", intprm[2]);
  }
  if (intprm[0] != 1 << mjCONDATA_FOUND) {
    write_mask(w, "data", schema_contactfields(), intprm[0]);
  }
  if (intprm[1]) {
    write_key(w, "reduce", schema_row(element, "reduce")->keys, intprm[1]);
  }
}

void write_sensor(Writer* w) {
  const mjModel* m = w->m;
  for (SPEC_EACH(object, w->tree, mjOBJ_SENSOR)) {
    int i = object->id;
    ElementValues own = {.sensor = object->as.sensor}, usual;
    const SchemaElement* element = write_schemavalue("sensor", own.sensor.type);
    if (!element) {
      continue;
    }
    mjs_defaultSensor(&usual.sensor);
    if (!w->written) {
      own.sensor.cutoff = write_real(m->sensor_cutoff[i]);
      own.sensor.noise = write_real(m->sensor_noise[i]);
      own.sensor.nsample = m->sensor_history[2 * i];
      own.sensor.interp = m->sensor_history[2 * i + 1];
      own.sensor.delay = write_real(m->sensor_delay[i]);
      write_take(own.sensor.interval, m->sensor_interval + 2 * i, 2);
    }
    write_named(w, element->name, object);
    if (schema_row(element, "geom1")) {
      write_object(w, 0, own.sensor.objtype, own.sensor.objname);
      write_object(w, 1, own.sensor.reftype, own.sensor.refname);
    }
    if (own.sensor.type == mjSENS_CONTACT) {
      write_contactsensor(w, element, own.sensor.intprm);
    }
    int is_ray = own.sensor.type == mjSENS_RANGEFINDER;
    if (is_ray) {
      write_given(w, own.sensor.objtype == mjOBJ_CAMERA ? "camera" : "site", own.sensor.objname);
      if (own.sensor.intprm[0]) {
        write_mask(w, "data", schema_rayfields(), own.sensor.intprm[0]);
      }
    }
    write_typed(w, element, "objtype", own.sensor.objtype, own.sensor.objname);
    write_typed(w, element, "reftype", own.sensor.reftype, own.sensor.refname);
    write_rows(w, element, &own, &usual,
               &(RowChoice){.always = "dim", .never = is_ray ? "user site camera" : "user"});
    if (w->written) {
      write_userof(w, own.sensor.userdata, NULL);
    } else {
      write_user(w, m->sensor_user + i * m->nuser_sensor, m->nuser_sensor, NULL);
    }
    if (own.sensor.type == mjSENS_PLUGIN) {
      write_pluginof(w, object);
      write_configof(w, object);
    }
    write_end(w);
  }
}

// keyframe

static void write_state(Writer* w, const char* attribute, const mjtNum* state,
                        const mjtNum* reference, int n) {
  int differ = 0;
  for (int i = 0; i < n; i++) {
    differ |= state[i] != (reference ? reference[i] : 0);
  }
  if (differ) {
    write_numbers(w, attribute, state, n);
  }
}

static void write_list(Writer* w, const char* attribute, const mjDoubleVec* list) {
  if (list->num) {
    write_reals(w, attribute, list->ptr, (int)list->num);
  }
}

static void write_keyof(Writer* w, const SpecObject* object) {
  const mjsKey* key = &object->as.key;
  write_named(w, "key", object);
  if (key->time != 0) {
    write_reals(w, "time", &key->time, 1);
  }
  write_list(w, "qpos", key->qpos);
  write_list(w, "qvel", key->qvel);
  write_list(w, "act", key->act);
  write_list(w, "mpos", key->mpos);
  write_list(w, "mquat", key->mquat);
  write_list(w, "ctrl", key->ctrl);
  write_list(w, "plastic", key->plastic);
  write_end(w);
}

void write_keyframe(Writer* w) {
  if (w->written) {
    write_each(w, mjOBJ_KEY, write_keyof);
    return;
  }
  const mjModel* m = w->m;
  int nmocap = m->nmocap;
  mjtNum* pos = heap_take((7 * (size_t)nmocap + 1) * sizeof(mjtNum));
  mjtNum* quat = pos + 3 * nmocap;
  mjtNum* rest = heap_take(((size_t)m->nplastic + 1) * sizeof(mjtNum));
  plastic_reset(rest, m);
  for (int i = 0; i < m->nbody; i++) {
    if (m->body_mocapid[i] >= 0) {
      mju_copy(pos + 3 * m->body_mocapid[i], m->body_pos + 3 * i, 3);
      mju_copy(quat + 4 * m->body_mocapid[i], m->body_quat + 4 * i, 4);
    }
  }
  for (SPEC_EACH(object, w->tree, mjOBJ_KEY)) {
    int i = object->id;
    write_named(w, "key", object);
    write_state(w, "time", m->key_time + i, NULL, 1);
    write_state(w, "qpos", m->key_qpos + i * m->nq, m->qpos0, m->nq);
    write_state(w, "qvel", m->key_qvel + i * m->nv, NULL, m->nv);
    write_state(w, "act", m->key_act + i * m->na, NULL, m->na);
    write_state(w, "mpos", m->key_mpos + 3 * i * nmocap, pos, 3 * nmocap);
    write_state(w, "mquat", m->key_mquat + 4 * i * nmocap, quat, 4 * nmocap);
    write_state(w, "ctrl", m->key_ctrl + i * m->nu, NULL, m->nu);
    write_state(w, "plastic", m->key_plastic + i * m->nplastic, rest, (int)m->nplastic);
    write_end(w);
  }
  heap_free(rest);
  heap_free(pos);
}
