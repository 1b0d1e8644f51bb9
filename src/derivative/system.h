// system.h: how accelerations change with the state and the controls.

#ifndef CONDYLE_DERIVATIVE_SYSTEM_H_
#define CONDYLE_DERIVATIVE_SYSTEM_H_

#include <mujoco/mjdata.h>

#include "derivative/constraint/bordered.h"
#include "derivative/smooth/forces.h"

// At a state whose forward dynamics is done. The total force on the dofs, constraints included,
// less what the motion needs, is zero:
//
//   r(q, v, w, u, x) = tau + J' f - M x - c = 0        H dx = dr at constant x
typedef struct {
  const mjModel* m;
  mjData* d;
  const mjtNum* x;               // accelerations
  const BorderedRows* bordered;  // rows that r and H are without; NULL: none
  BodyMotion motion;
  Twists velocity;
  ForceJacobian r;  // at constant x
  mjtNum* H;        // - dr/dx, nv x nv
  const char* function;
  int actuation;  // whether tau has the forces of actuators
} System;

// What tau is made of besides passive forces, rows that r and H are without (NULL: none), and who
// asks, for errors.
typedef struct {
  int actuation, applied;
  const BorderedRows* bordered;
  const char* function;
} ForceParts;

// On the stack of d, which the caller has marked. x: accelerations.
System system_make(const mjModel* m, mjData* d, const mjtNum* x, ForceParts parts);

// The same, but r is without the forces of constraints, which are left to the caller.
System system_make_apart(const mjModel* m, mjData* d, const mjtNum* x, ForceParts parts);

// StateColumns of a matrix whose rows are dofs: positions, velocities, activations, controls; n in all,
// rows ld apart.
typedef struct {
  int q, v, act, ctrl, n, ld;
} StateColumns;

StateColumns state_columns(const mjModel* m);

// dx for all columns, on the stack: H^-1 r if there is no border. H becomes its factor.
mjtNum* system_solve(System* s, StateColumns columns);

// kappa from xi, in place, so that xi . dx = kappa . dr + answer . dy, with the answer of the
// border. H becomes its factor.
void system_pull(mjtNum* xi, System* s);

// n numbers of a result; x may be NULL.
typedef struct SystemResult_ {
  const mjtNum* x;
  size_t n;
} SystemResult;

// Warns once (cndWARN_DERIVATIVE) if numbers of these results are not finite.
void system_checkFinite(mjData* d, const SystemResult* result, int count);

// Ends in mju_error if the model or a callback has no exact derivative here.
void system_check(const char* function, const mjModel* m);

#endif  // CONDYLE_DERIVATIVE_SYSTEM_H_
