// moment_rows.h: the room that moments of actuators need.

#pragma once

#include <mujoco/mjmodel.h>

// The sum over actuators of the dofs that can change their lengths. Reads ten_J_rownnz.
//                                              theory/smooth/tendons.md, Dofs of a path
int64_t moment_rows(const mjModel* m);
