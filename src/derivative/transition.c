// Jacobians of a step: rows of the next state and of sensors, with all columns (states and
// controls) side by side; Runge-Kutta stage by stage.

#include <condyle/derivative.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/joint.h"
#include "derivative/constraint/stiff.h"
#include "derivative/discrete.h"
#include "derivative/sensor/sensors.h"
#include "derivative/system.h"
#include "derivative/tree/factor.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "smooth/actuation.h"
#include "step/runge_kutta.h"

// From derivatives of accelerations to those of the next state.
//                                                   theory/time/exact-derivatives.md, Discrete time
//
//   v+ = v + h a        q+ = q exp(h v+)        w+ = next activation
//
// Rows of A are those of the next state, and all columns, states and controls, are made side by
// side:
//
//   T = [A B]           n = 2 nv + na rows

// dq+ = P dq + h G du, for positions q that move with the velocity u for a time h. dq is the
// identity in the first columns. P and G have 3 x 3 blocks for quaternions and numbers elsewhere.
// du is overwritten joint by joint. three: scratch, 3 rows.
// Also mj_integratePos in smooth/support.c.
static void move_positions(mjtNum* du, mjtNum* three, const mjModel* m, const mjtNum* u, mjtNum h,
                           StateColumns c) {
  size_t ld = (size_t)c.ld;
  for (int j = 0; j < m->njnt; j++) {
    int type = m->jnt_type[j];
    size_t dof = (size_t)m->jnt_dofadr[j];
    for (size_t end = dof + (size_t)joint_scalars(type); dof < end; dof++) {
      mju_scl(du + dof * ld, du + dof * ld, h, c.n);
      du[dof * ld + (size_t)c.q + dof] += 1;
    }
    if (!joint_has_quat(type)) {
      continue;
    }
    mjtNum P[9], G[9];
    mjd_quatIntegrate(u + dof, h, P, G, NULL);
    memcpy(three, du + dof * ld, 3 * ld * sizeof(mjtNum));
    for (size_t r = 0; r < 3; r++) {
      mjtNum* row = du + (dof + r) * ld;
      mju_scl(row, three, h * G[3 * r], c.n);
      for (size_t k = 0; k < 3; k++) {
        if (k) {
          mju_addToScl(row, three + k * ld, h * G[3 * r + k], c.n);
        }
        row[(size_t)c.q + dof + k] += P[3 * r + k];
      }
    }
  }
}

static void next_activations(mjtNum* out, const mjModel* m, mjData* d, const Twists* W,
                             StateColumns c) {
  for (int i = 0; i < (int)m->nactuator; i++) {
    int adr = m->actuator_actadr[i];
    for (int j = adr; adr >= 0 && j < adr + m->actuator_actnum[i]; j++) {
      mjtNum* row = out + (size_t)j * (size_t)c.ld;
      ForceTerms terms = {row + c.q, row + c.v, row + c.act, row + c.ctrl};
      mju_zero(row, c.n);
      activation_next_row(&terms, m, d, i, j, W, 1);
    }
  }
}

// out = columns [first, first + n) of rows T, without gaps
static void write_columns(mjtNum* out, const mjtNum* T, int rows, int first, int n, int ld) {
  for (int i = 0; out && n && i < rows; i++) {
    memcpy(out + (size_t)i * (size_t)n, T + (size_t)i * (size_t)ld + first,
           (size_t)n * sizeof(mjtNum));
  }
}

static void write_result(mjtNum* state, mjtNum* control, const mjtNum* T, int rows,
                         StateColumns c) {
  write_columns(state, T, rows, 0, c.ctrl, c.ld);
  write_columns(control, T, rows, c.ctrl, c.n - c.ctrl, c.ld);
}

// Writes rows of the next state, from row `first` on, to A and B.
static void write_rows(mjtNum* A, mjtNum* B, const mjtNum* rows, int first, int n, StateColumns c) {
  size_t states = (size_t)c.ctrl, controls = (size_t)(c.n - c.ctrl), begin = (size_t)first;
  write_result(A ? A + begin * states : NULL, B ? B + begin * controls : NULL, rows, n, c);
}

