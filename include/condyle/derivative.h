// derivative.h: exact derivatives of a step and of inverse dynamics.
//
// mjd_transitionFD and mjd_inverseFD nudge every input and evaluate again; these solve one linear system
// with all inputs as right sides, so they have no step width and cost less. A step is a piecewise smooth
// function: where two pieces meet (a contact about to open, a control at the end of its range) the derivative
// is that of the piece on which the state is counted, and the place is counted as a kink.

#ifndef CONDYLE_DERIVATIVE_H_
#define CONDYLE_DERIVATIVE_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

// Next state and present sensors, linear in state and control: dy = A dx + B du, ds = C dx + D du, with
// x = (position in the tangent space, velocity, activation) of n = 2 nv + na numbers.
//
//   A (n x n), B (n x nu), C (nsensordata x n), D (nsensordata x nu)      row-major, each may be NULL
//
// Integrators: all. The derivative is that of the solution of the constraint problem: a solver that stops
// before it finds that is somewhere else. State and inputs of d stay; everything else describes the state,
// or with Runge-Kutta its last stage. Takes 8 (nv + 2 nv (3 nv + na + nu)) bytes or more of the arena.
// Returns the number of kinks. Errors (mju_error): user callbacks that are in force, plugins, and whatever has no exact derivative
// here, with its name.                                             theory/exact-derivatives.md
MJAPI int cnd_transitionExact(const mjModel* m, mjData* d, mjtNum* A, mjtNum* B, mjtNum* C,
                              mjtNum* D);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_DERIVATIVE_H_
