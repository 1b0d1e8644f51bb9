// row_law.h: forces of rows at given accelerations, and how they change with what the rows measure.
//
//   y = J x - aref,  f = f(y, R),  Hs = -df/dy,  df at fixed y = f sigma dr,  sigma = d'/(d (1-d))
//
// since all R of a constraint have a factor (1-d)/d in common and forces are inverse to it, except
// those that are at a bound of their own.                theory/constraint-derivatives.md, Row laws

#ifndef CONDYLE_DERIVATIVE_CONSTRAINT_ROW_LAW_H_
#define CONDYLE_DERIVATIVE_CONSTRAINT_ROW_LAW_H_

#include <mujoco/mjdata.h>

#include "derivative/constraint/bordered.h"

// Of all rows of d, at accelerations x.
typedef struct RowLaw_ {
  const mjModel* m;
  const mjData* d;
  mjtNum *y, *force;
  int* zone;                     // mjtConstraintState
  const BorderedRows* bordered;  // rows that are left out of Hs; NULL: none
} RowLaw;

// On the stack of d, which the caller has marked. No border.
RowLaw row_law_make(const mjModel* m, mjData* d, const mjtNum* x);

// Hs of a scalar row; 0 in the border.
mjtNum row_stiffness(const RowLaw* law, int row);

// What a scalar row answers to one number, -Hs J lambda; along: J lambda.
mjtNum row_response(const RowLaw* law, int row, mjtNum along);

// sigma of a row, 0 where its force does not depend on R.
mjtNum row_sigma(const RowLaw* law, int row);

// How aref changes with the residual: d aref = -spring dr, spring = K (d + r d').
mjtNum row_spring(const RowLaw* law, int row);

// Along the directions (n, t1, t2, turns about them) of a contact: forces, Hs (6 x 6) and damping.
// Rows of a pyramid are sums of two directions, so both come from all of its edges.
void contact_law(mjtNum force[6], mjtNum Hs[36], mjtNum damping[6], const RowLaw* law,
                 const mjContact* contact);

// Adds the answers of the border along the same directions.
void contact_response(mjtNum response[6], const RowLaw* law, const mjContact* contact);

// How many rows are where the law has a kink, as near as rounding lets it be told.
int row_kinks(const RowLaw* law);

#endif  // CONDYLE_DERIVATIVE_CONSTRAINT_ROW_LAW_H_
