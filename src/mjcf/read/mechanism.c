// Outside the tree: tendon, actuator. [theory/format.md, Reading order]

#include <mujoco/api/spec.h>

#include "mjcf/read/read.h"

// A single springlength is both ends of the dead band.
void read_tendon(const Reader* reader, const Node* node, mjsTendon* tendon) {
  values_read(reader, node, tendon);
  double length[2];
  int count = values_reals(length, reader, node, "springlength");
  if (count) {
    tendon->springlength[0] = length[0];
    tendon->springlength[1] = length[count - 1];
  }
}

// One element of a path; of a fixed tendon's, it is a joint with its coefficient.
static void read_wrap(const Reader* reader, const Node* node, mjsTendon* tendon) {
  if (node->skip) {
    return;
  }
  values_read(reader, node, tendon);
  mjsWrap* wrap = NULL;
  double number = 0;
  if (read_is(node, "site")) {
    const char* site = values_text(node, "site");
    wrap = site ? mjs_wrapSite(tendon, site) : NULL;
  } else if (read_is(node, "geom")) {
    const char* geom = values_text(node, "geom");
    const char* sidesite = values_text(node, "sidesite");
    wrap = geom ? mjs_wrapGeom(tendon, geom, sidesite ? sidesite : "") : NULL;
  } else if (read_is(node, "pulley")) {
    wrap = values_reals(&number, reader, node, "divisor") ? mjs_wrapPulley(tendon, number) : NULL;
  } else if (read_is(node, "joint")) {
    const char* joint = values_text(node, "joint");
    int given = values_reals(&number, reader, node, "coef");
    wrap = given && joint ? mjs_wrapJoint(tendon, joint, number) : NULL;
  }
  if (wrap) {
    read_place(reader, node, wrap->element);
  }
}

void read_tendonpath(const Reader* reader, const Node* node) {
  mjsTendon* tendon = read_element(reader, node, mjOBJ_TENDON);
  for (const Node* child = node->first; child; child = child->next) {
    read_wrap(reader, child, tendon);
  }
}

// What the actuator acts on: exactly one of six attributes says it, two more go with one kind each.
// [theory/actuation.md, Joint transmission]
static void read_transmission(const Reader* reader, const Node* node, mjsActuator* actuator) {
  int count = 0;
  for (const SchemaKey* key = schema_transmissions(); key->word; key++) {
    const char* target = values_text(node, key->word);
    if (!target) {
      continue;
    }
    if (++count > 1) {
      values_error(reader, node, key->word, NULL,
                   "actuator can have at most one of transmission target");
      return;
    }
    actuator->trntype = (mjtTrn)key->value;
    mjs_setString(actuator->target, target);
  }

  const char *slidersite = values_text(node, "slidersite"), *refsite = values_text(node, "refsite");
  if (slidersite) {
    mjs_setString(actuator->slidersite, slidersite);
  }
  if (refsite) {
    mjs_setString(actuator->refsite, refsite);
  }
  if (actuator->trntype != mjTRN_SLIDERCRANK && (slidersite || values_has(node, "cranklength"))) {
    values_error(reader, node, slidersite ? "slidersite" : "cranklength", NULL,
                 "cranklength and slidersite can only be used in slidercrank transmission");
  }
  if (actuator->trntype != mjTRN_SITE && refsite) {
    values_error(reader, node, "refsite", NULL, "refsite can only be used with site transmission");
  }
}

// Parameters of a position or velocity servo; an absent gain keeps what the class says.
static const char* set_servo(const Reader* reader, const Node* node, mjsActuator* actuator,
                             int is_position) {
  double kp = actuator->gainprm[0], kv, dampratio, timeconst;
  values_reals(&kp, reader, node, "kp");
  double* has_kv = values_reals(&kv, reader, node, "kv") ? &kv : NULL;
  double* has_dampratio = values_reals(&dampratio, reader, node, "dampratio") ? &dampratio : NULL;
  double* has_timeconst = values_reals(&timeconst, reader, node, "timeconst") ? &timeconst : NULL;
  if (is_position) {
    return mjs_setToPosition(actuator, kp, has_kv, has_dampratio, has_timeconst,
                             actuator->inheritrange);
  }
  return mjs_setToIntVelocity(actuator, kp, has_kv, has_dampratio, has_timeconst,
                              actuator->inheritrange);
}

// A bore gives the area of a piston. Three numbers must stand in its bias,
// of which the first counts.
static const char* set_cylinder(const Reader* reader, const Node* node, mjsActuator* actuator) {
  double timeconst = actuator->dynprm[0], area = actuator->gainprm[0], diameter = -1;
  double bias[3] = {actuator->biasprm[0]};
  values_reals(&timeconst, reader, node, "timeconst");
  values_reals(&area, reader, node, "area");
  values_reals(&diameter, reader, node, "diameter");
  values_reals(bias, reader, node, "bias");
  return mjs_setToCylinder(actuator, timeconst, bias[0], area, diameter);
}

// Negative numbers stand for what the class or the kind has.
static const char* set_muscle(const Reader* reader, const Node* node, mjsActuator* actuator) {
  static const char* const names[] = {"force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"};
  double timeconst[2] = {-1, -1}, range[2] = {-1, -1}, tausmooth = actuator->dynprm[2], prm[7];
  values_reals(timeconst, reader, node, "timeconst");
  values_reals(range, reader, node, "range");
  values_reals(&tausmooth, reader, node, "tausmooth");
  for (int i = 0; i < 7; i++) {
    prm[i] = -1;
    values_reals(&prm[i], reader, node, names[i]);
  }
  return mjs_setToMuscle(actuator, timeconst, tausmooth, range, prm[0], prm[1], prm[2], prm[3],
                         prm[4], prm[5], prm[6]);
}

// The parameters of one shortcut, on top of what the class has.
// [theory/actuation.md, Actuator shortcuts]
void read_actuator(const Reader* reader, const Node* node, mjsActuator* actuator) {
  values_read(reader, node, actuator);
  const char* wrong = NULL;
  if (read_is(node, "motor")) {
    wrong = mjs_setToMotor(actuator);
  } else if (read_is(node, "position")) {
    wrong = set_servo(reader, node, actuator, 1);
  } else if (read_is(node, "intvelocity")) {
    wrong = set_servo(reader, node, actuator, 0);
  } else if (read_is(node, "velocity")) {
    double kv = actuator->gainprm[0];
    values_reals(&kv, reader, node, "kv");
    wrong = mjs_setToVelocity(actuator, kv);
  } else if (read_is(node, "damper")) {
    double kv = 0;
    values_reals(&kv, reader, node, "kv");
    wrong = mjs_setToDamper(actuator, kv);
  } else if (read_is(node, "cylinder")) {
    wrong = set_cylinder(reader, node, actuator);
  } else if (read_is(node, "muscle")) {
    wrong = set_muscle(reader, node, actuator);
  } else if (read_is(node, "adhesion")) {
    double gain = actuator->gainprm[0];
    values_reals(&gain, reader, node, "gain");
    wrong = mjs_setToAdhesion(actuator, gain);
  }
  if (wrong && wrong[0]) {
    values_error(reader, node, NULL, NULL, "%s", wrong);
  }
}

void read_actuatortarget(const Reader* reader, const Node* node) {
  mjsActuator* actuator = read_add(reader, node, mjOBJ_ACTUATOR);
  read_transmission(reader, node, actuator);
  read_actuator(reader, node, actuator);
  if (read_is(node, "plugin")) {
    read_use(reader, node, actuator->element, &actuator->plugin);
  }
}
