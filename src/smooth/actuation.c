#include "smooth/actuation.h"

#include <string.h>

#include "base/joint.h"
#include "base/vec.h"
#include "smooth/passive.h"
#include "smooth/timer.h"

// From controls to generalized forces.                                          spec 04, section 11
//
//   act_dot = f(u, act)        force = gain(length, velocity) * (u or act) + bias(length, velocity)
//
// then the clamps, in this order: total force on a tendon, force of each
// actuator, total force on a joint.

int actuator_isDisabled(const mjModel* m, int actuator) {
  int group = m->actuator_group[actuator];
  return group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group));
}

// the variable that drives built-in dynamics and force; the ones before it belong to others
static inline int last_activation(const mjModel* m, int i) {
  return m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
}

// Filters can be integrated exactly for a constant input: act + act_dot tau (1 - exp(-h / tau)).
mjtNum actuator_nextActivation(const mjModel* m, const mjData* d, int i, int j, mjtNum act_dot) {
  mjtNum h = m->opt.timestep, act = d->act[j];
  if (m->actuator_dyntype[i] == mjDYN_FILTEREXACT) {
    mjtNum tau = num_max(mjMINVAL, m->actuator_dynprm[mjNDYN * i]);
    act += act_dot * tau * (1 - mju_exp(-h / tau));
  } else {
    act += act_dot * h;
  }
  if (m->actuator_actlimited[i]) {
    act = num_clamp(act, m->actuator_actrange[2 * i], m->actuator_actrange[2 * i + 1]);
  }
  return act;
}

// controls

// clamped copy of the controls; one bad number makes all of them zero
static void read_controls(mjtNum* ctrl, const mjModel* m, mjData* d) {
  int nu = m->nu, clamp = !(m->opt.disableflags & mjDSBL_CLAMPCTRL);
  for (int i = 0; i < nu; i++) {
    mjtNum value = d->ctrl[i];
    if (clamp && m->actuator_ctrllimited[i]) {
      value = num_clamp(value, m->actuator_ctrlrange[2 * i], m->actuator_ctrlrange[2 * i + 1]);
    }
    // written so that a NaN is bad, too
    if (!(value >= -mjMAXVAL && value <= mjMAXVAL)) {
      mj_warning(d, mjWARN_BADCTRL, i);
      memset(ctrl, 0, nu * sizeof(mjtNum));
      return;
    }
    ctrl[i] = value;
  }
}

// activation dynamics

static void activation_rate(const mjModel* m, mjData* d, int i, mjtNum u) {
  const mjtNum* prm = m->actuator_dynprm + mjNDYN * i;
  int num = m->actuator_actnum[i], last = last_activation(m, i);
  mjtNum* rate = d->act_dot + last;
  memset(d->act_dot + m->actuator_actadr[i], 0, num * sizeof(mjtNum));

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
      if (mjcb_act_dyn) {
        mjtNum value = mjcb_act_dyn(m, d, i);
        if (num == 1) {
          *rate = value;
        }
      }
      break;
  }
}

// forces

static inline mjtNum affine(const mjtNum prm[3], mjtNum length, mjtNum velocity) {
  return prm[0] + prm[1] * length + prm[2] * velocity;
}

static mjtNum actuator_gain(const mjModel* m, const mjData* d, int i) {
  const mjtNum* prm = m->actuator_gainprm + mjNGAIN * i;
  mjtNum length = d->actuator_length[i], velocity = d->actuator_velocity[i];
  switch (m->actuator_gaintype[i]) {
    case mjGAIN_FIXED:
      return prm[0];
    case mjGAIN_AFFINE:
      return affine(prm, length, velocity);
    case mjGAIN_MUSCLE:
      return mju_muscleGain(length, velocity, m->actuator_lengthrange + 2 * i, m->actuator_acc0[i],
                            prm);
    default:
      return mjcb_act_gain ? mjcb_act_gain(m, d, i) : 1;
  }
}

static mjtNum actuator_bias(const mjModel* m, const mjData* d, int i) {
  const mjtNum* prm = m->actuator_biasprm + mjNBIAS * i;
  mjtNum length = d->actuator_length[i];
  switch (m->actuator_biastype[i]) {
    case mjBIAS_NONE:
      return 0;
    case mjBIAS_AFFINE:
      return affine(prm, length, d->actuator_velocity[i]);
    case mjBIAS_MUSCLE:
      return mju_muscleBias(length, m->actuator_lengthrange + 2 * i, m->actuator_acc0[i], prm);
    default:
      return mjcb_act_bias ? mjcb_act_bias(m, d, i) : 0;
  }
}

