// whitened.h: efc_Y, the Jacobian of the constraints times the square root of the inverse inertia.
//
// Its rows are the half rows of which efc_AR is made (half_rows.h): Y Y' = J M^-1 J'. No solver
// reads it; programs of releases since 3.9 find it with dual solvers, so it is kept for models that
// follow rules of later releases.        theory/contact/constraints.md, Dual matrix

#pragma once

#include "constraint/rows/half_rows.h"

// Takes memory for efc_Y and writes it. A dense row has nv entries; a sparse one has those at the
// dofs of the row and their ancestors, in ascending order. Returns 0 if the arena is full, which
// leaves no constraints.
int whitened_write(const mjModel* m, mjData* d, const HalfRows* half, const RowBlocks* blocks);
