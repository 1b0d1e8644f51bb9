// derivative.h: how the smooth forces change with velocity, for integrators
// that look one step ahead.
//
// The matrix has the pattern of the model's D structure, every dof with its ancestors and
// descendants. A force that couples other branches (a tendon between two arms) loses those entries,
// as the integrators are defined.                               theory/derivatives.md, Pattern of D

#ifndef CONDYLE_STEP_DERIVATIVE_H_
#define CONDYLE_STEP_DERIVATIVE_H_

#include <mujoco/mjdata.h>

// d->qDeriv = d(qfrc_actuator + qfrc_passive - qfrc_bias) / d(qvel); without_bias leaves the last
// term out and symmetrises the lift and drag of ellipsoids.
void derivative_smooth(const mjModel* m, mjData* d, int without_bias);

#endif  // CONDYLE_STEP_DERIVATIVE_H_
