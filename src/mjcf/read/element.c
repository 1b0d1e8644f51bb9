// element.c: reads attributes that need more than the rows of the schema, for elements that may
// also be in classes.

#include "mjcf/read/element.h"

#include <condyle/behaviour.h>
#include <mujoco/api/spec.h>
#include <string.h>

#include "base/actuator.h"
#include "mjcf/read/context.h"

static void read_texture(const Reader* reader, const Node* node, mjsTexture* texture) {
  values_read(reader, node, texture);
  const char* layout = values_text(node, "gridlayout");
  size_t length = layout ? strlen(layout) : 0;
  if (!layout) {
    return;
  }
  if (length >= sizeof(texture->gridlayout)) {
    values_error(reader, node, "gridlayout", NULL, "gridlayout length cannot exceed %d characters",
                 (int)sizeof(texture->gridlayout) - 1);
  } else if ((double)length != (double)texture->gridsize[0] * texture->gridsize[1]) {
    values_error(reader, node, "gridlayout", NULL,
                 "gridlayout length must match gridsize: %zu letters are given for %d x %d", length,
                 texture->gridsize[0], texture->gridsize[1]);
  } else {
    memcpy(texture->gridlayout, layout, length + 1);
  }
}

static void read_material(const Reader* reader, const Node* node, mjsMaterial* material) {
  values_read(reader, node, material);

  // one name for each role
  while (material->textures->num < mjNTEXROLE) {
    mjs_appendString(material->textures, "");
  }
  const char* texture = values_text(node, "texture");
  if (texture) {
    mjs_setInStringVec(material->textures, mjTEXROLE_RGB, texture);
  }
  for (const Node* layer = node->first; layer; layer = layer->next) {
    int role;
    if (!read_is(layer, "layer")) {
      continue;
    }
    if (texture) {
      values_error(reader, layer, NULL, NULL,
                   "A material with a texture attribute cannot have layer sub-elements");
      continue;
    }
    values_read(reader, layer, material);
    const char* name = values_text(layer, "texture");
    if (values_key(&role, reader, layer, "role") && name) {
      mjs_setInStringVec(material->textures, role, name);
    }
  }
}

static void read_camera(const Reader* reader, const Node* node, mjsCamera* camera) {
  // a camera's user data is its own, not its class's
  if (!values_has(node, "user")) {
    mjs_setDouble(camera->userdata, NULL, 0);
  }
  values_read(reader, node, camera);

  int output = values_mask(reader, node, "output", schema_cameraoutputs());
  camera->output = output ? output : values_has(node, "output") ? mjCAMOUT_RGB : camera->output;

  // values in pixels override values in length units
  int focalpixel = values_has(node, "focalpixel"), focal = values_has(node, "focal");
  int principalpixel = values_has(node, "principalpixel"),
      principal = values_has(node, "principal");
  double length[2];
  if (focal && !focalpixel && values_reals(length, reader, node, "focal")) {
    camera->focal_length[0] = (float)length[0];
    camera->focal_length[1] = (float)length[1];
  }
  if (principal && !principalpixel && values_reals(length, reader, node, "principal")) {
    camera->principal_length[0] = (float)length[0];
    camera->principal_length[1] = (float)length[1];
  }

  if (camera->resolution[0] < 0 || camera->resolution[1] < 0) {
    values_error(reader, node, "resolution", NULL, "camera resolution cannot be negative");
  }
  int sensorsize = values_has(node, "sensorsize"), focals = focal || focalpixel;
  if ((focals || principal || principalpixel) && !sensorsize) {
    values_error(reader, node, NULL, NULL, "required attribute missing: 'sensorsize'");
  }
  if ((focals || sensorsize) && !values_has(node, "resolution")) {
    values_error(reader, node, NULL, NULL, "required attribute missing: 'resolution'");
  }
  if (values_has(node, "fovy") && sensorsize) {
    values_error(reader, node, "fovy", NULL,
                 "either 'fovy' or 'sensorsize' attribute can be specified, not both");
  }
}