// Turns the rows da of the acceleration into those of the next velocities and positions, and writes
// them.
// Also advance in step/advance.c.
static void write_next_state(mjtNum* A, mjtNum* B, const System* s, mjtNum* da, const mjtNum* a,
                             StateColumns c) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  size_t nv = (size_t)m->nv, ld = (size_t)c.ld;
  mjtNum h = m->opt.timestep;
  mjtNum* next = mj_stackAllocNum(d, nv);
  mjtNum* act = mj_stackAllocNum(d, (size_t)m->na * ld);
  mjtNum* three = mj_stackAllocNum(d, 3 * ld);
  for (size_t i = 0; i < nv; i++) {
    mju_scl(da + i * ld, da + i * ld, h, c.n);
    da[i * ld + (size_t)c.v + i] += 1;
    next[i] = d->qvel[i] + h * a[i];
  }
  write_rows(A, B, da, m->nv, m->nv, c);
  move_positions(da, three, m, next, h, c);
  write_rows(A, B, da, 0, m->nv, c);
  next_activations(act, m, d, &s->velocity, c);
  write_rows(A, B, act, 2 * m->nv, m->na, c);
}

// Runge-Kutta

// Derivatives of a state (positions q, velocities v, activations w), or of its rates, by the state
// and controls at the start of the step: one row per component, one column per input.
typedef struct {
  mjtNum *q, *v, *w;
} StateRows;

static StateRows rows_make(const mjModel* m, mjData* d, StateColumns c) {
  size_t nv = (size_t)m->nv, na = (size_t)m->na, ld = (size_t)c.ld;
  return (StateRows){arena_zeros(d, nv * ld), arena_zeros(d, nv * ld), arena_zeros(d, na * ld)};
}

static void copy_rows(mjtNum* to, const mjtNum* from, int rows, StateColumns c) {
  for (int i = 0; i < rows; i++) {
    mju_copy(to + (size_t)i * (size_t)c.ld, from + (size_t)i * (size_t)c.ld, c.ld);
  }
}

static void clear_rows(mjtNum* rows, int n, StateColumns c) {
  for (int i = 0; i < n; i++) {
    mju_zero(rows + (size_t)i * (size_t)c.ld, c.ld);
  }
}

// to += scale from, for that many rows
static void add_rows_of(mjtNum* to, const mjtNum* from, int rows, mjtNum scale, StateColumns c) {
  for (size_t i = 0; i < (size_t)rows * (size_t)c.ld; i++) {
    to[i] += scale * from[i];
  }
}

static void add_state_rows(StateRows* to, const StateRows* from, mjtNum scale, const mjModel* m,
                           StateColumns c) {
  add_rows_of(to->q, from->q, m->nv, scale, c);
  add_rows_of(to->v, from->v, m->nv, scale, c);
  add_rows_of(to->w, from->w, m->na, scale, c);
}

// Rows of the rates of activations, by the chain rule.
static void find_activation_rates(mjtNum* rows, const StateRows* at, const System* s,
                                  StateColumns c) {
  const mjModel* m = s->m;
  size_t nv = (size_t)m->nv, na = (size_t)m->na, ld = (size_t)c.ld;
  mj_markStack(s->d);
  mjtNum* own = mj_stackAllocNum(s->d, 2 * nv + na + (size_t)m->nu);
  ForceTerms terms = {own, own + nv, own + 2 * nv, own + 2 * nv + na};
  for (int i = 0; i < (int)m->nactuator; i++) {
    int adr = m->actuator_actadr[i];
    for (int j = adr; adr >= 0 && j < adr + m->actuator_actnum[i]; j++) {
      mjtNum* row = rows + (size_t)j * ld;
      mju_zero(own, 2 * m->nv + m->na + m->nu);
      activation_rate_row(&terms, m, s->d, i, j, &s->velocity, 1);
      for (size_t k = 0; k < nv; k++) {
        if (terms.q[k] != 0) {
          mju_addToScl(row, at->q + k * ld, terms.q[k], c.n);
        }
        if (terms.v[k] != 0) {
          mju_addToScl(row, at->v + k * ld, terms.v[k], c.n);
        }
      }
      for (size_t k = 0; k < na; k++) {
        if (terms.act[k] != 0) {
          mju_addToScl(row, at->w + k * ld, terms.act[k], c.n);
        }
      }
      mju_addTo(row + c.ctrl, terms.ctrl, m->nu);
    }
  }
  mj_freeStack(s->d);
}

