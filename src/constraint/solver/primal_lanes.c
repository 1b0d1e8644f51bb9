// Newton's method for small islands side by side, one in each lane of a vector.
//
// A box on a plane has 6 dofs and 16 rows: too few to fill vectors along either, so that most of a
// solve goes into branches and sums of short rows. Scenes of many things have many such islands.
// Those of as many dofs are solved together; rows that one lacks have no stiffness in its lane.
// Lanes don't mix, and one that has ended takes steps of zero, so that neighbours change nothing.
//                                           theory/contact/solvers.md, Small islands side by side
//
// The law of a scalar row is a force within bounds, whose stiffness is D within them and 0 beyond:
//
//   f = min(max(-D x, low), high)    s = -f x - 1/2 R f^2
//
//   equality: no bounds    friction loss: -eta and eta    one-sided: 0 below

#include "constraint/solver/primal_lanes.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "constraint/law/law.h"
#include "constraint/solver/line_search.h"

// What comparing vectors gives: all bits or none of each component.
#ifdef mjUSESINGLE
typedef int32_t MaskN SIMD_TYPE(32);
#else
typedef int64_t MaskN SIMD_TYPE(32);
#endif

// A problem in each lane: vectors of n, rows of nefc, matrices with n numbers in a row.
typedef struct {
  int n, nefc, count;
  Problem* const* p;
  SimdN acc[LANE_DOFS], acc_smooth[LANE_DOFS], frc_smooth[LANE_DOFS], Ma[LANE_DOFS];
  SimdN frc_constraint[LANE_DOFS], residual[LANE_DOFS], grad[LANE_DOFS], search[LANE_DOFS];
  SimdN Mv[LANE_DOFS], inverse[LANE_DOFS];  // inverse: of the pivots of H
  SimdN D[LANE_ROWS], R[LANE_ROWS], low[LANE_ROWS], high[LANE_ROWS], jar[LANE_ROWS];
  SimdN Jv[LANE_ROWS], bend[LANE_ROWS];          // bend: D (J v)^2
  SimdN force[LANE_ROWS], stiffness[LANE_ROWS];  // at jar
  SimdN J[LANE_ROWS * LANE_DOFS];
  SimdN M[LANE_DOFS * LANE_DOFS], H[LANE_DOFS * LANE_DOFS];  // H: lower triangle
  SimdN scale, cost;
  MaskN live, failed;                // problems that go on, and those that can't
  int recorded;                      // whether statistics of some problem are kept
  int before[LANE_ROWS][SIMD_N];     // states before the last step, of those
  int niter[SIMD_N], neval[SIMD_N];  // of each problem
} Lanes;

// The minimum along a line.
typedef struct {
  SimdN alpha, slope, norm;  // norm: of the direction
} LaneMinimum;

// masks, roots and sums

INLINE void lane_keep(SimdN* x, const MaskN* mask) {
  *x = (SimdN)((MaskN)*x & *mask);
}

INLINE void lane_choose(SimdN* to, const MaskN* mask, const SimdN* then, const SimdN* other) {
  *to = (SimdN)(((MaskN)*then & *mask) | ((MaskN)*other & ~*mask));
}

INLINE int lane_any(const MaskN* mask) {
  MaskN bits = *mask;
  for (int l = 1; l < SIMD_N; l++) {
    bits[0] |= bits[l];
  }
  return bits[0] != 0;
}

INLINE void lane_abs(SimdN* x) {
  const SimdN zero = {0};
  SimdN minus = zero - *x;
  MaskN negative = *x < zero;
  lane_choose(x, &negative, &minus, x);
}

INLINE void lane_root(SimdN* x) {
  for (int l = 0; l < SIMD_N; l++) {
    (*x)[l] = mju_sqrt((*x)[l]);
  }
}

INLINE void lane_dot(SimdN* sum, const SimdN* a, const SimdN* b, int n) {
  *sum = a[0] * b[0];
  for (int i = 1; i < n; i++) {
    *sum += a[i] * b[i];
  }
}

// problems to lanes

#define LANE(x, lane) (((mjtNum*)&(x))[lane])

