// law.c: checks of actuators that have a law of their own: controllers (pid), orientations (so3),
// motors (dcmotor). What their elements can't say, general actuators and programs may.
//                                                    theory/smooth/actuation.md, Several inputs

#include "base/actuator.h"
#include "compile/context.h"
#include "compile/mechanism/mechanism.h"
#include "spec/key.h"

static void check_pid(Compile* c, const SpecObject* object) {
  const mjsActuator* a = &object->as.actuator;
  int spec = a->ctrlspec ? a->ctrlspec : input_default(mjGAIN_PID);
  if (a->biastype != mjBIAS_AFFINE) {
    compile_error(c, object, "a pid requires biastype 'affine'");
  } else if (a->dyntype != mjDYN_NONE && a->dyntype != mjDYN_PID) {
    compile_error(c, object, "a pid requires dyntype 'none' or 'pid'");
  } else if (a->dyntype == mjDYN_NONE && a->gainprm[PID_INTEGRAL_GAIN] != 0) {
    compile_error(c, object, "the integral gain of a pid, gainprm[0] = %g, requires dyntype 'pid'",
                  a->gainprm[PID_INTEGRAL_GAIN]);
  } else if (spec & ~CONTROLLER_INPUTS) {
    compile_error(c, object, "inputs of a pid are some of pos, vel, ff");
  } else if (a->dyntype == mjDYN_PID && !(spec & mjINPUT_POS)) {
    compile_error(c, object, "integral and slew rate of a pid require the input pos");
  } else if (a->trntype == mjTRN_BODY) {
    compile_error(c, object, "a pid can't drive a body");
  }
}

static void check_orientation(Compile* c, const SpecObject* object, const int trnid[2]) {
  const mjsActuator* a = &object->as.actuator;
  if (a->biastype != mjBIAS_SO3) {
    compile_error(c, object, "gaintype and biastype must both be 'so3'");
  } else if (a->trntype != mjTRN_JOINT && a->trntype != mjTRN_SITE) {
    compile_error(c, object, "an orientation is that of a ball joint or a site");
  } else if (a->trntype == mjTRN_JOINT && trnid[0] >= 0 && c->m->jnt_type[trnid[0]] != mjJNT_BALL) {
    compile_error(c, object, "joint '%s' has no orientation, it must be a ball joint",
                  string_text(a->target));
  } else if (a->trntype == mjTRN_SITE && string_empty(a->refsite)) {
    compile_error(c, object, "the orientation of a site requires a refsite");
  } else if (a->dyntype != mjDYN_NONE && a->dyntype != mjDYN_INTEGRATOR) {
    compile_error(c, object, "an orientation requires dyntype 'none' or 'integrator'");
  } else if (a->ctrlspec < 0 || a->ctrlspec > mjCHART_QUAT) {
    compile_error(c, object, "the input of an orientation is expmap or quat");
  } else if (a->ctrlspec == mjCHART_QUAT && a->dyntype != mjDYN_NONE) {
    compile_error(c, object, "input quat requires dyntype 'none'");
  } else if (a->gainprm[0] != -a->biasprm[1]) {
    compile_error(c, object, "an orientation requires gainprm[0] = -biasprm[1], they are %g and %g",
                  a->gainprm[0], a->biasprm[1]);
  } else if (a->forcerange[0] != 0) {
    compile_error(
        c, object,
        "forcerange bounds the length of the torque, its first number must be 0: it is %g",
        a->forcerange[0]);
  }
}

static void check_motor_inputs(Compile* c, const SpecObject* object, int spec) {
  const mjsActuator* a = &object->as.actuator;
  const double* gain = a->gainprm;
  int all = CONTROLLER_INPUTS | mjINPUT_VOLTAGE;
  if (spec != mjINPUT_NONE && (spec & ~all)) {
    compile_error(c, object, "inputs of a motor are none, or some of pos, vel, ff, voltage");
  } else if ((gain[MOTOR_KP] != 0 || gain[MOTOR_KI] != 0 || gain[MOTOR_KD] != 0) &&
             !(spec & CONTROLLER_INPUTS)) {
    compile_error(c, object, "gains of a controller require an input pos, vel or ff");
  } else if (gain[MOTOR_KI] > 0 && !(spec & mjINPUT_POS)) {
    compile_error(c, object, "the integral gain of a controller requires the input pos");
  } else if (a->dynprm[MOTOR_SLEW] > 0 && !(spec & CONTROLLER_INPUTS)) {
    compile_error(c, object, "the slew rate of a controller requires an input pos, vel or ff");
  } else if ((spec & CONTROLLER_INPUTS) && !(gain[MOTOR_CONSTANT] > 0)) {
    compile_error(c, object, "a controller requires a positive motor constant");
  }
}

