// actuator.c: mjs_setTo*, the simple kinds of actuator as settings of the general one.
//                                                    theory/smooth/actuation.md, Actuator shortcuts
//
//   force = gain(length, velocity) * u + bias(length, velocity)
//   fixed gain: p0;   affine gain or bias: p0 + p1 length + p2 velocity
//
// So a position servo kp (u - length) - kv velocity has gain p0 = kp and bias (0, -kp, -kv). Each
// function returns "" or a message about its arguments.

#include <condyle/behaviour.h>
#include <math.h>
#include <mujoco/api/spec.h>
#include <string.h>

#include "base/actuator.h"
#include "base/memory/check.h"
#include "spec/spec.h"

static void set_types(mjsActuator* actuator, mjtDyn dyn, mjtGain gain, mjtBias bias) {
  actuator->dyntype = dyn;
  actuator->gaintype = gain;
  actuator->biastype = bias;
  actuator->ctrlspec = 0;
}

static int has_range(const double range[2]) {
  return range[0] != 0 || range[1] != 0;
}

// Does the spec of an actuator have the later rules of shortcuts?
static int is_later(const mjsActuator* actuator) {
  const mjsElement* element = actuator->element;
  return element &&
         spec_object((mjsElement*)element)->tree->spec.option.behaviour >> cndBEHAVIOUR_shortcuts &
             1;
}

// By the later rules an actuator begins its kind with the usual law, else parameters that the kind
// doesn't use keep their values.
static void begin(mjsActuator* actuator, mjtActuator type) {
  actuator->type = type;
  if (!is_later(actuator)) {
    return;
  }
  mjsActuator usual;
  mjs_defaultActuator(&usual);
  memcpy(actuator->gainprm, usual.gainprm, sizeof(usual.gainprm));
  memcpy(actuator->biasprm, usual.biasprm, sizeof(usual.biasprm));
  memcpy(actuator->dynprm, usual.dynprm, sizeof(usual.dynprm));
  actuator->actdim = usual.actdim;
  actuator->actearly = usual.actearly;
  set_types(actuator, usual.dyntype, usual.gaintype, usual.biastype);
}

const char* mjs_setToMotor(mjsActuator* actuator) {
  check_given(actuator);
  begin(actuator, mjACTUATOR_MOTOR);
  actuator->gainprm[0] = 1;
  set_types(actuator, mjDYN_NONE, mjGAIN_FIXED, mjBIAS_NONE);
  return "";
}

// A positive biasprm[2] is a damping ratio; the compiler turns it into damping.
const char* mjs_setToPosition(mjsActuator* actuator, double kp, double kv[1], double dampratio[1],
                              double timeconst[1], double inheritrange) {
  check_given(actuator);
  begin(actuator, mjACTUATOR_POSITION);
  actuator->gainprm[0] = kp;
  actuator->biasprm[1] = -kp;
  if (kv && dampratio) {
    return "kv and dampratio cannot both be defined";
  }
  if (kv) {
    if (*kv < 0) {
      return "kv cannot be negative";
    }
    actuator->biasprm[2] = -*kv;
  }
  if (dampratio) {
    if (*dampratio < 0) {
      return "dampratio cannot be negative";
    }
    actuator->biasprm[2] = *dampratio;
  }
  if (timeconst) {
    if (*timeconst < 0) {
      return "timeconst cannot be negative";
    }
    actuator->dynprm[0] = *timeconst;
    actuator->dyntype = *timeconst > 0 ? mjDYN_FILTEREXACT : mjDYN_NONE;
  }
  actuator->inheritrange = inheritrange;
  if (inheritrange > 0 && has_range(actuator->ctrlrange)) {
    return "ctrlrange and inheritrange cannot both be defined";
  }
  set_types(actuator, actuator->dyntype, mjGAIN_FIXED, mjBIAS_AFFINE);
  actuator->ctrlspec = mjINPUT_POS;
  return "";
}

// Errors of mjs_setToPosition are not reported, and the actuator stays partly set, as in the
// reference.
const char* mjs_setToIntVelocity(mjsActuator* actuator, double kp, double kv[1],
                                 double dampratio[1], double timeconst[1], double inheritrange) {
  check_given(actuator);
  mjs_setToPosition(actuator, kp, kv, dampratio, timeconst, inheritrange);
  actuator->type = mjACTUATOR_INTVELOCITY;
  actuator->dyntype = mjDYN_INTEGRATOR;
  actuator->ctrlspec = mjINPUT_VEL;
  actuator->actlimited = is_later(actuator) ? mjLIMITED_AUTO : mjLIMITED_TRUE;
  if (is_later(actuator)) {
    actuator->biastype = mjBIAS_AFFINE;
  }
  if (inheritrange > 0 && has_range(actuator->actrange)) {
    return "actrange and inheritrange cannot both be defined";
  }
  return "";
}

