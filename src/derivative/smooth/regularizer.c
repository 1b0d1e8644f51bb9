// With P = sum_j J_j^2 / Mhat_jj and Q = sum_j J_j^2 / M_jj of a row,
//
//   d log rho = D(J) w - sum_j J_j^2 (dMhat_jj / (Mhat_jj^2 P) - dM_jj / (M_jj^2 Q))
//   w_j = 2 J_j (1 / (Mhat_jj P) - 1 / (M_jj Q))
//
// where D(J) w is the gradient of a scalar with the constant w.
//
// Also weight_ratio in constraint/metric/rows.c.

#include "derivative/smooth/regularizer.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "constraint/rows/extent.h"
#include "derivative/constraint/constraint.h"
#include "derivative/constraint/row_law.h"
#include "derivative/smooth/metric_forces.h"
#include "derivative/tree/tendon_length.h"
#include "model/data/arena.h"
#include "model/data/jacobian.h"
#include "model/terms.h"
#include "smooth/tendon.h"

typedef struct {
  const mjModel* m;
  mjData* d;
  RowLaw law;
  ForceJacobian S;  // derivatives of Mhat_jj - M_jj
  mjtNum* M_q;      // derivatives of M_jj by positions, nv x nv
} Weights;

// May rho of some row differ from 1?
static int may_vary(const mjModel* m, const mjData* d) {
  int any = 0;
  for (int i = 0; d->efm_active && d->nefc && i < m->nv; i++) {
    any |= d->efm_sdiag[i] != 0;
  }
  return any;
}

static mjtNum inertia_at(const mjModel* m, const mjData* d, int dof) {
  return d->M[m->M_rowadr[dof] + m->M_rownnz[dof] - 1];
}

// Adds the part of spatial tendons with armature A, A J_tj^2.
static void add_armature(mjtNum* M_q, const mjModel* m, mjData* d) {
  size_t nv = (size_t)m->nv;
  mj_markStack(d);
  mjtNum *hessian = mj_stackAllocNum(d, nv * nv), *row = mj_stackAllocNum(d, nv);
  Load* loads = loads_make(m, d);
  for (int t = 0; t < m->ntendon; t++) {
    mjtNum armature = terms_tendon_armature(m, t);
    if (armature == 0 || m->wrap_type[m->tendon_adr[t]] == mjWRAP_JOINT) {
      continue;
    }
    mju_zero(hessian, m->nv * m->nv);
    mju_zero((mjtNum*)loads, m->nbody * (int)(sizeof(Load) / sizeof(mjtNum)));
    tendon_row(row, m, d, t);
    tendon_derivative(hessian, loads, m, d, t, 1);
    loads_derivative(hessian, m, d, loads, 1);
    for (size_t k = 0; k < nv; k++) {
      mju_addToScl(M_q + k * nv, hessian + k * nv, 2 * armature * row[k], m->nv);
    }
  }
  mj_freeStack(d);
}

static Weights weights_make(const mjModel* m, mjData* d, const Twists* W, const mjtNum* x) {
  size_t nv = (size_t)m->nv;
  Weights out = {.m = m, .d = d, .law = row_law_make(m, d, x), .S = force_jacobian(m, d)};
  metric_diagonal_derivative(&out.S, m, d, W);
  out.M_q = arena_zeros(d, nv * nv);
  inertia_diagonal_derivative(out.M_q, m, d);
  if (tendon_any_inertia(m)) {
    add_armature(out.M_q, m, d);
  }
  return out;
}

// A row of J as its n nonzero numbers.
typedef struct {
  int n, *dof;
  mjtNum* J;
} SparseRow;

static SparseRow row_of(const Weights* s, int row) {
  mjData* d = s->d;
  int sparse = rows_are_sparse(s->m, d), n = sparse ? d->efc_J_rownnz[row] : s->m->nv;
  size_t begin = sparse ? (size_t)d->efc_J_rowadr[row] : (size_t)row * (size_t)s->m->nv;
  SparseRow out = {0, mj_stackAllocInt(d, (size_t)n), mj_stackAllocNum(d, (size_t)n)};
  for (size_t k = begin; k < begin + (size_t)n; k++) {
    if (d->efc_J[k] != 0) {
      out.dof[out.n] = sparse ? d->efc_J_colind[k] : (int)(k - begin);
      out.J[out.n++] = d->efc_J[k];
    }
  }
  return out;
}

