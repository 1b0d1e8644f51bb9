// flex_metric.h: the constant factor of release 4.0 for triangles that bend.

#pragma once

#include <mujoco/mjmodel.h>

// Writes the values of efm0_L, which follow from dof_M0, bends, damping and the timestep. Where
// memory runs out they stay as they are.
void derived_metric(mjModel* m);