const char* mjs_setToVelocity(mjsActuator* actuator, double kv) {
  check_given(actuator);
  begin(actuator, mjACTUATOR_VELOCITY);
  memset(actuator->biasprm, 0, sizeof(actuator->biasprm));
  actuator->gainprm[0] = kv;
  actuator->biasprm[2] = -kv;
  set_types(actuator, mjDYN_NONE, mjGAIN_FIXED, mjBIAS_AFFINE);
  actuator->ctrlspec = mjINPUT_VEL;
  return "";
}

const char* mjs_setToDamper(mjsActuator* actuator, double kv) {
  check_given(actuator);
  begin(actuator, mjACTUATOR_DAMPER);
  memset(actuator->gainprm, 0, sizeof(actuator->gainprm));
  actuator->gainprm[2] = -kv;
  actuator->ctrllimited = mjLIMITED_TRUE;
  set_types(actuator, mjDYN_NONE, mjGAIN_AFFINE, mjBIAS_NONE);
  if (kv < 0) {
    return "damping coefficient cannot be negative";
  }
  if (actuator->ctrlrange[0] < 0 || actuator->ctrlrange[1] < 0) {
    return "damper control range cannot be negative";
  }
  return "";
}

const char* mjs_setToCylinder(mjsActuator* actuator, double timeconst, double bias, double area,
                              double diameter) {
  check_given(actuator);
  begin(actuator, mjACTUATOR_CYLINDER);
  actuator->dynprm[0] = timeconst;
  actuator->biasprm[0] = bias;
  actuator->gainprm[0] = diameter >= 0 ? mjPI / 4 * diameter * diameter : area;
  set_types(actuator, mjDYN_FILTER, mjGAIN_FIXED, mjBIAS_AFFINE);
  actuator->ctrlspec = mjINPUT_PRESSURE;
  return "";
}

static void replace(double* value, double generic, double muscle) {
  if (*value == generic) {
    *value = muscle;
  }
}

const char* mjs_setToMuscle(mjsActuator* actuator, double timeconst[2], double tausmooth,
                            double range[2], double force, double scale, double lmin, double lmax,
                            double vmax, double fpmax, double fvmax) {
  check_given(actuator);
  begin(actuator, mjACTUATOR_MUSCLE);
  // range, force, scale, lmin, lmax, vmax, fpmax, fvmax
  static const double muscle[9] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
  const double given[9] = {
      range ? range[0] : -1, range ? range[1] : -1, force, scale, lmin, lmax, vmax, fpmax, fvmax};
  double* gain = actuator->gainprm;
  double* dyn = actuator->dynprm;

  // parameters that still have the general default get the muscle's default
  replace(&dyn[0], 1, 0.01);
  replace(&dyn[1], 0, 0.04);
  for (int i = 0; i < 9; i++) {
    replace(&gain[i], i == 0 ? 1 : 0, muscle[i]);
  }

  if (tausmooth < 0) {
    return "muscle tausmooth cannot be negative";
  }
  dyn[2] = tausmooth;
  for (int i = 0; i < 2; i++) {
    dyn[i] = timeconst && timeconst[i] >= 0 ? timeconst[i] : dyn[i];
  }
  for (int i = 0; i < 9; i++) {
    gain[i] = given[i] >= 0 ? given[i] : gain[i];
    actuator->biasprm[i] = gain[i];
  }
  set_types(actuator, mjDYN_MUSCLE, mjGAIN_MUSCLE, mjBIAS_MUSCLE);
  return "";
}

const char* mjs_setToAdhesion(mjsActuator* actuator, double gain) {
  check_given(actuator);
  begin(actuator, mjACTUATOR_ADHESION);
  actuator->gainprm[0] = gain;
  actuator->ctrllimited = mjLIMITED_TRUE;
  set_types(actuator, actuator->dyntype, mjGAIN_FIXED, mjBIAS_NONE);
  actuator->ctrlspec = 0;
  if (gain < 0) {
    return "adhesion gain cannot be negative";
  }
  if (actuator->ctrlrange[0] < 0 || actuator->ctrlrange[1] < 0) {
    return "adhesion control range cannot be negative";
  }
  return "";
}

