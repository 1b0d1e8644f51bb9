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
  solver_start(w);
  for (int i = 0; !solves_whole(w) && i < w->m->nv; i++) {
    Mask used = w->island_of[dof_tree(w, i)].used;
    w->acc[i] = real_select(used, w->acc[i], w->acc_smooth[i]);
    w->Ma[i] = real_select(used, w->Ma[i], w->smooth[i]);
  }
}

// What makes the costs of an island dimensionless: 1 / trace M, or by the mean inertia.
// Also inertia_scale, whole_scale in constraint/forward.c.
static void descent_scales(const Work* w, Real* scale) {
  clear_reals(scale, w->ntree);
  for (int i = 0; i < w->m->nv; i++) {
    scale[dof_tree(w, i)] += w->M[lane_row_at(i) + i];
  }
  islands_sum(w, scale);
  for (int t = 0; t < w->ntree; t++) {
    scale[t] = solves_whole(w) ? real_constant(w->constants.option->scale) : 1 / scale[t];
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
  islands_dot(w, now, w->grad, w->gradient);
  islands_dot(w, cross, w->grad, first ? w->gradient : w->gradient_old);
  for (int t = 0; t < w->ntree; t++) {
    Real least = real_max(square[t], lane_real_of((Num)mjMINVAL));
    beta[t] = first ? REAL_ZERO : real_max((now[t] - cross[t]) / least, REAL_ZERO);
    square[t] = now[t];
  }
  islands_spread(w, beta);
  for (int i = 0; i < nv; i++) {
    Real old = first ? REAL_ZERO : w->search[i];
    w->search[i] = real_muladd(beta[dof_tree(w, i)], old, -w->gradient[i]);
  }
}

// Prepares the search along w->search of the lanes that go on.
static void descent_line(Work* w, const Mask* live, const Real* scale) {
  Real along[MOST_TREES], bend[MOST_TREES], length[MOST_TREES];
  const OptionConstants* o = w->constants.option;
  product(w->Mv, w->M, &w->s->M, w->search);
  rows_multiply(w, w->search);
  for (int i = 0; i < w->m->nv; i++) {
    w->residual[i] = w->Ma[i] - w->smooth[i];
  }
  islands_dot(w, along, w->search, w->residual);
  islands_dot(w, bend, w->search, w->Mv);
  islands_dot(w, length, w->search, w->search);
  for (int t = 0; t < w->ntree; t++) {
    Bracket* b = w->bracket + t;
    Real norm = real_sqrt(length[t]);
    b->along = along[t];
    b->bend = bend[t];
    b->enough = norm * o->tolerance * o->ls_tolerance / scale[t];
    b->open = live[t] & islands_root(w, t) & ~(norm < lane_real_of((Num)mjMINVAL));
  }
}

// Adds alpha v to x of each row and to a and M a, with the step of its tree. gain: how much the
// cost of an island falls.
static void descent_move(Work* w, const Real* step, Real* gain) {
  for (int t = 0; t < w->ntree; t++) {
    w->bracket[t].at = (BracketPoint){.alpha = step[t]};
  }
  bracket_contacts(w);
  bracket_rows(w);
  for (int t = 0; t < w->ntree; t++) {
    gain[t] = w->bracket[t].at.cost;
  }
  islands_sum(w, gain);
  for (int t = 0; t < w->ntree; t++) {
    const Bracket* b = w->bracket + t;
    gain[t] = -(gain[t] + step[t] * real_muladd(step[t] * (Num)0.5, b->bend, b->along));
  }
  for (int i = 0; i < w->m->nv; i++) {
    Real alpha = step[dof_tree(w, i)];
    w->acc[i] = real_muladd(alpha, w->search[i], w->acc[i]);
    w->Ma[i] = real_muladd(alpha, w->Mv[i], w->Ma[i]);
  }
}

// The same for the rows.
static void descent_move_rows(Work* w, const Real* step) {
  for (int n = 0; n < w->nmet; n++) {
    const LaneContact* contact = w->s->contact + w->met[n];
    ContactSlot* slot = w->contact + w->met[n];
    for (int i = 0; i < contact->dim; i++) {
      slot->x[i] = real_muladd(step[contact_tree(w, contact)], slot->v[i], slot->x[i]);
    }
  }
  for (DofRowSlot *slot = w->row, *end = slot + w->nrow; slot < end; slot++) {
    slot->x = real_muladd(step[dof_tree(w, slot->of->dof)], slot->v, slot->x);
  }
  for (int k = 0; k < w->s->ncoupled_row; k++) {
    const LaneCoupledRow* row = w->s->coupled_row + k;
    CoupledSlot* slot = w->coupled_row + k;
    for (int i = 0; slot->on && i < row->nrow; i++) {
      slot->x[i] = real_muladd(step[coupled_row_tree(w, row)], slot->v[i], slot->x[i]);
    }
  }
}

// The directions of the lanes that go on; p: pattern of H.
static void descent_direction(Work* w, const LanePattern* p, const Mask* live, Real* square,
                              int first) {
  if (w->m->opt.solver == mjSOL_NEWTON) {
    solver_direction(w, p, mask_of(~0u));
  } else {
    descent_conjugate(w, square, first);
  }
  for (int i = 0; i < w->m->nv; i++) {
    w->search[i] = real_where(live[dof_tree(w, i)], w->search[i]);
  }
}

// Finds acc and constraint. rows: lanes that have rows.
// Also descend in constraint/solver/primal.c.
static void lane_descend(Work* w, Mask rows) {
  islands_find(w, rows);
  int n = w->ntree;
  live_all(w);
  const LanePattern* p = coupling_pattern(w);
  Mask live[MOST_TREES];
  Real scale[MOST_TREES], step[MOST_TREES], gain[MOST_TREES], length[MOST_TREES];
  Real square[MOST_TREES], tolerance = real_constant(w->constants.option->tolerance);
  descent_start(w);
  descent_scales(w, scale);
  solver_gradient(w);
  for (int t = 0; t < n; t++) {
    live[t] = w->island_of[t].used;
  }
  for (int k = 0; k < w->m->opt.iterations && trees_any(w, live); k++) {
    descent_direction(w, p, live, square, k == 0);
    descent_line(w, live, scale);
    bracket_steps(w);
    for (int t = 0; t < n; t++) {
      step[t] = w->bracket[t].result;
    }
    islands_spread(w, step);
    descent_move(w, step, gain);
    descent_move_rows(w, step);
    solver_gradient(w);
    islands_dot(w, length, w->grad, w->grad);
    for (int t = 0; t < n; t++) {
      Mask goes = (step[t] != REAL_ZERO) & (gain[t] * scale[t] >= tolerance) &
                  (real_sqrt(length[t]) * scale[t] >= tolerance);
      length[t] = real_where(goes, lane_real_of(1));
    }
    islands_spread(w, length);
    for (int t = 0; t < n; t++) {
      live[t] &= length[t] != REAL_ZERO;
    }
  }
}
