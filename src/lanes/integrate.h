// integrate.h: from accelerations to the next state.            theory/time/integration.md, Advance
//
// Lanes that have failed keep whatever they get: their worlds are stepped by the scalar engine from
// the rows of the batch, which these lanes don't write.

#pragma once

#include "lanes/dynamics/forces.h"
#include "lanes/dynamics/implicit.h"
#include "lanes/work.h"
#include "model/options.h"

// What the gain of an actuator is multiplied by.
// Also input_of in smooth/slopes.c.
INLINE Real implicit_input(const Work* w, int k) {
  const LaneActuator* of = w->s->actuator + k;
  if (of->act < 0) {
    const Constant* range = w->constants.actuator[k].control;
    Real u = w->ctrl[of->id];
    int clamps = behaves(w->m, cndBEHAVIOUR_actclamp);
    return clamps ? real_clamp(u, real_constant(range[0]), real_constant(range[1])) : u;
  }
  Real act = w->act[of->act];
  int early = w->m->actuator_actearly[of->id] && behaves(w->m, cndBEHAVIOUR_actearly);
  return early ? next_activation(w->constants.actuator + k, act, w->act_dot[of->id]) : act;
}

// Derivatives by velocity of actuators, and dampers of tendons, times -h. Of actuators they are
// actuator_bias_by_velocity and actuator_gain_by_velocity (smooth/actuation.h) for lanes.
// full: at the entries of all ancestors.
// Also in smooth/actuation.c, smooth/passive.c and step/derivative.c.
static void implicit_lengths(Work* w, Real h, int full) {
  const mjModel* m = w->m;
  const Constants* c = &w->constants;
  for (int k = 0; lane_is_on(w, mjDSBL_ACTUATION) && k < w->s->nactuator; k++) {
    const LaneActuator* of = w->s->actuator + k;
    const ActuatorConstants* own = c->actuator + k;
    Real slope = real_constant(own->bias[2]);
    Real input = implicit_input(w, k);
    if (m->actuator_gaintype[of->id] == mjGAIN_AFFINE) {
      slope = real_muladd(real_constant(own->gain[2]), input, slope);
    } else if (m->actuator_gaintype[of->id] == mjGAIN_MUSCLE) {
      const MuscleCurve* gain = &c->muscle[of->muscle].gain;
      Real by_velocity = lane_muscle_gain_by_velocity(gain, w->length[of->id], w->velocity[of->id]);
      slope = real_muladd(by_velocity, input, slope);
    }
    if (behaves(m, cndBEHAVIOUR_actclamp)) {
      slope = real_where(~lane_is_saturated(w, k), slope);
    }
    actuator_outer(w->H, w, of, -(h * slope) * own->gear * own->gear, full);
  }
  for (int k = 0; lane_is_on(w, mjDSBL_DAMPER) && k < w->s->nspring; k++) {
    actuator_outer(w->H, w, w->s->spring + k, h * c->tendon[k].damping, full);
  }
}

// H = M - h dF/dv with the damping of dofs, and what else of F by a velocity is symmetric.
static void implicit_matrix(Work* w, Real h) {
  int integrator = w->m->opt.integrator, full = integrator == mjINT_IMPLICIT;
  pattern_copy(w->H, w->M, &w->s->M);
  if (full || integrator == mjINT_IMPLICITFAST) {
    implicit_lengths(w, h, full);
  }
  if (full) {
    pattern_copy(w->U, w->H, &w->s->M);
  }
  if (w->flows && (full || integrator == mjINT_IMPLICITFAST)) {
    lane_fluid_matrix(w, h, full);
  }
  for (int i = 0; i < w->m->nv && lane_is_on(w, mjDSBL_DAMPER); i++) {
    w->H[lane_row_at(i) + i] += w->constants.dof[i].damping * h;
  }
  if (full) {
    lane_bias_matrix(w, h);
  }
}

