// The gradient of a loss L with respect to the inputs of a step, from lambda = dL/d(q+, v+). Each
// line of the differentiated step (left) is transposed (right), in reverse order, with one linear
// system per stage.
//                                                         theory/time/exact-derivatives.md, Adjoint
//
//   dq+ = P dq + h G dv+,  dv+ = dv + h da       mu = lambda_v + h G' lambda_q by v+,  h mu by a
//   da = dx + (M - h Q)^-1 (d(M z) + h Q dx + h d(Q a))
//                                                beta = (M - h Q)^-T h mu,  M beta by x
//   dx = H^-1 dr                                 kappa = H^-1 (M beta) by r
// Symbols: system.h (x, r, H), discrete.c (a, z, Q).

#include "derivative/parameter_gradient.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <mujoco/api/step.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "base/joint.h"
#include "base/memory/check.h"
#include "derivative/constraint/constraint.h"
#include "derivative/constraint/stiff.h"
#include "derivative/discrete.h"
#include "derivative/sensor/sensors.h"
#include "derivative/tree/factor.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "smooth/actuation.h"
#include "step/runge_kutta.h"

static const char kFunction[] = "cnd_transitionAdjoint";

// Gradient of the loss by the inputs of a step: positions, velocities, activations, controls.
typedef struct {
  mjtNum *q, *v, *w, *u;
} Gradient;

static Gradient gradient_make(const mjModel* m, mjData* d) {
  return (Gradient){arena_zeros(d, (size_t)m->nv), arena_zeros(d, (size_t)m->nv),
                    arena_zeros(d, (size_t)m->na), arena_zeros(d, (size_t)m->nu)};
}

// dq += P' lambda and du += h G' lambda: the transpose of moving positions with the velocity u for
// a time h.
// Also mj_integratePos in smooth/support.c.
static void pull_positions(mjtNum* dq, mjtNum* du, const mjModel* m, const mjtNum* lambda,
                           const mjtNum* u, mjtNum h) {
  for (int j = 0; j < m->njnt; j++) {
    int type = m->jnt_type[j], dof = m->jnt_dofadr[j];
    for (int end = dof + joint_scalars(type); dof < end; dof++) {
      dq[dof] += lambda[dof];
      du[dof] += h * lambda[dof];
    }
    if (joint_has_quat(type)) {
      mjtNum P[9], G[9], t[3];
      mjd_quatIntegrate(u + dof, h, P, G, NULL);
      m3_tmulv(t, P, lambda + dof);
      v3_addto(dq + dof, t);
      m3_tmulv(t, G, lambda + dof);
      v3_addtoscl(du + dof, t, h);
    }
  }
}

// out += F' weight. all: with respect to all inputs, else to positions alone.
static void pull_forces(Gradient* out, const ForceJacobian* F, const mjModel* m,
                        const mjtNum* weight, int all) {
  for (int k = 0; k < m->nv; k++) {
    mjtNum w = weight[k];
    mju_addToScl(out->q, F->q + (size_t)k * m->nv, w, m->nv);
    if (all) {
      mju_addToScl(out->v, F->v + (size_t)k * m->nv, w, m->nv);
      mju_addToScl(out->w, F->act + (size_t)k * m->na, w, m->na);
      mju_addToScl(out->u, F->ctrl + (size_t)k * m->nu, w, m->nu);
    }
  }
}

// Turns xi into kappa in place, and adds the gradient of kappa . r with respect to all inputs
// unless out is NULL. Constraints enter through the scalar kappa . (J' f).
static void pull_acceleration(int* kinks, Gradient* out, mjtNum* xi, System* s) {
  system_pull(xi, s);
  if (!out) {
    *kinks += s->r.kinks;
    return;
  }
  pull_forces(out, &s->r, s->m, xi, 1);
  mj_markStack(s->d);
  mjtNum* unused = arena_zeros(s->d, (size_t)s->m->nv);
  *kinks +=
      s->r.kinks + constraint_vjp(s->m, s->d, s->x, s->bordered, xi, out->q, out->v, unused, NULL);
  mj_freeStack(s->d);
}

