// rows.h: all rows together.

#pragma once

#include "lanes/rows/contacts.h"
#include "lanes/rows/dof_rows.h"
#include "lanes/rows/ties.h"

static void rows_multiply(Work* w, const Real* s) {
  ties_multiply(w, s);
  dof_rows_multiply(w, s);
  contacts_multiply(w, s);
}

static Real rows_move(Work* w, Real step, int trial) {
  return ties_move(w, step, trial) + dof_rows_move(w, step, trial) + contacts_move(w, step, trial);
}

// constraint = J' f at x, and the curvatures there
static void rows_force(Work* w) {
  clear_reals(w->constraint, w->m->nv);
  ties_force(w, w->constraint);
  dof_rows_force(w, w->constraint);
  contacts_force(w, w->constraint);
}
