// extent.h: the rows of one constraint.

#pragma once

#include <mujoco/mjdata.h>

// Number of rows of the constraint that begins at a row: all with its type and id for a contact or
// an equality, else one. Each edge of a flex is a constraint of its own.
int constraint_rows(const mjModel* m, const mjData* d, int row);
