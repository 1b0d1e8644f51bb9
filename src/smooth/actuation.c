// Actuators, from controls to forces.                theory/smooth/actuation.md, Order of actuation
//
//   act_dot = f(u, act)        force = gain(length, velocity) * (u or act) + bias(length, velocity)
//
// Forces are clamped in this order: total force on a tendon, force of each actuator, total force on
// a joint.

#pragma STDC FP_CONTRACT OFF  // what cancels must be exactly zero, or sparse rows get more entries

#include "smooth/actuation.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/actuator.h"
#include "base/algebra/elementary.h"
#include "base/algebra/sparse_row.h"
#include "base/algebra/vec.h"
#include "base/transmission.h"
#include "base/turn.h"
#include "model/behaviour.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "model/data/history.h"
#include "model/plugin.h"
#include "model/timer.h"
#include "smooth/drive/drive.h"
#include "smooth/drive/laws.h"
#include "smooth/passive.h"

int actuator_is_disabled(const mjModel* m, int actuator) {
  int group = m->actuator_group[actuator];
  return group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group));
}

// the activation variable that built-in dynamics and force use; those before it belong to plugins
// and callbacks
static inline int last_activation(const mjModel* m, int i) {
  return m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
}

// Exact filters are integrated for a constant input:
//
//   act + act_dot tau (1 - exp(-h / tau))
mjtNum actuator_next_activation(const mjModel* m, const mjData* d, int i, int j, mjtNum act_dot) {
  mjtNum h = m->opt.timestep, act = d->act[j];
  if (m->actuator_dyntype[i] == mjDYN_DCMOTOR) {
    return motor_next_activation(m, d, i, j, act_dot);
  }
  if (m->actuator_dyntype[i] == mjDYN_FILTEREXACT) {
    mjtNum tau = num_max(mjMINVAL, m->actuator_dynprm[mjNDYN * i]);
    act += act_dot * tau * (1 - num_exp(-h / tau));
  } else {
    act += act_dot * h;
  }
  if (m->actuator_actlimited[i]) {
    act = num_clamp(act, m->actuator_actrange[2 * i], m->actuator_actrange[2 * i + 1]);
  }
  return act;
}

// controls

// written so that a NaN is bad, too
static inline int is_bad(mjtNum control) {
  return !(mju_abs(control) <= mjMAXVAL);
}

static mjtNum clamped(const mjModel* m, int control, mjtNum value) {
  const mjtNum* range = m->actuator_ctrlrange + 2 * control;
  return m->actuator_ctrllimited[control] ? num_clamp(value, range[0], range[1]) : value;
}

// Copies the controls, past ones of actuators with a delay.
static void take_controls(mjtNum* ctrl, const mjModel* m, const mjData* d) {
  if (!m->nhistory) {
    mju_copy(ctrl, d->ctrl, m->nu);
    return;
  }
  for (int i = 0; i < (int)m->nactuator; i++) {
    history_controls(ctrl + m->actuator_ctrladr[i], m, d, i);
  }
}

int actuation_controls(mjtNum* ctrl, const mjModel* m, const mjData* d) {
  int nu = m->nu, clamp = !(m->opt.disableflags & mjDSBL_CLAMPCTRL), bad = 0, first = 0;
  take_controls(ctrl, m, d);
  for (int i = 0; i < nu; i++) {
    ctrl[i] = clamp ? clamped(m, i, ctrl[i]) : ctrl[i];
    bad |= is_bad(ctrl[i]);
  }
  if (!bad) {
    return -1;
  }
  while (!is_bad(ctrl[first])) {
    first++;
  }
  memset(ctrl, 0, nu * sizeof(mjtNum));
  return first;
}

// activation dynamics

// act_dot = u (integrator), (u - w) / tau (filters), (u - w) / tau(u, w) (muscle)
// Also in lanes/dynamics/forces.h, lanes/setup/lever_constants.c and derivative/smooth/actuators.c.
static void activation_rate(const mjModel* m, mjData* d, int i, const mjtNum* ctrl, mjfAct user) {
  const mjtNum* prm = m->actuator_dynprm + mjNDYN * i;
  int num = m->actuator_actnum[i], last = last_activation(m, i);
  mjtNum* rate = d->act_dot + last;
  memset(d->act_dot + m->actuator_actadr[i], 0, num * sizeof(mjtNum));
  if (gain_has_law(m->actuator_gaintype[i])) {
    law_rates(m, d, i, ctrl);
    return;
  }

  mjtNum u = *ctrl;
  switch (m->actuator_dyntype[i]) {
    case mjDYN_INTEGRATOR:
      *rate = u;
      break;
    case mjDYN_FILTER:
    case mjDYN_FILTEREXACT:
      *rate = (u - d->act[last]) / num_max(mjMINVAL, prm[0]);
      break;
    case mjDYN_MUSCLE:
      *rate = mju_muscleDynamics(u, d->act[last], prm);
      break;
    default:
      // with several variables the callback writes act_dot itself
      if (user) {
        mjtNum value = user(m, d, i);
        if (num == 1) {
          *rate = value;
        }
      }
      break;
  }
}