static mjtNum actuator_force(const mjModel* m, const mjData* d, int i, mjtNum u) {
  mjtNum input = u;
  if (m->actuator_actadr[i] >= 0) {
    int last = last_activation(m, i);
    input = m->actuator_actearly[i] ? actuator_nextActivation(m, d, i, last, d->act_dot[last])
                                    : d->act[last];
  }
  return actuator_gain(m, d, i) * input + actuator_bias(m, d, i);
}

// clamps

// Scales the forces of all actuators of a tendon so that their sum is in its range. Nothing happens
// in the whole model unless some enabled built-in actuator drives a limited tendon.
static void clamp_tendons(const mjModel* m, mjData* d) {
  int needed = 0;
  for (int i = 0; i < m->nu && !needed; i++) {
    needed = m->actuator_trntype[i] == mjTRN_TENDON && m->actuator_plugin[i] < 0 &&
             !actuator_isDisabled(m, i) && m->tendon_actfrclimited[m->actuator_trnid[2 * i]];
  }
  if (!needed) {
    return;
  }

  mj_markStack(d);
  mjtNum* scale = mj_stackAllocNum(d, m->ntendon);
  memset(scale, 0, m->ntendon * sizeof(mjtNum));
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_trntype[i] == mjTRN_TENDON) {
      scale[m->actuator_trnid[2 * i]] += d->actuator_force[i];
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
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_trntype[i] == mjTRN_TENDON) {
      d->actuator_force[i] *= scale[m->actuator_trnid[2 * i]];
    }
  }
  mj_freeStack(d);
}

static void clamp_actuators(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_forcelimited[i]) {
      const mjtNum* range = m->actuator_forcerange + 2 * i;
      d->actuator_force[i] = num_clamp(d->actuator_force[i], range[0], range[1]);
    }
  }
}

// what is clamped includes the gravity compensation that the joint's actuators carry
static void clamp_joints(const mjModel* m, mjData* d) {
  int gravcomp = passive_hasGravcomp(m);
  for (int j = 0; j < m->njnt; j++) {
    int dof = m->jnt_dofadr[j];
    if (gravcomp && m->jnt_actgravcomp[j]) {
      for (int k = dof; k < dof + joint_nv(m->jnt_type[j]); k++) {
        d->qfrc_actuator[k] += d->qfrc_gravcomp[k];
      }
    }
    if (m->jnt_actfrclimited[j]) {
      const mjtNum* range = m->jnt_actfrcrange + 2 * j;
      d->qfrc_actuator[dof] = num_clamp(d->qfrc_actuator[dof], range[0], range[1]);
    }
  }
}

void mj_fwdActuation(const mjModel* m, mjData* d) {
  int nu = m->nu;
  memset(d->actuator_force, 0, nu * sizeof(mjtNum));
  memset(d->qfrc_actuator, 0, m->nv * sizeof(mjtNum));
  if (!nu || (m->opt.disableflags & mjDSBL_ACTUATION)) {
    return;
  }

  mjtNum start = timer_start();
  mj_markStack(d);
  mjtNum* ctrl = mj_stackAllocNum(d, nu);
  read_controls(ctrl, m, d);
  for (int i = 0; m->na && i < nu; i++) {
    if (m->actuator_actadr[i] >= 0) {
      activation_rate(m, d, i, ctrl[i]);
    }
  }
  for (int i = 0; i < nu; i++) {
    if (m->actuator_plugin[i] < 0 && !actuator_isDisabled(m, i)) {
      d->actuator_force[i] = actuator_force(m, d, i, ctrl[i]);
    }
  }
  mj_freeStack(d);

  if (m->ntendon) {
    clamp_tendons(m, d);
  }
  clamp_actuators(m, d);

  // moment' force
  for (int i = 0; i < nu; i++) {
    mjtNum force = d->actuator_force[i];
    if (force != 0) {
      int end = d->moment_rowadr[i] + d->moment_rownnz[i];
      for (int k = d->moment_rowadr[i]; k < end; k++) {
        d->qfrc_actuator[d->moment_colind[k]] += d->actuator_moment[k] * force;
      }
    }
  }
  clamp_joints(m, d);
  timer_stop(d, mjTIMER_ACTUATION, start);
}
