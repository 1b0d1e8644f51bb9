// connect_weld.h: the wrenches of equalities that tie points or frames of two bodies.

#ifndef CONDYLE_DERIVATIVE_CONSTRAINT_CONNECT_WELD_H_
#define CONDYLE_DERIVATIVE_CONSTRAINT_CONNECT_WELD_H_

#include "derivative/constraint/row_law.h"
#include "derivative/tree/coupling.h"
#include "derivative/tree/vjp.h"

// Adds the rows of a connect or weld, which begin at `row`; returns how many they are.
int connect_weld_partials(Couplings* of, const RowLaw* law, int row);

// The same for one number.
int connect_weld_vjp(ConstraintVjp* of, int row);

#endif  // CONDYLE_DERIVATIVE_CONSTRAINT_CONNECT_WELD_H_
