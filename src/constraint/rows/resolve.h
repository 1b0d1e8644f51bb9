// resolve.h: springs of limits and contacts that a discrete step can resolve.

#pragma once

#include <mujoco/mjdata.h>

// Replaces stiffness and damping (efc_KBIP) of springs that are too fast for the time step.
//                                        theory/contact/constraints.md, Rows of discrete steps
void rows_resolve(const mjModel* m, mjData* d);

// Is the spring of a constraint, whose first row is `first`, such a one? Then slope is the
// derivative of the damping of one of its rows by the impedance.
int rows_is_resolved(mjtNum slope[1], const mjModel* m, const mjData* d, int row, int first);
