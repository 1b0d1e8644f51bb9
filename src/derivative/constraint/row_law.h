// row_law.h: forces of constraint rows at given accelerations, and their derivatives.
//
//   y = J x - aref,  f = f(y, R),  Hs = -df/dy,  df at fixed y = f sigma dr,  sigma = d'/(d (1-d))
//
// All R of a constraint have the factor (1-d)/d in common, and forces are inverse to it. Forces at
// a bound of their own don't depend on R. The attraction A of an adhesive contact is in aref as
// R A, so y changes with R, too, and what is inverse to R is the weighed force f - Hs R A.
//                                               theory/time/constraint-derivatives.md, Row laws
// Symbols: docs/formulas.md; d' is the derivative of the impedance d by the residual r, Hs the
// Hessian of the rows' cost (block-diagonal, a block for each contact), b the damping in aref = -b
// v - K d r.

#pragma once

#include <mujoco/mjdata.h>

#include "derivative/constraint/bordered.h"

// Laws of all rows of d at the accelerations x.
typedef struct RowLaw_ {
  const mjModel* m;
  const mjData* d;
  mjtNum *y, *force;
  mjtNum* weighed;               // what of the force is inverse to R; force where nothing adheres
  int attracts;                  // what adheres pulls besides its rows
  int* zone;                     // mjtConstraintState
  const BorderedRows* bordered;  // rows with Hs = 0; NULL: none
} RowLaw;

// On the stack of d, which the caller has marked. Without bordered rows.
RowLaw row_law_make(const mjModel* m, mjData* d, const mjtNum* x);

// Hs of a scalar row; 0 if it is bordered.
mjtNum row_stiffness(const RowLaw* law, int row);

// Response -Hs J lambda of a scalar row in the gradient of a scalar; along: J lambda.
mjtNum row_response(const RowLaw* law, int row, mjtNum along);

// sigma of a row; 0 if its force does not depend on R.
mjtNum row_sigma(const RowLaw* law, int row);

// Derivative of -aref by the residual r, K (d + r d'), and by the velocity, b; both of discrete
// steps in row_reference.h.
mjtNum row_spring(const RowLaw* law, int row);
mjtNum row_damping(const RowLaw* law, int row);

// Forces, Hs (6 x 6) and damping of a contact along the directions (n, t1, t2, rotations about
// them). Pyramid rows are sums of two directions each, so all edges contribute.
void contact_law(mjtNum force[6], mjtNum Hs[36], mjtNum damping[6], const RowLaw* law,
                 const mjContact* contact);

// The weighed forces along the same directions.
void contact_weighed(mjtNum weighed[6], const RowLaw* law, const mjContact* contact);

// Adds the responses of bordered rows along the same directions.
void contact_response(mjtNum response[6], const RowLaw* law, const mjContact* contact);

// Number of rows at a kink of their law, up to rounding.
int row_kinks(const RowLaw* law);