// actuators with laws of their own; all parameters get the values of the kind

static void clear_parameters(mjsActuator* actuator) {
  memset(actuator->gainprm, 0, sizeof(actuator->gainprm));
  memset(actuator->biasprm, 0, sizeof(actuator->biasprm));
  actuator->actdim = -1;
}

// Sets stiffness and damping of a bias, or the damping ratio that the compiler turns into damping.
static const char* set_servo_bias(mjsActuator* actuator, double kp, const double kv[1],
                                  const double dampratio[1]) {
  actuator->biasprm[1] = -kp;
  if (kv && dampratio) {
    return "kv and dampratio cannot both be defined";
  }
  if (kv && *kv < 0) {
    return "kv cannot be negative";
  }
  if (dampratio && *dampratio < 0) {
    return "dampratio cannot be negative";
  }
  actuator->biasprm[2] = kv ? -*kv : dampratio ? *dampratio : 0;
  return "";
}

const char* mjs_setToPID(mjsActuator* actuator, double kp, double kv[1], double dampratio[1],
                         double ki[1], double imax[1], double slewmax[1], double inheritrange,
                         int ctrlspec) {
  check_given(actuator);
  actuator->type = mjACTUATOR_PID;
  clear_parameters(actuator);
  memset(actuator->dynprm, 0, sizeof(actuator->dynprm));
  const char* wrong = set_servo_bias(actuator, kp, kv, dampratio);
  if (wrong[0]) {
    return wrong;
  }
  double integral = ki ? *ki : 0, slew = slewmax ? *slewmax : 0;
  if (slew < 0) {
    return "slewmax cannot be negative";
  }
  actuator->gainprm[PID_INTEGRAL_GAIN] = integral;
  actuator->dynprm[PID_MOST_INTEGRAL] = integral != 0 && imax ? *imax : 0;
  actuator->dynprm[PID_SLEW] = slew;
  actuator->inheritrange = inheritrange;
  if (inheritrange > 0 && has_range(actuator->ctrlrange)) {
    return "posrange and inheritrange cannot both be defined";
  }
  set_types(actuator, integral != 0 || slew != 0 ? mjDYN_PID : mjDYN_NONE, mjGAIN_PID,
            mjBIAS_AFFINE);
  actuator->ctrlspec = ctrlspec;
  return "";
}

const char* mjs_setToOrientation(mjsActuator* actuator, double kp, double kv[1],
                                 double dampratio[1], int ctrlspec) {
  check_given(actuator);
  actuator->type = mjACTUATOR_ORIENTATION;
  clear_parameters(actuator);
  actuator->gainprm[0] = kp;
  set_types(actuator, mjDYN_NONE, mjGAIN_SO3, mjBIAS_SO3);
  actuator->ctrlspec = ctrlspec;
  return set_servo_bias(actuator, kp, kv, dampratio);
}

static double number(const double* list, int i) {
  return list ? list[i] : 0;
}

// The voltage per speed, by voltage V, stall torque T and speed w of a data sheet. At that speed
// the damping b takes the torque b w:
//
//   V = K w + R b w / K       K = (V + sqrt(V^2 - 4 R b w^2)) / (2 w)       R known
//                             K = V / w - V b / T                           R = K V / T
static double nominal_constant(double V, double T, double w, double R, double b) {
  double plain = V / w, square = V * V - 4 * R * b * w * w;
  if (b > 0 && R > 0) {
    return square > 0 ? (V + sqrt(square)) / (2 * w) : plain;
  }
  double less = b > 0 && T > 0 ? plain - V * b / T : plain;
  return less > 0 ? less : plain;
}

// Sets resistance and constant. Torque per current and voltage per speed are the same number in a
// motor without losses; of two different ones it is the geometric mean.
static const char* set_constants(mjsActuator* actuator, const double* motorconst, double R,
                                 const double* nominal, int ctrlspec) {
  double torque = number(motorconst, 0), speed = number(motorconst, 1);
  double V = number(nominal, 0), T = number(nominal, 1), w = number(nominal, 2);
  if (torque < 0 || speed < 0) {
    return "DC motor: motor constants must be non-negative";
  }
  if (V > 0 && speed <= 0 && w > 0) {
    speed = nominal_constant(V, T, w, R, actuator->damping[0]);
  }
  double K = torque > 0 && speed > 0 ? sqrt(torque * speed) : torque > 0 ? torque : speed;
  if (!(K > 0) && ctrlspec != mjINPUT_NONE) {
    return "DC motor: motor constant K must be positive";
  }
  R = R == 0 && V > 0 && T > 0 && K > 0 ? K * V / T : R;
  if (!(R > 0)) {
    return "DC motor: resistance R must be positive";
  }
  actuator->gainprm[MOTOR_RESISTANCE] = R;
  actuator->gainprm[MOTOR_CONSTANT] = K;
  return "";
}

