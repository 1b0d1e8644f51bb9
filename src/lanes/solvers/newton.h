// newton.h: the acceleration that Gauss's principle asks for, by Newton's method in every lane.
//                                                        theory/contact/solvers.md, Gauss principle
//
//   minimise P(a) = 1/2 (a - a0)' M (a - a0) + s(J a - a_ref)
//
// Lanes take different numbers of iterations. One that has ended takes steps of zero: exact no-ops,
// so that how long its neighbours go on changes nothing.           theory/time/lanes.md, Divergence

#pragma once

#include "lanes/dynamics/panels.h"
#include "lanes/rows/rows.h"

#if LANES_SINGLE
// What is rounding beside the parts of a sum of some dozens of terms. Less can't be told from
// nothing, and asking for it would use up all iterations.
static const Num SLOPE_NOISE = 1e-6f, GRADIENT_NOISE = 2e-6f, GAIN_NOISE = 1e-5f;
#endif

// a += step s, and what follows from a; returns the change of P, of which `gauss` is the part of
// the first term.
static void solver_move(Work* w, Real step) {
  for (int i = 0; i < w->m->nv; i++) {
    w->acc[i] = real_muladd(step, w->search[i], w->acc[i]);
    w->Ma[i] = real_muladd(step, w->Mv[i], w->Ma[i]);
  }
}

// Starts at a0, or at the last acceleration where that costs no more.
//                                                                  theory/contact/solvers.md, Start
static void solver_start(Work* w) {
  int nv = w->m->nv;
  copy_reals(w->acc, w->acc_smooth, nv);
  copy_reals(w->Ma, w->smooth, nv);
  copy_reals(w->search, w->acc_smooth, nv);
  rows_multiply(w, w->search);
  rows_move(w, real_of(1), 0);
  if (!is_on(w, mjDSBL_WARMSTART)) {
    return;
  }
  for (int i = 0; i < nv; i++) {
    w->search[i] = w->warm[i] - w->acc_smooth[i];
  }
  product(w->Mv, w->M, &w->s->M, w->search);
  rows_multiply(w, w->search);
  Real change = vector_dot(w->search, w->Mv, nv) * (Num)0.5 + rows_move(w, real_of(1), 1);
  Real step = real_where(change <= REAL_ZERO, real_of(1));
  solver_move(w, step);
  rows_move(w, step, 0);
}

// grad = M a - tau0 - J' f; returns its length, 0 if that is rounding.
static Real solver_gradient(Work* w) {
  int n = w->m->nv;
  rows_force(w);
  for (int i = 0; i < n; i++) {
    w->grad[i] = w->Ma[i] - w->smooth[i] - w->constraint[i];
  }
  Real square = vector_dot(w->grad, w->grad, n);
#if LANES_SINGLE
  Real size = vector_dot(w->Ma, w->Ma, n) + vector_dot(w->smooth, w->smooth, n);
  square = real_where(square > size * (GRADIENT_NOISE * GRADIENT_NOISE), square);
#endif
  return real_sqrt(square);
}

// s = -H^-1 grad in the lanes that go on; p: pattern of H
static void solver_direction(Work* w, const LanePattern* p, Mask live) {
  coupling_clear(w, p);
  contacts_hessian(w);
  dof_rows_hessian(w);
  ties_hessian(w);
  for (int i = 0; i < w->m->nv; i++) {
    w->search[i] = -w->grad[i];
  }
  factor(w->H, p);
  solve(w->search, w->H, p);
  for (int i = 0; i < w->m->nv; i++) {
    w->search[i] = real_where(live, w->search[i]);
  }
}

// The step to the minimum of P along s: Newton steps from 1 on, kept between the ends of a bracket
// as soon as there are both.                                 theory/contact/solvers.md, Line search
static Real line_search(const Work* w, Mask live, const Real gauss[2], Real enough) {
  Real step = real_where(live, real_of(1)), low = REAL_ZERO, high = REAL_ZERO;
  Mask open = live, bounded = mask_of(0);
  for (int k = 0; k < w->m->opt.ls_iterations; k++) {
    Real slope = real_muladd(step, gauss[1], gauss[0]), curvature = gauss[1];
    ties_line(&slope, &curvature, w, step);
    dof_rows_line(&slope, &curvature, w, step);
    contacts_line(&slope, &curvature, w, step);
    open &= real_abs(slope) > enough;
    if (!mask_any(open)) {
      break;
    }
    Mask behind = slope > REAL_ZERO;
    low = real_select(open & ~behind, step, low);
    high = real_select(open & behind, step, high);
    bounded |= open & behind;
    Real next = step - slope / curvature;
    Mask inside = (next > low) & (~bounded | (next < high));
    next = real_select(inside, next, real_select(bounded, (low + high) * (Num)0.5, step));
    open &= next != step;
    step = real_select(open, next, step);
  }
  return step;
}

// Steps along s. Returns the decrease of P.
static Real solver_step(Work* w, Mask live, Real* step) {
  const Constants* c = &w->constants;
  int nv = w->m->nv;
  product(w->Mv, w->M, &w->s->M, w->search);
  rows_multiply(w, w->search);
  Real along = REAL_ZERO;
  for (int i = 0; i < nv; i++) {
    along = real_muladd(w->search[i], w->Ma[i] - w->smooth[i], along);
  }
  const Real gauss[2] = {along, vector_dot(w->search, w->Mv, nv)};
  Real length = real_sqrt(vector_dot(w->search, w->search, nv));
  Real enough = length * c->option->tolerance * c->option->ls_tolerance / c->option->scale;
#if LANES_SINGLE
  enough = real_max(enough, (real_abs(gauss[0]) + gauss[1]) * SLOPE_NOISE);
#endif
  *step = line_search(w, live, gauss, enough);
  Real half = *step * (Num)0.5;
  Real first = *step * real_muladd(half, gauss[1], gauss[0]), rows = rows_move(w, *step, 0);
  solver_move(w, *step);
  Real gain = -(first + rows);
#if LANES_SINGLE
  gain = real_where(gain > (real_abs(first) + real_abs(rows)) * GAIN_NOISE, gain);
#endif
  return gain;
}

// Finds acc and constraint. live: lanes that have rows.
static void newton(Work* w, Mask live) {
  const Constants* c = &w->constants;
  const LanePattern* p = coupling_pattern(w);
  solver_start(w);
  solver_gradient(w);
  Real tolerance = real_constant(c->option->tolerance), step;
  for (int k = 0; k < w->m->opt.iterations && mask_any(live); k++) {
    solver_direction(w, p, live);
    Real gain = solver_step(w, live, &step), length = solver_gradient(w);
    live &= (step != REAL_ZERO) & (gain * c->option->scale >= tolerance) &
            (length * c->option->scale >= tolerance);
  }
}
