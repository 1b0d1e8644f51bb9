// implicit.h: the matrices of the implicit integrators, which inverse dynamics in
// discrete time needs as well.

#ifndef CONDYLE_STEP_IMPLICIT_H_
#define CONDYLE_STEP_IMPLICIT_H_

#include <mujoco/mjdata.h>

// d->qLU = M - h D, not factored; computes D.
void implicit_matrixFull(const mjModel* m, mjData* d);

// d->qH = M - h (lower triangle of D) on the pattern of M, not factored; computes D
// without the bias forces.
void implicit_matrixFast(const mjModel* m, mjData* d);

#endif  // CONDYLE_STEP_IMPLICIT_H_