// Adds the gradient of dsensor . (sensors): with respect to inputs to out, unless it is NULL, to
// accelerations to xi.
static void pull_sensors(int* kinks, Gradient* out, mjtNum* xi, System* s, const mjtNum* dsensor) {
  const mjModel* m = s->m;
  size_t nv = (size_t)m->nv;
  StateColumns c = {.q = 0, .v = m->nv, .act = 3 * m->nv, .ctrl = 3 * m->nv + m->na};
  c.n = c.ctrl + m->nu;
  c.ld = SIMD_PADDED(c.n);
  mj_markStack(s->d);
  mjtNum* unit = arena_zeros(s->d, nv * (size_t)c.ld);
  for (size_t i = 0; i < nv; i++) {
    unit[i * (size_t)c.ld + 2 * nv + i] = 1;
  }
  const mjtNum* rows = sensors_derivative(kinks, s, unit, c);
  for (int i = 0; i < m->nsensordata; i++, rows += c.ld) {
    if (dsensor[i] != 0) {
      mju_addToScl(xi, rows + 2 * m->nv, dsensor[i], m->nv);
    }
    if (out && dsensor[i] != 0) {
      mju_addToScl(out->q, rows + c.q, dsensor[i], m->nv);
      mju_addToScl(out->v, rows + c.v, dsensor[i], m->nv);
      mju_addToScl(out->w, rows + c.act, dsensor[i], m->na);
      mju_addToScl(out->u, rows + c.ctrl, dsensor[i], m->nu);
    }
  }
  mj_freeStack(s->d);
}

// gradient through the next activations
static void pull_activations(Gradient* out, const System* s, const mjtNum* lambda) {
  const mjModel* m = s->m;
  ForceTerms row = {out->q, out->v, out->w, out->u};
  for (int i = 0; i < (int)m->nactuator; i++) {
    int adr = m->actuator_actadr[i];
    for (int j = adr; adr >= 0 && j < adr + m->actuator_actnum[i]; j++) {
      activation_next_row(&row, m, s->d, i, j, &s->velocity, lambda[j]);
    }
  }
}

// one stage

// The acceleration a of the integrator, and z = x - a. at->A becomes the factor of its transpose.
static mjtNum* integrated_acceleration(mjtNum* z, const mjModel* m, mjData* d, const mjtNum* x,
                                       const DiscreteMatrices* at) {
  size_t nv = (size_t)m->nv;
  mjtNum *a = mj_stackAllocNum(d, nv), *A = at->A;
  if (!at->symmetric) {
    A = mj_stackAllocNum(d, nv * nv);
    mju_copy(A, at->A, m->nv * m->nv);
    mju_transpose(at->A, A, m->nv, m->nv);
    if (!factor_make(at->A, m->nv, 0)) {
      mju_error("%s: the matrix of the integrator is singular", kFunction);
    }
  }
  mju_mulMatVec(z, at->Q, x, m->nv, m->nv);
  mju_scl(z, z, -m->opt.timestep, m->nv);
  if (!factor_make(A, m->nv, at->symmetric)) {
    mju_error("%s: the matrix of the integrator is singular", kFunction);
  }
  factor_solve_one(z, A, m->nv);
  mju_sub(a, x, z, m->nv);
  return a;
}

// What gradients of all losses through a step need.
typedef struct {
  System s;
  DiscreteMatrices at;  // of the integrator, its transpose factored
  mjtNum* z;
  const mjtNum* a;
  int plain, is_damped;
} Step;

static Step step_make(const mjModel* m, mjData* d, const StiffRows* stiff) {
  size_t nv = (size_t)m->nv;
  Step step = {.plain = discrete_is_plain(m), .z = arena_zeros(d, nv), .a = d->qacc};
  step.s = system_make_apart(m, d, d->qacc, (ForceParts){1, 1, stiff->bordered, kFunction});
  if (!step.plain) {
    step.at = discrete_matrices(m, d);
    step.a = integrated_acceleration(step.z, m, d, d->qacc, &step.at);
  }
  // any damping makes Euler solve with a matrix of its own
  step.is_damped = !step.plain || (m->opt.integrator == mjINT_EULER &&
                                   !(m->opt.disableflags & (mjDSBL_DAMPER | mjDSBL_EULERDAMP)));
  return step;
}

