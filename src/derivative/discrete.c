// Forward dynamics gives the acceleration x of continuous time. The integrator updates velocities
// with another acceleration a, which solves (M - h Q) a = M x. With z = x - a,
//
//   da = dx + (M - h Q)^-1 ( d(M z) + h Q dx + h d(Q a) )
//
// where d(M z) is taken at constant z, and d(Q a) at constant a. Q is the derivative of the smooth
// forces by velocity in implicit integrators, and -diag(slopes of dampers) in Euler with implicit
// damping. Without it, a = x.              theory/time/exact-derivatives.md, Discrete time
// Symbols: system.h, discrete.h.

#include "derivative/discrete.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "derivative/smooth/second_order.h"
#include "derivative/smooth/springs.h"
#include "derivative/tree/factor.h"
#include "model/data/arena.h"
#include "model/options.h"
#include "step/implicit.h"

// Also mj_Euler in step/euler.c and mj_implicit in step/implicit.c.
DiscreteMatrices discrete_matrices(const mjModel* m, mjData* d) {
  size_t nv = (size_t)m->nv;
  mjtNum h = m->opt.timestep;
  int integrator = m->opt.integrator;
  DiscreteMatrices out = {arena_zeros(d, nv * nv), arena_zeros(d, nv * nv),
                          integrator != mjINT_IMPLICIT};
  if (integrator == mjINT_IMPLICIT) {
    implicit_matrix_full(m, d);
  } else if (integrator == mjINT_IMPLICITFAST) {
    implicit_matrix_fast(m, d);
  }
  for (size_t i = 0; i < nv; i++) {
    for (int k = 0; k < m->D_rownnz[i]; k++) {
      int at = m->D_rowadr[i] + k;
      size_t j = (size_t)m->D_colind[at];
      if (integrator == mjINT_IMPLICIT) {
        out.Q[i * nv + j] = d->qDeriv[at];
        out.A[i * nv + j] = d->qLU[at];
      } else if (integrator == mjINT_IMPLICITFAST && j <= i && m->mapM2D[at] >= 0) {
        out.Q[i * nv + j] = out.Q[j * nv + i] = d->qDeriv[at];
      }
    }
    for (int k = 0; out.symmetric && k < m->M_rownnz[i]; k++) {
      int at = m->M_rowadr[i] + k;
      size_t j = (size_t)m->M_colind[at];
      out.A[i * nv + j] = out.A[j * nv + i] = integrator == mjINT_EULER ? d->M[at] : d->qH[at];
    }
    if (integrator == mjINT_EULER) {
      mjtNum slope = terms_slope(damper_of_dof(m, (int)i), d->qvel[i]);
      out.Q[i * nv + i] = -slope;
      out.A[i * nv + i] += h * slope;
    }
  }
  return out;
}

int discrete_is_plain(const mjModel* m) {
  return options_is_discrete(m) || (m->opt.integrator == mjINT_EULER && !options_euler_damps(m));
}

static void scale_all(ForceJacobian* D, const mjModel* m, mjtNum s) {
  mju_scl(D->q, D->q, s, m->nv * m->nv);
  mju_scl(D->v, D->v, s, m->nv * m->nv);
  mju_scl(D->act, D->act, s, m->nv * m->na);
  mju_scl(D->ctrl, D->ctrl, s, m->nv * m->nu);
}

void discrete_products(ForceJacobian* D, const mjModel* m, mjData* d, const mjtNum* z,
                       const mjtNum* a) {
  mj_markStack(d);
  if (m->opt.integrator != mjINT_EULER) {
    smooth_second_derivative(D, m, d, a);
    scale_all(D, m, m->opt.timestep);
  }
  for (size_t i = 0; m->opt.integrator == mjINT_EULER && i < (size_t)m->nv; i++) {
    D->v[i * (size_t)m->nv + i] -= m->opt.timestep * damper_dof_bend(m, d, (int)i, 0) * a[i];
  }
  BodyMotion motion = motion_make(m, d, &(JointMotion){NULL, z, 0});
  dynamics_derivative(D->q, NULL, m, d, &motion, 1);
  if (tendon_any_inertia(m)) {
    tendon_inertia_derivative(D, m, d, NULL, z, 1);
  }
  mj_freeStack(d);
}

// da = dx + (M - h Q)^-1 (d(M z) + h Q dx + h d(Q a))
const mjtNum* discrete_acceleration(mjtNum* dx, System* s, StateColumns c) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  size_t nv = (size_t)m->nv, ld = (size_t)c.ld;
  mjtNum h = m->opt.timestep;
  if (discrete_is_plain(m)) {
    return s->x;
  }
  DiscreteMatrices matrices = discrete_matrices(m, d);
  mjtNum* a = mj_stackAllocNum(d, nv);
  mjtNum* z = mj_stackAllocNum(d, nv);
  mjtNum* change = arena_zeros(d, nv * ld);

  // z = x - a = - A^-1 h Q x
  mju_mulMatVec(z, matrices.Q, s->x, m->nv, m->nv);
  mju_scl(z, z, -h, m->nv);
  multiply_add_shared(change, d, matrices.Q, dx, m->nv, m->nv, c.ld, c.ld, h);
  if (!factor_make(matrices.A, m->nv, matrices.symmetric)) {
    mju_error("%s: the matrix of the integrator is singular", s->function);
  }
  factor_solve_one(z, matrices.A, m->nv);
  mju_sub(a, s->x, z, m->nv);

  ForceJacobian derivative = force_jacobian(m, d);
  discrete_products(&derivative, m, d, z, a);
  s->r.kinks += derivative.kinks;

  for (size_t i = 0; i < nv; i++) {
    mjtNum* row = change + i * ld;
    mju_addTo(row + c.q, derivative.q + i * nv, m->nv);
    mju_addTo(row + c.v, derivative.v + i * nv, m->nv);
    mju_addTo(row + c.act, derivative.act + i * (size_t)m->na, m->na);
    mju_addTo(row + c.ctrl, derivative.ctrl + i * (size_t)m->nu, m->nu);
  }
  factor_solve_shared(change, d, c.ld, c.ld, matrices.A, m->nv);
  for (size_t i = 0; i < nv * ld; i++) {
    dx[i] += change[i];
  }
  return a;
}