static void read_light(const Reader* reader, const Node* node, mjsLight* light) {
  values_read(reader, node, light);
  int directional;
  if (!values_key(&directional, reader, node, "directional")) {
    return;
  }
  if (values_text(node, "type")) {
    values_error(reader, node, "directional", NULL, "type and directional cannot both be defined");
  } else {
    light->type = directional ? mjLIGHT_DIRECTIONAL : mjLIGHT_SPOT;
  }
}

// A single springlength is both ends of the dead band.
static void read_tendon(const Reader* reader, const Node* node, mjsTendon* tendon) {
  values_read(reader, node, tendon);
  double length[2];
  int count = values_reals(length, reader, node, "springlength");
  if (count) {
    tendon->springlength[0] = length[0];
    tendon->springlength[1] = length[count - 1];
  }
}

// Sets the parameters of a position or velocity servo. What is missing keeps the class's value,
// which is said again by the later rules (is_own), because a servo begins with the usual law there.
static const char* set_servo(const Reader* reader, const Node* node, mjsActuator* actuator,
                             int is_position, int is_own) {
  double kp = actuator->gainprm[0], b = actuator->biasprm[2], kv = -b, dampratio = b;
  double timeconst = actuator->dynprm[0];
  values_reals(&kp, reader, node, "kp");
  int is_damped = values_reals(&kv, reader, node, "kv");
  int is_rated = values_reals(&dampratio, reader, node, "dampratio");
  double* has_kv = is_damped || (is_own && !is_rated && b < 0) ? &kv : NULL;
  double* has_dampratio = is_rated || (is_own && !is_damped && b > 0) ? &dampratio : NULL;
  int is_slow = values_reals(&timeconst, reader, node, "timeconst") ||
                (is_own && actuator->dyntype == mjDYN_FILTEREXACT);
  double* has_timeconst = is_slow ? &timeconst : NULL;
  if (is_position) {
    return mjs_setToPosition(actuator, kp, has_kv, has_dampratio, has_timeconst,
                             actuator->inheritrange);
  }
  return mjs_setToIntVelocity(actuator, kp, has_kv, has_dampratio, has_timeconst,
                              actuator->inheritrange);
}

// Sets the parameters of a cylinder. A diameter gives the area. The bias must have three numbers,
// of which the first counts unless `all_bias`.
static const char* set_cylinder(const Reader* reader, const Node* node, mjsActuator* actuator,
                                int all_bias) {
  double timeconst = actuator->dynprm[0], area = actuator->gainprm[0], diameter = -1;
  double bias[3] = {actuator->biasprm[0], actuator->biasprm[1], actuator->biasprm[2]};
  values_reals(&timeconst, reader, node, "timeconst");
  values_reals(&area, reader, node, "area");
  values_reals(&diameter, reader, node, "diameter");
  values_reals(bias, reader, node, "bias");
  const char* wrong = mjs_setToCylinder(actuator, timeconst, bias[0], area, diameter);
  if (all_bias) {
    memcpy(actuator->biasprm, bias, sizeof(bias));
  }
  return wrong;
}

// Sets the parameters of a muscle. Negative numbers stand for the value of the class or the kind;
// by the later rules (is_own) those of the class are said again, as for servos.
static const char* set_muscle(const Reader* reader, const Node* node, mjsActuator* actuator,
                              int is_own) {
  static const char* const names[] = {"force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"};
  int inherits = is_own && actuator->gaintype == mjGAIN_MUSCLE;
  double timeconst[2] = {-1, -1}, range[2] = {-1, -1}, tausmooth = actuator->dynprm[2], prm[7];
  if (inherits) {
    memcpy(timeconst, actuator->dynprm, sizeof(timeconst));
    memcpy(range, actuator->gainprm, sizeof(range));
  }
  values_reals(timeconst, reader, node, "timeconst");
  values_reals(range, reader, node, "range");
  values_reals(&tausmooth, reader, node, "tausmooth");
  for (int i = 0; i < 7; i++) {
    prm[i] = inherits ? actuator->gainprm[i + 2] : -1;
    values_reals(&prm[i], reader, node, names[i]);
  }
  return mjs_setToMuscle(actuator, timeconst, tausmooth, range, prm[0], prm[1], prm[2], prm[3],
                         prm[4], prm[5], prm[6]);
}

