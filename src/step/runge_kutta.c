// Classical Runge-Kutta of order 4. Positions move on the configuration manifold: each stage
// starts from the state at the beginning of the step and integrates a weighted sum of earlier
// velocities over the whole step.                                theory/integration.md, Runge-Kutta

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <mujoco/api/step.h>

#include "constraint/restitution.h"
#include "model/pair.h"
#include "step/advance.h"
#include "step/runge_kutta.h"

static const mjtNum COUPLING[STAGES][STAGES] = {{0}, {0.5}, {0, 0.5}, {0, 0, 1}};

// out = sum over stages of weight_j rate_j
static void combine(mjtNum* out, const mjtNum weight[STAGES], mjtNum* const rate[STAGES], int n) {
  mju_zero(out, n);
  for (int j = 0; j < STAGES; j++) {
    if (weight[j] != 0) {
      for (int i = 0; i < n; i++) {
        out[i] += weight[j] * rate[j][i];
      }
    }
  }
}

static mjtNum* stack_copy(mjData* d, const mjtNum* x, int n) {
  mjtNum* copy = mj_stackAllocNum(d, n);
  mju_copy(copy, x, n);
  return copy;
}

// A step with an impact: stages within it would see half of the impact. Velocities follow the
// forces; positions move with the mean of old and new velocities, as if the impact were in the
// middle.
static void step_impact(const mjModel* m, mjData* d) {
  mj_markStack(d);
  mjtNum* mean = mj_stackAllocNum(d, m->nv);
  for (int i = 0; i < m->nv; i++) {
    mean[i] = d->qvel[i] + m->opt.timestep / 2 * d->qacc[i];
  }
  advance(m, d, d->act_dot, d->qacc, mean);
  mj_freeStack(d);
}

void mj_RungeKutta(const mjModel* m, mjData* d, int N) {
  check_pair(m, d);
  int nq = m->nq, nv = m->nv, na = m->na;
  mjtNum h = m->opt.timestep, time = d->time;
  if (N != STAGES) {
    mju_error("mj_RungeKutta: only order 4 is available, not %d", N);
  }
  if (restitution_bounces(m, d)) {
    step_impact(m, d);
    return;
  }
  mj_markStack(d);

  // state at the beginning, rates found by the forward pass already made there
  mjtNum* qpos = stack_copy(d, d->qpos, nq);
  mjtNum* qvel = stack_copy(d, d->qvel, nv);
  mjtNum* act = stack_copy(d, d->act, na);
  mjtNum* velocity[STAGES] = {qvel};
  mjtNum* qacc[STAGES] = {stack_copy(d, d->qacc, nv)};
  mjtNum* act_dot[STAGES] = {stack_copy(d, d->act_dot, na)};
  mjtNum* sumv = mj_stackAllocNum(d, nv);
  mjtNum* suma = mj_stackAllocNum(d, nv);
  mjtNum* sumr = mj_stackAllocNum(d, na);
  mjtNum* correction = stack_copy(d, d->cnd_correction, nv);

  for (int stage = 1; stage < STAGES; stage++) {
    combine(sumv, COUPLING[stage], velocity, nv);
    combine(suma, COUPLING[stage], qacc, nv);
    combine(sumr, COUPLING[stage], act_dot, na);
    mju_copy(d->qpos, qpos, nq);
    mj_integratePos(m, d->qpos, sumv, h);
    for (int i = 0; i < nv; i++) {
      d->qvel[i] = qvel[i] + h * suma[i];
    }
    for (int i = 0; i < na; i++) {
      d->act[i] = act[i] + h * sumr[i];
    }
    d->time = time + NODE[stage] * h;
    d->cnd_stage = stage;
    mj_forwardSkip(m, d, mjSTAGE_NONE, 1);
    d->cnd_stage = 0;
    velocity[stage] = stack_copy(d, d->qvel, nv);
    qacc[stage] = stack_copy(d, d->qacc, nv);
    act_dot[stage] = stack_copy(d, d->act_dot, na);
  }

  // one step from the beginning with the mean rates
  combine(sumv, WEIGHT, velocity, nv);
  combine(suma, WEIGHT, qacc, nv);
  combine(sumr, WEIGHT, act_dot, na);
  mju_copy(d->qpos, qpos, nq);
  mju_copy(d->qvel, qvel, nv);
  mju_copy(d->act, act, na);
  mju_copy(d->cnd_correction, correction, nv);
  d->time = time;
  advance(m, d, sumr, suma, sumv);
  mj_freeStack(d);
}
