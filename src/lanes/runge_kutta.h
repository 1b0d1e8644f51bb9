// runge_kutta.h: four evaluations of a step, and their mean.
//                                                           theory/time/integration.md, Runge-Kutta
//
// What is computed in a step is afterwards that of the last evaluation, as in the scalar engine.

#pragma once

#include "lanes/forward.h"
#include "lanes/integrate.h"

// Adds the rates of an evaluation to their mean.
INLINE void rates_add(Work* w, Real weight) {
  const mjModel* m = w->m;
  for (int i = 0; i < m->nv; i++) {
    w->mean_qvel[i] = real_muladd(weight, w->qvel[i], w->mean_qvel[i]);
    w->mean_acc[i] = real_muladd(weight, w->acc[i], w->mean_acc[i]);
  }
  for (int i = 0; m->na && i < m->nu; i++) {
    w->mean_act_dot[i] = real_muladd(weight, w->act_dot[i], w->mean_act_dot[i]);
  }
}

// The state of the next evaluation: from the start over a part of the step, with the rates of the
// one before.
static void stage_state(Work* w, Real h) {
  const mjModel* m = w->m;
  copy_reals(w->qpos, w->start_qpos, m->nq);
  advance_positions(w, w->qvel, h);
  for (int i = 0; i < m->nv; i++) {
    // Newton's method starts nearer than the scalar engine's, and ends at the same minimum
    w->warm[i] = w->is_dual || w->is_short ? w->warm[i] : w->acc[i];
    w->qvel[i] = real_muladd(h, w->acc[i], w->start_qvel[i]);
  }
  for (int k = 0; m->na && k < w->s->nactuator; k++) {
    int i = w->s->actuator[k].id, act = w->s->actuator[k].act;
    if (act >= 0) {
      w->act[act] = real_muladd(h, w->act_dot[i], w->start_act[act]);
    }
  }
}

// After the first evaluation: the other three, and the step with the mean of all.
// Also mj_RungeKutta in step/runge_kutta.c.
static void lane_runge_kutta(Work* w) {
  static const Num NODE[4] = {0, (Num)0.5, (Num)0.5, 1}, WEIGHT[4] = {1, 2, 2, 1};
  const mjModel* m = w->m;
  Real h = real_constant(w->constants.option->timestep);
  clear_reals(w->mean_qvel, m->nv);
  clear_reals(w->mean_acc, m->nv);
  clear_reals(w->mean_act_dot, m->nu);
  copy_reals(w->start_qpos, w->qpos, m->nq);
  copy_reals(w->start_qvel, w->qvel, m->nv);
  copy_reals(w->start_act, w->act, m->na);
  rates_add(w, lane_real_of(WEIGHT[0] / 6));
  for (int stage = 1; stage < 4; stage++) {
    stage_state(w, h * NODE[stage]);
    forward(w);
    rates_add(w, lane_real_of(WEIGHT[stage] / 6));
  }
  copy_reals(w->qpos, w->start_qpos, m->nq);
  copy_reals(w->qvel, w->start_qvel, m->nv);
  copy_reals(w->act, w->start_act, m->na);
  lane_advance(w, w->mean_acc, w->mean_act_dot, w->mean_qvel);
}