// Gradient through a step of all integrators but Runge-Kutta. With lambda = dL/d(q+, v+, w+), the
// gradient lambda_s by the sensors s, activations w and controls u:
//
//   mu = lambda_v + h G' lambda_q    beta = (M - h Q)^-T h mu
//   xi = M beta + (ds/dx)' lambda_s  kappa = H^-1 xi
//
//   dL/dq = P' lambda_q        + (dr/dq)' kappa + d(M z + h Q a)/dq' beta + (ds/dq)' lambda_s
//   dL/dv = mu                 + (dr/dv)' kappa + h d(Q a)/dv' beta       + (ds/dv)' lambda_s
//   dL/dw = (dw+/dw)' lambda_w + (dr/dw)' kappa + h d(Q a)/dw' beta       + (ds/dw)' lambda_s
//   dL/du = (dw+/du)' lambda_w + (dr/du)' kappa + h d(Q a)/du' beta       + (ds/du)' lambda_s
//
// Without a matrix of the integrator (a = x), M beta is h mu and the terms in beta are zero. out
// NULL: by parameters alone.
// Also advance in step/advance.c.
static void one_stage(int* kinks, Gradient* out, Step* step, const mjtNum* dnext,
                      const mjtNum* dsensor, cndParameterGradient* dparam) {
  System* s = &step->s;
  const mjModel* m = s->m;
  mjData* d = s->d;
  size_t nv = (size_t)m->nv;
  mjtNum h = m->opt.timestep;
  mjtNum *next = mj_stackAllocNum(d, nv), *beta = arena_zeros(d, nv);
  mju_addScl(next, d->qvel, step->a, h, m->nv);

  // from the next state back to the integrator's acceleration a
  mjtNum *mu = arena_zeros(d, nv), *by_position = out ? out->q : arena_zeros(d, nv);
  mju_copy(mu, dnext + nv, m->nv);
  pull_positions(by_position, mu, m, dnext, next, h);
  if (out) {
    pull_activations(out, s, dnext + 2 * nv);
    mju_addTo(out->v, mu, m->nv);
  }
  mju_scl(mu, mu, h, m->nv);

  // from a back to the acceleration x of continuous time
  mjtNum* xi = mu;
  if (!step->plain) {
    mju_copy(beta, mu, m->nv);
    factor_solve_one(beta, step->at.A, m->nv);
    if (out) {
      ForceJacobian D = force_jacobian(m, d);
      discrete_products(&D, m, d, step->z, step->a);
      *kinks += D.kinks;
      pull_forces(out, &D, m, beta, m->opt.integrator != mjINT_EULER || m->cnd_has_terms);
    }
    mj_mulM(m, d, xi, beta);
  }
  if (step->plain && step->is_damped && dparam) {
    mj_solveM(m, d, beta, mu, 1);
  }
  if (dsensor) {
    pull_sensors(kinks, out, xi, s, dsensor);
  }
  pull_acceleration(kinks, out, xi, s);
  if (dparam) {
    const mjtNum* by_integrator = step->is_damped ? beta : NULL;
    parameters_gradient(dparam, s, &(ParameterWeights){xi, by_integrator, step->z, step->a});
  }
}

// Runge-Kutta

// Gradient through the activations at the end of a Runge-Kutta step, with respect to those at its
// beginning and to the mean rate (added to rate).
static void pull_last_activations(Gradient* out, mjtNum* rate, const mjModel* m,
                                  const RungeKutta* rk, const mjtNum* lambda) {
  for (int i = 0; i < (int)m->nactuator; i++) {
    int adr = m->actuator_actadr[i];
    int is_off = actuator_is_disabled(m, i) || (m->opt.disableflags & mjDSBL_ACTUATION);
    for (int j = adr; adr >= 0 && j < adr + m->actuator_actnum[i]; j++) {
      mjtNum h = is_off ? 0 : activation_time(m, i, j);
      if (activation_is_clamped(m, i, j, rk->act[j] + h * rk->mean.act_dot[j]) &&
          !(m->opt.disableflags & mjDSBL_ACTUATION)) {
        continue;
      }
      out->w[j] += lambda[j];
      rate[j] += h * lambda[j];
    }
  }
}

// Gradient with respect to a stage: to its state, its acceleration and its rates of activations.
typedef struct {
  Gradient state;
  mjtNum *x, *rate;
} StageWeights;