// Finds the derivatives of the rates (velocity, acceleration, rate of activation) at the state in
// d, by the state and controls at the start of the step. at: the same derivatives of the state in d
// itself, for the chain rule.
static void find_rates(int* kinks, StateRows* rates, const StateRows* at, const mjModel* m,
                       mjData* d, StateColumns c) {
  size_t nv = (size_t)m->nv, ld = (size_t)c.ld;
  mj_markStack(d);
  StiffRows stiff = stiff_soften(m, d);
  System s = system_make(m, d, d->qacc, (ForceParts){1, 1, stiff.bordered, "cnd_transitionExact"});
  mjtNum* X = system_solve(&s, c);
  *kinks += s.r.kinks;
  mjtNum* part = arena_zeros(d, nv * (size_t)int_max(m->nv, m->na));
  clear_rows(rates->v, m->nv, c);
  for (size_t i = 0; i < nv; i++) {
    mju_copy(rates->v + i * ld + c.ctrl, X + i * ld + c.ctrl, m->nu);
  }
  const struct {
    int first, n;
    const mjtNum* rows;
  } input[] = {{c.q, m->nv, at->q}, {c.v, m->nv, at->v}, {c.act, m->na, at->w}};
  for (int k = 0; k < 3; k++) {
    int n = input[k].n;
    for (size_t i = 0; i < nv; i++) {
      mju_copy(part + i * (size_t)n, X + i * ld + input[k].first, n);
    }
    multiply_add_shared(rates->v, d, part, input[k].rows, m->nv, n, c.ld, c.ld, 1);
  }
  copy_rows(rates->q, at->v, m->nv, c);
  clear_rows(rates->w, m->na, c);
  find_activation_rates(rates->w, at, &s, c);
  stiff_restore(d, &stiff);
  mj_freeStack(d);
}

// Rows of the state that is reached from `begin` after a time h at these rates, with velocity u.
static void move_state(StateRows* to, const StateRows* begin, const StateRows* rates,
                       const mjtNum* u, mjtNum h, const mjModel* m, mjData* d, StateColumns c) {
  copy_rows(to->q, rates->q, m->nv, c);
  mj_markStack(d);
  move_positions(to->q, mj_stackAllocNum(d, 3 * (size_t)c.ld), m, u, h, c);
  mj_freeStack(d);
  copy_rows(to->v, begin->v, m->nv, c);
  copy_rows(to->w, begin->w, m->na, c);
  add_rows_of(to->v, rates->v, m->nv, h, c);
  add_rows_of(to->w, rates->w, m->na, h, c);
}

// Rows of the activations at the end of the step. Clamped and exactly integrated activations are
// their own functions of the mean rate.
static void end_activations(mjtNum* rows, const StateRows* begin, const StateRows* mean,
                            const RungeKutta* rk, const mjModel* m, StateColumns c) {
  size_t ld = (size_t)c.ld;
  for (int i = 0; i < (int)m->nactuator; i++) {
    int adr = m->actuator_actadr[i];
    for (int j = adr; adr >= 0 && j < adr + m->actuator_actnum[i]; j++) {
      int is_off = actuator_is_disabled(m, i) || (m->opt.disableflags & mjDSBL_ACTUATION);
      mjtNum* row = rows + (size_t)j * ld;
      mjtNum rate = is_off ? 0 : rk->mean.act_dot[j];
      mju_copy(row, begin->w + (size_t)j * ld, c.n);
      if (!is_off) {
        mju_addToScl(row, mean->w + (size_t)j * ld, activation_time(m, i, j), c.n);
      }
      if (activation_is_clamped(m, i, j, rk->act[j] + rate * activation_time(m, i, j)) &&
          !(m->opt.disableflags & mjDSBL_ACTUATION)) {
        mju_zero(row, c.n);
      }
    }
  }
}

