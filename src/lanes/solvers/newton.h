// newton.h: the acceleration that Gauss's principle asks for, by Newton's method in every lane.
//                                                        theory/contact/solvers.md, Gauss principle
//
//   minimise P(a) = 1/2 (a - a0)' M (a - a0) + s(J a - a_ref)
//
// Lanes take different numbers of iterations. One that has ended takes steps of zero: exact no-ops,
// so that how long its neighbours go on changes nothing. A lane that gets no further before it is
// at the minimum is left to the scalar engine.                     theory/time/lanes.md, Divergence

#pragma once

#include "lanes/dynamics/panels.h"
#include "lanes/rows/rows.h"
#include "lanes/solvers/live.h"

#if LANES_SINGLE
// What is rounding beside the parts of a sum of some dozens of terms. Less can't be told from
// nothing, and asking for it would use up all iterations.
static const Num SLOPE_NOISE = 1e-6f, GRADIENT_NOISE = 2e-6f, GAIN_NOISE = 1e-5f;
#endif

// What is rounding of a sum, beside the sizes of its parts; of a step along a line, beside its
// place.
static const Num SUM_NOISE = LANES_SINGLE ? (Num)1e-5 : (Num)1e-12;
static const Num STEP_NOISE = LANES_SINGLE ? (Num)5e-7 : (Num)1e-15;

// Evaluations along a line, more than most take, after which Newton's steps must halve the bracket.
enum {
  PATIENCE = 6
};

// Iterations of the solver and evaluations of a line: at least as many as find minima, where a
// model that allows fewer is taken there.
enum {
  ITERATIONS_TO_MINIMUM = 100,
  EVALUATIONS_TO_MINIMUM = 50
};

INLINE int limit_to_minimum(const Work* w, int allowed, int to_minimum) {
  return w->s->minimum ? int_max(allowed, to_minimum) : allowed;
}

// a += step s, M a += step M s; the rows have moved before.
static void solver_move(Work* w, Real step) {
  LIVE_DOFS(w, i) {
    w->acc[i] = real_muladd(step, w->search[i], w->acc[i]);
    w->Ma[i] = real_muladd(step, w->Mv[i], w->Ma[i]);
  }
}

// Starts at a0, or in trees with rows at the last acceleration where that costs no more.
//                                                                  theory/contact/solvers.md, Start
static void solver_start(Work* w) {
  int nv = w->m->nv;
  copy_reals(w->acc, w->acc_smooth, nv);
  copy_reals(w->Ma, w->smooth, nv);
  copy_reals(w->search, w->acc_smooth, nv);
  rows_multiply(w, w->search);
  rows_shift(w, lane_real_of(1));
  if (!lane_is_on(w, mjDSBL_WARMSTART)) {
    return;
  }
  LIVE_DOFS(w, i) {
    w->search[i] = real_where(w->used[w->m->dof_treeid[i]], w->warm[i] - w->acc_smooth[i]);
  }
  product(w->Mv, w->M, w->own, w->search);
  rows_multiply(w, w->search);
  Real change = live_dot(w, w->search, w->Mv) * (Num)0.5 + rows_move(w, lane_real_of(1), 1).sum;
  Real step = real_where(change <= REAL_ZERO, lane_real_of(1));
  solver_move(w, step);
  rows_shift(w, step);
}

// grad = M a - tau0 - J' f; returns its length, 0 if that is rounding.
static Real solver_gradient(Work* w) {
  rows_force(w);
  LIVE_DOFS(w, i) {
    w->grad[i] = w->Ma[i] - w->smooth[i] - w->constraint[i];
  }
  Real square = live_dot(w, w->grad, w->grad);
#if LANES_SINGLE
  // of all dofs: which trees are live depends on the neighbours
  int n = w->m->nv;
  Real size = vector_dot(w->Ma, w->Ma, n) + vector_dot(w->smooth, w->smooth, n);
  square = real_where(square > size * (GRADIENT_NOISE * GRADIENT_NOISE), square);
#endif
  return real_sqrt(square);
}

