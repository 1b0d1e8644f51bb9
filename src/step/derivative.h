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

// B of a body with inertia I and velocity V: how the force I a + V x* (I V) that moves it changes with
// its velocity at fixed rates of the axes. 6 x 6, by columns, B S = - I (V x S) + S x* (I V) + V x* (I S).
//                                                             theory/derivatives.md, Bias derivative
void derivative_coriolis(mjtNum B[36], const mjtNum inertia[10], const mjtNum V[6]);

#endif  // CONDYLE_STEP_DERIVATIVE_H_
