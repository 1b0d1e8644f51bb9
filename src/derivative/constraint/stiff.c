// Finds rows with a large D A, lowers the D of the stiffest, and makes bordered rows of the others.
// A is computed only for rows whose cheap estimate is large.
// Symbols: stiff.h and docs/formulas.md; x: accelerations, y = J x - aref.

#include "derivative/constraint/stiff.h"

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <stdint.h>

#include "base/algebra/vec.h"
#include "constraint/metric/metric.h"
#include "derivative/constraint/row_law.h"
#include "derivative/tree/factor.h"
#include "model/data/arena.h"
#include "model/data/jacobian.h"
#include "model/data/share.h"

// Bounds on D A, A = J M^-1 J' of a row. Beyond STIFFEST, D is lowered: rounding grows with D A,
// while the solution changes by 1 / (D A). Rows that contradict each other share their load in
// proportion to 1/D, which a lower D falsifies; their bound is CONTRADICTING. Beyond BORDERED, the
// force becomes an unknown. Estimates of A that ignore the coupling of dofs may be COUPLED times
// too small.
static const mjtNum STIFFEST = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e8 : (mjtNum)1e4;
static const mjtNum BORDERED = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e6 : (mjtNum)1e3;
static const mjtNum CONTRADICTING = sizeof(mjtNum) == sizeof(double) ? (mjtNum)4e8 : (mjtNum)1e4;
static const mjtNum COUPLED = (mjtNum)1e3;

// A row of J, for all dofs.
static void full_row(mjtNum* out, const mjModel* m, const mjData* d, int row) {
  if (!rows_are_sparse(m, d)) {
    mju_copy(out, d->efc_J + (size_t)row * (size_t)m->nv, m->nv);
    return;
  }
  mju_zero(out, m->nv);
  size_t begin = (size_t)d->efc_J_rowadr[row];
  for (size_t k = begin; k < begin + (size_t)d->efc_J_rownnz[row]; k++) {
    out[d->efc_J_colind[k]] = d->efc_J[k];
  }
}

// In discrete steps the metric takes the place of M.

// x = M^-1 x
static void solve_inertia(mjtNum* x, const mjModel* m, mjData* d) {
  if (d->efm_active) {
    metric_solve(x, m, d);
  } else {
    mj_solveM(m, d, x, x, 1);
  }
}

// b = M x - tau
static void find_need(mjtNum* b, const mjModel* m, mjData* d, const mjtNum* x) {
  if (!d->efm_active) {
    mj_mulM(m, d, b, x);
    mju_subFrom(b, d->qfrc_smooth, m->nv);
    return;
  }
  mjtNum* shifted = mj_stackAllocNum(d, (size_t)m->nv);
  metric_mul(b, m, d, x);
  metric_shifted(shifted, m, d);
  mju_subFrom(b, shifted, m->nv);
}

// D A of a row, estimated with the diagonal of the factor of M.
static mjtNum estimate(const mjModel* m, const mjData* d, int row) {
  int is_sparse = rows_are_sparse(m, d), n = is_sparse ? d->efc_J_rownnz[row] : m->nv;
  size_t begin = is_sparse ? (size_t)d->efc_J_rowadr[row] : (size_t)row * (size_t)m->nv;
  const mjtNum* pivots = d->efm_active ? metric_pivots(d) : d->qLDiagInv;
  mjtNum sum = 0;
  for (int k = 0; k < n; k++) {
    mjtNum value = d->efc_J[begin + (size_t)k];
    sum += value * value * pivots[is_sparse ? d->efc_J_colind[begin + (size_t)k] : k];
  }
  return sum * d->efc_D[row];
}

// D A of a row, with its J and M^-1 J'.
static mjtNum stiffness_of(mjtNum* J, mjtNum* MinvJ, const mjModel* m, mjData* d, int row) {
  full_row(J, m, d, row);
  mju_copy(MinvJ, J, m->nv);
  solve_inertia(MinvJ, m, d);
  return mju_dot(J, MinvJ, m->nv) * d->efc_D[row];
}

// D A of all rows whose estimate is large, 0 of others.
typedef struct {
  const mjModel* m;
  mjData* d;
  mjtNum limit, *stiffness;
} RowStiffness;

static void find_rows(void* argument, int begin, int end) {
  const RowStiffness* s = argument;
  size_t top = arena_top(s->d), nv = (size_t)s->m->nv;
  mjtNum *J = arena_num(s->d, nv), *MinvJ = arena_num(s->d, nv);
  for (int i = begin; i < end; i++) {
    int is_large = estimate(s->m, s->d, i) > s->limit;
    s->stiffness[i] = is_large ? stiffness_of(J, MinvJ, s->m, s->d, i) : 0;
  }
  arena_pop(s->d, top);
}