#ifndef mjUSESINGLE
// Four numbers of four problems: to[i], lane l = from[l][i]
INLINE void lanes_read_four(SimdN* to, const mjtNum* const* from, int i) {
  Simd4 v[4];
  for (int l = 0; l < 4; l++) {
    v[l] = SIMD_READ(Simd4, from[l] + i);
  }
  simd4_transpose(v);
  for (int k = 0; k < 4; k++) {
    SIMD_AT(Simd4, to + i + k) = v[k];
  }
}

INLINE void lanes_write_four(mjtNum* const* to, const SimdN* from, int i) {
  Simd4 v[4];
  for (int k = 0; k < 4; k++) {
    v[k] = SIMD_READ(Simd4, from + i + k);
  }
  simd4_transpose(v);
  for (int l = 0; l < 4; l++) {
    SIMD_AT(Simd4, to[l] + i) = v[l];
  }
}
#endif

// to[i], lane l = from[l][i] for i < n. The last four may overlap those before.
INLINE void lanes_read(SimdN* to, const mjtNum* const* from, int n) {
  int i = 0;
#ifndef mjUSESINGLE
  for (; i + 4 <= n; i += 4) {
    lanes_read_four(to, from, i);
  }
  if (n > 4 && i < n) {
    lanes_read_four(to, from, n - 4);
    return;
  }
#endif
  for (; i < n; i++) {
    for (int l = 0; l < SIMD_N; l++) {
      LANE(to[i], l) = from[l][i];
    }
  }
}

// to[l][i] = from[i], lane l, for i < n and problems of their own
INLINE void lanes_write(mjtNum* const* to, const SimdN* from, int n, int count) {
  int i = 0;
#ifndef mjUSESINGLE
  for (; i + 4 <= n && count == 4; i += 4) {
    lanes_write_four(to, from, i);
  }
  if (n > 4 && i < n && count == 4) {
    lanes_write_four(to, from, n - 4);
    return;
  }
#endif
  for (; i < n; i++) {
    for (int l = 0; l < count; l++) {
      to[l][i] = LANE(from[i], l);
    }
  }
}

// Whether the rows of J have numbers in all columns, one row after the other.
INLINE int rows_are_full(const Matrix* J) {
  int last = J->nrow - 1;
  return !J->rownnz ? J->ld == J->ncolumn
                    : J->rownnz[0] == J->ncolumn && J->rownnz[last] == J->ncolumn &&
                          J->rowadr[last] - J->rowadr[0] == last * J->ncolumn;
}

// Row r of each J, which some lack or have in few columns.
INLINE void lanes_read_row(Lanes* s, int r) {
  SimdN* to = s->J + r * s->n;
  for (int i = 0; i < s->n; i++) {
    to[i] = (SimdN){0};
  }
  for (int l = 0; l < SIMD_N; l++) {
    const Matrix* J = &s->p[l]->J;
    int n = r >= J->nrow ? 0 : J->rownnz ? J->rownnz[r] : J->ncolumn;
    const mjtNum* value = J->value + (n && J->rownnz ? J->rowadr[r] : r * J->ld);
    const int* column = n && J->rownnz ? J->column + J->rowadr[r] : NULL;
    for (int k = 0; k < n; k++) {
      LANE(to[column ? column[k] : k], l) = value[k];
    }
  }
}

// Rows that all problems have in full are read together.
INLINE void lanes_read_J(Lanes* s) {
  const mjtNum* row[SIMD_N];
  int n = s->n, full = s->nefc, r = 0;
  for (int l = 0; l < SIMD_N; l++) {
    const Matrix* J = &s->p[l]->J;
    full = rows_are_full(J) ? int_min(full, J->nrow) : 0;
    row[l] = J->value + (J->rownnz ? J->rowadr[0] : 0);
  }
  for (; r < full; r++) {
    lanes_read(s->J + r * n, row, n);
    for (int l = 0; l < SIMD_N; l++) {
      row[l] += n;
    }
  }
  for (; r < s->nefc; r++) {
    lanes_read_row(s, r);
  }
}

// Row i of the lower triangle of M, and the column above its end
INLINE void lanes_read_inertia(Lanes* s, int i) {
  const mjtNum* value[SIMD_N];
  int n = s->n, full = 1;
  for (int l = 0; l < SIMD_N; l++) {
    const Problem* p = s->p[l];
    full &= p->tree.rownnz[i] == i + 1;
    value[l] = p->M + p->tree.rowadr[i];
  }
  if (full) {
    lanes_read(s->M + i * n, value, i + 1);
  }
  for (int j = 0; !full && j <= i; j++) {
    s->M[i * n + j] = (SimdN){0};
  }
  for (int l = 0; !full && l < SIMD_N; l++) {
    const TreePattern* tree = &s->p[l]->tree;
    for (int k = 0; k < tree->rownnz[i]; k++) {
      LANE(s->M[i * n + tree->colind[tree->rowadr[i] + k]], l) = value[l][k];
    }
  }
  for (int j = 0; j < i; j++) {
    s->M[j * n + i] = s->M[i * n + j];
  }
}