// (M - h dF/dv) a = tau0 + J' f, where -dF/dv is the damping of dofs for Euler; for implicit F is
// all smooth forces, for implicitfast all but the bias.
//                             theory/time/integration.md, Euler, Matrix of implicitfast
// Also mj_Euler in step/euler.c and implicit_matrix_full, implicit_matrix_fast in step/implicit.c.
static const Real* implicit_acceleration(Work* w) {
  const LanePattern* p = &w->s->M;
  Real h = real_constant(w->constants.option->timestep);
  int is_euler = !options_is_implicit(w->m);
  if (is_euler && !w->damps_implicitly) {
    return w->acc;
  }
  implicit_matrix(w, h);
  for (int i = 0; i < w->m->nv; i++) {
    w->search[i] = w->smooth[i] + w->constraint[i];
  }
  if (w->m->opt.integrator == mjINT_IMPLICIT) {
    lane_lu_factor(w);
    lane_lu_solve(w->search, w);
    return w->search;
  }
  lane_factor(w->H, p);
  lane_solve(w->search, w->H, p);
  Mask damped = real_constant(w->constants.option->damped) > REAL_ZERO;
  for (int i = 0; is_euler && i < w->m->nv; i++) {
    w->search[i] = real_select(damped, w->search[i], w->acc[i]);
  }
  return w->search;
}

// q exp(h v) for a velocity in the axes of the body.
//                                               theory/smooth/kinematics.md, Quaternion integration
INLINE void quat_integrate(Real* q, const Real* v, Real h) {
  Real speed = real_sqrt(real_muladd(v[2], v[2], real_muladd(v[1], v[1], v[0] * v[0])));
  Mask still = ~(speed > lane_real_of((Num)mjMINVAL));
  Real sine, cosine;
  real_sincos(&sine, &cosine, h * speed * (Num)0.5);
  Real scale = real_select(still, h * (Num)0.5, sine / real_select(still, lane_real_of(1), speed));
  Real4 turn = {cosine, v[0] * scale, v[1] * scale, v[2] * scale};
  Real4 out = r4_mul(r4_unit(q), turn);
  q[0] = out.w;
  q[1] = out.x;
  q[2] = out.y;
  q[3] = out.z;
}

// Also mj_integratePos in smooth/support.c.
static void advance_positions(Work* w, const Real* v, Real h) {
  const mjModel* m = w->m;
  for (int j = 0; j < m->njnt; j++) {
    Real* q = w->qpos + m->jnt_qposadr[j];
    const Real* own = v + m->jnt_dofadr[j];
    int type = m->jnt_type[j], n = joint_scalars(type);
    for (int k = 0; k < n; k++) {
      q[k] = real_muladd(h, own[k], q[k]);
    }
    if (joint_has_quat(type)) {
      quat_integrate(q + n, own + n, h);
    }
  }
}

static void lane_advance_activations(Work* w, const Real* act_dot) {
  const mjModel* m = w->m;
  for (int k = 0; lane_is_on(w, mjDSBL_ACTUATION) && k < w->s->nactuator; k++) {
    int i = w->s->actuator[k].id, act = w->s->actuator[k].act;
    // all but the last have no rate
    for (int j = act < 0 ? 0 : m->actuator_actadr[i]; j <= act; j++) {
      Real rate = j == act ? act_dot[i] : REAL_ZERO;
      w->act[j] = next_activation(w->constants.actuator + k, w->act[j], rate);
    }
  }
}

// v += h a, then q += h moving, which may be the new v
// Also advance in step/advance.c.
static void lane_advance(Work* w, const Real* acc, const Real* act_dot, const Real* moving) {
  Real h = real_constant(w->constants.option->timestep);
  lane_advance_activations(w, act_dot);
  for (int i = 0; i < w->m->nv; i++) {
    w->qvel[i] = real_muladd(h, acc[i], w->qvel[i]);
    w->warm[i] = w->acc[i];
  }
  advance_positions(w, moving, h);
  for (int l = 0; l < LANES; l++) {
    w->time[l] += w->steplength[l];
  }
}
