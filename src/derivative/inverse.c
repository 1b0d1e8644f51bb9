// Derivatives of inverse dynamics: f is minus the residual r of forward dynamics at given
// accelerations.
//
//   f = M x + c - tau - J' f_c = -r       df = -dr + H dx
// Symbols: system.h (x, r, H), discrete.c (a, z, Q).
//                                                theory/time/exact-derivatives.md, Inverse dynamics

#include <condyle/derivative.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/sensor.h>
#include <mujoco/api/smooth.h>
#include <mujoco/api/step.h>

#include "base/algebra/simd.h"
#include "derivative/discrete.h"
#include "derivative/sensor/sensors.h"
#include "derivative/system.h"
#include "derivative/tree/factor.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"

// Columns by positions, velocities and accelerations, then by activations and controls, which
// sensors need.
static StateColumns inverse_columns(const mjModel* m) {
  StateColumns c = {.q = 0, .v = m->nv, .act = 3 * m->nv};
  c.ctrl = c.act + m->na;
  c.n = c.ctrl + m->nu;
  c.ld = SIMD_PADDED(c.n);
  return c;
}

// Accelerations x of continuous time and their rows dx. In discrete time they follow from those of
// d, a; with z = x - a,
//
//   M x = (M - h Q) a        M dx = (M - h Q) da - d(M z) - h d(Q a)
//
// Otherwise x = a, and the rows are the identity.
static const mjtNum* accelerations(mjtNum* dx, int* kinks, const mjModel* m, mjData* d,
                                   StateColumns c) {
  size_t nv = (size_t)m->nv, ld = (size_t)c.ld, first = 2 * nv;
  if (!(m->opt.enableflags & mjENBL_INVDISCRETE) || discrete_is_plain(m)) {
    for (size_t i = 0; i < nv; i++) {
      dx[i * ld + first + i] = 1;
    }
    return d->qacc;
  }
  mjtNum* x = mj_stackAllocNum(d, nv);
  mjtNum* z = mj_stackAllocNum(d, nv);
  mjtNum* M = arena_zeros(d, nv * nv);
  DiscreteMatrices at = discrete_matrices(m, d);
  mju_mulMatVec(z, at.Q, d->qacc, m->nv, m->nv);
  mju_scl(z, z, -m->opt.timestep, m->nv);
  mj_solveM(m, d, z, z, 1);
  mju_add(x, d->qacc, z, m->nv);

  ForceJacobian D = force_jacobian(m, d);
  discrete_products(&D, m, d, z, d->qacc);
  *kinks += D.kinks;
  for (size_t i = 0; i < nv; i++) {
    mjtNum* row = dx + i * ld;
    mju_scl(row + c.q, D.q + i * nv, -1, m->nv);
    mju_scl(row + c.v, D.v + i * nv, -1, m->nv);
    mju_copy(row + first, at.A + i * nv, m->nv);
    for (size_t j = 0; j < nv; j++) {
      M[i * nv + j] = at.A[i * nv + j] + m->opt.timestep * at.Q[i * nv + j];
    }
  }
  if (!factor_make(M, m->nv, 1)) {
    mju_error("cnd_inverseExact: the inertia matrix is singular");
  }
  factor_solve_shared(dx, d, c.ld, c.ld, M, m->nv);
  return x;
}

// out = columns [first, first + nv) of rows, transposed: one row for each input
static void write_inputs(mjtNum* out, const mjtNum* rows, int nrow, int first, int nv, int ld) {
  for (size_t j = 0; out && j < (size_t)nv; j++) {
    for (size_t i = 0; i < (size_t)nrow; i++) {
      out[j * (size_t)nrow + i] = rows[i * (size_t)ld + (size_t)first + j];
    }
  }
}

