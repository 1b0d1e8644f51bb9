// dual_cone.h: steps of sweeps over forces that take several rows at once: elliptic contacts of
// PGS, and what NoSlip does with friction.
//                                                           theory/contact/solvers.md, PGS, NoSlip

#pragma once

#include "lanes/solvers/pgs.h"
#include "lanes/solvers/qcqp.h"

// Sets the n forces f to `force` in the lanes in which that doesn't raise the cost, and adds their
// changes to z. first: of them in the group; A: their products. Returns the decrease.
// Also accept in constraint/solver/dual_sweep.c.
static Real dual_accept(Real* z, const DualGroup* g, Mask live, int first, int n, const Real* force,
                        Real A[6][6], const Real* residual) {
  Real change[6] = {REAL_ZERO}, cost = REAL_ZERO;
  for (int r = 0; r < n; r++) {
    change[first + r] = force[r] - g->f[first + r];
  }
  for (int r = 0; r < n; r++) {
    Real sum = REAL_ZERO;
    for (int k = 0; k < n; k++) {
      sum = real_muladd(A[r][k], change[first + k], sum);
    }
    cost += change[first + r] * real_muladd(sum, lane_real_of((Num)0.5), residual[r]);
  }
  Mask on = live & (cost <= DUAL_MOST_INCREASE), moved = mask_of(0);
  for (int r = 0; r < n; r++) {
    g->f[first + r] = real_select(on, force[r], g->f[first + r]);
    change[first + r] = real_where(on, change[first + r]);
    moved |= change[first + r] != REAL_ZERO;
  }
  if (mask_any(moved)) {
    dual_push(z, g, change, g->dim);
  }
  return real_where(on, -cost);
}

// The friction forces y at a normal force, for b = residual - A f of their rows.
INLINE void dual_friction(Real* y, Real A[6][6], const Real* b, Real normal, int first, int n) {
  Real friction[QCQP_UNKNOWNS][QCQP_UNKNOWNS];
  for (int r = 0; r < n; r++) {
    for (int k = 0; k < n; k++) {
      friction[r][k] = A[first + r][first + k];
    }
  }
  lane_friction(y, friction, b, normal, n);
}

// The normal force first, the best along the ray of the present forces or, without any, along the
// normal; then friction at it.
// Also step_cone, step_normal in constraint/solver/dual_sweep.c.
static Real dual_cone_step(Real* z, const DualGroup* g, Mask live) {
  Real q[6], A[6][6], Av[6], force[6], b[5], slope = REAL_ZERO, bend = REAL_ZERO;
  int dim = g->dim;
  const Real least = lane_real_of((Num)mjMINVAL);
  live &= g->on;
  if (!mask_any(live)) {
    return REAL_ZERO;
  }
  dual_pull(q, z, g, dim);
  for (int r = 0; r < dim; r++) {
    Real R = row_regularizer(g, 0, r);
    Av[r] = REAL_ZERO;
    for (int k = 0; k < dim; k++) {
      A[r][k] = r == k ? g->G[r * dim + k] + R : g->G[r * dim + k];
      Av[r] = real_muladd(A[r][k], g->f[k], Av[r]);
    }
    q[r] = real_muladd(R, g->f[r], q[r]);
    slope = real_muladd(g->f[r], q[r], slope);
    bend = real_muladd(g->f[r], Av[r], bend);
  }
  Mask bends = bend >= least;
  Real scale = real_where(bends, -slope / real_select(bends, bend, lane_real_of(1)));
  Real ray = real_muladd(scale, g->f[0], g->f[0]), alone = g->f[0] - q[0] / A[0][0];
  force[0] = real_max(real_select(g->f[0] < least, alone, ray), REAL_ZERO);
  for (int r = 1; r < dim; r++) {
    b[r - 1] = q[r] - Av[r] + A[r][0] * force[0];
  }
  dual_friction(force + 1, A, b, force[0], 1, dim - 1);
  return dual_accept(z, g, live, 0, dim, force, A, q);
}

