// ilqr.c: the iterative linear-quadratic regulator.
//
// With (A, B) the derivative of a step, l its cost, V the value of what follows, and μ the
// regularization:
//
//   Qx = lx + A'Vx       Qxx = lxx + A'Vxx A       Qux = B'Vxx A
//   Qu = lu + B'Vx       Quu = luu + B'Vxx B
//
//   k = argmin k'(Quu + μ)k/2 + Qu'k   within  lower <= u + k <= upper
//   K = -(Quu + μ)⁻¹ Qux of the controls that are not at a limit there, else 0
//
//   Vx  = Qx + K'Quu k + K'Qu + Qux'k            expected change of J by a step α:
//   Vxx = Qxx + K'Quu K + K'Qux + Qux'K          α Σ k'Qu + α² Σ k'Quu k/2

#include "ilqr.h"

#include <condyle/derivative.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Regularization grows and shrinks by a factor that grows itself while the direction stays the
// same.
static const mjtNum MU_FIRST = 1e-2, MU_MIN = 1e-8, MU_MAX = 1e8, MU_FACTOR = 1.6;

static const mjtNum EPSILON = 1e-6;     // step width of differences
static const mjtNum ACCEPT = 0.05;      // least share of the expected decrease
static const mjtNum NEGLIGIBLE = 1e-5;  // relative decrease at which an iteration has converged

enum {
  HALVINGS = 8
};  // of the step of a line search

typedef struct Trajectory_ {
  mjtNum* state;  // (N + 1) x nstate
  mjtNum* ctrl;   // N x nu
  mjtNum cost;
} Trajectory;

struct Ilqr_ {
  const mjModel* m;
  mjData* d;
  const Task* task;
  int n, nstate;  // of a change of state, of a state with all that a step starts from

  Trajectory best, trial;
  mjtNum mu, factor;
  mjtNum slope_sum, curve_sum;  // Σ k'Qu, Σ k'Quu k/2

  mjtNum *A, *B;             // N x (n x n), N x (n x nu)
  mjtNum *cost_x, *cost_xx;  // (N + 1) x n, (N + 1) x (n x n)
  mjtNum *open, *feedback;   // N x nu: k, N x (nu x n): K

  // of one step
  mjtNum *residual, *slope, *weighted;
  mjtNum *Vx, *Vxx, *VxxA, *VxxB, *Qx, *Qu, *Qxx, *Qux, *Quu, *QuuK, *dx;
  mjtNum *H, *R, *lower, *upper, *column;
  int* free_index;

  void* memory;
};

// ---- memory

// Where the arrays go, and how long they are: one table for counting and for cutting the block.
static size_t carve(Ilqr* s, mjtNum* block) {
  size_t N = (size_t)s->task->horizon, n = (size_t)s->n, nu = (size_t)s->m->nu;
  size_t nr = (size_t)s->task->nresidual, ns = (size_t)s->nstate, used = 0;
  const struct {
    mjtNum** where;
    size_t size;
  } parts[] = {
      {&s->best.state, (N + 1) * ns},
      {&s->trial.state, (N + 1) * ns},
      {&s->best.ctrl, N * nu},
      {&s->trial.ctrl, N * nu},
      {&s->A, N * n * n},
      {&s->B, N * n * nu},
      {&s->cost_x, (N + 1) * n},
      {&s->cost_xx, (N + 1) * n * n},
      {&s->open, N * nu},
      {&s->feedback, N * nu * n},
      {&s->residual, nr},
      {&s->slope, nr * n},
      {&s->weighted, nr * n},
      {&s->Vx, n},
      {&s->Vxx, n * n},
      {&s->VxxA, n * n},
      {&s->VxxB, n * nu},
      {&s->Qx, n},
      {&s->Qu, nu},
      {&s->Qxx, n * n},
      {&s->Qux, nu * n},
      {&s->Quu, nu * nu},
      {&s->QuuK, nu * n},
      {&s->dx, n},
      {&s->H, nu * nu},
      {&s->R, nu * (nu + 7)},
      {&s->lower, nu},
      {&s->upper, nu},
      {&s->column, nu},
  };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    *parts[i].where = block ? block + used : NULL;
    used += parts[i].size;
  }
  return used;
}

void ilqr_free(Ilqr* s) {
  if (s) {
    free(s->memory);
    free(s->free_index);
    free(s);
  }
}

