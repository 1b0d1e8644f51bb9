// dual.h: solvers that work on the constraint forces, one constraint after another.
//
//   minimise over admissible f:   1/2 f' AR f + f' b
//   AR = J M^-1 J' + diag(R),  b = J a0 - aref
//
// They need the whole matrix AR (mj_projectConstraint) and converge slowly, but each sweep is cheap
// and every intermediate f is admissible.                            theory/contact/solvers.md, PGS

#pragma once

#include <mujoco/mjdata.h>

// Projected Gauss-Seidel from the forces of d, or from zero if that costs less; sets efc_force,
// efc_state and the statistics.
void dual_pgs(const mjModel* m, mjData* d);

// Removes the regularization from friction directions, after any solver; adds to its statistics.
void dual_noslip(const mjModel* m, mjData* d);

// qfrc_constraint and qacc by the forces of d.
void dual_finish(const mjModel* m, mjData* d);