// D_j M_kl = S_k . D_j (force for a unit acceleration of dof l)
static void inertia_derivative(mjtNum* out, const mjModel* m, mjData* d) {
  size_t nv = (size_t)m->nv, nM = (size_t)m->nM;
  mj_markStack(d);
  mjtNum* unit = arena_zeros(d, nv);
  ForceJacobian F = force_jacobian(m, d);
  for (int l = 0; l < m->nv; l++) {
    mj_markStack(d);
    unit[l] = 1;
    mju_zero(F.q, m->nv * m->nv);
    BodyMotion motion = motion_make(m, d, &(JointMotion){NULL, unit, 0});
    dynamics_derivative(F.q, NULL, m, d, &motion, 1);
    if (tendon_any_inertia(m)) {
      tendon_inertia_derivative(&F, m, d, NULL, unit, 1);
    }
    unit[l] = 0;
    for (int k = l; k < m->nv; k++) {
      size_t at = (size_t)m->dof_Madr[k];
      int ancestor = k;
      for (; ancestor > l; ancestor = m->dof_parentid[ancestor]) {
        at++;
      }
      for (size_t j = 0; ancestor == l && j < nv; j++) {
        out[j * nM + at] = F.q[(size_t)k * nv + j];
      }
    }
    mj_freeStack(d);
  }
  mj_freeStack(d);
}

// mj_inverse, with actuator forces computed before the sensors that measure them
static void evaluate(const mjModel* m, mjData* d, int actuation, int sensed) {
  mj_invPosition(m, d);
  if (sensed) {
    mj_sensorPos(m, d);
  }
  mj_invVelocity(m, d);
  if (sensed) {
    mj_sensorVel(m, d);
  }
  if (actuation) {
    mj_fwdActuation(m, d);
  }
  mj_inverseSkip(m, d, mjSTAGE_VEL, !sensed);
}

// df/dq = -dr/dq, df/dv = -dr/dv, df/da = H; discrete time: the acceleration x of continuous time
// first
int cnd_inverseExact(const mjModel* m, mjData* d, mjtByte flg_actuation, mjtNum* DfDq, mjtNum* DfDv,
                     mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv, mjtNum* DsDa, mjtNum* DmDq) {
  check_pair(m, d);
  system_check("cnd_inverseExact", m);
  if (m->opt.integrator == mjINT_RK4 && (m->opt.enableflags & mjENBL_INVDISCRETE)) {
    mju_error("cnd_inverseExact: Runge-Kutta has no inverse in discrete time");
    return 0;
  }
  int nv = m->nv, kinks = 0, sensed = (DsDq || DsDv || DsDa) && m->nsensordata;
  StateColumns c = inverse_columns(m);
  size_t size = (size_t)nv * (size_t)c.ld;
  mj_markStack(d);
  evaluate(m, d, flg_actuation, sensed);
  mjtNum* dx = arena_zeros(d, size);
  mjtNum* force = arena_zeros(d, size);
  const mjtNum* x = accelerations(dx, &kinks, m, d, c);
  System s = system_make(m, d, x, (ForceParts){flg_actuation, 0, NULL, "cnd_inverseExact"});
  kinks += s.r.kinks;
  for (int i = 0; i < nv; i++) {
    mjtNum* row = force + (size_t)i * (size_t)c.ld;
    mju_scl(row + c.q, s.r.q + (size_t)i * (size_t)nv, -1, nv);
    mju_scl(row + c.v, s.r.v + (size_t)i * (size_t)nv, -1, nv);
  }
  multiply_add_shared(force, d, s.H, dx, nv, nv, c.ld, c.ld, 1);
  mjtNum* const out[] = {DfDq, DfDv, DfDa};
  mjtNum* const measured[] = {DsDq, DsDv, DsDa};
  const mjtNum* sensors = sensed ? sensors_derivative(&kinks, &s, dx, c) : NULL;
  for (int k = 0; k < 3; k++) {
    write_inputs(out[k], force, nv, k * nv, nv, c.ld);
    if (sensed) {
      write_inputs(measured[k], sensors, m->nsensordata, k * nv, nv, c.ld);
    }
  }
  if (DmDq) {
    inertia_derivative(DmDq, m, d);
  }
  mj_freeStack(d);
  size_t nf = (size_t)nv * (size_t)nv, ns = (size_t)nv * (size_t)m->nsensordata;
  const SystemResult result[] = {{DfDq, nf},
                                 {DfDv, nf},
                                 {DfDa, nf},
                                 {DsDq, ns},
                                 {DsDv, ns},
                                 {DsDa, ns},
                                 {DmDq, (size_t)nv * (size_t)m->nM}};
  system_checkFinite(d, result, 7);
  return kinks;
}
