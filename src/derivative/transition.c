#include <condyle/derivative.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <mujoco/api/step.h>
#include <string.h>

#include "base/joint.h"
#include "base/vec.h"
#include "derivative/constraint/stiff.h"
#include "derivative/discrete.h"
#include "derivative/sensor/sensors.h"
#include "derivative/system.h"
#include "derivative/tree/factor.h"
#include "model/arena.h"
#include "model/pair.h"
#include "smooth/actuation.h"
#include "step/runge_kutta.h"

// From derivatives of accelerations to those of the next state.
//                                                        theory/exact-derivatives.md, Discrete time
//
//   v+ = v + h a        q+ = q exp(h v+)        w+ = next activation
//
// Rows of A are those of the next state, and all columns, states and controls, are made side by
// side:
//
//   T = [A B]           n = 2 nv + na rows

// dq+ = P dq + h G du for positions q that move with the velocity u for a time h, dq the identity
// of the first columns. P and G are 3 x 3 blocks for quaternions and one elsewhere, so joints are
// done one by one in the place of du; three: scratch, 3 rows.
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

static void next_activations(mjtNum* out, const mjModel* m, const mjData* d, StateColumns c) {
  for (int i = 0; i < m->nu; i++) {
    int adr = m->actuator_actadr[i];
    for (int j = adr; adr >= 0 && j < adr + m->actuator_actnum[i]; j++) {
      mjtNum* row = out + (size_t)j * (size_t)c.ld;
      mjtNum slope[2] = {1, 0};
      if (!(m->opt.disableflags & mjDSBL_ACTUATION)) {
        activation_next_derivative(slope, m, d, i, j);
      }
      mju_zero(row, c.n);
      row[c.act + j] = slope[0];
      row[c.ctrl + i] = slope[1];
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

// StateColumns of rows of the next state, from row `first` on, to A and B.
static void write_rows(mjtNum* A, mjtNum* B, const mjtNum* rows, int first, int n, StateColumns c) {
  size_t states = (size_t)c.ctrl, controls = (size_t)(c.n - c.ctrl), begin = (size_t)first;
  write_result(A ? A + begin * states : NULL, B ? B + begin * controls : NULL, rows, n, c);
}

// da, rows of the acceleration a, becomes what the next velocities and then the next positions
// change by.
static void write_next_state(mjtNum* A, mjtNum* B, const mjModel* m, mjData* d, mjtNum* da,
                             const mjtNum* a, StateColumns c) {
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
  next_activations(act, m, d, c);
  write_rows(A, B, act, 2 * m->nv, m->na, c);
}

// Runge-Kutta

// A state with its rates, and how they depend on the columns.
typedef struct {
  mjtNum *q, *v,
      *w;  // qpos, velocity, activation; of sums: velocity, acceleration, rate of activation
  mjtNum *dq, *dv, *dw;  // rows
} Stage;

static Stage stage_make(const mjModel* m, mjData* d, StateColumns c) {
  size_t nv = (size_t)m->nv, na = (size_t)m->na, ld = (size_t)c.ld;
  Stage s = {arena_zeros(d, (size_t)m->nq), arena_zeros(d, nv),      arena_zeros(d, na),
             arena_zeros(d, nv * ld),       arena_zeros(d, nv * ld), arena_zeros(d, na * ld)};
  return s;
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

// rows += scale rows of another, so many
static void add_rows_of(mjtNum* to, const mjtNum* from, int rows, mjtNum scale, StateColumns c) {
  for (size_t i = 0; i < (size_t)rows * (size_t)c.ld; i++) {
    to[i] += scale * from[i];
  }
}

// Rates at the state in d: adds weight times velocity, acceleration and rate of activation, and
// their rows, to sum. at: rows of that state.
static void add_rates(int* kinks, Stage* sum, const Stage* at, mjtNum weight, const mjModel* m,
                      mjData* d, StateColumns c) {
  size_t nv = (size_t)m->nv, ld = (size_t)c.ld;
  mj_markStack(d);
  StiffRows stiff = stiff_soften(m, d);
  System s = system_make(m, d, d->qacc, (ForceParts){1, 1, stiff.border, "cnd_transitionExact"});
  mjtNum* X = system_solve(&s, c);
  *kinks += s.r.kinks;
  mjtNum* part = arena_zeros(d, nv * (size_t)int_max(m->nv, m->na));
  mjtNum* dx = arena_zeros(d, nv * ld);
  for (size_t i = 0; i < nv; i++) {
    mju_copy(dx + i * ld + c.ctrl, X + i * ld + c.ctrl, m->nu);
  }
  const struct {
    int first, n;
    const mjtNum* rows;
  } input[] = {{c.q, m->nv, at->dq}, {c.v, m->nv, at->dv}, {c.act, m->na, at->dw}};
  for (int k = 0; k < 3; k++) {
    int n = input[k].n;
    for (size_t i = 0; i < nv; i++) {
      mju_copy(part + i * (size_t)n, X + i * ld + input[k].first, n);
    }
    multiply_add(dx, part, input[k].rows, m->nv, n, c.ld, c.ld, 1);
  }
  mju_addToScl(sum->q, d->qvel, weight, m->nv);
  mju_addToScl(sum->v, d->qacc, weight, m->nv);
  mju_addToScl(sum->w, d->act_dot, weight, m->na);
  add_rows_of(sum->dq, at->dv, m->nv, weight, c);
  add_rows_of(sum->dv, dx, m->nv, weight, c);
  for (int i = 0; i < m->nu; i++) {
    int j = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    if (m->actuator_actadr[i] >= 0) {
      mjtNum slope[2], *row = sum->dw + (size_t)j * ld;
      activation_derivative(slope, m, d, i);
      mju_addToScl(row, at->dw + (size_t)j * ld, weight * slope[0], c.n);
      row[c.ctrl + i] += weight * slope[1];
    }
  }
  stiff_restore(d, &stiff);
  mj_freeStack(d);
}

// to = the state that is reached from the beginning in time h with the rates of sum
static void go(Stage* to, const Stage* begin, const Stage* sum, mjtNum h, const mjModel* m,
               mjData* d, StateColumns c) {
  mju_copy(d->qpos, begin->q, m->nq);
  mju_copy(d->qvel, begin->v, m->nv);
  mju_copy(d->act, begin->w, m->na);
  mj_integratePos(m, d->qpos, sum->q, h);
  mju_addToScl(d->qvel, sum->v, h, m->nv);
  mju_addToScl(d->act, sum->w, h, m->na);
  copy_rows(to->dq, sum->dq, m->nv, c);
  mj_markStack(d);
  move_positions(to->dq, mj_stackAllocNum(d, 3 * (size_t)c.ld), m, sum->q, h, c);
  mj_freeStack(d);
  copy_rows(to->dv, begin->dv, m->nv, c);
  copy_rows(to->dw, begin->dw, m->na, c);
  add_rows_of(to->dv, sum->dv, m->nv, h, c);
  add_rows_of(to->dw, sum->dw, m->na, h, c);
}

static void clear_sum(Stage* sum, const mjModel* m, StateColumns c) {
  mju_zero(sum->q, m->nv);
  mju_zero(sum->v, m->nv);
  mju_zero(sum->w, m->na);
  clear_rows(sum->dq, m->nv, c);
  clear_rows(sum->dv, m->nv, c);
  clear_rows(sum->dw, m->na, c);
}

// Activations at the end: those that are clamped, or integrated exactly, take the mean rate their
// own way.
static void end_activations(Stage* to, const Stage* begin, const Stage* sum, const mjModel* m,
                            StateColumns c) {
  size_t ld = (size_t)c.ld;
  for (int i = 0; i < m->nu; i++) {
    int adr = m->actuator_actadr[i];
    for (int j = adr; adr >= 0 && j < adr + m->actuator_actnum[i]; j++) {
      int is_off = actuator_is_disabled(m, i) || (m->opt.disableflags & mjDSBL_ACTUATION);
      mjtNum* row = to->dw + (size_t)j * ld;
      mjtNum rate = is_off ? 0 : sum->w[j];
      mju_copy(row, begin->dw + (size_t)j * ld, c.n);
      if (!is_off) {
        mju_addToScl(row, sum->dw + (size_t)j * ld, activation_time(m, i), c.n);
      }
      if (activation_is_clamped(m, i, begin->w[j] + rate * activation_time(m, i)) &&
          !(m->opt.disableflags & mjDSBL_ACTUATION)) {
        mju_zero(row, c.n);
      }
    }
  }
}

// y' = f(y) with the state at the beginning as the first stage; each stage is reached from there
// with the rates of the one before it. T = rows of the next state.
static mjtNum* runge_kutta(int* kinks, const mjModel* m, mjData* d, StateColumns c) {
  size_t nv = (size_t)m->nv, ld = (size_t)c.ld;
  mjtNum h = m->opt.timestep, time = d->time;
  mjtNum* T = arena_zeros(d, (2 * nv + (size_t)m->na) * ld);
  mj_markStack(d);
  Stage begin = stage_make(m, d, c), at = stage_make(m, d, c), sum = stage_make(m, d, c);
  Stage mean = stage_make(m, d, c);
  mju_copy(begin.q, d->qpos, m->nq);
  mju_copy(begin.v, d->qvel, m->nv);
  mju_copy(begin.w, d->act, m->na);
  for (size_t i = 0; i < nv; i++) {
    begin.dq[i * ld + (size_t)c.q + i] = begin.dv[i * ld + (size_t)c.v + i] = 1;
  }
  for (int i = 0; i < m->na; i++) {
    begin.dw[(size_t)i * ld + (size_t)(c.act + i)] = 1;
  }
  for (int stage = 0; stage < STAGES; stage++) {
    const Stage* here = stage ? &at : &begin;
    if (stage) {
      go(&at, &begin, &sum, NODE[stage] * h, m, d, c);
      d->time = time + NODE[stage] * h;
      mj_forwardSkip(m, d, mjSTAGE_NONE, 1);
    }
    clear_sum(&sum, m, c);
    add_rates(kinks, &sum, here, 1, m, d, c);
    mju_addToScl(mean.q, sum.q, WEIGHT[stage], m->nv);
    mju_addToScl(mean.v, sum.v, WEIGHT[stage], m->nv);
    mju_addToScl(mean.w, sum.w, WEIGHT[stage], m->na);
    add_rows_of(mean.dq, sum.dq, m->nv, WEIGHT[stage], c);
    add_rows_of(mean.dv, sum.dv, m->nv, WEIGHT[stage], c);
    add_rows_of(mean.dw, sum.dw, m->na, WEIGHT[stage], c);
  }
  go(&at, &begin, &mean, h, m, d, c);
  end_activations(&at, &begin, &mean, m, c);
  copy_rows(T, at.dq, m->nv, c);
  copy_rows(T + nv * ld, at.dv, m->nv, c);
  copy_rows(T + 2 * nv * ld, at.dw, m->na, c);
  mju_copy(d->qpos, begin.q, m->nq);
  mju_copy(d->qvel, begin.v, m->nv);
  mju_copy(d->act, begin.w, m->na);
  d->time = time;
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
    System s = system_make(m, d, d->qacc, (ForceParts){1, 1, stiff.border, "cnd_transitionExact"});
    mjtNum* dx = system_solve(&s, c);
    if (C || D) {
      mj_markStack(d);
      write_result(C, D, sensors_derivative(kinks, &s, dx, c), m->nsensordata, c);
      mj_freeStack(d);
    }
    if ((A || B) && !is_staged) {
      const mjtNum* a = discrete_acceleration(dx, &s, c);
      write_next_state(A, B, m, d, dx, a, c);
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
  const Result result[] = {{A, nx * nx}, {B, nx * nu}, {C, ns * nx}, {D, ns * nu}};
  system_checkFinite(d, result, 4);
  return kinks;
}
