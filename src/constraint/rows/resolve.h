// resolve.h: springs of limits and contacts that a discrete step can resolve.

#pragma once

#include <mujoco/mjdata.h>

// Replaces stiffness and damping (efc_KBIP) of springs that are too fast for the time step.
//                                        theory/contact/constraints.md, Rows of discrete steps
void rows_resolve(const mjModel* m, mjData* d);