// Rows that all problems have are read together; a row that one lacks has no stiffness there.
INLINE void lanes_read_rows(Lanes* s) {
  const mjtNum *D[SIMD_N], *R[SIMD_N], *jar[SIMD_N];
  const SimdN zero = {0}, infinite = zero + (mjtNum)INFINITY;
  int all = s->nefc;
  for (int l = 0; l < SIMD_N; l++) {
    const Problem* p = s->p[l];
    D[l] = p->rows.D;
    R[l] = p->rows.R;
    jar[l] = p->jar;
    all = int_min(all, p->rows.nefc);
  }
  lanes_read(s->D, D, all);
  lanes_read(s->R, R, all);
  lanes_read(s->jar, jar, all);
  for (int r = all; r < s->nefc; r++) {
    for (int l = 0; l < SIMD_N; l++) {
      int own = r < s->p[l]->rows.nefc;
      LANE(s->D[r], l) = own ? D[l][r] : 0;
      LANE(s->R[r], l) = own ? R[l][r] : 0;
      LANE(s->jar[r], l) = own ? jar[l][r] : 0;
    }
  }
  for (int r = 0; r < s->nefc; r++) {
    s->low[r] = zero;
    s->high[r] = infinite;
  }
  for (int l = 0; l < SIMD_N; l++) {
    const Rows* rows = &s->p[l]->rows;
    for (int r = 0; r < rows->ne; r++) {
      LANE(s->low[r], l) = -(mjtNum)INFINITY;
    }
    for (int r = rows->ne; r < rows->ne + rows->nf; r++) {
      LANE(s->low[r], l) = -rows->frictionloss[r];
      LANE(s->high[r], l) = rows->frictionloss[r];
    }
  }
}

INLINE void lanes_read_dofs(Lanes* s) {
  const mjtNum *acc[SIMD_N], *acc_smooth[SIMD_N], *frc_smooth[SIMD_N], *Ma[SIMD_N];
  for (int l = 0; l < SIMD_N; l++) {
    const Problem* p = s->p[l];
    acc[l] = p->acc;
    acc_smooth[l] = p->acc_smooth;
    frc_smooth[l] = p->frc_smooth;
    Ma[l] = p->Ma;
    LANE(s->scale, l) = p->scale;
  }
  lanes_read(s->acc, acc, s->n);
  lanes_read(s->acc_smooth, acc_smooth, s->n);
  lanes_read(s->frc_smooth, frc_smooth, s->n);
  lanes_read(s->Ma, Ma, s->n);
  for (int i = 0; i < s->n; i++) {
    lanes_read_inertia(s, i);
  }
}

KERNEL
static void lanes_read_all(Lanes* s) {
  lanes_read_dofs(s);
  lanes_read_rows(s);
  lanes_read_J(s);
}

static int lane_zone(const Lanes* s, int lane, int r) {
  LawKind kind = law_kind(&s->p[lane]->rows, r);
  if (LANE(s->stiffness[r], lane) != 0 || kind == LAW_EQUALITY) {
    return mjCNSTRSTATE_QUADRATIC;
  }
  return kind == LAW_ONESIDED          ? mjCNSTRSTATE_SATISFIED
         : LANE(s->force[r], lane) > 0 ? mjCNSTRSTATE_LINEARNEG
                                       : mjCNSTRSTATE_LINEARPOS;
}