// NoSlip                                                          theory/contact/solvers.md, NoSlip

static const Num NOSLIP_DIAGONAL = (Num)1e-10;  // least diagonal of A

// The friction forces of an elliptic contact at its normal force.
// Also step_slide in constraint/solver/dual_sweep.c.
static Real noslip_slide(Real* z, const DualGroup* g, Mask live) {
  Real q[6], A[6][6], force[5], b[5];
  int n = g->dim - 1;
  dual_pull(q, z, g, g->dim);
  for (int r = 0; r < n; r++) {
    b[r] = q[r + 1];
    for (int k = 0; k < n; k++) {
      A[r][k] = g->G[(r + 1) * g->dim + k + 1];
      A[r][k] = r == k ? real_max(A[r][k], lane_real_of(NOSLIP_DIAGONAL)) : A[r][k];
      b[r] = real_mulsub(A[r][k], g->f[k + 1], b[r]);
    }
  }
  dual_friction(force, A, b, g->f[0], 0, n);
  return dual_accept(z, g, live, 1, n, force, A, q + 1);
}

// Two opposite edges keep their sum 2 m: m + y, m - y. Each pair changes the residual of those
// after it.
// Also step_edges, step_pair in constraint/solver/dual_sweep.c.
static Real noslip_edges(Real* z, const DualGroup* g, Mask live) {
  const Real least = lane_real_of((Num)mjMINVAL), one = lane_real_of(1);
  Real q[6], c[6] = {REAL_ZERO}, gain = REAL_ZERO;
  int dim = g->dim;
  dual_pull(q, z, g, dim);
  for (int k = 1; k < dim; k++) {
    const Real* G = g->G + k * dim;
    Real *f = g->f + 2 * (k - 1), sum = g->G[0] + G[k], cross = G[0] * 2;
    Real up = real_max(sum + cross, lane_real_of(NOSLIP_DIAGONAL));
    Real down = real_max(sum - cross, lane_real_of(NOSLIP_DIAGONAL)), both = g->G[0] - G[k];
    Real above = q[0] + q[k], below = q[0] - q[k], middle = (f[0] + f[1]) * (Num)0.5;
    Real b0 = above - up * f[0] - both * f[1], b1 = below - both * f[0] - down * f[1];
    Real K1 = up + down - both - both, K0 = middle * (up - down) + b0 - b1;
    Mask flat = K1 < least;
    Real y = real_clamp(-K0 / real_select(flat, one, K1), -middle, middle);
    y = real_where(~flat, y);
    Real first = middle + y - f[0], second = middle - y - f[1];
    Real cost = first * ((up * first + both * second) * (Num)0.5 + above) +
                second * ((both * first + down * second) * (Num)0.5 + below);
    Mask on = live & (cost <= DUAL_MOST_INCREASE);
    first = real_where(on, first);
    second = real_where(on, second);
    f[0] = real_select(on, middle + y, f[0]);
    f[1] = real_select(on, middle - y, f[1]);
    gain -= real_where(on, cost);
    for (int j = 0; j < dim; j++) {
      const Real* Gj = g->G + j * dim;
      q[j] += (Gj[0] + Gj[k]) * first + (Gj[0] - Gj[k]) * second;
    }
    c[0] += first + second;
    c[k] += first - second;
  }
  dual_push(z, g, c, dim);
  return gain;
}

// Friction of a dof or tendon: clamp(f - residual / A).
static Real noslip_loss(Real* z, const DualGroup* g, Mask live) {
  Real q[6], A = g->G[0];
  dual_pull(q, z, g, 1);
  Real inverse = 1 / real_max(A, lane_real_of((Num)mjMINVAL));
  Real force = real_clamp(real_mulsub(q[0], inverse, g->f[0]), g->low, g->high);
  Real change = real_where(live, force - g->f[0]);
  g->f[0] = real_select(live, force, g->f[0]);
  dual_push(z, g, &change, 1);
  return -(change * real_muladd(change * (Num)0.5, A, q[0]));
}