// Reads which inputs an actuator has; without the attribute it keeps those of its class. Words of
// orientations have their own places.
static void read_inputs(const Reader* reader, const Node* node, mjsActuator* actuator) {
  if (!values_has(node, "input")) {
    return;
  }
  int bits = values_mask(reader, node, "input", schema_inputs());
  int charts = bits / (2 * mjINPUT_PRESSURE), is_turn = read_is(node, "orientation");
  if ((charts && bits % (2 * mjINPUT_PRESSURE)) || charts > mjCHART_QUAT) {
    values_error(reader, node, "input", NULL,
                 "expmap and quat can't be together with other inputs");
  } else if (bits && !read_is(node, "general") && is_turn != (charts != 0)) {
    values_error(reader, node, "input", NULL, "inputs are %s",
                 is_turn ? "expmap or quat" : "some of pos, vel, ff, voltage");
  }
  actuator->ctrlspec = charts ? charts : bits;
}

// Sets the parameters of a controller. What is missing is as in its class, if that is a controller.
static const char* set_pid(const Reader* reader, const Node* node, mjsActuator* actuator) {
  int inherits = actuator->gaintype == mjGAIN_PID;
  double kp = inherits ? -actuator->biasprm[1] : 1, b = inherits ? actuator->biasprm[2] : 0;
  double kv = -b, dampratio = b, ki = inherits ? actuator->gainprm[PID_INTEGRAL_GAIN] : 0;
  double imax = inherits ? actuator->dynprm[PID_MOST_INTEGRAL] : 0;
  double slewmax = inherits ? actuator->dynprm[PID_SLEW] : 0;
  values_reals(&kp, reader, node, "kp");
  int has_kv = values_reals(&kv, reader, node, "kv"),
      has_ratio = values_reals(&dampratio, reader, node, "dampratio");
  values_reals(&ki, reader, node, "ki");
  values_reals(&imax, reader, node, "imax");
  values_reals(&slewmax, reader, node, "slewmax");
  values_reals(actuator->ctrlrange, reader, node, "posrange");
  int damps = has_kv || (!has_ratio && b < 0), rates = has_ratio || (!has_kv && b > 0);
  return mjs_setToPID(actuator, kp, damps ? &kv : NULL, rates ? &dampratio : NULL, &ki, &imax,
                      &slewmax, actuator->inheritrange, actuator->ctrlspec);
}

static const char* set_orientation(const Reader* reader, const Node* node, mjsActuator* actuator) {
  int inherits = actuator->gaintype == mjGAIN_SO3;
  double kp = inherits ? -actuator->biasprm[1] : 1, b = inherits ? actuator->biasprm[2] : 0;
  double kv = -b, dampratio = b;
  values_reals(&kp, reader, node, "kp");
  int has_kv = values_reals(&kv, reader, node, "kv"),
      has_ratio = values_reals(&dampratio, reader, node, "dampratio");
  int damps = has_kv || (!has_ratio && b < 0), rates = has_ratio || (!has_kv && b > 0);
  return mjs_setToOrientation(actuator, kp, damps ? &kv : NULL, rates ? &dampratio : NULL,
                              actuator->ctrlspec);
}