// Accelerations, forces and states of all problems.
KERNEL
static void lanes_write_all(const Lanes* s) {
  mjtNum *acc[SIMD_N], *frc[SIMD_N], *force[SIMD_N];
  int nefc = LANE_ROWS;
  for (int l = 0; l < s->count; l++) {
    acc[l] = s->p[l]->acc;
    frc[l] = s->p[l]->frc_constraint;
    force[l] = s->p[l]->force;
    nefc = int_min(nefc, s->p[l]->rows.nefc);
  }
  lanes_write(acc, s->acc, s->n, s->count);
  lanes_write(frc, s->frc_constraint, s->n, s->count);
  lanes_write(force, s->force, nefc, s->count);
  for (int l = 0; l < s->count; l++) {
    const Rows* rows = &s->p[l]->rows;
    int* state = s->p[l]->state;
    for (int r = nefc; r < rows->nefc; r++) {
      force[l][r] = LANE(s->force[r], l);
    }
    for (int r = 0; r < rows->ne + rows->nf; r++) {
      state[r] = lane_zone(s, l, r);
    }
    for (int r = rows->ne + rows->nf; r < rows->nefc; r++) {
      state[r] = LANE(s->stiffness[r], l) != 0 ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_SATISFIED;
    }
  }
}

// evaluation

// The force of row r at x; inside: whether it is within its bounds
INLINE void lanes_force(SimdN* force, MaskN* inside, const Lanes* s, int r, const SimdN* x) {
  SimdN f = (SimdN){0} - s->D[r] * *x;
  MaskN above = f > s->low[r], below = f < s->high[r];
  lane_choose(&f, &above, &f, &s->low[r]);
  lane_choose(force, &below, &f, &s->high[r]);
  *inside = above & below;
}

// Forces, stiffness and cost of all rows
INLINE void lanes_law(Lanes* s) {
  SimdN cost = {0};
  for (int r = 0; r < s->nefc; r++) {
    SimdN f, stiffness = s->D[r];
    MaskN inside;
    lanes_force(&f, &inside, s, r, &s->jar[r]);
    lane_keep(&stiffness, &inside);
    s->force[r] = f;
    s->stiffness[r] = stiffness;
    cost -= f * (s->jar[r] + s->R[r] * f * (mjtNum)0.5);
  }
  s->cost = cost;
}

// Columns i to i + width of J' f, a constant width where this is inlined
INLINE void lanes_columns(Lanes* s, int n, int i, int width) {
  SimdN sum[6] = {{0}, {0}, {0}, {0}, {0}, {0}};
  const SimdN* row = s->J + i;
  for (int r = 0; r < s->nefc; r++, row += n) {
    for (int c = 0; c < width; c++) {
      sum[c] += s->force[r] * row[c];
    }
  }
  for (int c = 0; c < width; c++) {
    s->frc_constraint[i + c] = sum[c];
  }
}

// Forces, total cost and its gradient
INLINE void lanes_evaluate(Lanes* s, int n) {
  lanes_law(s);
  int i = 0;
  for (; i + 6 <= n; i += 6) {
    lanes_columns(s, n, i, 6);
  }
  for (; i + 2 <= n; i += 2) {
    lanes_columns(s, n, i, 2);
  }
  if (i < n) {
    lanes_columns(s, n, i, 1);
  }
  SimdN gauss = {0};
  for (i = 0; i < n; i++) {
    s->residual[i] = s->Ma[i] - s->frc_smooth[i];
    s->grad[i] = s->residual[i] - s->frc_constraint[i];
    gauss += s->residual[i] * (s->acc[i] - s->acc_smooth[i]);
  }
  s->cost += gauss * (mjtNum)0.5;
}

INLINE void lanes_gradient_size(SimdN* size, const Lanes* s, int n) {
  lane_dot(size, s->grad, s->grad, n);
  lane_root(size);
  *size *= s->scale;
}

// direction

// Columns j to j + width of row i of H = M + J' W J, a constant width where this is inlined
INLINE void lanes_hessian_tile(Lanes* s, int n, int i, int j, int width) {
  SimdN sum[6];
  for (int c = 0; c < width; c++) {
    sum[c] = s->M[i * n + j + c];
  }
  const SimdN* row = s->J;
  for (int r = 0; r < s->nefc; r++, row += n) {
    SimdN weighted = s->stiffness[r] * row[i];
    for (int c = 0; c < width; c++) {
      sum[c] += weighted * row[j + c];
    }
  }
  for (int c = 0; c < width; c++) {
    s->H[i * n + j + c] = sum[c];
  }
}