// ---- rollout

static mjtNum residual_cost(const Ilqr* s, mjData* d, const mjtNum* weights) {
  mjtNum sum = 0;
  s->task->residual(s->residual, NULL, s->task, s->m, d);
  for (int i = 0; i < s->task->nresidual; i++) {
    sum += weights[i] * s->residual[i] * s->residual[i] / 2;
  }
  return sum;
}

// Control of step t on the way that d takes: u + α k + K dx, within limits.
static void follow_policy(Ilqr* s, mjtNum* ctrl, int t, mjtNum alpha) {
  const mjModel* m = s->m;
  const mjtNum* state = s->best.state + t * s->nstate;
  const mjtNum *qpos = state + 1, *qvel = qpos + m->nq;  // of mjSTATE_FULLPHYSICS: time first
  mj_differentiatePos(m, s->dx, 1, qpos, s->d->qpos);
  mju_sub(s->dx + m->nv, s->d->qvel, qvel, m->nv);
  mju_mulMatVec(ctrl, s->feedback + t * m->nu * s->n, s->dx, m->nu, s->n);
  for (int i = 0; i < m->nu; i++) {
    ctrl[i] += s->best.ctrl[t * m->nu + i] + alpha * s->open[t * m->nu + i];
    if (m->actuator_ctrllimited[i]) {
      const mjtNum* range = m->actuator_ctrlrange + 2 * i;
      ctrl[i] = mju_clip(ctrl[i], range[0], range[1]);
    }
  }
}

// Steps from the first state of the trajectory; with follow its controls are those of the policy,
// else they stay.
static void rollout(Ilqr* s, Trajectory* path, int follow, mjtNum alpha) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  int N = s->task->horizon;
  mj_setState(m, d, path->state, mjSTATE_INTEGRATION);
  path->cost = 0;
  for (int t = 0; t < N; t++) {
    mjtNum* ctrl = path->ctrl + t * m->nu;
    mj_getState(m, d, path->state + t * s->nstate, mjSTATE_INTEGRATION);
    if (follow) {
      follow_policy(s, ctrl, t, alpha);
    }
    mj_step1(m, d);
    path->cost += residual_cost(s, d, s->task->running);
    path->cost += s->task->control * mju_dot(ctrl, ctrl, m->nu) / 2;
    mju_copy(d->ctrl, ctrl, m->nu);
    mj_step2(m, d);
  }
  mj_getState(m, d, path->state + N * s->nstate, mjSTATE_INTEGRATION);
  mj_step1(m, d);
  path->cost += residual_cost(s, d, s->task->final);
}

// ---- derivatives

// J'W r and J'W J of the state that d describes
static void cost_derivatives(Ilqr* s, mjtNum* gradient, mjtNum* hessian, const mjtNum* weights) {
  int nr = s->task->nresidual, n = s->n;
  mju_zero(s->slope, nr * n);
  s->task->residual(s->residual, s->slope, s->task, s->m, s->d);
  for (int i = 0; i < nr; i++) {
    mju_scl(s->weighted + i * n, s->slope + i * n, weights[i], n);
  }
  mju_mulMatTVec(gradient, s->weighted, s->residual, nr, n);
  mju_mulMatTMat(hessian, s->weighted, s->slope, nr, n, n);
}

static void differentiate(Ilqr* s, Derivatives derivatives) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  int N = s->task->horizon, n = s->n;
  for (int t = 0; t <= N; t++) {
    mj_setState(m, d, s->best.state + t * s->nstate, mjSTATE_INTEGRATION);
    mj_step1(m, d);
    cost_derivatives(s, s->cost_x + t * n, s->cost_xx + t * n * n,
                     t < N ? s->task->running : s->task->final);
    if (t == N) {
      break;
    }
    mjtNum *A = s->A + t * n * n, *B = s->B + t * n * m->nu;
    mju_copy(d->ctrl, s->best.ctrl + t * m->nu, m->nu);
    if (derivatives == DERIVATIVES_EXACT) {
      cnd_transitionExact(m, d, A, B, NULL, NULL);
    } else {
      mjd_transitionFD(m, d, EPSILON, derivatives == DERIVATIVES_CENTRED, A, B, NULL, NULL);
    }
  }
}

// ---- backward pass

