// derivative.h: derivatives of the smooth forces with respect to velocity, for implicit
// integrators.
//
// The matrix has the pattern of the model's D structure: every dof with its ancestors and
// descendants. Entries between other branches (of a tendon between two arms) are dropped, as in the
// definition of the integrators.                           theory/time/derivatives.md, Pattern of D

#pragma once

#include <mujoco/mjdata.h>

// Where the row of a dof begins in qDeriv; behind the last one, where the rows end.
static inline int derivative_row(const mjModel* m, int dof) {
  return dof < m->nv ? m->D_rowadr[dof] : m->nD;
}

// d->qDeriv = d(qfrc_actuator + qfrc_passive - qfrc_bias) / d(qvel). without_bias leaves qfrc_bias
// out and symmetrises the lift and drag of ellipsoids.
void derivative_smooth(const mjModel* m, mjData* d, int without_bias);

// d->qDeriv = the derivative of the drag of fluids by qvel, symmetric. Returns 0, and leaves qDeriv
// alone, if there is no fluid.
int derivative_drag(const mjModel* m, mjData* d);
