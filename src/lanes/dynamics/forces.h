// forces.h: springs, dampers, actuators, and the acceleration without constraints.

#pragma once

#include "base/transmission.h"
#include "lanes/dynamics/fluid.h"
#include "lanes/dynamics/levers.h"
#include "lanes/dynamics/motion.h"
#include "lanes/dynamics/muscle.h"
#include "lanes/dynamics/panels.h"
#include "lanes/work.h"

// What of a sum of forces is rounding, beside its size.
static const Num SUM_SLACK = LANES_SINGLE ? (Num)1e-6 : (Num)1e-12;

// The rotation vector of the quaternion q relative to rest.
//                                                theory/smooth/kinematics.md, Quaternion difference
// Also mj_differentiatePos in smooth/support.c.
INLINE Real3 turn_from(const Real* q, const Constant* rest) {
  return r4_turns(r4_mul(r4_conjugate(r4_of(rest)), r4_unit(q)));
}

// Springs and dampers of tendons.                                 theory/smooth/passive.md, Springs
// Also tendon_forces in smooth/passive.c.
static void lane_tendon_forces(Work* w) {
  const Constants* c = &w->constants;
  for (int k = 0; k < w->s->nspring; k++) {
    const LaneActuator* spring = w->s->spring + k;
    const TendonConstants* own = c->tendon + k;
    Real length, velocity, force = REAL_ZERO;
    actuator_motion(&length, &velocity, w, spring);
    w->tendon_length[k] = length;
    w->tendon_velocity[k] = velocity;
    if (lane_is_on(w, mjDSBL_SPRING)) {
      // how far it is below or above the range in which it rests
      Real low = real_max(own->rest[0] - length, REAL_ZERO);
      Real high = real_max(length - own->rest[1], REAL_ZERO);
      force = own->stiffness * (low - high);
    }
    if (lane_is_on(w, mjDSBL_DAMPER)) {
      force = force - own->damping * velocity;
    }
    actuator_push(w->passive, w, spring, force);
  }
}

// Forces against gravity at the coms of bodies; actuators carry those of some joints.
//                                                    theory/smooth/passive.md, Gravity compensation
// Also gravity_compensation in smooth/passive.c.
static void lane_gravity_compensation(Work* w) {
  const mjModel* m = w->m;
  for (int b = 1; b < m->nbody; b++) {
    Real3 force = r3_of(w->constants.body[b].lift);
    Real3 r = r3_sub(w->xipos[b], w->com[m->body_rootid[b]]);
    w->wrench[b] = (Real6){r3_cross(r, force), force};
  }
  sum_inwards(w->wrench, m);
  for (int i = 0; i < m->nv; i++) {
    w->lift[i] = r6_dot(w->cdof[i], w->wrench[m->dof_bodyid[i]]);
    if (!m->jnt_actgravcomp[m->dof_jntid[i]]) {
      w->passive[i] += w->lift[i];
    }
  }
}

// Springs of joints and dampers of dofs, and of tendons.
//                                                        theory/smooth/passive.md, Springs, Dampers
// Also joint_springs in smooth/passive.c.
static void passive_forces(Work* w) {
  const mjModel* m = w->m;
  const Constants* c = &w->constants;
  for (int i = 0; i < m->nv; i++) {
    w->passive[i] = lane_is_on(w, mjDSBL_DAMPER) ? -(c->dof[i].damping * w->qvel[i]) : REAL_ZERO;
  }
  for (int j = 0; lane_is_on(w, mjDSBL_SPRING) && j < m->njnt; j++) {
    if (!LANES_VARIED && m->jnt_stiffness[j] == 0) {
      continue;
    }
    Real stiffness = real_constant(c->joint[j].stiffness);
    const Real* q = w->qpos + m->jnt_qposadr[j];
    const Constant* rest = c->spring + m->jnt_qposadr[j];
    Real* force = w->passive + m->jnt_dofadr[j];
    int type = m->jnt_type[j], n = joint_scalars(type);
    for (int k = 0; k < n; k++) {
      force[k] = real_mulsub(stiffness, q[k] - rest[k], force[k]);
    }
    if (joint_has_quat(type)) {
      Real3 turn = turn_from(q + n, rest + n);
      force[n] = real_mulsub(stiffness, turn.x, force[n]);
      force[n + 1] = real_mulsub(stiffness, turn.y, force[n + 1]);
      force[n + 2] = real_mulsub(stiffness, turn.z, force[n + 2]);
    }
  }
  lane_tendon_forces(w);
  if (w->flows) {
    lane_fluid_forces(w);
  }
  if (w->lifts) {
    lane_gravity_compensation(w);
  }
}

