// options.h: facts about the integrator that follow from the options of a model.

#pragma once

#include <mujoco/mjmodel.h>

// Does a dof have positive damping, with mjDSBL_EULERDAMP not set? mjDSBL_DAMPER is ignored.
int options_has_euler_damping(const mjModel* m);

// Does Euler integrate damping implicitly? That needs options_has_euler_damping, and mjDSBL_DAMPER
// not set.
int options_euler_damps(const mjModel* m);

// Is the integrator implicit or implicitfast?
int options_is_implicit(const mjModel* m);
