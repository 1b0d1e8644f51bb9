// rows.h: what the solvers ask of rows, of all kinds together. x is J a - a_ref at the present a.

#pragma once

#include "lanes/rows/contacts.h"
#include "lanes/rows/coupled_rows.h"
#include "lanes/rows/dof_rows.h"

// v = J s of all rows
static void rows_multiply(Work* w, const Real* s) {
  coupled_rows_multiply(w, s);
  dof_rows_multiply(w, s);
  contacts_multiply(w, s);
}

// x += step v unless it is a trial; returns the change of the cost.
static Change rows_move(Work* w, Real step, int trial) {
  Change scalar = change_add(coupled_rows_move(w, step, trial), dof_rows_move(w, step, trial));
  return change_add(scalar, contacts_move(w, step, trial));
}

// x += step v, whatever that costs
static void rows_shift(Work* w, Real step) {
  coupled_rows_shift(w, step);
  dof_rows_shift(w, step);
  contacts_shift(w, step);
}

// constraint = J' f, with the forces f that rows have at x
static void rows_force(Work* w) {
  clear_reals(w->constraint, w->m->nv);
  coupled_rows_force(w, w->constraint);
  dof_rows_force(w, w->constraint);
  contacts_force(w, w->constraint);
}
