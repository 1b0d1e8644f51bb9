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

INLINE void copy_lane(Real* x, int n, unsigned to, int from) {
  const Mask lanes = mask_of(to);
  for (int i = 0; i < n; i++) {
    x[i] = real_select(lanes, lane_real_of(x[i][from]), x[i]);
  }
}

// Gives lanes that have failed the state and inputs of one that has not. Nobody reads them any
// more, but what they do costs the block time: numbers that explode touch everything and converge
// nowhere. Returns whether there is a lane that has not failed.
static int replace_failed(Work* w) {
  const mjModel* m = w->m;
  const unsigned all = (1u << LANES) - 1, failed = w->failed & all;
  if (!failed || failed == all) {
    return !failed;
  }
  int good = __builtin_ctz(~failed);
  copy_lane(w->qpos, m->nq, failed, good);
  copy_lane(w->qvel, m->nv, failed, good);
  copy_lane(w->act, m->na, failed, good);
  copy_lane(w->ctrl, m->nu, failed, good);
  copy_lane(w->warm, m->nv, failed, good);
  copy_lane(w->applied, m->nv, failed, good);
  copy_lane(w->active, m->neq, failed, good);
  copy_lane(w->mocap_pos, 3 * m->nmocap, failed, good);
  copy_lane(w->mocap_quat, 4 * m->nmocap, failed, good);
  if (w->pushed) {
    copy_lane(w->xfrc, 6 * m->nbody, failed, good);
  }
  return 1;
}

// What mj_step does in the lanes that have not failed. Where it would warn or reset a lane fails.
// senses: sensors are read.
static void lane_step(Work* w, int senses) {
  const mjModel* m = w->m;
  w->failed |= mask_bits(bad_numbers(w->qpos, m->nq) | bad_numbers(w->qvel, m->nv) |
                         bad_numbers(w->ctrl, m->nu) | bad_numbers(w->warm, m->nv));
  if (!replace_failed(w)) {
    return;
  }
  w->count.steps += LANES;
  forward(w);
  w->failed |= mask_bits(bad_numbers(w->acc, m->nv));
  if (senses) {
    lane_sense(w);
  }
  if (w->m->opt.integrator == mjINT_RK4) {
    lane_runge_kutta(w);
  } else {
    lane_advance(w, implicit_acceleration(w), w->act_dot, w->qvel);
  }
}