// Each row is one solve, so threads share them where there are many.
static void find_stiffness(mjtNum* stiffness, const mjModel* m, mjData* d, mjtNum limit) {
  const int least = 1 << 14, piece = 8;  // numbers of rows, rows
  RowStiffness all = {m, d, limit, stiffness};
  int64_t numbers = (int64_t)d->nefc * m->nv;
  int pays = share_pays(d, numbers < INT32_MAX ? (int)numbers : INT32_MAX, least);
  if (!pays || share_attempt(d, d->nefc, piece, find_rows, &all) == SIZE_MAX) {
    find_rows(&all, 0, d->nefc);
  }
}

// Lists the rows whose D A is above the limit. If one row of a cone is, all of its rows are listed.
static int find_stiff(int* row, const mjModel* m, mjData* d, mjtNum limit) {
  int n = 0;
  mj_markStack(d);
  mjtNum* stiffness = mj_stackAllocNum(d, (size_t)d->nefc);
  find_stiffness(stiffness, m, d, limit / COUPLED);
  for (int i = 0, size; i < d->nefc; i += size) {
    mjtNum worst = 0;
    int is_cone = d->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC;
    size = is_cone ? d->contact[d->efc_id[i]].dim : 1;
    for (int k = i; k < i + size; k++) {
      worst = num_max(worst, stiffness[k]);
    }
    for (int k = i; k < i + size && worst > limit; k++) {
      row[n++] = k;
    }
  }
  mj_freeStack(d);
  return n;
}

// Stiff rows with their J, M^-1 J' and D A; most: the largest D A.
typedef struct {
  int n, *row;
  mjtNum *J, *MinvJ, *stiffness, most;
} Stiff;

// Takes the rows in the quadratic zone, where f = -D y.
static Stiff stiff_make(int* row, int n, const RowLaw* law, mjData* d) {
  const mjModel* m = law->m;
  size_t nv = (size_t)m->nv;
  Stiff s = {.row = row};
  for (int i = 0; i < n; i++) {
    if (law->zone[row[i]] == mjCNSTRSTATE_QUADRATIC) {
      row[s.n++] = row[i];
    }
  }
  s.J = mj_stackAllocNum(d, (size_t)s.n * nv);
  s.MinvJ = mj_stackAllocNum(d, (size_t)s.n * nv);
  s.stiffness = mj_stackAllocNum(d, (size_t)s.n);
  for (int i = 0; i < s.n; i++) {
    size_t at = (size_t)i * nv;
    s.stiffness[i] = stiffness_of(s.J + at, s.MinvJ + at, m, d, row[i]);
    s.most = num_max(s.most, s.stiffness[i]);
  }
  return s;
}

// Whether the rows contradict each other: some y is not close to zero.
static int contradict(const Stiff* s, const RowLaw* law) {
  for (int i = 0; i < s->n; i++) {
    mjtNum y = law->y[s->row[i]], aref = law->d->efc_aref[s->row[i]];
    if (mju_abs(y) > (mjtNum)1e-6 * (mju_abs(aref) + mju_abs(y + aref))) {
      return 1;
    }
  }
  return 0;
}

// Factors by which each D is lowered. Rows of a cone keep their proportions, and so do rows that
// contradict each other.
static void choose_scales(mjtNum* scale, const Stiff* s, const RowLaw* law) {
  const mjData* d = law->d;
  int all = contradict(s, law);
  for (int i = 0, end; i < s->n; i = end) {
    int is_cone = d->efc_type[s->row[i]] == mjCNSTR_CONTACT_ELLIPTIC, id = d->efc_id[s->row[i]];
    mjtNum most = s->stiffness[i];
    for (end = i + 1;
         is_cone && end < s->n && d->efc_type[s->row[end]] == mjCNSTR_CONTACT_ELLIPTIC &&
         d->efc_id[s->row[end]] == id;
         end++) {
      most = num_max(most, s->stiffness[end]);
    }
    for (int k = i; k < end; k++) {
      scale[k] = num_min(1, all ? CONTRADICTING / s->most : STIFFEST / most);
    }
  }
}

