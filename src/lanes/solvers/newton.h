// newton.h: the acceleration that Gauss's principle asks for, by Newton's method in every lane.
//                                                        theory/contact/solvers.md, Gauss principle
//
//   minimise P(a) = 1/2 (a - a0)' M (a - a0) + s(J a - a_ref)
//
// Islands take different numbers of iterations, and so do lanes. What has ended takes steps of
// zero: exact no-ops, so that how long its neighbours go on changes nothing. A lane that gets no
// further before it is at the minimum is left to the scalar engine.
//                                                             theory/time/lanes.md, Divergence

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

// a += step s, M a += step M s by the steps of trees; the rows have moved before.
static void solver_move(Work* w) {
  LIVE_RANGES(w, r) {
    Real step = w->step[r->tree];
    for (int i = r->first; i < r->end; i++) {
      w->acc[i] = real_muladd(step, w->search[i], w->acc[i]);
      w->Ma[i] = real_muladd(step, w->Mv[i], w->Ma[i]);
    }
  }
}

// Starts at a0, or in islands at the last acceleration where that costs no more; together: where
// it costs no more in all of them.
//                                                                  theory/contact/solvers.md, Start
static void solver_start(Work* w, int together) {
  int nv = w->m->nv;
  const Real one = lane_real_of(1);
  copy_reals(w->acc, w->acc_smooth, nv);
  copy_reals(w->Ma, w->smooth, nv);
  rows_multiply(w, w->acc_smooth);
  for (int t = 0; t < w->ntree; t++) {
    w->step[t] = one;
  }
  rows_shift(w);
  if (!lane_is_on(w, mjDSBL_WARMSTART)) {
    return;
  }
  LIVE_RANGES(w, r) {
    Mask used = w->island_of[r->tree].used;
    for (int i = r->first; i < r->end; i++) {
      w->search[i] = real_where(used, w->warm[i] - w->acc_smooth[i]);
    }
  }
  product(w->Mv, w->M, w->own, w->search);
  rows_multiply(w, w->search);
  rows_move(w, 1);
  live_dot(w, w->curvature, w->search, w->Mv);
  islands_sum(w, w->change);
  Real all = REAL_ZERO;
  LIVE_RANGES(w, r) {
    Real change = real_muladd(w->curvature[r->tree], lane_real_of((Num)0.5), w->change[r->tree]);
    all += real_where(islands_root(w, r->tree), change);
    w->step[r->tree] = real_where(change <= REAL_ZERO, one);
  }
  LIVE_RANGES(w, r) {
    w->step[r->tree] = together ? real_where(all <= REAL_ZERO, one) : w->step[r->tree];
  }
  islands_spread(w, w->step);
  solver_move(w);
  rows_shift(w);
}

// What makes the costs of an island dimensionless: 1 / trace M, or by the mean inertia.
// Also inertia_scale, whole_scale in constraint/forward.c.
static void solver_scales(Work* w) {
  Real* sum = w->change;
  clear_reals(sum, w->ntree);
  LIVE_RANGES(w, r) {
    for (int i = r->first; i < r->end; i++) {
      sum[r->tree] += w->M[lane_row_at(i) + i];
    }
  }
  islands_sum(w, sum);
  int whole = solves_whole(w);
  for (int t = 0; t < w->ntree; t++) {
    w->island_of[t].scale = whole ? real_constant(w->constants.option->scale) : 1 / sum[t];
  }
}

// grad = M a - tau0 - J' f; finds its length in each island, 0 if that is rounding.
static void solver_gradient(Work* w) {
  rows_force(w);
  LIVE_RANGES(w, r) {
    for (int i = r->first; i < r->end; i++) {
      w->grad[i] = w->Ma[i] - w->smooth[i] - w->constraint[i];
    }
  }
  live_dot(w, w->grad_length, w->grad, w->grad);
#if LANES_SINGLE
  live_dot(w, w->change, w->Ma, w->Ma);
  live_dot(w, w->change_size, w->smooth, w->smooth);
#endif
  LIVE_RANGES(w, r) {
    Real square = w->grad_length[r->tree];
#if LANES_SINGLE
    Real size = w->change[r->tree] + w->change_size[r->tree];
    square = real_where(square > size * (GRADIENT_NOISE * GRADIENT_NOISE), square);
#endif
    w->grad_length[r->tree] = real_sqrt(square);
  }
}

// The same where islands go on. Forces of the others stay: some of their rows may be left out.
static void live_gradient(Work* w) {
  int nv = w->m->nv;
  copy_reals(w->held, w->constraint, nv);
  solver_gradient(w);
  for (int i = 0; i < nv; i++) {
    Mask live = w->island_of[dof_tree(w, i)].live;
    w->constraint[i] = real_select(live, w->constraint[i], w->held[i]);
  }
}