// d(log rho) of a row.
static void find_change(ForceTerms* out, const Weights* s, const SparseRow* of, int row) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  size_t nv = (size_t)m->nv;
  mjtNum P = 0, Q = 0, *w = arena_zeros(d, nv);
  for (int k = 0; k < of->n; k++) {
    mjtNum M = inertia_at(m, d, of->dof[k]), square = of->J[k] * of->J[k];
    P += square / (M + d->efm_sdiag[of->dof[k]]);
    Q += square / M;
  }
  for (int k = 0; k < of->n; k++) {
    size_t dof = (size_t)of->dof[k];
    mjtNum M = inertia_at(m, d, of->dof[k]), all = M + d->efm_sdiag[dof], J = of->J[k];
    mjtNum by_metric = -J * J / (all * all * P), by_inertia = by_metric + J * J / (M * M * Q);
    w[dof] = 2 * J * (1 / (all * P) - 1 / (M * Q));
    mju_addToScl(out->q, s->M_q + dof * nv, by_inertia, m->nv);
    mju_addToScl(out->q, s->S.q + dof * nv, by_metric, m->nv);
    mju_addToScl(out->v, s->S.v + dof * nv, by_metric, m->nv);
    mju_addToScl(out->act, s->S.act + dof * (size_t)m->na, by_metric, m->na);
    mju_addToScl(out->ctrl, s->S.ctrl + dof * (size_t)m->nu, by_metric, m->nu);
  }
  constraint_row_derivative(out->q, &s->law, d, row, w);
}

// Does the force of a row depend on R?
static int is_free(const RowLaw* law, int row) {
  int zone = law->zone[row];
  return law->weighed[row] != 0 && law->d->efc_R[row] > mjMINVAL &&
         zone != mjCNSTRSTATE_LINEARNEG && zone != mjCNSTRSTATE_LINEARPOS;
}

// Is there something in the metric on the dofs of a row?
static int is_weighed(const mjData* d, const SparseRow* of) {
  int any = 0;
  for (int k = 0; k < of->n; k++) {
    any |= d->efm_sdiag[of->dof[k]] != 0;
  }
  return any;
}

static size_t row_size(const mjModel* m) {
  return 2 * (size_t)m->nv + (size_t)m->na + (size_t)m->nu;
}

static ForceTerms change_at(mjtNum* change, const mjModel* m, int index) {
  mjtNum* all = change + (size_t)index * row_size(m);
  return (ForceTerms){all, all + m->nv, all + 2 * m->nv, all + 2 * m->nv + m->na};
}

// Rows of a contact have the rho of its first one, so the number of rows bounds that of changes.
Regularizers regularizers_make(const mjModel* m, mjData* d, const Twists* W, const mjtNum* x) {
  Regularizers out = {NULL, NULL};
  if (!may_vary(m, d)) {
    return out;
  }
  int count = 0;
  out.index = mj_stackAllocInt(d, (size_t)d->nefc);
  for (int row = 0, n; row < d->nefc; row += n, count++) {
    n = d->efc_type[row] >= mjCNSTR_CONTACT_FRICTIONLESS ? constraint_rows(m, d, row) : 1;
  }
  out.change = arena_zeros(d, (size_t)count * row_size(m));
  mj_markStack(d);
  Weights s = weights_make(m, d, W, x);
  count = 0;
  for (int row = 0, n; row < d->nefc; row += n) {
    int any = 0;
    n = d->efc_type[row] >= mjCNSTR_CONTACT_FRICTIONLESS ? constraint_rows(m, d, row) : 1;
    mj_markStack(d);
    SparseRow of = row_of(&s, row);
    for (int i = row; i < row + n; i++) {
      out.index[i] = is_free(&s.law, i) && is_weighed(d, &of) ? count : -1;
      any |= out.index[i] >= 0;
    }
    if (any) {
      ForceTerms change = change_at(out.change, m, count++);
      find_change(&change, &s, &of, row);
    }
    mj_freeStack(d);
  }
  mj_freeStack(d);
  return count ? out : (Regularizers){NULL, NULL};
}

void regularizers_add(ForceTerms* rows, const Regularizers* all, const mjModel* m, int row,
                      mjtNum scale) {
  if (!all->index || all->index[row] < 0) {
    return;
  }
  ForceTerms change = change_at(all->change, m, all->index[row]);
  mju_addToScl(rows->q, change.q, scale, m->nv);
  mju_addToScl(rows->v, change.v, scale, m->nv);
  mju_addToScl(rows->act, change.act, scale, m->na);
  mju_addToScl(rows->ctrl, change.ctrl, scale, m->nu);
}

// F -= (J' f) d(log rho), row by row
void regularizers_derivative(ForceJacobian* F, const Regularizers* all, const mjModel* m, mjData* d,
                             const mjtNum* x) {
  size_t nv = (size_t)m->nv, na = (size_t)m->na, nu = (size_t)m->nu;
  if (!all->index) {
    return;
  }
  mj_markStack(d);
  Weights s = {.m = m, .d = d, .law = row_law_make(m, d, x)};
  for (int row = 0; row < d->nefc; row++) {
    mj_markStack(d);
    SparseRow of = row_of(&s, row);
    for (int k = 0; all->index[row] >= 0 && k < of.n; k++) {
      size_t i = (size_t)of.dof[k];
      ForceTerms to = {F->q + i * nv, F->v + i * nv, F->act + i * na, F->ctrl + i * nu};
      regularizers_add(&to, all, m, row, -of.J[k] * s.law.weighed[row]);
    }
    mj_freeStack(d);
  }
  mj_freeStack(d);
}
