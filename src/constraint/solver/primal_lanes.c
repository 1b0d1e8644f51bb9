// Newton's method for small islands side by side, one in each lane of a vector.
//
// A box on a plane has 6 dofs and 16 rows: too few to fill vectors along either, so that most of a
// solve goes into branches and sums of short rows. Scenes of many things have many such islands.
// Those of as many dofs are solved together. Lanes don't mix, and one that has ended takes steps of
// zero, so that neighbours change nothing.
//                                           theory/contact/solvers.md, Small islands side by side

#include "constraint/solver/primal_lanes.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "constraint/solver/lane_copies.h"
#include "constraint/solver/lane_law.h"
#include "constraint/solver/lane_newton.h"
#include "constraint/solver/lane_problems.h"
#include "model/data/arena.h"

// The minimum along a line.
typedef struct {
  SimdN alpha, slope, norm;  // norm: of the direction
} LaneMinimum;

// evaluation

// Forces, total cost and its gradient
INLINE void lanes_evaluate(Lanes* s, int n) {
  lanes_law(s, s->jar);
  lanes_multiply_Jt(s, n);
  SimdN gauss = {0};
  for (int i = 0; i < n; i++) {
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

// start

// J acc_smooth - aref and J acc - aref
INLINE void lanes_residuals(Lanes* s, int n, int warm) {
  if (warm) {
    lanes_multiply_J(s, n, s->acc);
    for (int r = 0; r < s->nefc; r++) {
      s->jar[r] = s->Jv[r] + s->b[r];
    }
  }
  lanes_multiply_J(s, n, s->acc_smooth);
  for (int r = 0; r < s->nefc; r++) {
    s->b[r] += s->Jv[r];
  }
}

// Moves some problems to the unconstrained solution.
INLINE void lanes_start_cold(Lanes* s, int n, const MaskN* cold) {
  for (int i = 0; i < n; i++) {
    lane_choose(&s->acc[i], cold, &s->acc_smooth[i], &s->acc[i]);
    lane_choose(&s->Ma[i], cold, &s->frc_smooth[i], &s->Ma[i]);
  }
  for (int r = 0; r < s->nefc; r++) {
    lane_choose(&s->jar[r], cold, &s->b[r], &s->jar[r]);
  }
}

// The last step's solution or the unconstrained one, whichever costs less.
// Also start in constraint/solver/primal.c.
INLINE void lanes_start(Lanes* s, int n) {
  int warm = s->p[0]->start->warm;
  lanes_residuals(s, n, warm);
  MaskN cold = (SimdN){0} == (SimdN){0};
  if (warm) {
    lanes_multiply_M(s, n, s->acc);
    for (int i = 0; i < n; i++) {
      s->Ma[i] = s->Mv[i];
    }
    lanes_law(s, s->b);
    lanes_zones(s->cold, s);
    SimdN least = s->cost;
    lanes_evaluate(s, n);
    cold = s->cost > least;
  }
  if (lane_any(&cold)) {
    lanes_start_cold(s, n, &cold);
    lanes_evaluate(s, n);
  }
}

// line search

// M v, J v and D (J v)^2 of the direction, and cones along it
INLINE void lanes_images(Lanes* s, int n) {
  lanes_multiply_M(s, n, s->search);
  lanes_multiply_J(s, n, s->search);
  for (int r = 0; r < s->nefc; r++) {
    s->bend[r] = s->D[r] * s->Jv[r] * s->Jv[r];
  }
  for (int c = 0; c < s->ncone; c++) {
    lanes_cone_turn(s, s->cone + c);
  }
}

// Newton steps within a bracket. Where they go in circles, every other step halves it instead.
// Lanes that run out of evaluations have failed.
// Also line_minimum_inline in constraint/solver/line_search.h.
INLINE void lanes_line_search(LaneMinimum* out, Lanes* s, int n, const mjOption* opt) {
  const int patience = 6;  // evaluations, more than most take
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
    s->neval -= open;
    open &= ~(size < enough);
    MaskN flat = open & ~(curvature > zero);  // by rounding
    s->failed |= flat;
    s->live &= ~flat;
    open &= ~flat;
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
    if (k >= patience && k % 2) {
      inside &= ~bounded;
    }
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

// Keeps the statistics of an iteration of one problem.
// Also record in constraint/solver/primal.c.
static void lanes_record(const Lanes* s, const SimdN* zone, int lane, mjSolverStat stat) {
  const Problem* p = s->p[lane];
  int iter = (int)s->niter[lane];
  if (p->island >= mjNISLAND || iter >= mjNSOLVER) {
    return;
  }
  stat.nactive = stat.nchange = stat.nupdate = 0;
  for (int r = 0; r < s->nefc; r++) {
    int now = (int)zone[r][lane], before = (int)s->before[r][lane];
    int own = s->source[r][lane] >= 0;
    stat.nactive += own && now != mjCNSTRSTATE_SATISFIED;
    stat.nchange += own && now != before;
    stat.nupdate += own && (now == mjCNSTRSTATE_QUADRATIC) != (before == mjCNSTRSTATE_QUADRATIC);
    stat.nupdate += own && now == mjCNSTRSTATE_CONE;
  }
  stat.neval = (int)s->neval[lane];
  p->d->solver[p->island * mjNSOLVER + iter] = stat;
}

INLINE void lanes_record_all(const Lanes* s, const SimdN* improvement, const SimdN* gradient,
                             const LaneMinimum* found) {
  SimdN zone[LANE_ROWS];
  lanes_zones(zone, s);
  for (int l = 0; l < s->count; l++) {
    if (s->live[l]) {
      mjSolverStat stat = {.improvement = (*improvement)[l], .gradient = (*gradient)[l]};
      stat.lineslope = mju_abs(found->slope[l]) * s->scale[l] / found->norm[l];
      lanes_record(s, zone, l, stat);
    }
  }
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
  for (int i = 0; i < n; i++) {
    s->Mv[i] = s->grad[i];
  }
  lanes_factor_solve(s, n, s->Mv);
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
  s->neval = (MaskN){0};
  lanes_line_search(&found, s, n, opt);
  lane_keep(&found.alpha, &s->live);
  s->live &= found.alpha != zero;
  lanes_step(s, n, &found.alpha);
  if (s->recorded) {
    lanes_zones(s->before, s);
  }
  SimdN improvement = s->cost, gradient;
  lanes_evaluate(s, n);
  improvement = (improvement - s->cost) * s->scale;
  lanes_gradient_size(&gradient, s, n);
  MaskN done = (improvement < tolerance) | (gradient < tolerance) | (improvement <= zero);
  if (s->recorded) {
    lanes_record_all(s, &improvement, &gradient, &found);
  }
  s->niter -= s->live;
  s->live &= ~done;
}

// Also descend in constraint/solver/primal.c.
INLINE void lanes_descend(Lanes* s, int n, const mjOption* opt, int by_decrement) {
  lanes_start(s, n);
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

// Robots of 14 dofs take a tenth longer here than by primal_small, stacks of 18 two thirds as long.
int primal_lanes_take(const mjModel* m, int n, int nefc) {
  const int few = 12;
  return m->opt.solver == mjSOL_NEWTON && (n <= few || (n > SMALL_DOFS && n <= LANE_DOFS)) &&
         nefc <= LANE_ROWS && !problem_is_cut_short(&m->opt);
}

void primal_lanes(int* niter, const mjModel* m, void* room, Problem* const* p, int count) {
  Lanes* s = room;
  lanes_read_problems(s, p, count);
  lanes_descend_any(s, &m->opt, p[0]->by_decrement);
  for (int l = 0; l < count; l++) {
    niter[l] = s->failed[l] ? -1 : (int)s->niter[l];
    for (int i = 0; s->failed[l] && i < s->n; i++) {
      LANE(s->acc[i], l) = p[l]->acc[i];
    }
  }
  lanes_write_problems(s);
}