// The lower triangle of H.
INLINE void lanes_hessian(Lanes* s, int n) {
  for (int i = 0; i < n; i++) {
    int j = 0;
    for (; j + 6 <= i + 1; j += 6) {
      lanes_hessian_tile(s, n, i, j, 6);
    }
    for (; j + 3 <= i + 1; j += 3) {
      lanes_hessian_tile(s, n, i, j, 3);
    }
    for (; j <= i; j++) {
      lanes_hessian_tile(s, n, i, j, 1);
    }
  }
}

// H = L' D L, from the last dof to the first; L takes the place of H below the diagonal:
//
//   L_ij = H_ij / D_i    H_jk -= L_ij H_ik       for k <= j < i
INLINE void lanes_factor(Lanes* s, int n) {
  const SimdN least = (SimdN){0} + (mjtNum)mjMINVAL;
  for (int i = n - 1; i >= 0; i--) {
    SimdN *row = s->H + i * n, pivot = row[i];
    MaskN large = pivot >= least;
    lane_choose(&pivot, &large, &pivot, &least);
    SimdN d = s->inverse[i] = 1 / pivot;
    for (int j = 0; j < i; j++) {
      SimdN *to = s->H + j * n, factor = row[j] * d;
      for (int k = 0; k <= j; k++) {
        to[k] -= factor * row[k];
      }
    }
    for (int j = 0; j < i; j++) {
      row[j] *= d;
    }
  }
}

// x = (L' D L)^-1 x
INLINE void lanes_solve(const Lanes* s, int n, SimdN* x) {
  for (int i = n - 1; i > 0; i--) {
    for (int j = 0; j < i; j++) {
      x[j] -= s->H[i * n + j] * x[i];
    }
  }
  for (int i = 0; i < n; i++) {
    x[i] *= s->inverse[i];
    for (int j = 0; j < i; j++) {
      x[i] -= s->H[i * n + j] * x[j];
    }
  }
}

// search = -H^-1 grad, 0 in lanes that have ended
INLINE void lanes_direction(Lanes* s, int n) {
  lanes_hessian(s, n);
  lanes_factor(s, n);
  const SimdN zero = {0};
  for (int i = 0; i < n; i++) {
    s->search[i] = zero - s->grad[i];
  }
  lanes_solve(s, n, s->search);
  for (int i = 0; i < n; i++) {
    lane_keep(&s->search[i], &s->live);
  }
}

// line search

// Slope and curvature of the cost at alpha, from those of the Gauss term at 0
INLINE void lanes_line(SimdN* slope, SimdN* curvature, const Lanes* s, const SimdN* alpha,
                       const SimdN gauss[2]) {
  SimdN first = gauss[0] + *alpha * gauss[1], second = gauss[1];
  for (int r = 0; r < s->nefc; r++) {
    SimdN f, x = s->jar[r] + *alpha * s->Jv[r], bend = s->bend[r];
    MaskN inside;
    lanes_force(&f, &inside, s, r, &x);
    lane_keep(&bend, &inside);
    first -= f * s->Jv[r];
    second += bend;
  }
  *slope = first;
  *curvature = second;
}

// M v, J v and D (J v)^2 of the direction
INLINE void lanes_images(Lanes* s, int n) {
  for (int i = 0; i < n; i++) {
    lane_dot(&s->Mv[i], s->M + i * n, s->search, n);
  }
  for (int r = 0; r < s->nefc; r++) {
    lane_dot(&s->Jv[r], s->J + r * n, s->search, n);
    s->bend[r] = s->D[r] * s->Jv[r] * s->Jv[r];
  }
}

