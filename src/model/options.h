// options.h: facts about the integrator that follow from the options of a model.

#pragma once

#include <mujoco/mjdata.h>

// Does a dof have positive damping, with mjDSBL_EULERDAMP not set? mjDSBL_DAMPER is ignored.
int options_has_euler_damping(const mjModel* m);

// Does Euler integrate damping implicitly? That needs options_has_euler_damping, and mjDSBL_DAMPER
// not set.
int options_euler_damps(const mjModel* m);

// The damping coefficients of dofs (nv) that Euler integrates implicitly: dof_damping, or in models
// with polynomial terms the slopes of the dampers at d->qvel, written to scratch (nv).
const mjtNum* options_euler_damping(mjtNum* scratch, const mjModel* m, const mjData* d);

// Are contacts with friction pyramids? Hard ones are cones.
static inline int options_is_pyramidal(const mjModel* m) {
  return m->opt.cone == mjCONE_PYRAMIDAL && m->cnd_contact.mode != cndCONTACT_HARD;
}

// Is the integrator implicit or implicitfast?
int options_is_implicit(const mjModel* m);

// Is the integrator the discrete one, which solves for the step in the effective metric?
static inline int options_is_discrete(const mjModel* m) {
  return m->opt.integrator == mjINT_DISCRETE;
}

// Are tendons and actuators part of a discrete step's metric? PGS, which needs its inverse for all
// rows, leaves them out; hard contacts, whatever the solver, have some (metric_takes).
int options_metric_couples(const mjModel* m);
