// actuator.c: compiles actuators: their targets, inherited ranges and parameters.
#include <mujoco/mjspec.h>

#include "base/actuator.h"
#include "base/joint.h"
#include "base/transmission.h"
#include "compile/context.h"
#include "compile/limit.h"
#include "compile/mechanism/mechanism.h"
#include "compile/plugin.h"
#include "model/input.h"
#include "model/terms.h"
#include "spec/key.h"
#include "spec/reference.h"

// Finds target and secondary site. Returns 0, with an error, if one is missing.
static int find_targets(Compile* c, const SpecObject* object, int trnid[2]) {
  const mjsActuator* spec = &object->as.actuator;
  trnid[0] = trnid[1] = -1;
  if (string_empty(spec->target)) {
    return compile_error(c, object, "missing transmission target for actuator");
  }
  mjtObj type = reference_transmission(spec->trntype);
  if (type == mjOBJ_UNKNOWN) {
    return compile_error(c, object, "invalid transmission type in actuator");
  }
  trnid[0] =
      compile_named(c, object, type, spec->target,
                    type == mjOBJ_JOINT ? "unknown transmission target '%s' for actuator id = %d"
                                        : "transmission target '%s' not found in actuator %d");
  if (trnid[0] < 0) {
    return 0;
  }

  if (spec->trntype == mjTRN_SLIDERCRANK) {
    if (string_empty(spec->slidersite)) {
      return compile_error(c, object, "missing base site for slider-crank '%s' (id = %d)",
                           spec_name(object), object->id);
    }
    trnid[1] = compile_named(c, object, mjOBJ_SITE, spec->slidersite,
                             "base site '%s' not found for actuator %d");
    if (trnid[1] >= 0 && spec->cranklength <= 0) {
      compile_error(c, object, "crank length must be positive in actuator '%s' (id = %d)",
                    spec_name(object), object->id);
    }
    return trnid[1] >= 0;
  }
  if (spec->trntype == mjTRN_SITE && !string_empty(spec->refsite)) {
    trnid[1] = compile_named(c, object, mjOBJ_SITE, spec->refsite,
                             "reference site '%s' not found for actuator %d");
    return trnid[1] >= 0;
  }
  return 1;
}

// The range of a position servo's joint (in radians already) or tendon. NULL, with an error, if it
// has none.
static const mjtNum* source_range(Compile* c, const SpecObject* object, int target) {
  const mjModel* m = c->m;
  const mjsActuator* spec = &object->as.actuator;
  const mjtNum* range;
  if (spec->trntype == mjTRN_TENDON) {
    range = m->tendon_range + 2 * target;
  } else if (spec->trntype == mjTRN_JOINT && !joint_has_quat(m->jnt_type[target])) {
    range = m->jnt_range + 2 * target;
  } else {
    compile_error(
        c, object, "inheritrange can only be used with %s, actuator",
        spec->trntype == mjTRN_JOINT ? "hinge and slide joints" : "joint and tendon transmission");
    return NULL;
  }
  if (range[0] == range[1]) {
    compile_error(c, object,
                  "inheritrange used but target '%s' has no range defined in actuator %d",
                  string_text(spec->target), object->id);
    return NULL;
  }
  return range;
}

// Applies inheritrange: the target's range, scaled about its middle, becomes the range of the
// control, or of the activation for integrators.
static void inherit_range(Compile* c, const SpecObject* object, int target, double ctrlrange[2],
                          double actrange[2]) {
  const mjsActuator* spec = &object->as.actuator;
  int is_servo = spec->gaintype == mjGAIN_FIXED && spec->gainprm[0] == -spec->biasprm[1];
  if ((!is_servo && spec->gaintype != mjGAIN_PID) || spec->biastype != mjBIAS_AFFINE ||
      !(spec->inheritrange > 0)) {
    return;
  }
  double* out;
  if (spec->dyntype == mjDYN_NONE || spec->dyntype == mjDYN_FILTEREXACT ||
      spec->dyntype == mjDYN_PID) {
    out = ctrlrange;
  } else if (spec->dyntype == mjDYN_INTEGRATOR) {
    out = actrange;
  } else {
    compile_error(c, object, "inheritrange only available for position and intvelocity actuators");
    return;
  }
  const mjtNum* range = source_range(c, object, target);
  if (range) {
    double mean = 0.5 * (range[0] + range[1]);
    double half = 0.5 * (range[1] - range[0]) * spec->inheritrange;
    out[0] = mean - half;
    out[1] = mean + half;
  }
}