// forces

// the gain, if it is not constant
static mjtNum actuator_gain(const mjModel* m, const mjData* d, int i, mjfAct user) {
  const mjtNum* prm = m->actuator_gainprm + mjNGAIN * i;
  int out = m->actuator_outadr[i];
  mjtNum length = d->actuator_length[out], velocity = d->actuator_velocity[out];
  switch (m->actuator_gaintype[i]) {
    case mjGAIN_AFFINE:
      return actuator_affine(prm, length, velocity);
    case mjGAIN_MUSCLE:
      return mju_muscleGain(length, velocity, m->actuator_lengthrange + 2 * out,
                            m->actuator_acc0[out], prm);
    default:
      return user ? user(m, d, i) : 1;
  }
}

// the bias of the types that actuator_forces has no formula for
static mjtNum actuator_bias(const mjModel* m, const mjData* d, int i, mjfAct user) {
  if (m->actuator_biastype[i] == mjBIAS_MUSCLE) {
    int out = m->actuator_outadr[i];
    return mju_muscleBias(d->actuator_length[out], m->actuator_lengthrange + 2 * out,
                          m->actuator_acc0[out], m->actuator_biasprm + mjNBIAS * i);
  }
  return user ? user(m, d, i) : 0;
}

// the factor of the gain: the control or, for actuators with activation, the present or next
// activation
static mjtNum actuator_input(const mjModel* m, const mjData* d, int i, mjtNum u) {
  if (m->actuator_actadr[i] < 0) {
    return u;
  }
  int last = last_activation(m, i);
  return m->actuator_actearly[i] ? actuator_next_activation(m, d, i, last, d->act_dot[last])
                                 : d->act[last];
}

// The factor of a servo's gain, from the nearest of its targets that are whole turns apart.
static mjtNum nearest_input(const mjModel* m, const mjData* d, int i, mjtNum input) {
  mjtNum turn = servo_turn(m, i), length = d->actuator_length[m->actuator_outadr[i]];
  return turn > 0 ? length + turn_nearest(input - length, turn) : input;
}

// gain * input + bias; the most common kinds are computed here without a call
// Also in lanes/dynamics/forces.h, lanes/integrate.h, derivative/smooth/actuators.c,
// smooth/slopes.c, derivative/smooth/second_order.c and lint/stiffness.c.
static void actuator_forces(const mjModel* m, mjData* d, const mjtNum* ctrl, mjfAct user_gain,
                            mjfAct user_bias) {
  int na = m->na, disabled = m->opt.disableactuator, asleep = awake_some_sleep(m, d);
  int turns = behaves(m, cndBEHAVIOUR_servowrap);
  for (int i = 0, n = (int)m->nactuator; i < n; i++) {
    if (m->actuator_plugin[i] >= 0 || (disabled && actuator_is_disabled(m, i)) ||
        (asleep && actuator_sleeps(m, d, i))) {
      continue;
    }
    int out = m->actuator_outadr[i];
    const mjtNum* u = ctrl + m->actuator_ctrladr[i];
    if (gain_has_law(m->actuator_gaintype[i])) {
      law_forces(d->actuator_force + out, m, d, i, u);
      continue;
    }
    mjtNum input = na ? actuator_input(m, d, i, *u) : *u;
    input = turns ? nearest_input(m, d, i, input) : input;
    mjtNum gain = m->actuator_gaintype[i] == mjGAIN_FIXED ? m->actuator_gainprm[mjNGAIN * i]
                                                          : actuator_gain(m, d, i, user_gain);
    mjtNum force = gain * input;
    if (m->actuator_biastype[i] == mjBIAS_AFFINE) {
      force += actuator_affine(m->actuator_biasprm + mjNBIAS * i, d->actuator_length[out],
                               d->actuator_velocity[out]);
    } else if (m->actuator_biastype[i] != mjBIAS_NONE) {
      force += actuator_bias(m, d, i, user_bias);
    }
    d->actuator_force[out] = force;
  }
}

// clamps

// whether some enabled built-in actuator drives a limited tendon
static int tendon_is_limited(const mjModel* m) {
  int limited = 0;
  for (int t = 0; t < m->ntendon; t++) {
    limited |= m->tendon_actfrclimited[t];
  }
  for (int i = 0; limited && i < (int)m->nactuator; i++) {
    int tendon = actuator_tendon(m, i);
    if (tendon >= 0 && m->actuator_plugin[i] < 0 && !actuator_is_disabled(m, i) &&
        m->tendon_actfrclimited[tendon]) {
      return 1;
    }
  }
  return 0;
}