// Sets the parameters of a motor, on top of those of its class, if that is a motor.
static const char* set_motor(const Reader* reader, const Node* node, mjsActuator* a) {
  static const double zero[mjNGAIN] = {0};
  int inherits = a->gaintype == mjGAIN_DCMOTOR;
  const double *gain = inherits ? a->gainprm : zero, *dyn = inherits ? a->dynprm : zero;
  const double* bias = inherits ? a->biasprm : zero;
  double motorconst[2] = {gain[MOTOR_CONSTANT]}, resistance = gain[MOTOR_RESISTANCE];
  double nominal[3] = {0}, saturation[3] = {0, 0, dyn[MOTOR_CURRENT_RATE]};
  double inductance[2] = {0, dyn[MOTOR_TIMECONST]};
  double cogging[3] = {bias[MOTOR_COGGING], bias[MOTOR_POLES], bias[MOTOR_PHASE]};
  double controller[6] = {gain[MOTOR_KP],  gain[MOTOR_KI],           gain[MOTOR_KD],
                          dyn[MOTOR_SLEW], dyn[MOTOR_MOST_INTEGRAL], gain[MOTOR_MOST_VOLTAGE]};
  double thermal[6] = {dyn[MOTOR_THERMAL_RESISTANCE],
                       dyn[MOTOR_THERMAL_CAPACITANCE],
                       0,
                       gain[MOTOR_TEMPCOEF],
                       gain[MOTOR_REFTEMP],
                       dyn[MOTOR_AMBIENT]};
  double lugre[5] = {dyn[MOTOR_BRISTLE_STIFFNESS], dyn[MOTOR_BRISTLE_DAMPING], bias[MOTOR_COULOMB],
                     bias[MOTOR_STATIC], bias[MOTOR_STRIBECK]};
  const struct {
    const char* name;
    double* value;
  } attributes[] = {{"motorconst", motorconst}, {"resistance", &resistance}, {"nominal", nominal},
                    {"saturation", saturation}, {"inductance", inductance},  {"cogging", cogging},
                    {"controller", controller}, {"thermal", thermal},        {"lugre", lugre}};
  for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
    values_reals(attributes[i].value, reader, node, attributes[i].name);
  }
  return mjs_setToDCMotor(a, motorconst, resistance, nominal, saturation, inductance, cogging,
                          controller, thermal, lugre, a->ctrlspec);
}

// by the behaviour `shortcuts`

// The nearest class from that of an actuator on whose law was written with a word, or with general;
// NULL if there is none.
static const mjsActuator* find_law(const SpecObject* object, mjtActuator word) {
  const SpecObject* class = spec_class(object->tree, object->classname);
  for (; class; class = class->parent) {
    const mjsActuator* law = &class->as.classdef.prototype[mjOBJ_ACTUATOR]->as.actuator;
    if (law->type == word || law->type == mjACTUATOR_GENERAL) {
      return law;
    }
  }
  return NULL;
}

// Can a shortcut have parameters of this law? A controller, orientation or motor has those of its
// own kind of gain.
static int law_fits(const mjsActuator* law, mjtActuator word) {
  switch (word) {
    case mjACTUATOR_PID:
      return law->gaintype == mjGAIN_PID;
    case mjACTUATOR_ORIENTATION:
      return law->gaintype == mjGAIN_SO3;
    case mjACTUATOR_DCMOTOR:
      return law->gaintype == mjGAIN_DCMOTOR;
    case mjACTUATOR_DAMPER:
    case mjACTUATOR_MUSCLE:
      return !gain_has_law((int)law->gaintype);
    default:
      return law->gaintype == mjGAIN_FIXED;
  }
}

static void copy_law(mjsActuator* out, const mjsActuator* law) {
  out->gaintype = law->gaintype;
  out->biastype = law->biastype;
  out->dyntype = law->dyntype;
  memcpy(out->gainprm, law->gainprm, sizeof(out->gainprm));
  memcpy(out->biasprm, law->biasprm, sizeof(out->biasprm));
  memcpy(out->dynprm, law->dynprm, sizeof(out->dynprm));
  out->actdim = law->actdim;
  out->actearly = law->actearly;
  out->ctrlspec = law->ctrlspec;
}

