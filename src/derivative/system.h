// system.h: derivatives of accelerations by the state and the controls.

#pragma once

#include <mujoco/mjdata.h>

#include "derivative/constraint/bordered.h"
#include "derivative/smooth/forces.h"
#include "derivative/smooth/regularizer.h"

// The derivative of forward dynamics at a state for which it has been computed. Its residual r is
// zero: the total force on the dofs less the force that the motion needs:
//
//   r(q, v, w, u, x) = tau + J' f - M x - c = 0        H dx = dr at constant x
typedef struct {
  const mjModel* m;
  mjData* d;
  const mjtNum* x;               // accelerations
  const BorderedRows* bordered;  // rows left out of r and H; NULL: none
  BodyMotion motion;
  Twists velocity;
  ForceJacobian r;  // at constant x
  Regularizers regularizers;
  mjtNum* H;                 // - dr/dx, nv x nv; its factor once a function below has solved
  int is_factored, is_skew;  // is_skew: H is not symmetric
  const char* function;
  int actuation;  // whether tau includes actuator forces
} System;

// actuation, applied: whether tau includes these forces besides passive ones. Then rows that are
// left out of r and H (NULL: none), and the name of the caller for errors.
typedef struct {
  int actuation, applied;
  const BorderedRows* bordered;
  const char* function;
} ForceParts;

// On the stack of d, which the caller has marked. x: accelerations.
System system_make(const mjModel* m, mjData* d, const mjtNum* x, ForceParts parts);

// Like system_make, but r leaves out constraint forces (the caller adds their derivatives); H still
// includes their part J' Hs J. It is for system_pull: H is transposed where it is not symmetric.
System system_make_apart(const mjModel* m, mjData* d, const mjtNum* x, ForceParts parts);

// Columns of a matrix: positions, velocities, activations, controls begin at q, v, act, ctrl; n in
// all, rows ld numbers apart.
typedef struct {
  int q, v, act, ctrl, n, ld;
} StateColumns;

StateColumns state_columns(const mjModel* m);

// Solves H dx = dr for all columns; dx (nv x columns) is on the stack.
mjtNum* system_solve(System* s, StateColumns columns);

// Turns xi into kappa in place and sets the response of the bordered rows, so that xi . dx = kappa
// . dr + response . dy. Any number of times.
void system_pull(mjtNum* xi, System* s);

// n numbers x of one result; x may be NULL.
typedef struct SystemResult_ {
  const mjtNum* x;
  size_t n;
} SystemResult;

// Warns once (cndWARN_DERIVATIVE) if numbers of these results are not finite.
void system_checkFinite(mjData* d, const SystemResult* result, int count);

// Ends in mju_error if the model or a callback has no exact derivative here.
void system_check(const char* function, const mjModel* m);
