// vjp.h: the gradient of the scalar lambda . F, F = J' f (a vector-Jacobian product), in the time
// of a few passes over the tree.
//
// lambda . F = f . (J lambda) with a constant lambda, so
//
//   D (lambda . F) = f . D(J) lambda - g . (D(J) x + b D(J) v) + (terms of residuals),
//                         g = Hs J lambda
//
// Each constraint adds adjoints (6-vectors) to its bodies: the adjoint of their motion E, and those
// of the rates of joint axes S'_j = W_<j x S_j at the three joint velocities lambda, x and v.
// Adjoints are summed over subtrees, and each dof is multiplied with the sums once.
// Symbols: kinematics.h (D, S, W); f, Hs, b: constraint/row_law.h; x, v: accelerations and
// velocities of dofs.
//                                       theory/time/constraint-derivatives.md, Gradient of a scalar

#pragma once

#include "derivative/tree/kinematics.h"

// The three joint velocities lambda, x and v.
enum {
  VJP_LAMBDA,
  VJP_X,
  VJP_V,
  NVJP
};

typedef struct {
  const mjModel* m;
  mjData* d;
  const struct RowLaw_* law;
  const mjtNum* z[NVJP];
  Twists W[NVJP];
  mjtNum *rate_q, *rate_v, *rate_x;            // outputs, nv each, added to
  const mjtNum* along;                         // J lambda, of all rows
  struct BodyVjp* body;                        // sums
  const struct ConstraintGradient_* gradient;  // by parameters; NULL: not asked for
} ConstraintVjp;

// On the stack of d, which the caller has marked.
ConstraintVjp vjp_make(const mjModel* m, mjData* d, const struct RowLaw_* law, const mjtNum* x,
                       const mjtNum* lambda, mjtNum* rate_q, mjtNum* rate_v, mjtNum* rate_x);

// Adds the adjoints of a body about `point`: one of its motion, one of the rates of axes at each
// joint velocity.
void vjp_add(ConstraintVjp* of, int body, const mjtNum point[3], mjtNum motion[6],
             mjtNum rate[NVJP][6]);

// Writes the sums to the outputs, once, at the end.
void vjp_finish(ConstraintVjp* of);