// s = -H^-1 grad where islands go on; p: pattern of H
static void solver_direction(Work* w, const LanePattern* p) {
  coupling_clear(w, p);
  contacts_hessian(w);
  dof_rows_hessian(w);
  coupled_rows_hessian(w);
  LIVE_RANGES(w, r) {
    for (int i = r->first; i < r->end; i++) {
      w->search[i] = -w->grad[i];
    }
  }
  factor_and_solve(w->search, w->H, p);
  LIVE_RANGES(w, r) {
    Mask live = w->island_of[r->tree].live;
    for (int i = r->first; i < r->end; i++) {
      w->search[i] = real_where(live, w->search[i]);
    }
  }
}

// line_tolerance for lanes: the slope at which the search along a step of this length ends.
static Real lane_line_tolerance(const Work* w, Real length, Real scale) {
  const OptionConstants* o = w->constants.option;
  return length * o->tolerance * o->ls_tolerance / scale;
}

// Prepares searches along s: M s, J s, slope and curvature of the Gauss term.
static void solver_line(Work* w) {
  product(w->Mv, w->M, w->own, w->search);
  rows_multiply(w, w->search);
  for (int t = 0; t < w->ntree; t++) {
    w->line[t].open = mask_of(0);
  }
  LIVE_RANGES(w, r) {
    Real along = REAL_ZERO, parts = REAL_ZERO;
    for (int i = r->first; i < r->end; i++) {
      Real part = w->search[i] * (w->Ma[i] - w->smooth[i]);
      along += part;
      parts += real_abs(part);
    }
    w->slope[r->tree] = along;
    w->change_size[r->tree] = parts;
  }
  live_dot(w, w->curvature, w->search, w->Mv);
  live_dot(w, w->change, w->search, w->search);
  islands_sum(w, w->slope);
  islands_sum(w, w->change_size);
  LIVE_RANGES(w, r) {
    int t = r->tree;
    Real length = real_sqrt(w->change[t]);
    Real enough = lane_line_tolerance(w, length, w->island_of[t].scale);
#if LANES_SINGLE
    enough = real_max(enough, (real_abs(w->slope[t]) + w->curvature[t]) * SLOPE_NOISE);
#endif
    w->line[t] = (LaneLine){.along = w->slope[t],
                            .bend = w->curvature[t],
                            .parts = w->change_size[t],
                            .length = length,
                            .enough = enough,
                            .open = w->island_of[t].live & islands_root(w, t)};
  }
}

// Slope and curvature of P along s at the steps of trees.
INLINE void line_at(Work* w) {
  islands_spread(w, w->step);
  rows_line(w);
  islands_sum(w, w->slope);
  islands_sum(w, w->curvature);
  LIVE_RANGES(w, r) {
    const LaneLine* line = w->line + r->tree;
    w->slope[r->tree] += real_muladd(w->step[r->tree], line->bend, line->along);
    w->curvature[r->tree] += line->bend;
  }
}

// The next step of a search that is at one, where slope and curvature are known.
INLINE Real line_next(LaneLine* line, Real step, Real slope, Real curvature, int creeps) {
  Mask behind = slope > REAL_ZERO;
  line->low = real_select(line->open & ~behind, step, line->low);
  line->high = real_select(line->open & behind, step, line->high);
  Real low = line->low, high = line->high, width = high - low;
  Real next = step - slope / curvature, half = (low + high) * (Num)0.5;
  Mask bounded = high < lane_real_of(INFINITY), inside = (next > low) & (next < high);
  if (creeps) {
    inside &= (bounded & (width * 2 <= line->width)) | (~bounded & (next >= low * 2));
  }
  line->width = width;
  next = real_select(inside, next, real_select(bounded, half, low * 2));
  line->open &= real_abs(next - step) > STEP_NOISE * step;
  return real_select(line->open, next, step);
}

// Closes the searches that are flat enough. Returns whether one is open.
static int lines_close(Work* w) {
  Mask any = mask_of(0);
  LIVE_RANGES(w, r) {
    LaneLine* line = w->line + r->tree;
    line->open &= real_abs(w->slope[r->tree]) > line->enough;
    any |= line->open;
  }
  return mask_any(any);
}

