// forward.h: forward dynamics in their order.          theory/time/integration.md, Stages of a step

#pragma once

#include "lanes/dynamics/forces.h"
#include "lanes/dynamics/frames.h"
#include "lanes/dynamics/inertia.h"
#include "lanes/dynamics/levers.h"
#include "lanes/dynamics/motion.h"
#include "lanes/dynamics/transmission.h"
#include "lanes/solvers/descent.h"
#include "lanes/solvers/dual_cone.h"
#include "lanes/solvers/newton.h"

// Finds the rows, and the acceleration with them.
// Also mj_fwdConstraint in constraint/forward.c.
static void lane_constrain(Work* w, Mask contacts) {
  Mask rows = contacts | coupled_rows_find(w) | dof_rows_find(w);
  if (!w->s->adheres) {
    rows |= contacts_find(w);
  }
  w->has_rows = mask_any(rows);
  w->has_forces = 0;
  if (w->has_rows && w->is_dual) {
    pgs(w, rows);
  } else if (w->has_rows && w->is_short) {
    lane_descend(w, rows);
  } else if (w->has_rows) {
    newton(w, rows);
  } else {
    copy_reals(w->acc, w->acc_smooth, w->m->nv);
    clear_reals(w->constraint, w->m->nv);
  }
  if (w->has_rows && !w->is_dual && w->m->opt.noslip_iterations > 0) {
    noslip(w, rows);
  }
}

static void forward(Work* w) {
  frames(w);
  lane_tendons(w);
  body_inertias(w);
  inertia_matrix(w);
  lane_tendon_armature(w);
  motion(w);
  lane_tendon_bias(w);
  passive_forces(w);
  w->coupled = 0;
  // actuators that adhere pull at the contacts of this step
  Mask contacts = w->s->adheres ? contacts_find(w) : mask_of(0);
  lane_transmissions(w);
  actuation(w);
  smooth_acceleration(w);
  lane_constrain(w, contacts);
}
