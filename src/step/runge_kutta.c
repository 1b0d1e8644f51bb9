// Classical Runge-Kutta of order 4. Positions move on the configuration manifold: each stage
// integrates from the beginning of the step, with the velocity of the stage before, over its part
// of the step. The final state integrates the weighted mean of all velocities over the whole step.
//                                                           theory/time/integration.md, Runge-Kutta

#include "step/runge_kutta.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <mujoco/api/step.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "base/joint.h"
#include "constraint/rows/restitution.h"
#include "model/behaviour.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "sensor/sensor.h"
#include "smooth/support.h"
#include "step/advance.h"
#include "step/forward.h"

_Static_assert(LAST_STAGE == STAGES - 1, "forward.h knows the last stage");

static StageRates rates_make(const mjModel* m, mjData* d) {
  return (StageRates){arena_num(d, m->nv), arena_num(d, m->nv), arena_num(d, m->na)};
}

static void keep_rates(StageRates* out, const mjModel* m, const mjData* d) {
  mju_copy(out->qvel, d->qvel, m->nv);
  mju_copy(out->qacc, d->qacc, m->nv);
  mju_copy(out->act_dot, d->act_dot, m->na);
}

static mjtNum* stack_copy(mjData* d, const mjtNum* x, int n) {
  mjtNum* copy = arena_num(d, n);
  mju_copy(copy, x, n);
  return copy;
}

RungeKutta runge_kutta_make(const mjModel* m, mjData* d) {
  RungeKutta rk = {.time = d->time,
                   .qpos = stack_copy(d, d->qpos, m->nq),
                   .act = stack_copy(d, d->act, m->na),
                   .correction = stack_copy(d, d->cnd_correction, m->nv),
                   .mean = rates_make(m, d)};
  for (int stage = 0; stage < STAGES; stage++) {
    rk.stage[stage] = rates_make(m, d);
  }
  keep_rates(rk.stage, m, d);
  return rk;
}

void runge_kutta_place(mjData* d, const RungeKutta* rk, const mjModel* m, int stage) {
  mjtNum h = NODE[stage] * m->opt.timestep;
  mju_copy(d->qpos, rk->qpos, m->nq);
  mju_copy(d->qvel, rk->stage[0].qvel, m->nv);
  mju_copy(d->act, rk->act, m->na);
  d->time = rk->time + h;
  if (stage) {
    const StageRates* before = rk->stage + stage - 1;
    integrate_awake(m, d, before->qvel, h);
    mju_addToScl(d->qvel, before->qacc, h, m->nv);
    mju_addToScl(d->act, before->act_dot, h, m->na);
  } else {
    mju_copy(d->cnd_correction, rk->correction, m->nv);
  }
}

// theta' of a body-fixed angular velocity w where the orientation is q exp(theta), the inverse of
// the differential of exp (Munthe-Kaas, "High order Runge-Kutta methods on manifolds", 1999):
//
//   theta' = w + theta x w / 2 + c theta x (theta x w),   c = (1 - (x/2) cot(x/2)) / x^2,
//
// x = |theta|; near 0 its series 1/12 + x^2/720.
static void vector_rate(mjtNum w[3], const mjtNum theta[3]) {
  mjtNum x2 = v3_dot(theta, theta), half = mju_sqrt(x2) / 2, once[3], twice[3];
  mjtNum c = x2 < (mjtNum)1e-4 ? (mjtNum)1 / 12 + x2 / 720
                               : (1 - half * num_cos(half) / num_sin(half)) / x2;
  v3_cross(once, theta, w);
  v3_cross(twice, theta, once);
  v3_addtoscl(w, once, (mjtNum)0.5);
  v3_addtoscl(w, twice, c);
}

// Makes the angular velocities of a stage the rates of the rotation vectors from the beginning of
// the step, to which the stages' weights apply.
static void take_vector_rates(RungeKutta* rk, const mjModel* m, int stage) {
  mjtNum h = NODE[stage] * m->opt.timestep;
  for (int j = 0; j < m->njnt; j++) {
    if (joint_has_quat(m->jnt_type[j])) {
      int adr = m->jnt_dofadr[j] + joint_scalars(m->jnt_type[j]);
      mjtNum theta[3];
      v3_scl(theta, rk->stage[stage - 1].qvel + adr, h);
      vector_rate(rk->stage[stage].qvel + adr, theta);
    }
  }
}

void runge_kutta_stage(RungeKutta* rk, const mjModel* m, mjData* d, int stage) {
  runge_kutta_place(d, rk, m, stage);
  d->cnd_stage = stage;
  forward_dynamics(m, d, mjSTAGE_NONE, 1);
  d->cnd_stage = 0;
  keep_rates(rk->stage + stage, m, d);
  if (behaves(m, cndBEHAVIOUR_rkmk)) {
    take_vector_rates(rk, m, stage);
  }
}

void runge_kutta_mean(RungeKutta* rk, const mjModel* m) {
  mju_zero(rk->mean.qvel, m->nv);
  mju_zero(rk->mean.qacc, m->nv);
  mju_zero(rk->mean.act_dot, m->na);
  for (int stage = 0; stage < STAGES; stage++) {
    mju_addToScl(rk->mean.qvel, rk->stage[stage].qvel, WEIGHT[stage], m->nv);
    mju_addToScl(rk->mean.qacc, rk->stage[stage].qacc, WEIGHT[stage], m->nv);
    mju_addToScl(rk->mean.act_dot, rk->stage[stage].act_dot, WEIGHT[stage], m->na);
  }
}

// A step with an impact, which stages within the step would see only in part. Velocities follow the
// forces; positions move with the mean of old and new velocities, as if the impact were in the
// middle.
static void step_impact(const mjModel* m, mjData* d) {
  size_t top = arena_top(d);
  mjtNum* mean = arena_num(d, m->nv);
  for (int i = 0; i < m->nv; i++) {
    mean[i] = d->qvel[i] + m->opt.timestep / 2 * d->qacc[i];
  }
  advance(m, d, d->act_dot, d->qacc, mean, NULL);
  arena_pop(d, top);
}

// y + h/6 (k1 + 2 k2 + 2 k3 + k4)
// Also in lanes/runge_kutta.h, derivative/transition.c and derivative/adjoint.c.
void mj_RungeKutta(const mjModel* m, mjData* d, int N) {
  check_pair(m, d);
  if (N != STAGES) {
    mju_error("mj_RungeKutta: only order 4 is available, not %d", N);
  }
  sensor_store(m, d);  // before the stages, whose places in between nobody measures
  if (restitution_bounces(m, d)) {
    if (d->cnd_stage == FIRST_STAGE) {
      complete_frames(m, d);
    }
    step_impact(m, d);
    return;
  }
  size_t top = arena_top(d);
  RungeKutta rk = runge_kutta_make(m, d);
  PlasticPaths begin = plastic_paths(m, d);
  for (int stage = 1; stage < STAGES; stage++) {
    runge_kutta_stage(&rk, m, d, stage);
  }

  // one step from the beginning with the mean rates
  runge_kutta_mean(&rk, m);
  runge_kutta_place(d, &rk, m, 0);
  advance(m, d, rk.mean.act_dot, rk.mean.qacc, rk.mean.qvel, &begin);
  arena_pop(d, top);
}