// Pulls the gradient back from the acceleration and rates of a stage to its state. The forward
// dynamics of the stage is done.
static void pull_stage(int* kinks, StageWeights* w, const mjModel* m, mjData* d,
                       const mjtNum* dsensor, cndParameterGradient* dparam) {
  mj_markStack(d);
  StiffRows stiff = stiff_soften(m, d);
  System s = system_make_apart(m, d, d->qacc, (ForceParts){1, 1, stiff.bordered, kFunction});
  ForceTerms row = {w->state.q, w->state.v, w->state.w, w->state.u};
  for (int i = 0; i < (int)m->nactuator && !(m->opt.disableflags & mjDSBL_ACTUATION); i++) {
    int adr = m->actuator_actadr[i];
    for (int j = adr; adr >= 0 && j < adr + m->actuator_actnum[i]; j++) {
      activation_rate_row(&row, m, d, i, j, &s.velocity, w->rate[j]);
    }
  }
  if (dsensor) {
    pull_sensors(kinks, &w->state, w->x, &s, dsensor);
  }
  pull_acceleration(kinks, &w->state, w->x, &s);
  if (dparam) {
    parameters_gradient(dparam, &s, &(ParameterWeights){w->x, NULL, NULL, NULL});
  }
  stiff_restore(d, &stiff);
  mj_freeStack(d);
}

// Also mj_RungeKutta in step/runge_kutta.c.
static void runge_kutta(int* kinks, Gradient* out, const mjModel* m, mjData* d, const mjtNum* dnext,
                        const mjtNum* dsensor, cndParameterGradient* dparam) {
  int nv = m->nv, na = m->na;
  mjtNum h = m->opt.timestep;
  StageWeights w[STAGES];
  mjtNum *lambda = arena_zeros(d, (size_t)nv), *rate = arena_zeros(d, (size_t)na);

  // forward pass: all stages, as the integrator computes them
  RungeKutta rk = runge_kutta_make(m, d);
  for (int i = 0; i < STAGES; i++) {
    w[i] =
        (StageWeights){gradient_make(m, d), arena_zeros(d, (size_t)nv), arena_zeros(d, (size_t)na)};
    if (i) {
      runge_kutta_stage(&rk, m, d, i);
    }
  }
  runge_kutta_mean(&rk, m);

  // backward pass: from the next state to the mean rates, then from the last stage to the first
  pull_positions(out->q, lambda, m, dnext, rk.mean.qvel, h);
  pull_last_activations(out, rate, m, &rk, dnext + 2 * nv);
  mju_addTo(out->v, dnext + nv, nv);
  for (int i = STAGES - 1; i >= 0; i--) {
    mju_addToScl(w[i].state.v, lambda, WEIGHT[i], nv);
    mju_addToScl(w[i].x, dnext + nv, WEIGHT[i] * h, nv);
    mju_addToScl(w[i].rate, rate, WEIGHT[i], na);
    if (i < STAGES - 1) {
      runge_kutta_place(d, &rk, m, i);
      mj_forwardSkip(m, d, mjSTAGE_NONE, i > 0 || !dsensor);
    }
    pull_stage(kinks, w + i, m, d, i ? NULL : dsensor, dparam);
    Gradient* from = &w[i].state;
    mju_addTo(out->u, from->u, m->nu);
    mju_addTo(out->v, from->v, nv);
    mju_addTo(out->w, from->w, na);
    if (i) {
      pull_positions(out->q, w[i - 1].state.v, m, from->q, rk.stage[i - 1].qvel, NODE[i] * h);
      mju_addToScl(w[i - 1].x, from->v, NODE[i] * h, nv);
      mju_addToScl(w[i - 1].rate, from->w, NODE[i] * h, na);
    } else {
      mju_addTo(out->q, from->q, nv);
    }
  }
  runge_kutta_place(d, &rk, m, 0);
}