// Newton steps within a bracket; lanes that run out of evaluations have failed.
// Also line_minimum_inline in constraint/solver/line_search.h.
INLINE void lanes_line_search(LaneMinimum* out, Lanes* s, int n, const mjOption* opt) {
  const mjtNum rounding = sizeof(mjtNum) == 8 ? (mjtNum)1e-15 : (mjtNum)5e-7;
  const SimdN zero = {0}, infinite = zero + (mjtNum)INFINITY;
  lanes_images(s, n);
  SimdN gauss[2], curvature, enough, alpha = zero + 1, low = zero, high = infinite;
  lane_dot(&out->norm, s->search, s->search, n);
  lane_root(&out->norm);
  lane_dot(&gauss[0], s->residual, s->search, n);
  lane_dot(&gauss[1], s->Mv, s->search, n);
  enough = opt->tolerance * opt->ls_tolerance * out->norm / s->scale;
  MaskN open = s->live & (out->norm >= zero + (mjtNum)mjMINVAL);
  lane_keep(&alpha, &open);
  for (int k = 0; lane_any(&open); k++) {
    lanes_line(&out->slope, &curvature, s, &alpha, gauss);
    SimdN size = out->slope;
    lane_abs(&size);
    for (int l = 0; l < SIMD_N; l++) {
      s->neval[l] += open[l] != 0;
    }
    open &= ~(size < enough);
    if (k + 1 >= opt->ls_iterations) {
      s->failed |= open;
      s->live &= ~open;
      break;
    }
    MaskN before = open & (out->slope < zero), behind = open & ~before;
    lane_choose(&low, &before, &alpha, &low);
    lane_choose(&high, &behind, &alpha, &high);
    SimdN next = alpha - out->slope / curvature, middle = (low + high) * (mjtNum)0.5;
    MaskN bounded = high < infinite, inside = (next > low) & (next < high);
    lane_choose(&middle, &bounded, &middle, &alpha);
    lane_choose(&next, &inside, &next, &middle);
    SimdN change = next - alpha;
    lane_abs(&change);
    open &= ~(change <= rounding * alpha);
    lane_choose(&alpha, &open, &next, &alpha);
  }
  out->alpha = alpha;
}

INLINE void lanes_step(Lanes* s, int n, const SimdN* alpha) {
  for (int i = 0; i < n; i++) {
    s->acc[i] += *alpha * s->search[i];
    s->Ma[i] += *alpha * s->Mv[i];
  }
  for (int r = 0; r < s->nefc; r++) {
    s->jar[r] += *alpha * s->Jv[r];
  }
}

// statistics

static void lanes_remember(Lanes* s) {
  for (int r = 0; r < s->nefc; r++) {
    for (int l = 0; l < s->count; l++) {
      s->before[r][l] = r < s->p[l]->rows.nefc ? lane_zone(s, l, r) : 0;
    }
  }
}

// Keeps the statistics of an iteration of one problem.
// Also record in constraint/solver/primal.c.
static void lanes_record(const Lanes* s, int lane, mjSolverStat stat) {
  const Problem* p = s->p[lane];
  if (p->island >= mjNISLAND || s->niter[lane] >= mjNSOLVER) {
    return;
  }
  stat.nactive = stat.nchange = stat.nupdate = 0;
  for (int r = 0; r < p->rows.nefc; r++) {
    int now = lane_zone(s, lane, r), before = s->before[r][lane];
    stat.nactive += now != mjCNSTRSTATE_SATISFIED;
    stat.nchange += now != before;
    stat.nupdate += (now == mjCNSTRSTATE_QUADRATIC) != (before == mjCNSTRSTATE_QUADRATIC);
  }
  stat.neval = s->neval[lane];
  p->d->solver[p->island * mjNSOLVER + s->niter[lane]] = stat;
}

// descent

// decrease = 1/2 scale grad' x, what a step of -x promises to gain
INLINE void lanes_decrement(SimdN* decrease, const Lanes* s, int n, const SimdN* x) {
  lane_dot(decrease, s->grad, x, n);
  *decrease *= s->scale * (mjtNum)0.5;
}

// Ends the problems that start solved, by H = M.
// Also starts_solved in constraint/solver/primal.c.
INLINE void lanes_start_solved(Lanes* s, int n, const mjOption* opt) {
  SimdN size;
  lanes_gradient_size(&size, s, n);
  const SimdN tolerance = (SimdN){0} + opt->tolerance;
  MaskN small = s->live & (size < tolerance);
  if (!lane_any(&small)) {
    return;
  }
  for (int i = 0; i < n * n; i++) {
    s->H[i] = s->M[i];
  }
  lanes_factor(s, n);
  for (int i = 0; i < n; i++) {
    s->Mv[i] = s->grad[i];
  }
  lanes_solve(s, n, s->Mv);
  SimdN decrease;
  lanes_decrement(&decrease, s, n, s->Mv);
  s->live &= ~(small & (decrease < tolerance));
}

// Ends the problems to which the direction promises too little; at the start, only with a small
// gradient.
// Also has_arrived in constraint/solver/primal.c.
INLINE void lanes_arrive(Lanes* s, int n, const mjOption* opt, int first) {
  SimdN decrease, size;
  const SimdN tolerance = (SimdN){0} + opt->tolerance;
  lanes_decrement(&decrease, s, n, s->search);
  MaskN done = (SimdN){0} - decrease < tolerance;
  if (first) {
    lanes_gradient_size(&size, s, n);
    done &= size < tolerance;
  }
  s->live &= ~done;
  for (int i = 0; i < n; i++) {
    lane_keep(&s->search[i], &s->live);
  }
}

