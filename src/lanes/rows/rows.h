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

// x += step v by the steps of trees unless it is a trial; finds the change of the cost of each.
static void rows_move(Work* w, int trial) {
  clear_reals(w->change, w->ntree);
  clear_reals(w->change_size, w->ntree);
  coupled_rows_move(w, trial);
  dof_rows_move(w, trial);
  contacts_move(w, trial);
}

// x += step v, whatever that costs
static void rows_shift(Work* w) {
  coupled_rows_shift(w);
  dof_rows_shift(w);
  contacts_shift(w);
}

// Slope and curvature along v of the rows' cost at x + step v, of each tree.
INLINE void rows_line(Work* w) {
  clear_reals(w->slope, w->ntree);
  clear_reals(w->curvature, w->ntree);
  coupled_rows_line(w);
  dof_rows_line(w);
  contacts_line(w);
}

// constraint = J' f, with the forces f that rows have at x
static void rows_force(Work* w) {
  clear_reals(w->constraint, w->m->nv);
  coupled_rows_force(w, w->constraint);
  dof_rows_force(w, w->constraint);
  contacts_force(w, w->constraint);
}