static void action_value(Ilqr* s, int t) {
  int n = s->n, nu = s->m->nu;
  const mjtNum *A = s->A + t * n * n, *B = s->B + t * n * nu, *ctrl = s->best.ctrl + t * nu;
  mju_mulMatMat(s->VxxA, s->Vxx, A, n, n, n);
  mju_mulMatMat(s->VxxB, s->Vxx, B, n, n, nu);

  mju_mulMatTVec(s->Qx, A, s->Vx, n, n);
  mju_addTo(s->Qx, s->cost_x + t * n, n);
  mju_mulMatTMat(s->Qxx, A, s->VxxA, n, n, n);
  mju_addTo(s->Qxx, s->cost_xx + t * n * n, n * n);

  mju_mulMatTVec(s->Qu, B, s->Vx, n, nu);
  mju_addToScl(s->Qu, ctrl, s->task->control, nu);
  mju_mulMatTMat(s->Quu, B, s->VxxB, n, nu, nu);
  for (int i = 0; i < nu; i++) {
    s->Quu[i * nu + i] += s->task->control;
  }
  mju_mulMatTMat(s->Qux, B, s->VxxA, n, nu, n);
}

// k and K of step t. Returns 0 if Quu + μ is not positive definite.
static int step_policy(Ilqr* s, int t) {
  const mjModel* m = s->m;
  int n = s->n, nu = m->nu;
  mjtNum *k = s->open + t * nu, *K = s->feedback + t * nu * n;
  mju_copy(s->H, s->Quu, nu * nu);
  for (int i = 0; i < nu; i++) {
    int limited = m->actuator_ctrllimited[i];
    mjtNum u = s->best.ctrl[t * nu + i];
    s->H[i * nu + i] += s->mu;
    s->lower[i] = limited ? m->actuator_ctrlrange[2 * i] - u : -mjMAXVAL;
    s->upper[i] = limited ? m->actuator_ctrlrange[2 * i + 1] - u : mjMAXVAL;
  }
  mju_zero(k, nu);
  int nfree = mju_boxQP(k, s->R, s->free_index, s->H, s->Qu, nu, s->lower, s->upper);
  if (nfree < 0) {
    return 0;
  }
  mju_zero(K, nu * n);
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < nfree; i++) {
      s->column[i] = s->Qux[s->free_index[i] * n + j];
    }
    mju_cholSolve(s->column, s->R, s->column, nfree);
    for (int i = 0; i < nfree; i++) {
      K[s->free_index[i] * n + j] = -s->column[i];
    }
  }
  return 1;
}

static void state_value(Ilqr* s, int t) {
  int n = s->n, nu = s->m->nu;
  const mjtNum *k = s->open + t * nu, *K = s->feedback + t * nu * n;

  // Quu k + Qu, and Quu K + Qux
  mju_mulMatVec(s->column, s->Quu, k, nu, nu);
  s->slope_sum += mju_dot(k, s->Qu, nu);
  s->curve_sum += mju_dot(k, s->column, nu) / 2;
  mju_addTo(s->column, s->Qu, nu);
  mju_mulMatMat(s->QuuK, s->Quu, K, nu, nu, n);
  mju_addTo(s->QuuK, s->Qux, nu * n);

  mju_mulMatTVec(s->Vx, K, s->column, nu, n);
  mju_addTo(s->Vx, s->Qx, n);
  mju_mulMatTVec(s->dx, s->Qux, k, nu, n);
  mju_addTo(s->Vx, s->dx, n);

  mju_mulMatTMat(s->Vxx, K, s->QuuK, nu, n, n);
  mju_addTo(s->Vxx, s->Qxx, n * n);
  mju_mulMatTMat(s->VxxA, s->Qux, K, nu, n, n);
  mju_addTo(s->Vxx, s->VxxA, n * n);
  mju_symmetrize(s->Vxx, s->Vxx, n);
}

// Returns 0 if the regularization is too small.
static int backward_pass(Ilqr* s) {
  int N = s->task->horizon, n = s->n;
  s->slope_sum = s->curve_sum = 0;
  mju_copy(s->Vx, s->cost_x + N * n, n);
  mju_copy(s->Vxx, s->cost_xx + N * n * n, n * n);
  for (int t = N - 1; t >= 0; t--) {
    action_value(s, t);
    if (!step_policy(s, t)) {
      return 0;
    }
    state_value(s, t);
  }
  return 1;
}

// ---- iterations

