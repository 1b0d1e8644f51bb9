// dof_rows.h: limits and friction of single dofs: rows whose Jacobian is +1 or -1 at one dof.
//                                                     theory/constraints.md, Limits, Friction loss

#pragma once

#include "lanes/law.h"
#include "lanes/work.h"

INLINE Real row_sign(const LaneDofRow* row, Real value) {
  return row->is_upper ? -value : value;
}

// Finds the rows: D, and -a_ref = B J v + K d (dist - margin). Returns the lanes that have one.
static Mask dof_rows_find(Work* w) {
  Mask some = mask_of(0);
  for (int k = 0; k < w->s->nrow; k++) {
    const LaneDofRow* row = w->s->row + k;
    const DofRowConstants* c = w->constants.row + k;
    DofRowSlot* slot = w->row + k;
    Real r = REAL_ZERO;
    Mask on = mask_of(~0u);
    slot->on = is_on(w, mjDSBL_FRICTIONLOSS | mjDSBL_CONSTRAINT);
    if (row->law != LAW_FRICTION) {
      r = row_sign(row, w->qpos[row->qpos] - c->bound) - c->spring.margin;
      on = r < REAL_ZERO;
      slot->on = is_on(w, mjDSBL_LIMIT | mjDSBL_CONSTRAINT) && mask_any(on);
    }
    if (slot->on) {
      Real d = row_impedance(&c->spring, r), v = row_sign(row, w->qvel[row->dof]);
      slot->stiffness = row_stiffness(&c->spring, d, real_of(1), on);
      slot->x = real_muladd(real_constant(c->spring.B), v, c->spring.K * d * r);
      some |= on;
    }
  }
  return some;
}

// v = J s
static void dof_rows_multiply(Work* w, const Real* s) {
  for (int k = 0; k < w->s->nrow; k++) {
    if (w->row[k].on) {
      w->row[k].v = row_sign(w->s->row + k, s[w->s->row[k].dof]);
    }
  }
}

// x += step v; adds the change of the cost, which the step of all of v would have for trial
INLINE Real dof_rows_move(Work* w, Real step, int trial) {
  Real change = REAL_ZERO;
  for (int k = 0; k < w->s->nrow; k++) {
    DofRowSlot* slot = w->row + k;
    if (slot->on) {
      Real x = slot->x, to = real_muladd(step, slot->v, x);
      Real eta = real_constant(w->constants.row[k].eta);
      change += law_change(w->s->row[k].law, slot->stiffness, x, to, eta);
      slot->x = trial ? x : to;
    }
  }
  return change;
}

// Adds slope and curvature of the cost at x + step v along v.
INLINE void dof_rows_line(Real* slope, Real* curvature, const Work* w, Real step) {
  for (int k = 0; k < w->s->nrow; k++) {
    const DofRowSlot* slot = w->row + k;
    if (slot->on) {
      Real D = slot->stiffness, v = slot->v, x = real_muladd(step, v, slot->x);
      if (w->s->row[k].law == LAW_FRICTION) {
        Real eta = real_constant(w->constants.row[k].eta);
        *slope = real_mulsub(friction_force(D, x, eta), v, *slope);
        *curvature = real_muladd(friction_curvature(D, x, eta), v * v, *curvature);
      } else {
        Real Dv = D * v;
        *slope = real_muladd(Dv, below(x), *slope);
        *curvature = real_muladd(real_where(x < REAL_ZERO, Dv), v, *curvature);
      }
    }
  }
}

// Adds J'f to forces of dofs.
static void dof_rows_force(Work* w, Real* out) {
  for (int k = 0; k < w->s->nrow; k++) {
    const LaneDofRow* row = w->s->row + k;
    const DofRowSlot* slot = w->row + k;
    if (slot->on) {
      Real eta = real_constant(w->constants.row[k].eta);
      out[row->dof] +=
          row_sign(row, is_dual(w) ? slot->v : law_force(row->law, slot->stiffness, slot->x, eta));
    }
  }
}

// Adds J'WJ to the diagonal of H.
static void dof_rows_hessian(Work* w) {
  for (int k = 0; k < w->s->nrow; k++) {
    const DofRowSlot* slot = w->row + k;
    if (slot->on) {
      int dof = w->s->row[k].dof;
      Real eta = real_constant(w->constants.row[k].eta);
      w->H[row_at(dof) + dof] += law_curvature(w->s->row[k].law, slot->stiffness, slot->x, eta);
    }
  }
}