// What a shortcut has of the law of its class: parameters that are its own attributes. Everything
// else of a law is as usual. general has all of its class; limits, gears, delays and the like every
// word has.
static void take_law(const Node* node, mjsActuator* actuator) {
  mjtActuator word = (mjtActuator)node->schema->value;
  if (word == mjACTUATOR_GENERAL) {
    return;
  }
  const mjsActuator* found = find_law(spec_object(actuator->element), word);
  mjsActuator usual, law;
  mjs_defaultActuator(&usual);
  law = found && law_fits(found, word) ? *found : usual;
  copy_law(actuator, &usual);
  if (word == mjACTUATOR_DCMOTOR) {
    memcpy(actuator->actrange, usual.actrange, sizeof(usual.actrange));
  } else if (actuator->type == mjACTUATOR_DCMOTOR) {
    actuator->actlimited = usual.actlimited;  // a motor has no choice
  }
  int has_range = word == mjACTUATOR_POSITION || word == mjACTUATOR_INTVELOCITY;
  actuator->inheritrange = law.type == word || has_range ? law.inheritrange : 0;
  switch (word) {
    case mjACTUATOR_POSITION:
    case mjACTUATOR_INTVELOCITY:
      actuator->gainprm[0] = law.gainprm[0];
      actuator->biasprm[2] = law.biasprm[2];
      if (law.dyntype == mjDYN_FILTEREXACT) {
        actuator->dyntype = law.dyntype;
        actuator->dynprm[0] = law.dynprm[0];
      }
      break;
    case mjACTUATOR_VELOCITY:
    case mjACTUATOR_ADHESION:
      actuator->gainprm[0] = law.gainprm[0];
      break;
    case mjACTUATOR_CYLINDER:
      actuator->gainprm[0] = law.gainprm[0];
      actuator->dynprm[0] = law.dynprm[0];
      memcpy(actuator->biasprm, law.biasprm, 3 * sizeof(double));
      break;
    case mjACTUATOR_DAMPER:
    case mjACTUATOR_MUSCLE:
      if (law.type == word) {
        copy_law(actuator, &law);
      }
      break;
    case mjACTUATOR_PID:
    case mjACTUATOR_ORIENTATION:
    case mjACTUATOR_DCMOTOR:
      copy_law(actuator, &law);
      break;
    default:
      break;
  }
}

// An actuator of another kind of gain than its class doesn't have the inputs of that.
static void drop_inputs(mjsActuator* actuator, mjtGain class, int is_given) {
  if (actuator->gaintype != class && !is_given) {
    actuator->ctrlspec = 0;
  }
}

// Parameters of a class of controllers, orientations or motors mean nothing to other shortcuts.
static void forget_law(const Node* node, mjsActuator* actuator) {
  int has_law = read_is(node, "pid") || read_is(node, "orientation") || read_is(node, "dcmotor");
  if (!gain_has_law((int)actuator->gaintype) || has_law || read_is(node, "general")) {
    return;
  }
  mjsActuator usual;
  mjs_defaultActuator(&usual);
  memcpy(actuator->gainprm, usual.gainprm, sizeof(usual.gainprm));
  memcpy(actuator->biasprm, usual.biasprm, sizeof(usual.biasprm));
  memcpy(actuator->dynprm, usual.dynprm, sizeof(usual.dynprm));
  actuator->gaintype = usual.gaintype;
  actuator->biastype = usual.biastype;
  actuator->dyntype = usual.dyntype;
  actuator->actearly = usual.actearly;
  actuator->actlimited = usual.actlimited;
  actuator->ctrlspec = 0;
}