static void check_finite(const mjModel* m, mjData* d, const Gradient* out,
                         const cndParameterGradient* dparam) {
  const cndParameterGradient none = {0}, *p = dparam ? dparam : &none;
  size_t nv = (size_t)m->nv, nu = (size_t)m->nu, ngeom = (size_t)m->ngeom;
  const SystemResult result[] = {
      {out->q, nv},
      {out->v, nv},
      {out->w, (size_t)m->na},
      {out->u, nu},
      {p->body_mass, (size_t)m->nbody},
      {p->body_inertia, 3 * (size_t)m->nbody},
      {p->dof_damping, nv},
      {p->dof_armature, nv},
      {p->actuator_gainprm, mjNGAIN * (size_t)m->nactuator},
      {p->actuator_biasprm, mjNBIAS * (size_t)m->nactuator},
      {p->geom_friction, 3 * ngeom},
      {p->pair_friction, 5 * (size_t)m->npair},
      {p->geom_pos, 3 * ngeom},
      {p->geom_turn, 3 * ngeom},
      {p->geom_size, 3 * ngeom},
      {p->dof_frictionloss, nv},
      {p->tendon_frictionloss, (size_t)m->ntendon},
  };
  system_checkFinite(d, result, (int)(sizeof(result) / sizeof(result[0])));
}

// Writes the gradient by state and controls of one loss.
static void write_gradient(mjtNum* dstate, mjtNum* dctrl, const mjModel* m, const Gradient* out) {
  if (dstate) {
    mju_copy(dstate, out->q, m->nv);
    mju_copy(dstate + m->nv, out->v, m->nv);
    mju_copy(dstate + 2 * m->nv, out->w, m->na);
  }
  if (dctrl) {
    mju_copy(dctrl, out->u, m->nu);
  }
}

// Row k of an array; NULL stays NULL.
static mjtNum* row_of(mjtNum* array, int k, size_t size) {
  return array ? array + (size_t)k * size : NULL;
}

int cnd_transitionAdjoints(const mjModel* m, mjData* d, int count, const mjtNum* dnext,
                           const mjtNum* dsensor, mjtNum* dstate, mjtNum* dctrl,
                           const cndParameterGradient* dparam) {
  check_pair(m, d);
  if (count < 0) {
    mju_error("cnd_transitionAdjoints: count is %d, must not be negative", count);
  }
  size_t nx = 2 * (size_t)m->nv + (size_t)m->na, ns = (size_t)m->nsensordata;
  check_arrays(count ? 2 * m->nv + m->na : 0, dnext);
  system_check(kFunction, m);
  for (int k = 0; dparam && k < count; k++) {
    parameters_check(dparam, m, dsensor ? dsensor + (size_t)k * ns : NULL);
  }
  int kinks = 0, staged = m->opt.integrator == mjINT_RK4;
  const mjtNum* sensed = m->nsensordata ? dsensor : NULL;
  mj_markStack(d);
  mj_forwardSkip(m, d, mjSTAGE_NONE, !sensed);
  StiffRows stiff = {0};
  Step step = {0};
  if (!staged && count) {
    stiff = stiff_soften(m, d);
    step = step_make(m, d, &stiff);
  }
  for (int k = 0; k < count; k++) {
    const mjtNum *next = dnext + (size_t)k * nx, *sensor = sensed ? sensed + (size_t)k * ns : NULL;
    cndParameterGradient parameters;
    if (dparam) {
      parameters = parameters_row(dparam, m, (size_t)k);
    }
    mj_markStack(d);
    // kinks are those of the state, the same for all losses
    int found = 0;
    Gradient out = gradient_make(m, d);
    if (staged) {
      runge_kutta(&found, &out, m, d, next, sensor, dparam ? &parameters : NULL);
    } else {
      // the first one counts kinks, also where it is not asked for
      Gradient* wanted = !k || dstate || dctrl ? &out : NULL;
      one_stage(&found, wanted, &step, next, sensor, dparam ? &parameters : NULL);
    }
    kinks = k ? kinks : found;
    write_gradient(row_of(dstate, k, nx), row_of(dctrl, k, (size_t)m->nu), m, &out);
    check_finite(m, d, &out, dparam ? &parameters : NULL);
    mj_freeStack(d);
  }
  if (!staged && count) {
    stiff_restore(d, &stiff);
  }
  mj_freeStack(d);
  return kinks;
}

int cnd_transitionAdjoint(const mjModel* m, mjData* d, const mjtNum* dnext, const mjtNum* dsensor,
                          mjtNum* dstate, mjtNum* dctrl, cndParameterGradient* dparam) {
  check_pair(m, d);
  check_arrays(2 * m->nv + m->na, dnext);
  return cnd_transitionAdjoints(m, d, 1, dnext, dsensor, dstate, dctrl, dparam);
}