// Lowers D and moves aref. The forces f' of the softer rows, with the forces f_o of other rows
// fixed, follow from the accelerations, which barely change:
//
//   x' = x + M^-1 J' f' - M^-1 b,    b = M x - tau - J_o' f_o
//   R' f' = aref - J x'         so   (J M^-1 J' + R') f' = J M^-1 b - y
static void soften(const Stiff* s, const RowLaw* law, mjData* d) {
  const mjModel* m = law->m;
  size_t nv = (size_t)m->nv, n = (size_t)s->n;
  mjtNum *b = mj_stackAllocNum(d, nv), *pull = mj_stackAllocNum(d, nv);
  mjtNum *A = mj_stackAllocNum(d, n * n), *force = mj_stackAllocNum(d, n);
  mjtNum* scale = mj_stackAllocNum(d, n);
  choose_scales(scale, s, law);
  for (int i = 0; i < s->n; i++) {
    law->force[s->row[i]] = 0;
  }
  mj_mulJacTVec(m, d, pull, law->force);
  find_need(b, m, d, d->qacc);
  mju_subFrom(b, pull, m->nv);
  for (size_t i = 0; i < n; i++) {
    int row = s->row[i];
    d->efc_D[row] *= scale[i];
    for (size_t k = 0; k < n; k++) {
      A[i * n + k] = mju_dot(s->J + i * nv, s->MinvJ + k * nv, m->nv);
    }
    A[i * n + i] += 1 / d->efc_D[row];
    force[i] = mju_dot(s->MinvJ + i * nv, b, m->nv) - law->y[row];
  }
  if (!factor_make(A, s->n, 1)) {
    mju_error("stiff constraints are singular");
  }
  factor_solve_one(force, A, s->n);
  for (int i = 0; i < s->n; i++) {
    int row = s->row[i], is_onesided = row >= d->ne + d->nf;
    mjtNum Jx = law->y[row] + d->efc_aref[row];
    if (is_onesided && d->efc_type[row] != mjCNSTR_CONTACT_ELLIPTIC) {
      force[i] = num_max(force[i], mjMINVAL);
    }
    d->efc_aref[row] = Jx + force[i] / d->efc_D[row];
    if (!is_onesided && row >= d->ne) {
      d->efc_R[row] = 1 / d->efc_D[row];
    }
  }
}

static mjtNum* save_parameters(mjData* d) {
  mjtNum* saved = mj_stackAllocNum(d, 3 * (size_t)d->nefc);
  mju_copy(saved, d->efc_D, d->nefc);
  mju_copy(saved + d->nefc, d->efc_R, d->nefc);
  mju_copy(saved + 2 * (size_t)d->nefc, d->efc_aref, d->nefc);
  return saved;
}

static BorderedRows* bordered_rows(const Stiff* s, mjData* d) {
  BorderedRows* bordered = mj_stackAllocByte(d, sizeof(BorderedRows), _Alignof(BorderedRows));
  *bordered = (BorderedRows){.n = s->n,
                             .index = mj_stackAllocInt(d, (size_t)d->nefc),
                             .J = s->J,
                             .D = mj_stackAllocNum(d, (size_t)s->n),
                             .response = arena_zeros(d, (size_t)s->n)};
  for (int i = 0; i < d->nefc; i++) {
    bordered->index[i] = -1;
  }
  for (int i = 0; i < s->n; i++) {
    bordered->index[s->row[i]] = i;
    bordered->D[i] = d->efc_D[s->row[i]];
  }
  return bordered;
}

StiffRows stiff_soften(const mjModel* m, mjData* d) {
  StiffRows out = {NULL, NULL};
  int *row = mj_stackAllocInt(d, (size_t)d->nefc), n = find_stiff(row, m, d, BORDERED);
  if (!n) {
    return out;
  }
  RowLaw law = row_law_make(m, d, d->qacc);
  Stiff stiff = stiff_make(row, n, &law, d);
  if (stiff.most > STIFFEST) {
    int* stiffest = mj_stackAllocInt(d, (size_t)d->nefc);
    Stiff s = stiff_make(stiffest, find_stiff(stiffest, m, d, STIFFEST), &law, d);
    out.saved = save_parameters(d);
    soften(&s, &law, d);
  }
  if (stiff.n) {
    out.bordered = bordered_rows(&stiff, d);
  }
  return out;
}

void stiff_restore(mjData* d, const StiffRows* rows) {
  if (rows->saved) {
    mju_copy(d->efc_D, rows->saved, d->nefc);
    mju_copy(d->efc_R, rows->saved + d->nefc, d->nefc);
    mju_copy(d->efc_aref, rows->saved + 2 * (size_t)d->nefc, d->nefc);
  }
}
