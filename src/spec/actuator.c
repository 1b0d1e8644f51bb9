// actuator.c: mjs_setTo*, the simple kinds of actuator as settings of the general one.
//                                                    theory/smooth/actuation.md, Actuator shortcuts
//
//   force = gain(length, velocity) * u + bias(length, velocity)
//   fixed gain: p0;   affine gain or bias: p0 + p1 length + p2 velocity
//
// So a position servo kp (u - length) - kv velocity has gain p0 = kp and bias (0, -kp, -kv). Each
// function returns "" or a message about its arguments. Parameters that a kind of actuator doesn't
// use keep their values.

#include <mujoco/api/spec.h>
#include <string.h>

#include "base/memory/check.h"

static void set_types(mjsActuator* actuator, mjtDyn dyn, mjtGain gain, mjtBias bias) {
  actuator->dyntype = dyn;
  actuator->gaintype = gain;
  actuator->biastype = bias;
  actuator->ctrlspec = 0;
}

static int has_range(const double range[2]) {
  return range[0] != 0 || range[1] != 0;
}

const char* mjs_setToMotor(mjsActuator* actuator) {
  check_given(actuator);
  actuator->gainprm[0] = 1;
  set_types(actuator, mjDYN_NONE, mjGAIN_FIXED, mjBIAS_NONE);
  return "";
}

// A positive biasprm[2] is a damping ratio; the compiler turns it into damping.
const char* mjs_setToPosition(mjsActuator* actuator, double kp, double kv[1], double dampratio[1],
                              double timeconst[1], double inheritrange) {
  check_given(actuator);
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
  actuator->dyntype = mjDYN_INTEGRATOR;
  actuator->ctrlspec = mjINPUT_VEL;
  actuator->actlimited = mjLIMITED_TRUE;
  if (inheritrange > 0 && has_range(actuator->actrange)) {
    return "actrange and inheritrange cannot both be defined";
  }
  return "";
}

const char* mjs_setToVelocity(mjsActuator* actuator, double kv) {
  check_given(actuator);
  memset(actuator->biasprm, 0, sizeof(actuator->biasprm));
  actuator->gainprm[0] = kv;
  actuator->biasprm[2] = -kv;
  set_types(actuator, mjDYN_NONE, mjGAIN_FIXED, mjBIAS_AFFINE);
  actuator->ctrlspec = mjINPUT_VEL;
  return "";
}

const char* mjs_setToDamper(mjsActuator* actuator, double kv) {
  check_given(actuator);
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
  actuator->gainprm[0] = gain;
  actuator->ctrllimited = mjLIMITED_TRUE;
  set_types(actuator, actuator->dyntype, mjGAIN_FIXED, mjBIAS_NONE);
  if (gain < 0) {
    return "adhesion gain cannot be negative";
  }
  if (actuator->ctrlrange[0] < 0 || actuator->ctrlrange[1] < 0) {
    return "adhesion control range cannot be negative";
  }
  return "";
}