// The same in the lanes that go on. Forces of the others stay: some of their rows may be left out.
static Real live_gradient(Work* w, Mask live) {
  int nv = w->m->nv;
  copy_reals(w->held, w->constraint, nv);
  Real length = solver_gradient(w);
  for (int i = 0; i < nv; i++) {
    w->constraint[i] = real_select(live, w->constraint[i], w->held[i]);
  }
  return length;
}

// s = -H^-1 grad in the lanes that go on; p: pattern of H
static void solver_direction(Work* w, const LanePattern* p, Mask live) {
  coupling_clear(w, p);
  contacts_hessian(w);
  dof_rows_hessian(w);
  coupled_rows_hessian(w);
  LIVE_DOFS(w, i) {
    w->search[i] = -w->grad[i];
  }
  factor_and_solve(w->search, w->H, p);
  LIVE_DOFS(w, i) {
    w->search[i] = real_where(live, w->search[i]);
  }
}

// Slope and curvature of the Gauss term where a line starts, and the slope that is small enough.
typedef struct LineTerms {
  Real slope, curvature, enough;
} LineTerms;

typedef struct LaneLinePoint {
  Real slope, curvature;  // of P along s
} LaneLinePoint;

INLINE LaneLinePoint line_at(const Work* w, const LineTerms* line, Real step) {
  LaneLinePoint at = {real_muladd(step, line->curvature, line->slope), line->curvature};
  coupled_rows_line(&at.slope, &at.curvature, w, step);
  dof_rows_line(&at.slope, &at.curvature, w, step);
  contacts_line(&at.slope, &at.curvature, w, step);
  return at;
}

// The step to the minimum of P along s: Newton steps from 1 on, kept between the ends of a bracket
// as soon as there are both. Near the tip of a cone, where the curvature has no bound, they creep:
// a step that has not halved the bracket is followed by one to its middle or, without an upper end,
// by one to twice the last. Lanes that run out of evaluations stay `open`, with the slope they end
// at.
//                                                            theory/contact/solvers.md, Line search
// Also line_minimum in constraint/solver/line_search.c.
static Real lane_line_search(Mask* open, Real* slope, const Work* w, Mask live,
                             const LineTerms* line) {
  const Real infinite = lane_real_of(INFINITY);
  Real step = real_where(live, lane_real_of(1)), low = REAL_ZERO, high = infinite, width = infinite;
  *open = live;
  for (int k = 0, n = limit_to_minimum(w, w->m->opt.ls_iterations, EVALUATIONS_TO_MINIMUM); k < n;
       k++) {
    LaneLinePoint at = line_at(w, line, step);
    *open &= real_abs(at.slope) > line->enough;
    if (!mask_any(*open)) {
      return step;
    }
    Mask behind = at.slope > REAL_ZERO;
    low = real_select(*open & ~behind, step, low);
    high = real_select(*open & behind, step, high);
    Real next = step - at.slope / at.curvature, half = (low + high) * (Num)0.5;
    Mask bounded = high < infinite, inside = (next > low) & (next < high);
    if (k >= PATIENCE) {
      inside &= (bounded & ((high - low) * 2 <= width)) | (~bounded & (next >= low * 2));
    }
    width = high - low;
    next = real_select(inside, next, real_select(bounded, half, low * 2));
    *open &= real_abs(next - step) > STEP_NOISE * step;
    step = real_select(*open, next, step);
  }
  // the lower end costs less than the start, which the last step may not
  step = real_select(*open & (low > REAL_ZERO), low, step);
  *slope = line_at(w, line, step).slope;
  return step;
}

// How a step along s went.
typedef struct Stepped {
  Real step, gain;  // gain: the decrease of P
  Mask open;        // lanes whose line search ran out of evaluations before the minimum
  Mask lost;        // lanes whose P has grown
  Real noise;       // what of a gain is rounding
} Stepped;