static void check_motor(Compile* c, const SpecObject* object) {
  const mjsActuator* a = &object->as.actuator;
  if (a->gaintype != mjGAIN_DCMOTOR || a->dyntype != mjDYN_DCMOTOR) {
    compile_error(c, object, "dyntype, gaintype and biastype must all be 'dcmotor'");
  } else if (a->biastype != mjBIAS_DCMOTOR && a->biastype != mjBIAS_NONE) {
    compile_error(c, object, "a motor requires biastype 'dcmotor' or 'none'");
  } else if (a->trntype == mjTRN_BODY) {
    compile_error(c, object, "a motor can't drive a body");
  } else if (!a->actearly) {
    compile_error(c, object, "actearly can't be false in a motor");
  } else if (a->actlimited == mjLIMITED_TRUE || a->actrange[0] != 0 || a->actrange[1] != 0) {
    compile_error(c, object, "a motor has no actrange");
  } else if (!(a->gainprm[MOTOR_RESISTANCE] > 0)) {
    compile_error(c, object, "the resistance of a motor must be positive, it is %g",
                  a->gainprm[MOTOR_RESISTANCE]);
  } else if (a->dynprm[MOTOR_THERMAL_RESISTANCE] > 0 &&
             !(a->dynprm[MOTOR_THERMAL_CAPACITANCE] > 0)) {
    compile_error(c, object, "the thermal capacitance of a motor must be positive, it is %g",
                  a->dynprm[MOTOR_THERMAL_CAPACITANCE]);
  } else {
    check_motor_inputs(c, object, a->ctrlspec ? a->ctrlspec : input_default(mjGAIN_DCMOTOR));
  }
}

// A label of the control of other gains.
static void check_label(Compile* c, const SpecObject* object) {
  const mjsActuator* a = &object->as.actuator;
  int spec = a->ctrlspec;
  if (spec && a->gaintype != mjGAIN_FIXED && a->gaintype != mjGAIN_AFFINE) {
    compile_error(c, object, "input is not available for gains of muscles and programs");
  } else if (spec && spec != mjINPUT_POS && spec != mjINPUT_VEL && spec != mjINPUT_PRESSURE) {
    compile_error(c, object, "fixed and affine gains have one input, pos, vel or pressure");
  } else if (a->dyntype == mjDYN_PID) {
    compile_error(c, object, "dyntype 'pid' requires gaintype 'pid'");
  } else if (a->biastype == mjBIAS_SO3) {
    compile_error(c, object, "gaintype and biastype must both be 'so3'");
  }
}

void compile_law(Compile* c, const SpecObject* object, const int trnid[2]) {
  const mjsActuator* a = &object->as.actuator;
  int own = activation_count((int)a->gaintype, (int)a->dyntype, a->gainprm, a->dynprm);
  int has_states = a->dyntype != mjDYN_NONE;
  if (a->gaintype == mjGAIN_PID) {
    check_pid(c, object);
  } else if (a->gaintype == mjGAIN_SO3) {
    check_orientation(c, object, trnid);
  } else if (a->gaintype == mjGAIN_DCMOTOR || a->biastype == mjBIAS_DCMOTOR ||
             a->dyntype == mjDYN_DCMOTOR) {
    check_motor(c, object);
  } else {
    check_label(c, object);
    return;
  }
  if (a->plugin.active) {
    compile_error(c, object, "a plugin computes the force, so gaintype can't be that of a law");
  } else if (a->actdim >= 0 && a->actdim != own) {
    compile_error(c, object, "the parameters need actdim %d, it is %d", own, a->actdim);
  } else if (own == 0 && has_states && a->gaintype == mjGAIN_PID) {
    compile_error(c, object, "invalid actdim 0 in stateful actuator");
  }
}
