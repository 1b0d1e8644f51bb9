// actuator.h: how many controls, forces and activations an actuator of a kind has.
//
//   gain      controls                                  forces   activations, in this order
//   pid       some of pos vel ff                        1        slew, integral
//   dcmotor   some of pos vel ff voltage, or none       1        slew, integral, temperature,
//                                                                bristle, current
//   so3       a rotation vector (3) or quaternion (4)   3        none, or 3 of an integrator
//   others    1                                         1        none or 1, or as it says
//
// Which controls there are tell the bits of actuator_ctrlspec. Each activation of the first two is
// there if its parameter is positive.               theory/smooth/actuation.md, Several inputs

#pragma once

#include <mujoco/mjmodel.h>

enum {
  INPUT_DIALECT = 311,  // the first that says what a control is (input)
  CONTROLLER_INPUTS = mjINPUT_POS | mjINPUT_VEL | mjINPUT_FF,
  SLOTS_PID = 2,
  SLOTS_DCMOTOR = 5
};

// the activations of a pid and of a motor
enum {
  SLOT_SLEW,
  SLOT_INTEGRAL,
  SLOT_TEMPERATURE,
  SLOT_BRISTLE,
  SLOT_CURRENT
};

// parameters of a motor: actuator_gainprm
enum {
  MOTOR_RESISTANCE,
  MOTOR_CONSTANT,
  MOTOR_TEMPCOEF,
  MOTOR_REFTEMP,
  MOTOR_KP,
  MOTOR_KI,
  MOTOR_KD,
  MOTOR_MOST_VOLTAGE
};

// ... actuator_dynprm
enum {
  MOTOR_TIMECONST,
  MOTOR_CURRENT_RATE,
  MOTOR_THERMAL_RESISTANCE,
  MOTOR_THERMAL_CAPACITANCE,
  MOTOR_AMBIENT,
  MOTOR_BRISTLE_STIFFNESS,
  MOTOR_BRISTLE_DAMPING,
  MOTOR_SLEW,
  MOTOR_MOST_INTEGRAL
};

// ... actuator_biasprm
enum {
  MOTOR_COGGING,
  MOTOR_POLES,
  MOTOR_PHASE,
  MOTOR_COULOMB,
  MOTOR_STATIC,
  MOTOR_STRIBECK
};

// parameters of a pid
enum {
  PID_INTEGRAL_GAIN = 0,  // actuator_gainprm
  PID_MOST_INTEGRAL = 0,  // actuator_dynprm
  PID_SLEW = 1
};

// Does a kind of gain belong to one of the actuators above, with a law of its own?
static inline int gain_has_law(int gaintype) {
  return gaintype > mjGAIN_USER;
}

static inline int bit_count(int bits) {
  return __builtin_popcount((unsigned)bits);
}

// What an actuator has for controls if nothing is said.
static inline int input_default(int gaintype) {
  switch (gaintype) {
    case mjGAIN_PID:
      return mjINPUT_POS | mjINPUT_VEL;
    case mjGAIN_DCMOTOR:
      return mjINPUT_VOLTAGE;
    case mjGAIN_SO3:
      return mjCHART_EXPMAP;
    default:
      return 0;
  }
}

// Number of controls; spec 0 stands for the default.
static inline int input_count(int gaintype, int spec) {
  spec = spec ? spec : input_default(gaintype);
  switch (gaintype) {
    case mjGAIN_PID:
      return bit_count(spec & CONTROLLER_INPUTS);
    case mjGAIN_DCMOTOR:
      return bit_count(spec & (CONTROLLER_INPUTS | mjINPUT_VOLTAGE));
    case mjGAIN_SO3:
      return spec == mjCHART_QUAT ? 4 : 3;
    default:
      return 1;
  }
}

static inline int output_count(int gaintype) {
  return gaintype == mjGAIN_SO3 ? 3 : 1;
}

// The value of one input, 0 if the actuator doesn't have it. u are its controls.
static inline mjtNum input_value(const mjtNum* u, int spec, int bit) {
  return spec & bit ? u[bit_count(spec & (bit - 1))] : 0;
}

// The positive parameter of each activation of a motor or pid; 0 of those that it never has.
static inline double slot_parameter(int slot, int dyntype, const double* gainprm,
                                    const double* dynprm) {
  int is_motor = dyntype == mjDYN_DCMOTOR;
  switch (slot) {
    case SLOT_SLEW:
      return is_motor ? dynprm[MOTOR_SLEW] : dynprm[PID_SLEW];
    case SLOT_INTEGRAL:
      return is_motor ? gainprm[MOTOR_KI] : gainprm[PID_INTEGRAL_GAIN];
    case SLOT_TEMPERATURE:
      return is_motor ? dynprm[MOTOR_THERMAL_RESISTANCE] : 0;
    case SLOT_BRISTLE:
      return is_motor ? dynprm[MOTOR_BRISTLE_STIFFNESS] : 0;
    default:
      return is_motor ? dynprm[MOTOR_TIMECONST] : 0;
  }
}

// Number of activations, if the author gives none (actdim -1).
static inline int activation_count(int gaintype, int dyntype, const double* gainprm,
                                   const double* dynprm) {
  int count = 0;
  if (dyntype != mjDYN_PID && dyntype != mjDYN_DCMOTOR) {
    return dyntype == mjDYN_NONE ? 0 : output_count(gaintype);
  }
  for (int slot = 0; slot < SLOTS_DCMOTOR; slot++) {
    count += slot_parameter(slot, dyntype, gainprm, dynprm) > 0;
  }
  return count;
}