// line_tolerance for lanes: the slope at which the search along a step of this length ends.
static Real lane_line_tolerance(const Work* w, Real length) {
  const OptionConstants* o = w->constants.option;
  return length * o->tolerance * o->ls_tolerance / o->scale;
}

// Steps along s.
static Stepped solver_step(Work* w, Mask live) {
  product(w->Mv, w->M, w->own, w->search);
  rows_multiply(w, w->search);
  Real along = REAL_ZERO, parts = REAL_ZERO;
  LIVE_DOFS(w, i) {
    Real part = w->search[i] * (w->Ma[i] - w->smooth[i]);
    along += part;
    parts += real_abs(part);
  }
  Real length = real_sqrt(live_dot(w, w->search, w->search));
  LineTerms line = {along, live_dot(w, w->search, w->Mv), lane_line_tolerance(w, length)};
#if LANES_SINGLE
  line.enough = real_max(line.enough, (real_abs(along) + line.curvature) * SLOPE_NOISE);
#endif
  Stepped out;
  Real slope = REAL_ZERO;
  out.step = lane_line_search(&out.open, &slope, w, live, &line);
  Real half = out.step * (Num)0.5;
  Real first = out.step * real_muladd(half, line.curvature, along);
  Change rows = rows_move(w, out.step, 0);
  solver_move(w, out.step);
  out.gain = -(first + rows.sum);
  out.noise = real_muladd(out.step, parts, rows.size) * SUM_NOISE;
  out.open &= real_abs(slope * out.step) > out.noise;
  out.lost = out.gain < -out.noise;
#if LANES_SINGLE
  out.gain = real_where(out.gain > (real_abs(first) + real_abs(rows.sum)) * GAIN_NOISE, out.gain);
#endif
  return out;
}

// Finds acc and constraint. live: lanes that have rows. A lane ends where its gradient or its gain
// is below the tolerance. Where rounding hides a gain that it might have, it goes on while the
// gradient shrinks.
// Also primal_solve in constraint/solver/primal.c.
static void newton(Work* w, Mask live) {
  const Constants* c = &w->constants;
  live_find(w);
  const LanePattern* p = coupling_pattern(w);
  solver_start(w);
  Real scale = real_constant(c->option->scale), length = solver_gradient(w) * scale;
  Real tolerance = real_constant(c->option->tolerance);
  Mask stuck = mask_of(0);
  int nmet = w->nmet;
  memcpy(w->all_met, w->met, (size_t)nmet * sizeof(int));
  int most = limit_to_minimum(w, w->m->opt.iterations, ITERATIONS_TO_MINIMUM);
  for (int k = 0; k < most && mask_any(live); k++) {
    w->count.iterations += LANES;
    w->count.live += __builtin_popcount(mask_bits(live));
    solver_direction(w, p, live);
    Stepped done = solver_step(w, live);
    Real gain = done.gain * scale, before = length;
    length = live_gradient(w, live) * scale;
    Mask rounds = ~(done.gain > done.noise) & (done.noise * scale > tolerance);
    Mask above = live & (length >= tolerance) & (length > REAL_ZERO);
    Mask gains = (gain >= tolerance) & (done.gain > done.noise);
    gains |= ((gain > REAL_ZERO) & done.open) | (rounds & (length * 2 < before));
    live = above & (done.step != REAL_ZERO) & gains;
    stuck |= above & ~live & (done.open | done.lost);
    p = live_narrow(w, live, p);
  }
  if (w->nmet < nmet) {
    w->nmet = nmet;
    memcpy(w->met, w->all_met, (size_t)nmet * sizeof(int));
    contacts_ground(w);
  }
  w->unsolved |= mask_bits(stuck | live) & ~w->failed;
  w->failed |= w->unsolved;
}
