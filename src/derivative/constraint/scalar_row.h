// scalar_row.h: rows on single joints and tendons: couplings, friction loss, limits.

#ifndef CONDYLE_DERIVATIVE_CONSTRAINT_SCALAR_ROW_H_
#define CONDYLE_DERIVATIVE_CONSTRAINT_SCALAR_ROW_H_

#include "derivative/constraint/row_law.h"
#include "derivative/tree/coupling.h"
#include "derivative/tree/vjp.h"

// Adds a row that is neither of a contact nor of a tie. loads get the constant forces of tendons.
// Returns 1 if a tendon is at a kink.
int scalar_partials(Couplings* of, Load* loads, const RowLaw* law, int row);

// The same for one number; returns how many rows that was, 1.
int scalar_vjp(ConstraintVjp* of, int row);

#endif  // CONDYLE_DERIVATIVE_CONSTRAINT_SCALAR_ROW_H_
