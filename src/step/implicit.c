// Implicit integrators: one Newton step. Forces at the end of the step are linearized in velocity
// with their derivative D:
//
//   (M - h D) a = qfrc_smooth + qfrc_constraint
//
// implicit      D of all smooth forces; not symmetric, factored as (E + U) L on D's own pattern
// implicitfast  D without Coriolis and gyroscopic terms; symmetric, factored like M on M's pattern
//                                                              theory/time/integration.md, Implicit

#include "step/implicit.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>

#include "base/algebra/vec.h"
#include "constraint/hard/hard.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "model/options.h"
#include "model/timer.h"
#include "sensor/sensor.h"
#include "smooth/inertia.h"
#include "step/advance.h"
#include "step/derivative.h"
#include "step/free_body.h"

void implicit_matrix_full(const mjModel* m, mjData* d) {
  derivative_smooth(m, d, 0);
  for (int i = 0; i < d->cnd_nrun; i++) {
    const AwakeRun* run = awake_run(d, i);
    int end = derivative_row(m, run->dof_end);
    for (int k = derivative_row(m, run->dof); k < end; k++) {
      mjtNum inertia = m->mapM2D[k] >= 0 ? d->M[m->mapM2D[k]] : 0;
      d->qLU[k] = inertia - m->opt.timestep * d->qDeriv[k];
    }
  }
}

// qH = M - h D on the pattern of M, D without the bias and symmetric
// Also implicit_matrix in lanes/integrate.h and discrete_matrices in derivative/discrete.c.
void implicit_matrix_fast(const mjModel* m, mjData* d) {
  derivative_smooth(m, d, 1);
  for (int i = 0; i < d->cnd_nrun; i++) {
    const AwakeRun* run = awake_run(d, i);
    int begin = run->dof < m->nv ? m->M_rowadr[run->dof] : m->nC;
    int end = run->dof_end < m->nv ? m->M_rowadr[run->dof_end] : m->nC;
    for (int k = begin; k < end; k++) {
      d->qH[k] = d->M[k] - m->opt.timestep * d->qDeriv[m->mapD2M[k]];
    }
  }
  if (free_body_is_on(m)) {
    free_body_clear(m, d);
  }
}

void implicit_factor_fast(const mjModel* m, mjData* d) {
  implicit_matrix_fast(m, d);
  inertia_factor_shifted(NULL, d->qH, d->qHDiagInv, m, d, d->qH, NULL, 0);
}

// Factors in place, from the last row up. A finished row r is eliminated from each of its ancestors
// i:
//
//   U_ir = A_ir / A_rr        row_i -= U_ir row_r   left of column r
//
// All columns of row r left of the diagonal are ancestors of r, which row i has too, so there is no
// fill-in.
// Also lane_lu_factor in lanes/dynamics/implicit.h.
static void lu_factor(mjtNum* A, const mjModel* m, const AwakeRun* run) {
  for (int r = run->dof_end - 1; r >= run->dof; r--) {
    int adr = m->D_rowadr[r], diag = m->D_diag[r];
    const mjtNum* rowr = A + adr;
    const int* colr = m->D_colind + adr;
    if (mju_abs(rowr[diag]) < mjMINVAL) {
      mju_error("implicit integrator: zero diagonal of dof %d in M - h D", r);
    }
    for (int p = 0; p < diag; p++) {
      int i = colr[p], k = m->D_rowadr[i] + m->D_diag[i] + 1;
      while (m->D_colind[k] != r) {
        k++;
      }
      mjtNum u = A[k] / rowr[diag];
      A[k] = u;
      int to = m->D_rowadr[i];
      for (int q = 0; q < diag; q++) {
        while (m->D_colind[to] != colr[q]) {
          to++;
        }
        A[to] -= u * rowr[q];
      }
    }
  }
}

// (E + U) y = b from the last dof up, then L x = y from the first down
// Also lane_lu_solve in lanes/dynamics/implicit.h.
static void lu_solve(mjtNum* x, const mjtNum* LU, const mjModel* m, const AwakeRun* run) {
  for (int r = run->dof_end - 1; r >= run->dof; r--) {
    int adr = m->D_rowadr[r], end = adr + m->D_rownnz[r];
    for (int k = adr + m->D_diag[r] + 1; k < end; k++) {
      x[r] -= LU[k] * x[m->D_colind[k]];
    }
  }
  for (int r = run->dof; r < run->dof_end; r++) {
    int adr = m->D_rowadr[r], diag = adr + m->D_diag[r];
    for (int k = adr; k < diag; k++) {
      x[r] -= LU[k] * x[m->D_colind[k]];
    }
    x[r] /= LU[diag];
  }
}

void implicit_integrate(const mjModel* m, mjData* d, int keep) {
  int nv = m->nv;
  mjtNum start = timer_start();
  sensor_store(m, d);
  size_t top = arena_top(d);
  mjtNum* a = arena_num(d, nv);
  for (int i = 0; i < nv; i++) {
    a[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
  }

  // hard contacts have been solved with the symmetric matrix, which is factored already
  int hard = hard_is_on(m);
  if (m->opt.integrator == mjINT_IMPLICIT && !hard) {
    if (!keep) {
      implicit_matrix_full(m, d);
    }
    for (int k = 0; k < d->cnd_nrun; k++) {
      if (!keep) {
        lu_factor(d->qLU, m, awake_run(d, k));
      }
      lu_solve(a, d->qLU, m, awake_run(d, k));
    }
  } else if (options_is_implicit(m)) {
    if (!keep && !hard) {
      implicit_factor_fast(m, d);
    }
    inertia_solve_by(a, m, d, d->qH, d->qHDiagInv);
    if (free_body_is_on(m)) {
      free_body_solve(a, m, d);
    }
  } else {
    mju_error("mj_implicit: integrator %d is not implicit", m->opt.integrator);
  }
  advance(m, d, d->act_dot, a, NULL, NULL);
  arena_pop(d, top);
  timer_stop(d, mjTIMER_ADVANCE, start);
}

// v += h (M - h D)^-1 M a, q += h v, D = qDeriv
// Also discrete_matrices in derivative/discrete.c.
void mj_implicit(const mjModel* m, mjData* d) {
  check_pair(m, d);
  implicit_integrate(m, d, 0);
}