// Applies the parameters of one actuator shortcut to the class's values.
// [theory/smooth/actuation.md, Actuator shortcuts]
void read_actuator(const Reader* reader, const Node* node, mjsActuator* actuator) {
  mjtGain class = actuator->gaintype;
  int is_own = spec_tree(reader->spec)->spec.option.behaviour >> cndBEHAVIOUR_shortcuts & 1;
  if (is_own) {
    take_law(node, actuator);
  } else {
    forget_law(node, actuator);
  }
  values_read(reader, node, actuator);
  read_inputs(reader, node, actuator);
  const char* wrong = NULL;
  if (read_is(node, "motor")) {
    wrong = mjs_setToMotor(actuator);
  } else if (read_is(node, "position")) {
    wrong = set_servo(reader, node, actuator, 1, is_own);
  } else if (read_is(node, "intvelocity")) {
    int actlimited = actuator->actlimited;
    wrong = set_servo(reader, node, actuator, 0, is_own);
    if (is_own || values_has(node, "actlimited")) {
      actuator->actlimited = actlimited;
    }
  } else if (read_is(node, "velocity")) {
    double kv = actuator->gainprm[0];
    values_reals(&kv, reader, node, "kv");
    wrong = mjs_setToVelocity(actuator, kv);
  } else if (read_is(node, "damper")) {
    double kv = is_own && actuator->gainprm[2] != 0 ? -actuator->gainprm[2] : 0;
    values_reals(&kv, reader, node, "kv");
    wrong = mjs_setToDamper(actuator, kv);
  } else if (read_is(node, "cylinder")) {
    wrong = set_cylinder(reader, node, actuator, is_own);
  } else if (read_is(node, "muscle")) {
    wrong = set_muscle(reader, node, actuator, is_own);
  } else if (read_is(node, "adhesion")) {
    double gain = actuator->gainprm[0];
    values_reals(&gain, reader, node, "gain");
    wrong = mjs_setToAdhesion(actuator, gain);
  }
  if (read_is(node, "pid")) {
    wrong = set_pid(reader, node, actuator);
  } else if (read_is(node, "orientation")) {
    wrong = set_orientation(reader, node, actuator);
  } else if (read_is(node, "dcmotor")) {
    wrong = set_motor(reader, node, actuator);
  }
  actuator->type = (mjtActuator)node->schema->value;
  if (!is_own || actuator->type == mjACTUATOR_GENERAL) {
    drop_inputs(actuator, class, values_has(node, "input"));
  }
  if (wrong && wrong[0]) {
    values_error(reader, node, NULL, NULL, "%s", wrong);
  }
}

// By the later rule a quaternion of its own beats an orientation that the class says otherwise.
static void own_quat(const Reader* reader, const Node* node, mjsOrientation* alt) {
  static const char* const others[] = {"axisangle", "xyaxes", "zaxis", "euler"};
  int later = reader->spec->option.behaviour >> cndBEHAVIOUR_compile & 1;
  for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
    later &= !values_has(node, others[i]);
  }
  if (later && values_has(node, "quat")) {
    alt->type = mjORIENTATION_QUAT;
  }
}

void read_values(const Reader* reader, const Node* node, SpecObject* object) {
  switch (object->element.elemtype) {
    case mjOBJ_TEXTURE:
      read_texture(reader, node, &object->as.texture);
      break;
    case mjOBJ_MATERIAL:
      read_material(reader, node, &object->as.material);
      break;
    case mjOBJ_CAMERA:
      read_camera(reader, node, &object->as.camera);
      break;
    case mjOBJ_LIGHT:
      read_light(reader, node, &object->as.light);
      break;
    case mjOBJ_TENDON:
      read_tendon(reader, node, &object->as.tendon);
      break;
    case mjOBJ_ACTUATOR:
      read_actuator(reader, node, &object->as.actuator);
      break;
    default:
      values_read(reader, node, spec_public(object));
  }
  mjsOrientation* alt = object->element.elemtype == mjOBJ_GEOM     ? &object->as.geom.alt
                        : object->element.elemtype == mjOBJ_SITE   ? &object->as.site.alt
                        : object->element.elemtype == mjOBJ_CAMERA ? &object->as.camera.alt
                                                                   : NULL;
  if (alt) {
    own_quat(reader, node, alt);
  }
}

void* read_element(const Reader* reader, const Node* node, mjtObj type) {
  void* element = read_add(reader, node, type);
  read_values(reader, node, spec_object(*(mjsElement**)element));
  return element;
}