// Stages of y' = f(y): rows go from stage to stage as the state does. Returns the rows of the next
// state.
// Also mj_RungeKutta in step/runge_kutta.c.
static mjtNum* runge_kutta(int* kinks, const mjModel* m, mjData* d, StateColumns c) {
  size_t nv = (size_t)m->nv, ld = (size_t)c.ld;
  mjtNum h = m->opt.timestep;
  mjtNum* T = arena_zeros(d, (2 * nv + (size_t)m->na) * ld);
  StateRows end = {T, T + nv * ld, T + 2 * nv * ld};
  mj_markStack(d);
  RungeKutta rk = runge_kutta_make(m, d);
  StateRows begin = rows_make(m, d, c), at = rows_make(m, d, c), rates = rows_make(m, d, c);
  StateRows mean = rows_make(m, d, c);
  for (size_t i = 0; i < nv; i++) {
    begin.q[i * ld + (size_t)c.q + i] = begin.v[i * ld + (size_t)c.v + i] = 1;
  }
  for (int i = 0; i < m->na; i++) {
    begin.w[(size_t)i * ld + (size_t)(c.act + i)] = 1;
  }
  for (int stage = 0; stage < STAGES; stage++) {
    if (stage) {
      move_state(&at, &begin, &rates, rk.stage[stage - 1].qvel, NODE[stage] * h, m, d, c);
      runge_kutta_stage(&rk, m, d, stage);
    }
    find_rates(kinks, &rates, stage ? &at : &begin, m, d, c);
    add_state_rows(&mean, &rates, WEIGHT[stage], m, c);
  }
  runge_kutta_mean(&rk, m);
  move_state(&end, &begin, &mean, rk.mean.qvel, h, m, d, c);
  end_activations(end.w, &begin, &mean, &rk, m, c);
  runge_kutta_place(d, &rk, m, 0);
  mj_freeStack(d);
  return T;
}

static void differentiate(int* kinks, const mjModel* m, mjData* d, mjtNum* A, mjtNum* B, mjtNum* C,
                          mjtNum* D) {
  int is_staged = m->opt.integrator == mjINT_RK4;
  StateColumns c = state_columns(m);
  mj_markStack(d);
  if (C || D || !is_staged) {
    StiffRows stiff = stiff_soften(m, d);
    System s =
        system_make(m, d, d->qacc, (ForceParts){1, 1, stiff.bordered, "cnd_transitionExact"});
    mjtNum* dx = system_solve(&s, c);
    if (C || D) {
      mj_markStack(d);
      write_result(C, D, sensors_derivative(kinks, &s, dx, c), m->nsensordata, c);
      mj_freeStack(d);
    }
    if ((A || B) && !is_staged) {
      const mjtNum* a = discrete_acceleration(dx, &s, c);
      write_next_state(A, B, &s, dx, a, c);
    }
    *kinks += s.r.kinks;
    stiff_restore(d, &stiff);
  }
  mj_freeStack(d);
  if ((A || B) && is_staged) {
    write_result(A, B, runge_kutta(kinks, m, d, c), 2 * m->nv + m->na, c);
  }
}

int cnd_transitionExact(const mjModel* m, mjData* d, mjtNum* A, mjtNum* B, mjtNum* C, mjtNum* D) {
  check_pair(m, d);
  system_check("cnd_transitionExact", m);
  int kinks = 0, sensed = (C || D) && m->nsensordata;
  mj_markStack(d);
  mj_forwardSkip(m, d, mjSTAGE_NONE, !sensed);
  differentiate(&kinks, m, d, A, B, sensed ? C : NULL, sensed ? D : NULL);
  mj_freeStack(d);
  size_t nx = 2 * (size_t)m->nv + (size_t)m->na, nu = (size_t)m->nu, ns = (size_t)m->nsensordata;
  const SystemResult result[] = {{A, nx * nx}, {B, nx * nu}, {C, ns * nx}, {D, ns * nu}};
  system_checkFinite(d, result, 4);
  return kinks;
}