static void regularize_more(Ilqr* s) {
  s->factor = mju_max(s->factor, 1) * MU_FACTOR;
  s->mu = mju_max(s->mu * s->factor, MU_MIN);
}

static void regularize_less(Ilqr* s) {
  s->factor = mju_min(s->factor, 1) / MU_FACTOR;
  s->mu = mju_max(s->mu * s->factor, MU_MIN);
}

// The longest step that wins a fair share of what the quadratic model expects of it. Returns what
// was won, 0: nothing.
static mjtNum line_search(Ilqr* s) {
  mju_copy(s->trial.state, s->best.state, s->nstate);
  for (int i = 0; i <= HALVINGS; i++) {
    mjtNum alpha = 1.0 / (1 << i);
    mjtNum expected = -alpha * (s->slope_sum + alpha * s->curve_sum);
    rollout(s, &s->trial, 1, alpha);
    mjtNum won = s->best.cost - s->trial.cost;

    // a trajectory that blew up has a cost that is not a number, for which this is false
    if (won > ACCEPT * expected && won > 0) {
      Trajectory better = s->trial;
      s->trial = s->best;
      s->best = better;
      return won;
    }
  }
  return 0;
}

IlqrStatus ilqr_iterate(Ilqr* s, Derivatives derivatives) {
  mjtNum before = s->best.cost;
  differentiate(s, derivatives);
  while (!backward_pass(s)) {
    regularize_more(s);
    if (s->mu > MU_MAX) {
      return ILQR_STUCK;
    }
  }
  if (-(s->slope_sum + s->curve_sum) <= NEGLIGIBLE * NEGLIGIBLE * before) {
    return ILQR_CONVERGED;
  }
  mjtNum won = line_search(s);
  if (won > 0) {
    regularize_less(s);
    return won < NEGLIGIBLE * before ? ILQR_CONVERGED : ILQR_IMPROVED;
  }
  regularize_more(s);
  return s->mu > MU_MAX ? ILQR_STUCK : ILQR_REJECTED;
}

// ---- outside

Ilqr* ilqr_make(const mjModel* m, mjData* d, const Task* task, char* error, int error_size) {
  if (m->opt.integrator == mjINT_RK4 || m->na) {
    snprintf(error, (size_t)error_size,
             "a model without activations and with another integrator than RK4 is needed");
    return NULL;
  }
  Ilqr* s = calloc(1, sizeof *s);
  if (s) {
    s->m = m;
    s->d = d;
    s->task = task;
    s->n = 2 * m->nv;
    s->nstate = mj_stateSize(m, mjSTATE_INTEGRATION);
    s->mu = MU_FIRST;
    s->factor = 1;
    s->memory = calloc(carve(s, NULL) + 1, sizeof(mjtNum));
    s->free_index = calloc((size_t)m->nu + 1, sizeof(int));
  }
  if (!s || !s->memory || !s->free_index) {
    ilqr_free(s);
    snprintf(error, (size_t)error_size, "no memory");
    return NULL;
  }
  carve(s, s->memory);
  mj_getState(m, d, s->best.state, mjSTATE_INTEGRATION);
  mju_fill(s->best.ctrl, task->start, task->horizon * m->nu);
  rollout(s, &s->best, 0, 0);
  return s;
}

void ilqr_advance(Ilqr* s, int steps) {
  int N = s->task->horizon, nu = s->m->nu;
  memmove(s->best.state, s->best.state + steps * s->nstate, sizeof(mjtNum) * (size_t)s->nstate);
  for (int t = 0; t < N; t++) {
    int from = t + steps < N ? t + steps : N - 1;
    mju_copy(s->best.ctrl + t * nu, s->best.ctrl + from * nu, nu);
  }
  s->mu = mju_clip(s->mu, MU_MIN, MU_FIRST);
  s->factor = 1;
  rollout(s, &s->best, 0, 0);
}

mjtNum ilqr_cost(const Ilqr* s) {
  return s->best.cost;
}

mjtNum ilqr_regularization(const Ilqr* s) {
  return s->mu;
}

void ilqr_show(const Ilqr* s, mjData* d, int t) {
  mj_setState(s->m, d, s->best.state + t * s->nstate, mjSTATE_INTEGRATION);
  if (t < s->task->horizon) {
    mju_copy(d->ctrl, s->best.ctrl + t * s->m->nu, s->m->nu);
  }
  mj_step1(s->m, d);
}
