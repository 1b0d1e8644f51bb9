// implicit.h: the implicit integrators and their matrices, which discrete inverse dynamics also
// needs.

#pragma once

#include <mujoco/mjdata.h>

// d->qLU = M - h D, not factored; computes D.
void implicit_matrix_full(const mjModel* m, mjData* d);

// d->qH = M - h (lower triangle of D) on the pattern of M, not factored; computes D
// without the bias forces.
void implicit_matrix_fast(const mjModel* m, mjData* d);

// Computes d->qH as above and factors it, with qHDiagInv.
void implicit_factor_fast(const mjModel* m, mjData* d);

// mj_implicit. keep: reuse the factor of the last step, as if D were unchanged.
void implicit_integrate(const mjModel* m, mjData* d, int keep);
