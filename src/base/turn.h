// turn.h: actuators whose length is an angle, and targets that are whole turns apart.
//
// The length of a ball joint, or of a site's orientation in the frame of another site, has a
// period: a turn of its gear. Hinges have none, because they count their turns.
//                                                    theory/smooth/actuation.md, Targets of turns

#pragma once

#include <mujoco/api/base.h>
#include <mujoco/mjmodel.h>

#include "base/algebra/vec.h"
#include "base/transmission.h"

// A turn, in units of the length of the transmission; 0 if the length is no angle.
static inline mjtNum actuator_turn(const mjModel* m, int i) {
  const mjtNum* gear = m->actuator_gear + 6 * m->actuator_outadr[i];
  int joint = actuator_joint(m, i);
  if (joint >= 0 && m->jnt_type[joint] == mjJNT_BALL) {
    return (mjtNum)(2 * mjPI) * v3_norm(gear);
  }
  int is_relative = m->actuator_trntype[i] == mjTRN_SITE && m->actuator_trnid[2 * i + 1] >= 0;
  return is_relative && v3_iszero(gear) ? (mjtNum)(2 * mjPI) * v3_norm(gear + 3) : 0;
}

// x without whole turns, as near to 0 as can be.
static inline mjtNum turn_nearest(mjtNum x, mjtNum turn) {
  if (!(turn > 0)) {
    return x;
  }
  mjtNum turns = x / turn;
  return x - turn * (turns < 0 ? mju_ceil(turns - (mjtNum)0.5) : mju_floor(turns + (mjtNum)0.5));
}

// The turn of a servo of one input, which pulls towards its control or the integral of it; 0 of all
// other actuators.
static inline mjtNum servo_turn(const mjModel* m, int i) {
  int dynamics = m->actuator_dyntype[i];
  int is_servo = m->actuator_gaintype[i] == mjGAIN_FIXED &&
                 m->actuator_biastype[i] == mjBIAS_AFFINE &&
                 (dynamics == mjDYN_NONE || dynamics == mjDYN_INTEGRATOR) &&
                 m->actuator_gainprm[mjNGAIN * i] == -m->actuator_biasprm[mjNBIAS * i + 1];
  return is_servo ? actuator_turn(m, i) : 0;
}
