// dual.h: the derivative of one number, lambda . J' f, in the time of a few passes over the tree.
//
// lambda . F = f . (J lambda) with a constant lambda, so
//
//   D (lambda . F) = f . D(J) lambda - g . (D(J) x + b D(J) v) + (terms of residuals),
//                         g = Hs J lambda
//
// Each constraint adds to the bodies that it is on what multiplies their motion E, and the rates of
// axes S'_j = W_<j x S_j of the three joint velocities lambda, x and v; subtrees are summed, and
// each dof is asked once.
//                                                   theory/constraint-derivatives.md, One number

#ifndef CONDYLE_DERIVATIVE_DUAL_H_
#define CONDYLE_DERIVATIVE_DUAL_H_

#include "derivative/constraint.h"
#include "derivative/kinematics.h"
#include "derivative/row_law.h"

// The three joint velocities.
enum {
  DUAL_LAMBDA,
  DUAL_X,
  DUAL_V,
  NDUAL
};

typedef struct {
  const mjModel* m;
  mjData* d;
  const RowLaw* law;
  const mjtNum* z[NDUAL];
  Twists W[NDUAL];
  mjtNum *rate_q, *rate_v, *rate_x;    // outputs, nv each, added to
  const mjtNum* along;                 // J lambda, of all rows
  struct BodyDual* body;               // sums
  const ConstraintGradient* gradient;  // to parameters, NULL if not asked for
} Duals;

// On the stack of d, which the caller has marked.
Duals duals_make(const mjModel* m, mjData* d, const RowLaw* law, const mjtNum* x,
                 const mjtNum* lambda, mjtNum* rate_q, mjtNum* rate_v, mjtNum* rate_x);

// Adds for a body, about `point`: what multiplies its motion, and the rates of the axes.
void duals_add(Duals* of, int body, const mjtNum point[3], mjtNum motion[6], mjtNum rate[NDUAL][6]);

// Writes the sums to the outputs, once, at the end.
void duals_finish(Duals* of);

#endif  // CONDYLE_DERIVATIVE_DUAL_H_
