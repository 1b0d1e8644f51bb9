// orientation.c: a spring and damper between an orientation and its target.
//
//   e = log(q^-1 q_target)        torque = kp e - kv v        q = exp(length)
//
// e is the shortest rotation to the target, in axes of the child; length and velocity are those of
// the three rows of the transmission.                theory/smooth/actuation.md, Orientations

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "smooth/drive/laws.h"

static const mjtNum ANGLE_MIN = (mjtNum)1e-15;

static void quat_of_turn(mjtNum quat[4], const mjtNum turn[3]) {
  mjtNum angle = v3_norm(turn), axis[3] = {1, 0, 0};
  if (angle < ANGLE_MIN) {
    angle = 0;
  } else {
    v3_scl(axis, turn, 1 / angle);
  }
  mju_axisAngle2Quat(quat, axis, angle);
}

void orientation_rates(const mjModel* m, mjData* d, int i, const mjtNum* u) {
  if (m->actuator_dyntype[i] == mjDYN_INTEGRATOR) {
    v3_copy(d->act_dot + m->actuator_actadr[i], u);
  }
}

// The target: the control, or the present or next activation of an integrator.
static void target_quat(mjtNum quat[4], const mjModel* m, const mjData* d, int i, const mjtNum* u) {
  mjtNum turn[3];
  if (m->actuator_ctrlnum[i] == 4) {
    q_unit(quat, u);
    return;
  }
  v3_copy(turn, u);
  if (m->actuator_dyntype[i] == mjDYN_INTEGRATOR) {
    int adr = m->actuator_actadr[i];
    v3_copy(turn, d->act + adr);
    if (m->actuator_actearly[i]) {
      v3_addtoscl(turn, d->act_dot + adr, m->opt.timestep);
    }
  }
  quat_of_turn(quat, turn);
}

void orientation_forces(mjtNum force[3], const mjModel* m, const mjData* d, int i,
                        const mjtNum* u) {
  int out = m->actuator_outadr[i];
  const mjtNum* bias = m->actuator_biasprm + mjNBIAS * i;
  mjtNum kp = m->actuator_gainprm[mjNGAIN * i], now[4], to[4], error[3];
  quat_of_turn(now, d->actuator_length + out);
  target_quat(to, m, d, i, u);
  mju_subQuat(error, to, now);
  for (int k = 0; k < 3; k++) {
    force[k] = kp * error[k] + bias[0] + bias[2] * d->actuator_velocity[out + k];
  }
}

void orientation_clamp(mjtNum force[3], mjtNum most) {
  mjtNum size = v3_norm(force);
  if (size > most) {
    v3_scl(force, force, most / size);
  }
}

void orientation_wrap(mjtNum turn[3]) {
  mjtNum angle = v3_norm(turn);
  if (angle > mjPI) {
    mjtNum turns = mju_floor(angle / (2 * mjPI) + (mjtNum)0.5);
    v3_scl(turn, turn, (angle - 2 * mjPI * turns) / angle);
  }
}