static void check_activation(Compile* c, const SpecObject* object, int actlimited) {
  const mjsActuator* spec = &object->as.actuator;
  if (actlimited && spec->dyntype == mjDYN_NONE) {
    compile_error(c, object, "actrange specified but dyntype is 'none' in actuator");
  }
  if (spec->plugin.active) {
    return;  // the plugin alone knows its activations
  }
  if (gain_has_law((int)spec->gaintype) || spec->dyntype == mjDYN_PID ||
      spec->dyntype == mjDYN_DCMOTOR) {
    return;  // compile_law knows
  }
  if (spec->actdim > 1 && spec->dyntype != mjDYN_USER) {
    compile_error(c, object, "actdim > 1 is only allowed for dyntype 'user' in actuator: it is %d",
                  spec->actdim);
  } else if (spec->actdim == 1 && spec->dyntype == mjDYN_NONE) {
    compile_error(c, object, "invalid actdim 1 in stateless actuator");
  } else if (spec->actdim == 0 && spec->dyntype != mjDYN_NONE) {
    compile_error(c, object, "invalid actdim 0 in stateful actuator");
  }
}

// prm = (range0, range1, force, scale, lmin, lmax, vmax, fpmax, fvmax)
static void check_muscle(Compile* c, const SpecObject* object, const double prm[9]) {
  if (prm[0] >= prm[1]) {
    compile_error(c, object, "range[0]<range[1] required in muscle: it is %g %g", prm[0], prm[1]);
  } else if (prm[4] >= 1 || prm[5] <= 1) {
    compile_error(c, object, "lmin<1<lmax required in muscle: they are %g and %g", prm[4], prm[5]);
  } else if (prm[3] <= 0 || prm[6] <= 0 || prm[7] <= 0 || prm[8] <= 0) {
    compile_error(c, object,
                  "positive scale, vmax, fpmax, fvmax required in muscle '%s' (id = %d): they are "
                  "%g %g %g %g",
                  spec_name(object), object->id, prm[3], prm[6], prm[7], prm[8]);
  }
}

// Damping and armature need something to add to: a joint, or a tendon. Armature of a tendon that
// wraps geoms has no formula.
static void check_motor(Compile* c, const SpecObject* object, int target) {
  const mjModel* m = c->m;
  const mjsActuator* spec = &object->as.actuator;
  const double* b = spec->damping;
  int is_damped = b[0] != 0 || b[1] != 0 || b[2] != 0, is_heavy = spec->armature != 0;
  if (!is_damped && !is_heavy) {
    return;
  }
  if (spec->trntype != mjTRN_TENDON && !transmission_on_joint((int)spec->trntype)) {
    compile_error(c, object, "%s requires joint or tendon transmission in actuator",
                  is_damped ? "damping" : "armature");
  }
  for (int k = 0; is_heavy && spec->trntype == mjTRN_TENDON && k < m->tendon_num[target]; k++) {
    int type = m->wrap_type[m->tendon_adr[target] + k];
    if (type == mjWRAP_SPHERE || type == mjWRAP_CYLINDER) {
      compile_error(c, object, "armature needs a tendon that wraps no geoms, and '%s' does",
                    string_text(spec->target));
      return;
    }
  }
}

// Stores what each control and force has. Ranges of a pid are for its kinds of input, those of
// others for all controls.
static void store_rows(Compile* c, const SpecObject* object, int ctrlspec, int ctrllimited,
                       const double ctrlrange[2]) {
  mjModel* m = c->m;
  const mjsActuator* spec = &object->as.actuator;
  int i = object->id, control = m->actuator_ctrladr[i], out = m->actuator_outadr[i];
  int is_pid = spec->gaintype == mjGAIN_PID;
  for (int bit = 1, k = control; k < control + m->actuator_ctrlnum[i]; k++, bit *= 2) {
    const double* range = ctrlrange;
    int limited = ctrllimited;
    while (is_pid && !(ctrlspec & bit)) {
      bit *= 2;
    }
    if (is_pid && bit != mjINPUT_POS) {
      range = bit == mjINPUT_VEL ? spec->velrange : spec->ffrange;
      limited = range[0] < range[1];
    }
    m->actuator_ctrllimited[k] = (mjtByte)limited;
    compile_store(m->actuator_ctrlrange + 2 * k, range, 2);
  }
  for (int k = out; k < out + m->actuator_outnum[i]; k++) {
    compile_store(m->actuator_gear + 6 * k, spec->gear, 6);
    compile_store(m->actuator_lengthrange + 2 * k, spec->lengthrange, 2);
  }
}

