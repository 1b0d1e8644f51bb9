// integrate.h: from accelerations to the next state.              theory/integration.md, Advance
//
// Lanes that have failed keep whatever they get: their worlds are stepped by the scalar engine from
// the rows of the batch, which these lanes don't write.

#pragma once

#include "lanes/forces.h"
#include "lanes/work.h"

// Velocities with damping at the end of the step: (M + h B) a = tau0 + J' f.
//                                                                  theory/integration.md, Euler
static const Real* euler_acceleration(Work* w) {
  const LanePattern* p = &w->s->M;
  if (!w->constants.damps_implicitly) {
    return w->acc;
  }
  for (int k = 0; k < p->size; k++) {
    w->H[k] = w->M[k];
  }
  for (int i = 0; i < w->m->nv; i++) {
    w->H[p->diagonal[i]] += w->constants.dof[i].damping * real_constant(w->constants.timestep);
    w->search[i] = w->smooth[i] + w->constraint[i];
  }
  factor(w->H, p);
  solve(w->search, w->H, p);
  return w->search;
}

// Adds -h times the derivatives of actuators by velocity to H: -h s r r' with their moments r, at
// the entries that M has.
static void implicit_actuators(Work* w, Real h) {
  const mjModel* m = w->m;
  for (int k = 0; w->constants.actuates && k < w->s->ndrive; k++) {
    const LaneDrive* drive = w->s->drive + k;
    const DriveConstants* c = w->constants.drive + k;
    int i = drive->actuator, act = m->actuator_actadr[i];
    Real slope = real_constant(c->bias[2]);
    if (m->actuator_gaintype[i] == mjGAIN_AFFINE) {
      slope = real_muladd(real_constant(c->gain[2]), act < 0 ? w->ctrl[i] : w->act[act], slope);
    }
    for (int n = drive->entry; n < drive->entry + drive->nentry; n++) {
      const LaneEntry* e = w->s->entry + n;
      Real moments =
          real_constant(w->constants.coefficient[e->first]) * w->constants.coefficient[e->second];
      w->H[e->at] = real_mulsub(h * slope, moments, w->H[e->at]);
    }
  }
}

static void implicit_tendons(Work* w, Real h) {
  const Constants* c = &w->constants;
  for (int k = 0; c->dampers && k < w->s->nspring; k++) {
    const LaneDrive* spring = w->s->spring + k;
    for (int n = spring->entry; n < spring->entry + spring->nentry; n++) {
      const LaneEntry* e = w->s->entry + n;
      Real J = real_constant(c->coefficient[e->first]) * c->coefficient[e->second];
      w->H[e->at] = real_muladd(h * c->tendon[k].damping, J, w->H[e->at]);
    }
  }
}

// (M - h D) a = tau0 + J' f, D without the bias.
//                                            theory/integration.md, Matrix of implicitfast
static const Real* implicit_acceleration(Work* w) {
  const LanePattern* p = &w->s->M;
  Real h = real_constant(w->constants.timestep);
  for (int k = 0; k < p->size; k++) {
    w->H[k] = w->M[k];
  }
  implicit_actuators(w, h);
  implicit_tendons(w, h);
  for (int i = 0; i < w->m->nv; i++) {
    if (w->constants.dampers) {
      w->H[p->diagonal[i]] += w->constants.dof[i].damping * h;
    }
    w->search[i] = w->smooth[i] + w->constraint[i];
  }
  factor(w->H, p);
  solve(w->search, w->H, p);
  return w->search;
}

// q exp(h v) for a velocity in the axes of the body.   theory/kinematics.md, Quaternion integration
INLINE void quat_integrate(Real* q, const Real* v, Real h) {
  Real speed = real_sqrt(real_muladd(v[2], v[2], real_muladd(v[1], v[1], v[0] * v[0])));
  Mask still = ~(speed > real_of((Num)mjMINVAL));
  Real sine, cosine;
  real_sincos(&sine, &cosine, h * speed * (Num)0.5);
  Real scale = real_select(still, h * (Num)0.5, sine / real_select(still, real_of(1), speed));
  Real4 turn = {cosine, v[0] * scale, v[1] * scale, v[2] * scale};
  Real4 out = r4_mul(r4_normalize((Real4){q[0], q[1], q[2], q[3]}), turn);
  q[0] = out.w;
  q[1] = out.x;
  q[2] = out.y;
  q[3] = out.z;
}

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

static void advance_activations(Work* w, const Real* act_dot) {
  const mjModel* m = w->m;
  for (int k = 0; w->constants.actuates && k < w->s->ndrive; k++) {
    int i = w->s->drive[k].actuator, act = m->actuator_actadr[i];
    if (act >= 0) {
      w->act[act] = next_activation(w->constants.drive + k, w->act[act], act_dot[i]);
    }
  }
}

// v += h a, then q += h moving, which may be the new v
static void advance(Work* w, const Real* acc, const Real* act_dot, const Real* moving) {
  Real h = real_constant(w->constants.timestep);
  advance_activations(w, act_dot);
  for (int i = 0; i < w->m->nv; i++) {
    w->qvel[i] = real_muladd(h, acc[i], w->qvel[i]);
    w->warm[i] = w->acc[i];
  }
  advance_positions(w, moving, h);
  for (int l = 0; l < LANES; l++) {
    w->time[l] += w->steplength[l];
  }
}
