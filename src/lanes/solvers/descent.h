// descent.h: Newton's method and conjugate gradients for models that allow few iterations: these
// end before the minimum, so that the points on the way are the result, and lanes make those of
// the scalar engine, island by island.
//                             theory/contact/solvers.md, Primal descent, Search by a bracket

#pragma once

#include "lanes/solvers/bracket.h"
#include "lanes/solvers/newton.h"

// Starts, and leaves free what no row moves.
// Also start_free in constraint/solver/primal.c.
static void descent_start(Work* w) {
  solver_start(w, 1);
  for (int i = 0; !solves_whole(w) && i < w->m->nv; i++) {
    Mask used = w->island_of[dof_tree(w, i)].used;
    w->acc[i] = real_select(used, w->acc[i], w->acc_smooth[i]);
    w->Ma[i] = real_select(used, w->Ma[i], w->smooth[i]);
  }
}

// s = beta s - M^-1 grad, by the factor of M, with
//
//   beta = max(0, grad'(p - p_old) / grad_old'p_old)       p = M^-1 grad     (Polak-Ribiere)
//
// Also gradient_direction in constraint/solver/primal.c.
static void descent_conjugate(Work* w, Real* square, int first) {
  Real now[MOST_TREES], cross[MOST_TREES], beta[MOST_TREES];
  int nv = w->m->nv;
  copy_reals(w->gradient_old, w->gradient, nv);
  copy_reals(w->gradient, w->grad, nv);
  lane_solve(w->gradient, w->L, &w->s->M);
  live_dot(w, now, w->grad, w->gradient);
  live_dot(w, cross, w->grad, first ? w->gradient : w->gradient_old);
  for (int t = 0; t < w->ntree; t++) {
    Real least = real_max(square[t], lane_real_of((Num)mjMINVAL));
    beta[t] = first ? REAL_ZERO : real_max((now[t] - cross[t]) / least, REAL_ZERO);
    square[t] = now[t];
  }
  islands_spread(w, beta);
  for (int i = 0; i < nv; i++) {
    int t = dof_tree(w, i);
    Real old = first ? REAL_ZERO : w->search[i];
    w->search[i] = real_muladd(beta[t], old, -w->gradient[i]);
    w->search[i] = real_where(w->island_of[t].live, w->search[i]);
  }
}

// How much the costs of islands fall by the steps.
static void descent_gains(Work* w) {
  islands_sum(w, w->change);
  for (int t = 0; t < w->ntree; t++) {
    LaneLine* line = w->line + t;
    line->gain = -(w->change[t] + line_gauss(line, w->step[t]));
  }
}

// An iteration of the islands that go on.
static void descent_iterate(Work* w, const LanePattern* p, Real* square, int first) {
  if (w->m->opt.solver == mjSOL_NEWTON) {
    solver_direction(w, p);
  } else {
    descent_conjugate(w, square, first);
  }
  solver_line(w);
  bracket_steps(w);
  rows_move(w, 0);
  solver_move(w);
  descent_gains(w);
  solver_gradient(w);
  Real tolerance = real_constant(w->constants.option->tolerance);
  for (int t = 0; t < w->ntree; t++) {
    Real scale = w->island_of[t].scale;
    islands_keep(w, t,
                 (w->step[t] != REAL_ZERO) & (w->line[t].gain * scale >= tolerance) &
                     (w->grad_length[t] * scale >= tolerance));
  }
  islands_kept(w);
}

// Finds acc and constraint. rows: lanes that have rows.
// Also descend in constraint/solver/primal.c.
static void lane_descend(Work* w, Mask rows) {
  islands_find(w, rows, solves_whole(w));
  live_find(w);
  const LanePattern* p = coupling_pattern(w);
  Real square[MOST_TREES];
  solver_scales(w);
  descent_start(w);
  solver_gradient(w);
  for (int k = 0; k < w->m->opt.iterations && mask_any(islands_live(w)); k++) {
    descent_iterate(w, p, square, k == 0);
  }
}
