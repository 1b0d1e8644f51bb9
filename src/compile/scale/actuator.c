// actuator.c: scales actuators and what their controls mean. theory/model/scaling.md, Actuators
//
// An actuator moves along (its length is a length) or turns. Its gain is force per control: where
// the control is a place or a velocity, it is a stiffness and the control a length.

#include <math.h>
#include <string.h>

#include "base/actuator.h"
#include "base/joint.h"
#include "compile/scale/steps.h"

static void scale_all(double* v, int n, double factor) {
  for (int i = 0; i < n; i++) {
    v[i] *= factor;
  }
}

// Turns of a gear that pushes, too, are levers.
static void scale_gear(mjsActuator* spec, const SpecObject* object, double length, int linear) {
  const SpecObject* joint = spec_find(object->tree, mjOBJ_JOINT, string_text(spec->target));
  int is_joint = spec->trntype == mjTRN_JOINT || spec->trntype == mjTRN_JOINTINPARENT;
  int is_free = is_joint && joint && joint->as.joint.type == mjJNT_FREE;
  if (linear && (spec->trntype == mjTRN_SITE || is_free)) {
    scale_all(spec->gear + 3, 3, length);
  }
}

// Constant, by length and by velocity. A positive last number is a damping ratio.
static void scale_affine(double prm[3], double force, double stiffness) {
  prm[0] *= force;
  prm[1] *= stiffness;
  prm[2] *= prm[2] > 0 ? 1 : stiffness;
}

// Muscles: only the peak force has units of force; negative: it follows from the moment arm.
static void scale_muscle(double prm[mjNGAIN], double force) {
  prm[2] *= prm[2] > 0 ? force : 1;
}

static void scale_bias(mjsActuator* spec, double force, double stiffness) {
  if (spec->biastype == mjBIAS_AFFINE || spec->biastype == mjBIAS_SO3) {
    scale_affine(spec->biasprm, force, stiffness);
  } else if (spec->biastype == mjBIAS_MUSCLE) {
    scale_muscle(spec->biasprm, force);
  }
}

static void scale_gain(mjsActuator* spec, double force, double stiffness, double per_control) {
  if (spec->gaintype == mjGAIN_FIXED) {
    spec->gainprm[0] *= per_control;
  } else if (spec->gaintype == mjGAIN_PID || spec->gaintype == mjGAIN_SO3) {
    spec->gainprm[0] *= stiffness;
  } else if (spec->gaintype == mjGAIN_AFFINE) {
    spec->gainprm[0] *= force;
    spec->gainprm[1] *= stiffness;
    spec->gainprm[2] *= stiffness;
  } else if (spec->gaintype == mjGAIN_MUSCLE) {
    scale_muscle(spec->gainprm, force);
  }
}

// May the parameters be scaled? Those of users have units that nobody knows, those of motors volts.
static int is_known(const mjsActuator* spec) {
  return spec->gaintype != mjGAIN_USER && spec->gaintype != mjGAIN_DCMOTOR &&
         spec->biastype != mjBIAS_USER && spec->biastype != mjBIAS_DCMOTOR &&
         spec->dyntype != mjDYN_USER;
}

static void scale_actuator(Scaling* s, SpecObject* object) {
  mjsActuator* spec = &object->as.actuator;
  int linear;
  Scale by = scale_ofactuator(s, object, &linear);
  double length = linear ? by.length : 1;
  double force = factor_force(by, linear), stiffness = factor_stiffness(by, linear);
  double control = 1, per_control = force;
  s->ctrl[object->id] = s->feedforward[object->id] = 1;
  if (by.length == 1 && by.mass == 1 && by.unit_length == 1 && by.unit_mass == 1) {
    return;
  }
  if (spec->gaintype == mjGAIN_PID) {
    control = length;
    scale_all(spec->dynprm, SLOTS_PID, length);
    scale_all(spec->velrange, 2, length);
    scale_all(spec->ffrange, 2, force);
  } else if (spec->gaintype == mjGAIN_SO3) {
    control = 1;
  } else if (spec->ctrlspec == mjINPUT_POS || spec->ctrlspec == mjINPUT_VEL) {
    control = length;
    per_control = stiffness;
  } else if (spec->ctrlspec == mjINPUT_PRESSURE) {
    // pressure is force / area, with the area in units of geometry
    double area = by.unit_length * by.unit_length;
    control = factor_force(by, 1) / area;
    per_control = area * (linear ? 1 : by.unit_length);
  }
  if (spec->plugin.active) {
    compile_error(s->c, object, "plugins cannot be scaled: actuator '%s'", spec_name(object));
  } else if (!is_known(spec) && (force != 1 || stiffness != 1)) {
    compile_error(s->c, object,
                  "the parameters of this actuator cannot be scaled; use scaling 'geometry': "
                  "actuator '%s'",
                  spec_name(object));
  }
  scale_gain(spec, force, stiffness, per_control);
  scale_bias(spec, force, stiffness);
  scale_gear(spec, object, by.length, linear);
  scale_all(spec->ctrlrange, 2, control);
  scale_all(spec->actrange, 2, control);
  scale_all(spec->forcerange, 2, force);
  scale_all(spec->lengthrange, 2, length);
  spec->cranklength *= by.length;
  spec->armature *= stiffness;
  for (int k = 0; k <= mjNPOLY; k++) {
    spec->damping[k] *= stiffness;
    stiffness /= linear ? by.unit_length : 1;
  }
  s->ctrl[object->id] = control;
  s->feedforward[object->id] = force;
}

void scale_actuators(Scaling* s) {
  for (SPEC_EACH(actuator, s->c->tree, mjOBJ_ACTUATOR)) {
    scale_actuator(s, actuator);
  }
}
