// step.h: the order of a step.                         theory/time/integration.md, Stages of a step

#pragma once

#include "lanes/forward.h"
#include "lanes/integrate.h"
#include "lanes/results/sensors.h"
#include "lanes/runge_kutta.h"

// Lanes in which a number is NaN or too large.
INLINE Mask bad_numbers(const Real* x, int n) {
  const Real most = lane_real_of((Num)mjMAXVAL);
  Mask bad = mask_of(0);
  for (int i = 0; i < n; i++) {
    bad |= ~(real_abs(x[i]) <= most);
  }
  return bad;
}

// What mj_step does in the lanes that have not failed. Where it would warn or reset a lane fails.
// senses: sensors are read.
static void lane_step(Work* w, int senses) {
  const mjModel* m = w->m;
  Mask bad = bad_numbers(w->qpos, m->nq) | bad_numbers(w->qvel, m->nv) |
             bad_numbers(w->ctrl, m->nu) | bad_numbers(w->warm, m->nv);
  forward(w);
  bad |= bad_numbers(w->acc, m->nv);
  w->failed |= mask_bits(bad);
  if (senses) {
    lane_sense(w);
  }
  if (w->m->opt.integrator == mjINT_RK4) {
    lane_runge_kutta(w);
  } else {
    lane_advance(w, implicit_acceleration(w), w->act_dot, w->qvel);
  }
}