// The step to the minimum of P along s: Newton steps from 1 on, kept between the ends of a bracket
// as soon as there are both. Near the tip of a cone, where the curvature has no bound, they creep:
// a step that has not halved the bracket is followed by one to its middle or, without an upper end,
// by one to twice the last. Lanes that run out of evaluations stay `open`, with the slope they end
// at. Trees that aren't live take none.
//                                                            theory/contact/solvers.md, Line search
// Also line_minimum in constraint/solver/line_search.c.
static void lane_line_search(Work* w) {
  clear_reals(w->step, w->ntree);
  LIVE_RANGES(w, r) {
    LaneLine* line = w->line + r->tree;
    w->step[r->tree] = real_where(line->open, lane_real_of(1));
    line->low = line->slope = REAL_ZERO;
    line->high = line->width = lane_real_of(INFINITY);
  }
  for (int k = 0, n = limit_to_minimum(w, w->m->opt.ls_iterations, EVALUATIONS_TO_MINIMUM); k < n;
       k++) {
    line_at(w);
    if (!lines_close(w)) {
      return;
    }
    LIVE_RANGES(w, r) {
      int t = r->tree;
      w->step[t] = line_next(w->line + t, w->step[t], w->slope[t], w->curvature[t], k >= PATIENCE);
    }
  }
  // the lower end costs less than the start, which the last step may not
  LIVE_RANGES(w, r) {
    const LaneLine* line = w->line + r->tree;
    Mask back = line->open & (line->low > REAL_ZERO);
    w->step[r->tree] = real_select(back, line->low, w->step[r->tree]);
  }
  line_at(w);
  LIVE_RANGES(w, r) {
    w->line[r->tree].slope = w->slope[r->tree];
  }
}

// What the steps have brought: the decrease of P, what of it is rounding, and whether a search that
// is open has ended far from the minimum.
static void solver_gains(Work* w) {
  islands_sum(w, w->change);
  islands_sum(w, w->change_size);
  LIVE_RANGES(w, r) {
    LaneLine* line = w->line + r->tree;
    Real step = w->step[r->tree], rows = w->change[r->tree];
    Real first = line_gauss(line, step);
    line->gain = -(first + rows);
    line->noise = real_muladd(step, line->parts, w->change_size[r->tree]) * SUM_NOISE;
    line->open &= real_abs(line->slope * step) > line->noise;
    line->lost = line->gain < -line->noise;
#if LANES_SINGLE
    Real least = (real_abs(first) + real_abs(rows)) * GAIN_NOISE;
    line->gain = real_where(line->gain > least, line->gain);
#endif
  }
}

// Ends an island where its gradient or its gain is below the tolerance. Where rounding hides a gain
// that it might have, it goes on while the gradient, which was `before`, shrinks. Returns the lanes
// in which it ends short of the minimum.
static Mask island_judge(Work* w, int tree, Real before) {
  const LaneLine* line = w->line + tree;
  Real scale = w->island_of[tree].scale, tolerance = real_constant(w->constants.option->tolerance);
  Real gain = line->gain * scale, length = w->grad_length[tree] * scale;
  Mask real = line->gain > line->noise, rounds = ~real & (line->noise * scale > tolerance);
  Mask above = w->island_of[tree].live & islands_root(w, tree);
  above &= (length >= tolerance) & (length > REAL_ZERO);
  Mask gains = ((gain >= tolerance) & real) | ((gain > REAL_ZERO) & line->open);
  gains |= rounds & (length * 2 < before * scale);
  Mask goes = above & (w->step[tree] != REAL_ZERO) & gains;
  islands_keep(w, tree, goes);
  return above & ~goes & (line->open | line->lost);
}

// An iteration of the islands that go on; p: pattern of H. Returns the lanes in which some end
// short of the minimum.
static Mask newton_iterate(Work* w, const LanePattern* p) {
  solver_direction(w, p);
  solver_line(w);
  lane_line_search(w);
  rows_move(w, 0);
  solver_move(w);
  solver_gains(w);
  copy_reals(w->last_length, w->grad_length, w->ntree);
  live_gradient(w);
  Mask stuck = mask_of(0);
  LIVE_RANGES(w, r) {
    stuck |= island_judge(w, r->tree, w->last_length[r->tree]);
  }
  islands_kept(w);
  return stuck;
}

// Finds acc and constraint. rows: lanes that have rows.
// Also primal_solve in constraint/solver/primal.c.
static void newton(Work* w, Mask rows) {
  islands_find(w, rows, 0);
  live_find(w);
  const LanePattern* p = coupling_pattern(w);
  solver_scales(w);
  solver_start(w, 0);
  solver_gradient(w);
  Mask stuck = mask_of(0), live = islands_live(w);
  int nmet = w->nmet;
  memcpy(w->all_met, w->met, (size_t)nmet * sizeof(int));
  int most = limit_to_minimum(w, w->m->opt.iterations, ITERATIONS_TO_MINIMUM);
  for (int k = 0; k < most && mask_any(live); k++) {
    w->count.iterations += LANES;
    w->count.live += __builtin_popcount(mask_bits(live));
    stuck |= newton_iterate(w, p);
    p = live_narrow(w, p);
    live = islands_live(w);
  }
  if (w->nmet < nmet) {
    w->nmet = nmet;
    memcpy(w->met, w->all_met, (size_t)nmet * sizeof(int));
    contacts_ground(w);
  }
  w->unsolved |= mask_bits(stuck | live) & ~w->failed;
  w->failed |= w->unsolved;
}