static Real noslip_step(Real* z, const DualGroup* g, Mask live) {
  live &= g->on;
  if (!mask_any(live)) {
    return REAL_ZERO;
  }
  return g->edges   ? noslip_edges(z, g, live)
         : g->cone  ? noslip_slide(z, g, live)
         : g->slips ? noslip_loss(z, g, live)
                    : REAL_ZERO;
}

// Sweeps over friction, without regularizer, from the forces that groups have.
// Also dual_noslip in constraint/solver/dual.c.
static void noslip_sweeps(Work* w, Mask live) {
  const OptionConstants* o = w->constants.option;
  Real gain = REAL_ZERO;
  for (int k = 0; k < w->ngroup; k++) {
    const DualGroup* g = w->group + k;
    for (int r = 0; r < g->nrow; r++) {
      Real f = real_where(g->on, g->f[r]);
      gain = real_muladd(row_regularizer(g, g->edges, r) * f, f * (Num)0.5, gain);
    }
  }
  for (int n = 0; n < w->m->opt.noslip_iterations && mask_any(live); n++) {
    for (int k = 0; k < w->ngroup; k++) {
      gain += noslip_step(w->z, w->group + k, live);
    }
    live &= gain * o->scale >= o->noslip_tolerance;
    gain = REAL_ZERO;
  }
}

// Forces of rows by their laws at the acceleration that Newton's method has found, and the
// residual of no force, b = x - J (a - a0).
static void noslip_begin(Work* w) {
  dual_groups(w);
  for (int i = 0; i < w->m->nv; i++) {
    w->search[i] = w->acc[i] - w->acc_smooth[i];
  }
  rows_multiply(w, w->search);
  for (int k = 0; k < w->ngroup; k++) {
    DualGroup* g = w->group + k;
    Real c[6] = {REAL_ZERO};
    dual_law(g, g->b);
    for (int r = 0; r < g->nrow; r++) {
      row_spread(c, g->edges, r, g->f[r]);
    }
    dual_push(w->z, g, c, g->dim);
    for (int a = 0; a < g->dim; a++) {
      g->b[a] -= g->out[a];
    }
  }
}

// Takes the regularizer out of friction, after a solver that has found acc.
static void noslip(Work* w, Mask live) {
  noslip_begin(w);
  noslip_sweeps(w, live);
  lane_dual_finish(w);
}

// PGS

static Real lane_dual_sweep(Work* w, Mask live) {
  Real gain = REAL_ZERO, *z = w->z;
  for (int k = 0; k < w->ngroup; k++) {
    const DualGroup* g = w->group + k;
    if (g->cone) {
      gain += dual_cone_step(z, g, live);
    } else if (g->dim == 3 && g->edges) {
      gain += dual_step(z, g, live, 3, 1);
    } else if (g->dim == 1) {
      gain += dual_step(z, g, live, 1, 0);
    } else if (g->edges) {
      gain += dual_step(z, g, live, g->dim, 1);
    } else {
      gain += dual_step(z, g, live, g->dim, 0);
    }
  }
  return gain;
}

// Finds acc and constraint. rows: lanes that have rows.
// Also dual_pgs in constraint/solver/dual.c.
static void pgs(Work* w, Mask rows) {
  Mask live = rows;
  const Constants* c = &w->constants;
  Real tolerance = real_constant(c->option->tolerance);
  dual_groups(w);
  dual_begin(w);
  if (lane_is_on(w, mjDSBL_WARMSTART)) {
    dual_warm(w);
  }
  for (int k = 0; k < w->m->opt.iterations && mask_any(live); k++) {
    live &= lane_dual_sweep(w, live) * c->option->scale >= tolerance;
  }
  if (w->m->opt.noslip_iterations > 0) {
    noslip_sweeps(w, rows);
  }
  lane_dual_finish(w);
}