static int compile_actuator(Compile* c, const SpecObject* object, int actadr) {
  mjModel* m = c->m;
  const mjsActuator* spec = &object->as.actuator;
  int i = object->id, trnid[2];
  int actnum = actuator_states(spec), ctrlspec = spec->ctrlspec;
  ctrlspec = ctrlspec ? ctrlspec : input_default((int)spec->gaintype);
  double ctrlrange[2] = {spec->ctrlrange[0], spec->ctrlrange[1]};
  double actrange[2] = {spec->actrange[0], spec->actrange[1]};

  if (find_targets(c, object, trnid)) {
    inherit_range(c, object, trnid[0], ctrlrange, actrange);
    check_motor(c, object, trnid[0]);
  }
  int forcelimited = limit_active(c, object, "force", spec->forcelimited, spec->forcerange,
                                  "invalid force range for actuator");
  int ctrllimited = limit_active(c, object, "ctrl", spec->ctrllimited, ctrlrange,
                                 "invalid control range for actuator");
  int actlimited =
      limit_active(c, object, "act", spec->actlimited, actrange, "invalid actrange for actuator");
  check_activation(c, object, actlimited);
  compile_law(c, object, trnid);
  if (spec->gaintype == mjGAIN_MUSCLE) {
    check_muscle(c, object, spec->gainprm);
  }
  if (spec->biastype == mjBIAS_MUSCLE) {
    check_muscle(c, object, spec->biasprm);
  }

  m->actuator_trntype[i] = spec->gaintype == mjGAIN_SO3 ? (int)mjTRN_SO3 : (int)spec->trntype;
  m->actuator_dyntype[i] = spec->dyntype;
  m->actuator_gaintype[i] = spec->gaintype;
  m->actuator_biastype[i] = spec->biastype;
  m->actuator_trnid[2 * i] = trnid[0];
  m->actuator_trnid[2 * i + 1] = trnid[1];
  m->actuator_actadr[i] = actnum > 0 ? actadr : -1;
  m->actuator_actnum[i] = actnum;
  m->actuator_group[i] = spec->group;
  m->actuator_forcelimited[i] = (mjtByte)forcelimited;
  m->actuator_actlimited[i] = (mjtByte)actlimited;
  compile_store(m->actuator_dynprm + mjNDYN * i, spec->dynprm, mjNDYN);
  compile_store(m->actuator_gainprm + mjNGAIN * i, spec->gainprm, mjNGAIN);
  compile_store(m->actuator_biasprm + mjNBIAS * i, spec->biasprm, mjNBIAS);
  m->actuator_actearly[i] = spec->actearly;
  compile_store(m->actuator_forcerange + 2 * i, spec->forcerange, 2);
  compile_store(m->actuator_actrange + 2 * i, actrange, 2);
  // before the word was known, the law tells what the control is, as far as it does
  int is_told =
      gain_has_law((int)spec->gaintype) || c->tree->spec.compiler.dialect >= INPUT_DIALECT;
  int by_law = is_told ? 0 : input_of_law(m, i);
  m->actuator_ctrlspec[i] = by_law ? by_law : ctrlspec;
  store_rows(c, object, ctrlspec, ctrllimited, ctrlrange);
  m->actuator_cranklength[i] = (mjtNum)spec->cranklength;
  m->actuator_damping[i] = (mjtNum)spec->damping[0];
  compile_store(m->actuator_dampingpoly + mjNPOLY * i, spec->damping + 1, mjNPOLY);
  m->actuator_armature[i] = (mjtNum)spec->armature;
  if (!m->actuator_ctrlnum[i] && (spec->nsample > 0 || spec->delay > 0)) {
    compile_error(c, object, "past samples and delay need an input");
  }
  compile_history(c, object, spec->nsample, spec->delay);
  m->actuator_history[2 * i] = spec->nsample;
  m->actuator_history[2 * i + 1] = spec->interp;
  m->actuator_delay[i] = (mjtNum)spec->delay;
  m->actuator_plugin[i] = compile_plugin(c, object);
  return actnum;
}

void compile_actuators(Compile* c) {
  unsigned actadr = 0;  // wraps around only where size.c has found an error
  for (int i = 0; i < c->count[mjOBJ_ACTUATOR]; i++) {
    const mjsActuator* spec = &c->list[mjOBJ_ACTUATOR][i]->as.actuator;
    c->m->actuator_ctrlnum[i] = input_count((int)spec->gaintype, spec->ctrlspec);
    c->m->actuator_outnum[i] = output_count((int)spec->gaintype);
  }
  inputs_place(c->m);
  for (int i = 0; i < c->count[mjOBJ_ACTUATOR]; i++) {
    actadr += (unsigned)compile_actuator(c, c->list[mjOBJ_ACTUATOR][i], (int)actadr);
  }
  terms_index(c->m);  // the armature of a tendon says which bodies are simple
}