// Scales the forces of all actuators of a tendon so that their sum is in its range.
// Also lane_clamp_tendons in lanes/dynamics/forces.h.
static void clamp_tendons(const mjModel* m, mjData* d) {
  if (!tendon_is_limited(m)) {
    return;
  }

  size_t top = arena_top(d);
  mjtNum* scale = arena_num(d, m->ntendon);
  memset(scale, 0, m->ntendon * sizeof(mjtNum));
  for (int i = 0; i < (int)m->nactuator; i++) {
    int tendon = actuator_tendon(m, i);
    if (tendon >= 0) {
      scale[tendon] += d->actuator_force[m->actuator_outadr[i]];
    }
  }
  for (int t = 0; t < m->ntendon; t++) {
    mjtNum total = scale[t];
    const mjtNum* range = m->tendon_actfrcrange + 2 * t;
    scale[t] = 1;
    if (m->tendon_actfrclimited[t] && total != 0) {
      if (total < range[0]) {
        scale[t] = range[0] / total;
      } else if (total > range[1]) {
        scale[t] = range[1] / total;
      }
    }
  }
  for (int i = 0; i < (int)m->nactuator; i++) {
    int tendon = actuator_tendon(m, i);
    if (tendon >= 0) {
      d->actuator_force[m->actuator_outadr[i]] *= scale[tendon];
    }
  }
  arena_pop(d, top);
}

// adds the gravity compensation of a joint's actuators, which counts for the clamp of the joint's
// force
static void add_gravcomp(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nv; i++) {
    if (m->jnt_actgravcomp[m->dof_jntid[i]]) {
      d->qfrc_actuator[i] += d->qfrc_gravcomp[i];
    }
  }
}

static void clamp_joints(const mjModel* m, mjData* d) {
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_actfrclimited[j]) {
      mjtNum* force = d->qfrc_actuator + m->jnt_dofadr[j];
      *force = num_clamp(*force, m->jnt_actfrcrange[2 * j], m->jnt_actfrcrange[2 * j + 1]);
    }
  }
}

// Clamps each force to its range. What is friction in a motor comes after that.
static void clamp_forces(const mjModel* m, mjData* d) {
  for (int i = 0, n = (int)m->nactuator; i < n; i++) {
    mjtNum* force = d->actuator_force + m->actuator_outadr[i];
    const mjtNum* range = m->actuator_forcerange + 2 * i;
    int gain = m->actuator_gaintype[i];
    if (m->actuator_forcelimited[i]) {
      if (gain == mjGAIN_SO3) {
        orientation_clamp(force, range[1]);
      } else {
        *force = num_clamp(*force, range[0], range[1]);
      }
    }
    if (gain == mjGAIN_DCMOTOR && !actuator_is_disabled(m, i)) {
      *force += motor_friction(m, d, i);
    }
  }
}

// generalized forces of all actuators: moment' force
static void add_moments(const mjModel* m, mjData* d) {
  mjtNum* qfrc = d->qfrc_actuator;
  for (int i = 0, nout = (int)m->nout; i < nout; i++) {
    mjtNum force = d->actuator_force[i];
    int adr = d->moment_rowadr[i], n = d->moment_rownnz[i];
    if (force == 0) {
      continue;
    }
    if (n == 1) {
      qfrc[d->moment_colind[adr]] += d->actuator_moment[adr] * force;
    } else {
      row_add_to(qfrc, d->actuator_moment + adr, d->moment_colind + adr, n, force);
    }
  }
}

// qfrc_actuator = moment' p, p = gain (u or w) + bias
// Also in lanes/dynamics/forces.h and derivative/smooth/actuators.c.
void mj_fwdActuation(const mjModel* m, mjData* d) {
  check_pair(m, d);
  int n = (int)m->nactuator;
  memset(d->actuator_force, 0, (size_t)m->nout * sizeof(mjtNum));
  memset(d->qfrc_actuator, 0, m->nv * sizeof(mjtNum));
  if (!n || (m->opt.disableflags & mjDSBL_ACTUATION)) {
    return;
  }

  int asleep = awake_some_sleep(m, d);
  const mjfAct user_dyn = mjcb_act_dyn, user_gain = mjcb_act_gain, user_bias = mjcb_act_bias;
  mjtNum start = timer_start();
  size_t top = arena_top(d);
  mjtNum* ctrl = arena_num(d, m->nu);
  int bad = actuation_controls(ctrl, m, d);
  if (bad >= 0) {
    mj_warning(d, mjWARN_BADCTRL, bad);
  }
  for (int i = 0; m->na && i < n; i++) {
    if (m->actuator_actadr[i] >= 0 && !(asleep && actuator_sleeps(m, d, i))) {
      activation_rate(m, d, i, ctrl + m->actuator_ctrladr[i], user_dyn);
    }
  }
  if (m->nplugin) {
    plugin_actdot(m, d);
  }
  actuator_forces(m, d, ctrl, user_gain, user_bias);
  if (m->nplugin) {
    plugin_compute(m, d, mjPLUGIN_ACTUATOR);
  }
  arena_pop(d, top);

  if (m->ntendon) {
    clamp_tendons(m, d);
  }
  clamp_forces(m, d);
  add_moments(m, d);
  if (passive_has_gravcomp(m)) {
    add_gravcomp(m, d);
  }
  clamp_joints(m, d);
  timer_stop(d, mjTIMER_ACTUATION, start);
}
