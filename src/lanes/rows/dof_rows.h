// dof_rows.h: limits and friction of single dofs: rows whose Jacobian is +1 or -1 at one dof.
//                                              theory/contact/constraints.md, Limits, Friction loss

#pragma once

#include "lanes/laws/law.h"
#include "lanes/rows/trees.h"

INLINE Real row_sign(const LaneDofRow* row, Real value) {
  return row->is_upper ? -value : value;
}

// Finds the rows that some lane has: D, and -a_ref = B J v + K d (dist - margin). Returns the lanes
// that have one.
// Also in constraint/rows/limit.c and constraint/reference.c.
static Mask dof_rows_find(Work* w) {
  Mask some = mask_of(0);
  w->nrow = 0;
  for (int k = 0; k < w->s->nrow; k++) {
    const LaneDofRow* row = w->s->row + k;
    const DofRowConstants* c = w->constants.row + k;
    Real r = REAL_ZERO;
    Mask on = mask_of(~0u);
    int found = lane_is_on(w, mjDSBL_FRICTIONLOSS | mjDSBL_CONSTRAINT);
    if (row->law != LANE_FRICTION_LOSS) {
      r = row_sign(row, w->qpos[w->m->jnt_qposadr[row->joint]] - c->bound) - c->spring.margin;
      on = r < REAL_ZERO;
      found = lane_is_on(w, mjDSBL_LIMIT | mjDSBL_CONSTRAINT) && mask_any(on);
    }
    if (found) {
      DofRowSlot* slot = w->row + w->nrow++;
      Real d = row_impedance(&c->spring, r), v = row_sign(row, w->qvel[row->dof]);
      slot->of = row;
      slot->eta = &c->eta;
      slot->stiffness = lane_row_stiffness(&c->spring, d, lane_real_of(1), on);
      slot->most = real_constant(c->eta) / slot->stiffness;
      slot->x = real_muladd(real_constant(c->spring.B), v, c->spring.K * d * r);
      some |= on;
    }
  }
  return some;
}

// v = J s
static void dof_rows_multiply(Work* w, const Real* s) {
  for (DofRowSlot *slot = w->row, *end = slot + w->nrow; slot < end; slot++) {
    slot->v = row_sign(slot->of, s[slot->of->dof]);
  }
}

// How the cost of a row changes on the way to x = `to`.
INLINE Change dof_row_change(const DofRowSlot* slot, Real to) {
  Real D = slot->stiffness, x = slot->x;
  return slot->of->law == LANE_FRICTION_LOSS
             ? friction_change(D, x, to, real_constant(*slot->eta), slot->most)
             : one_sided_change(D, x, to);
}

// x += step v by the steps of trees unless it is a trial; adds the change of the cost.
INLINE void dof_rows_move(Work* w, int trial) {
  TreeSums sums = {.tree = -1};
  for (DofRowSlot *slot = w->row, *end = slot + w->nrow; slot < end; slot++) {
    int tree = dof_tree(w, slot->of->dof);
    Real to = real_muladd(w->step[tree], slot->v, slot->x);
    tree_turn_change(&sums, w, tree);
    tree_add_change(&sums, dof_row_change(slot, to));
    slot->x = trial ? slot->x : to;
  }
  tree_turn_change(&sums, w, -1);
}

// x += step v
static void dof_rows_shift(Work* w) {
  for (DofRowSlot *slot = w->row, *end = slot + w->nrow; slot < end; slot++) {
    slot->x = real_muladd(w->step[dof_tree(w, slot->of->dof)], slot->v, slot->x);
  }
}

// Adds slope and curvature of the cost at x + step v along v.
INLINE void dof_rows_line(Work* w) {
  TreeSums sums = {.tree = -1};
  for (const DofRowSlot *slot = w->row, *end = slot + w->nrow; slot < end; slot++) {
    int tree = dof_tree(w, slot->of->dof);
    Real D = slot->stiffness, v = slot->v, x = real_muladd(w->step[tree], v, slot->x);
    Real *slope = &sums.first, *curvature = &sums.second;
    tree_turn_line(&sums, w, tree);
    if (slot->of->law == LANE_FRICTION_LOSS) {
      Real eta = real_constant(*slot->eta);
      *slope = real_mulsub(friction_force(D, x, eta), v, *slope);
      *curvature = real_muladd(friction_curvature(D, x, eta), v * v, *curvature);
    } else {
      Real Dv = D * v;
      *slope = real_muladd(Dv, one_sided(x), *slope);
      *curvature = real_muladd(real_where(x < REAL_ZERO, Dv), v, *curvature);
    }
  }
  tree_turn_line(&sums, w, -1);
}

// Adds J'f to forces of dofs.
static void dof_rows_force(Work* w, Real* out) {
  for (const DofRowSlot *slot = w->row, *end = slot + w->nrow; slot < end; slot++) {
    const LaneDofRow* row = slot->of;
    Real f = w->has_forces ? slot->v : law_force(row->law, slot->stiffness, slot->x, slot->eta);
    out[row->dof] += row_sign(row, f);
  }
}

// Adds J'WJ to the diagonal of H.
static void dof_rows_hessian(Work* w) {
  for (const DofRowSlot *slot = w->row, *end = slot + w->nrow; slot < end; slot++) {
    int dof = slot->of->dof;
    w->H[lane_row_at(dof) + dof] +=
        lane_law_curvature(slot->of->law, slot->stiffness, slot->x, slot->eta);
  }
}
