// discrete.h: the terms of the effective metric, and the discrete step.
//
//   (M + h D + h^2 K) a = f - h K v + J' f_c        v+ = v + h a,  q+ = q + h v+
//
// qacc is the step's acceleration (v+ - v) / h: nothing is solved again when it is over. Every term
// of D and K is at least 0: a spring that gets softer as it moves is integrated explicitly.
//                                                         theory/time/integration.md, Discrete

#pragma once

#include <mujoco/mjdata.h>

// The terms of joints, tendons and fluids. Velocity stage, before the references of constraints.
void discrete_velocity(const mjModel* m, mjData* d);

// The terms of actuators, the factor of the metric, and all of constraint rows that depends on it.
// Acceleration stage; in inverse dynamics before the forces of constraints.
void discrete_forces(const mjModel* m, mjData* d);

// Moves the state by qacc.
void discrete_integrate(const mjModel* m, mjData* d);

// Solves free bodies that nothing touches again, with their gyroscopic forces, in qacc.
void discrete_free_bodies(const mjModel* m, mjData* d);

// inertial = Mhat qacc + h K v, with the gyroscopic forces of these bodies.
void discrete_inverse(mjtNum* inertial, const mjModel* m, mjData* d);

// Marks the trees (ntree) that rows or the tendons and actuators of the metric hold.
void discrete_find_held(mjtByte* held, const mjModel* m, const mjData* d);