// act' of an actuator with control u.               theory/smooth/actuation.md, Activation dynamics
// Also activation_rate in smooth/actuation.c.
INLINE Real lane_activation_rate(const Constants* all, int k, const LaneActuator* actuator,
                                 int dynamics, Real u, Real act) {
  return dynamics == mjDYN_MUSCLE
             ? lane_muscle_rate(&all->muscle[actuator->muscle].dynamics, u, act)
         : dynamics == mjDYN_INTEGRATOR ? u
         : dynamics == mjDYN_NONE       ? REAL_ZERO
                                        : (u - act) * all->actuator[k].rate;
}

INLINE Real next_activation(const ActuatorConstants* c, Real act, Real rate) {
  return real_clamp(real_muladd(rate, real_constant(c->advance), act),
                    real_constant(c->activation[0]), real_constant(c->activation[1]));
}

// gain * (u or act) + bias, not clamped yet               theory/smooth/actuation.md, Gain and bias
// Also actuator_forces in smooth/actuation.c.
INLINE Real lane_actuator_force(Work* w, int k, Real u) {
  const mjModel* m = w->m;
  const LaneActuator* of = w->s->actuator + k;
  const ActuatorConstants* c = w->constants.actuator + k;
  const MuscleConstants* muscle = of->muscle < 0 ? NULL : w->constants.muscle + of->muscle;
  int i = of->id;
  Real length = w->length[i], velocity = w->velocity[i], input = u;
  Real gain = real_constant(c->gain[0]);
  if (of->act >= 0) {
    Real act = w->act[of->act];
    Real rate = lane_activation_rate(&w->constants, k, of, m->actuator_dyntype[i], u, act);
    w->act_dot[i] = rate;
    input = m->actuator_actearly[i] ? next_activation(c, act, rate) : act;
  }
  if (m->actuator_gaintype[i] == mjGAIN_AFFINE) {
    gain = gain + c->gain[1] * length + c->gain[2] * velocity;
  } else if (m->actuator_gaintype[i] == mjGAIN_MUSCLE) {
    gain = lane_muscle_gain(&muscle->gain, length, velocity);
  }
  Real force = gain * input;
  if (m->actuator_biastype[i] == mjBIAS_AFFINE) {
    force = force + (c->bias[0] + c->bias[1] * length + c->bias[2] * velocity);
  } else if (m->actuator_biastype[i] == mjBIAS_MUSCLE) {
    force = force + lane_muscle_bias(&muscle->bias, length);
  }
  return force;
}

// The sum of the forces of all actuators of a tendon.
// Also sensor_tendonactfrc in sensor/scalar.c.
INLINE Real tendon_total(const Work* w, int tendon) {
  Real total = REAL_ZERO;
  for (int i = 0; i < w->m->nu; i++) {
    if (actuator_tendon(w->m, i) == tendon) {
      total += w->force[i];
    }
  }
  return total;
}

// Scales the forces of all actuators of a tendon so that their sum is in its range.
// Also clamp_tendons in smooth/actuation.c.
static void lane_clamp_tendons(Work* w) {
  const LaneStructure* s = w->s;
  for (int t = 0; t < s->npulled; t++) {
    const Constant* range = w->constants.pull + 2 * t;
    Real total = tendon_total(w, s->pulled[t]);
    Real low = real_constant(range[0]), high = real_constant(range[1]);
    Mask some = total != REAL_ZERO, below = some & (total < low), above = some & (total > high);
    Real inverse = 1 / real_select(some, total, lane_real_of(1));
    Real scale =
        real_select(below, low * inverse, real_select(above, high * inverse, lane_real_of(1)));
    for (int i = 0; i < w->m->nu; i++) {
      if (actuator_tendon(w->m, i) == s->pulled[t]) {
        w->force[i] *= scale;
      }
    }
  }
}