// Two of resistance, capacitance and time constant give the third.
static const char* set_thermal(mjsActuator* actuator, const double* thermal) {
  double R = number(thermal, 0), C = number(thermal, 1), t = number(thermal, 2);
  if (!(R > 0 || C > 0 || t > 0)) {
    return "";
  }
  C = R > 0 && t > 0 ? t / R : C;
  R = R > 0 ? R : C > 0 && t > 0 ? t / C : 0;
  if (!(R > 0)) {
    return "DC motor: thermal resistance must be positive";
  }
  if (!(C > 0)) {
    return "DC motor: thermal capacitance must be positive";
  }
  actuator->dynprm[MOTOR_THERMAL_RESISTANCE] = R;
  actuator->dynprm[MOTOR_THERMAL_CAPACITANCE] = C;
  actuator->gainprm[MOTOR_TEMPCOEF] = thermal[3];
  actuator->gainprm[MOTOR_REFTEMP] = thermal[4];
  actuator->dynprm[MOTOR_AMBIENT] = thermal[5];
  return "";
}

static void set_controller(mjsActuator* actuator, const double* controller) {
  actuator->gainprm[MOTOR_KP] = number(controller, 0);
  actuator->gainprm[MOTOR_KI] = number(controller, 1);
  actuator->gainprm[MOTOR_KD] = number(controller, 2);
  actuator->dynprm[MOTOR_SLEW] = number(controller, 3);
  actuator->dynprm[MOTOR_MOST_INTEGRAL] = number(controller, 4);
  actuator->gainprm[MOTOR_MOST_VOLTAGE] = fmax(number(controller, 5), 0);
}

static void set_friction(mjsActuator* actuator, const double* cogging, const double* lugre) {
  for (int i = 0; i < 3; i++) {
    actuator->biasprm[MOTOR_COGGING + i] = number(cogging, i);
  }
  if (number(lugre, 0) > 0) {
    actuator->dynprm[MOTOR_BRISTLE_STIFFNESS] = lugre[0];
    actuator->dynprm[MOTOR_BRISTLE_DAMPING] = lugre[1];
    for (int i = 0; i < 3; i++) {
      actuator->biasprm[MOTOR_COULOMB + i] = lugre[2 + i];
    }
  }
}

const char* mjs_setToDCMotor(mjsActuator* actuator, double motorconst[2], double resistance,
                             double nominal[3], double saturation[3], double inductance[2],
                             double cogging[3], double controller[6], double thermal[6],
                             double lugre[5], int ctrlspec) {
  check_given(actuator);
  actuator->type = mjACTUATOR_DCMOTOR;
  clear_parameters(actuator);
  memset(actuator->dynprm, 0, sizeof(actuator->dynprm));
  const char* wrong = set_constants(actuator, motorconst, resistance, nominal, ctrlspec);
  if (wrong[0]) {
    return wrong;
  }
  if (number(inductance, 0) < 0 || number(inductance, 1) < 0) {
    return "DC motor: inductance must be non-negative";
  }
  double L = number(inductance, 0);
  actuator->dynprm[MOTOR_TIMECONST] =
      L > 0 ? L / actuator->gainprm[MOTOR_RESISTANCE] : number(inductance, 1);
  double torque = number(saturation, 0), current = number(saturation, 1);
  torque = torque > 0 ? torque : actuator->gainprm[MOTOR_CONSTANT] * current;
  if (torque > 0) {
    actuator->forcerange[0] = -torque;
    actuator->forcerange[1] = torque;
    actuator->forcelimited = mjLIMITED_TRUE;
  }
  actuator->dynprm[MOTOR_CURRENT_RATE] = number(saturation, 2);
  set_controller(actuator, controller);
  set_friction(actuator, cogging, lugre);
  set_types(actuator, mjDYN_DCMOTOR, mjGAIN_DCMOTOR, mjBIAS_DCMOTOR);
  actuator->actearly = 1;
  actuator->actlimited = mjLIMITED_FALSE;
  actuator->ctrlspec = ctrlspec;
  return set_thermal(actuator, thermal);
}