// One iteration from a direction; ends the problems that it brings no further.
INLINE void lanes_iterate(Lanes* s, int n, const mjOption* opt) {
  const SimdN zero = {0}, tolerance = zero + opt->tolerance;
  LaneMinimum found = {zero, zero, zero};
  for (int l = 0; l < SIMD_N; l++) {
    s->neval[l] = 0;
  }
  lanes_line_search(&found, s, n, opt);
  lane_keep(&found.alpha, &s->live);
  s->live &= found.alpha != zero;
  lanes_step(s, n, &found.alpha);
  if (s->recorded) {
    lanes_remember(s);
  }
  SimdN improvement = s->cost, gradient;
  lanes_evaluate(s, n);
  improvement = (improvement - s->cost) * s->scale;
  lanes_gradient_size(&gradient, s, n);
  MaskN done = (improvement < tolerance) | (gradient < tolerance) | (improvement <= zero);
  for (int l = 0; l < s->count; l++) {
    if (s->live[l]) {
      mjSolverStat stat = {.improvement = improvement[l], .gradient = gradient[l]};
      stat.lineslope = mju_abs(found.slope[l]) * s->scale[l] / found.norm[l];
      lanes_record(s, l, stat);
      s->niter[l]++;
    }
  }
  s->live &= ~done;
}

// Also descend in constraint/solver/primal.c.
INLINE void lanes_descend(Lanes* s, int n, const mjOption* opt, int by_decrement) {
  lanes_evaluate(s, n);
  // what is infinite or not a number has no descent, and the scalar solver's answer
  MaskN finite = s->cost - s->cost == (SimdN){0};
  s->failed = s->live & ~finite;
  s->live &= finite;
  if (by_decrement) {
    lanes_start_solved(s, n, opt);
  }
  for (int k = 0; k < opt->iterations && lane_any(&s->live); k++) {
    lanes_direction(s, n);
    if (by_decrement) {
      lanes_arrive(s, n, opt, k == 0);
    }
    lanes_iterate(s, n, opt);
  }
}

// Loops over the six dofs of a free body are unrolled, unless the library is optimised for size.
KERNEL
static void lanes_descend_any(Lanes* s, const mjOption* opt, int by_decrement) {
#ifndef CONDYLE_SMALL
  if (s->n == 6) {
    lanes_descend(s, 6, opt, by_decrement);
    return;
  }
#endif
  lanes_descend(s, s->n, opt, by_decrement);
}

int primal_lanes_take(const mjModel* m, int n, int nefc, const int* type) {
  if (m->opt.solver != mjSOL_NEWTON || n > LANE_DOFS || nefc > LANE_ROWS ||
      problem_is_cut_short(&m->opt)) {
    return 0;
  }
  for (int r = 0; r < nefc && !mj_isPyramidal(m); r++) {
    if (type[r] == mjCNSTR_CONTACT_ELLIPTIC) {
      return 0;
    }
  }
  return 1;
}

void primal_lanes(int* niter, const mjModel* m, Problem* const* p, int count) {
  Problem* all[SIMD_N];
  Lanes s;  // too large to be cleared each time
  s.n = p[0]->n;
  s.nefc = 0;
  s.count = count;
  s.p = all;
  s.recorded = 0;
  s.live = (MaskN){0};
  for (int l = 0; l < SIMD_N; l++) {
    all[l] = p[l < count ? l : 0];
    s.nefc = int_max(s.nefc, all[l]->rows.nefc);
    s.recorded |= all[l]->island < mjNISLAND;
    s.niter[l] = 0;
    s.live[l] = l < count ? -1 : 0;
  }
  lanes_read_all(&s);
  lanes_descend_any(&s, &m->opt, p[0]->by_decrement);
  for (int l = 0; l < count; l++) {
    niter[l] = s.failed[l] ? -1 : s.niter[l];
    for (int i = 0; s.failed[l] && i < s.n; i++) {
      LANE(s.acc[i], l) = p[l]->acc[i];
    }
  }
  lanes_write_all(&s);
}