// Forces of actuators, within the ranges of their tendons and their own.
static void lane_actuator_forces(Work* w) {
  const LaneStructure* s = w->s;
  const ActuatorConstants* c = w->constants.actuator;
  int actuates = w->m->nu && lane_is_on(w, mjDSBL_ACTUATION);
  for (int k = 0; k < s->nactuator; k++) {
    int i = s->actuator[k].id;
    Real length, velocity;
    actuator_motion(&length, &velocity, w, s->actuator + k);
    w->length[i] = length * c[k].gear;
    w->velocity[i] = actuates ? velocity * c[k].gear : REAL_ZERO;
    Real low = real_constant(c[k].control[0]), high = real_constant(c[k].control[1]);
    Real u = real_clamp(w->ctrl[i], low, high);
    w->force[i] = actuates ? lane_actuator_force(w, k, u) : REAL_ZERO;
  }
  if (actuates) {
    lane_clamp_tendons(w);
  }
  for (int k = 0; actuates && k < s->nactuator; k++) {
    Real* force = w->force + s->actuator[k].id;
    *force = real_clamp(*force, real_constant(c[k].force[0]), real_constant(c[k].force[1]));
  }
}

// Lanes in which a sum of forces is at an end of its range, but for rounding.
INLINE Mask force_is_at(Real x, const Constant range[2]) {
  Real low = real_constant(range[0]), high = real_constant(range[1]),
       slack = lane_real_of(SUM_SLACK);
  return (x <= low + slack * real_abs(low)) | (x >= high - slack * real_abs(high));
}

// Lanes in which more force of an actuator would be clamped away, by its tendon, joint or itself.
// Also actuator_is_saturated in smooth/slopes.c.
static Mask lane_is_saturated(const Work* w, int k) {
  const mjModel* m = w->m;
  int i = w->s->actuator[k].id, joint = actuator_joint(m, i), tendon = actuator_tendon(m, i);
  const Constant* range = w->constants.actuator[k].force;
  Mask held = (w->force[i] <= real_constant(range[0])) | (w->force[i] >= real_constant(range[1]));
  for (int t = 0; t < w->s->npulled; t++) {
    if (w->s->pulled[t] == tendon) {
      held |= force_is_at(tendon_total(w, tendon), w->constants.pull + 2 * t);
    }
  }
  if (joint >= 0 && m->jnt_actfrclimited[joint]) {
    held |= force_is_at(w->actuator[m->jnt_dofadr[joint]], w->constants.joint[joint].force);
  }
  return held;
}

// Forces of actuators on their dofs; those on a joint together stay in its range.
//                                                    theory/smooth/actuation.md, Order of actuation
// Also mj_fwdActuation in smooth/actuation.c.
static void actuation(Work* w) {
  const mjModel* m = w->m;
  int actuates = m->nu && lane_is_on(w, mjDSBL_ACTUATION);
  const Constants* c = &w->constants;
  lane_actuator_forces(w);
  clear_reals(w->actuator, m->nv);
  for (int k = 0; k < w->s->nactuator; k++) {
    const LaneActuator* actuator = w->s->actuator + k;
    actuator_push(w->actuator, w, actuator, w->force[actuator->id] * c->actuator[k].gear);
  }
  for (int i = 0; actuates && w->lifts && i < m->nv; i++) {
    if (m->jnt_actgravcomp[m->dof_jntid[i]]) {
      w->actuator[i] += w->lift[i];
    }
  }
  for (int j = 0; actuates && j < m->njnt; j++) {
    if (m->jnt_actfrclimited[j]) {
      Real* force = w->actuator + m->jnt_dofadr[j];
      *force = real_clamp(*force, real_constant(c->joint[j].force[0]),
                          real_constant(c->joint[j].force[1]));
    }
  }
}

// Applied forces on bodies, at their coms.
static void applied_wrenches(Work* w) {
  const mjModel* m = w->m;
  for (int b = 1; b < m->nbody; b++) {
    w->wrench[b] = applied_wrench(w, b);
  }
  sum_inwards(w->wrench, m);
  for (int i = 0; i < m->nv; i++) {
    w->smooth[i] += r6_dot(w->cdof[i], w->wrench[m->dof_bodyid[i]]);
  }
}

// M a0 = passive - bias + applied + actuator
// Also mj_fwdAcceleration in step/forward.c.
static void smooth_acceleration(Work* w) {
  int nv = w->m->nv;
  for (int i = 0; i < nv; i++) {
    w->smooth[i] = w->passive[i] - w->bias[i] + w->applied[i] + w->actuator[i];
  }
  if (w->pushed) {
    applied_wrenches(w);
  }
  copy_reals(w->acc_smooth, w->smooth, nv);
  pattern_copy(w->L, w->M, &w->s->M);
  lane_factor(w->L, &w->s->M);
  lane_solve(w->acc_smooth, w->L, &w->s->M);
}
