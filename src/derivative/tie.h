// tie.h: the wrenches of equalities that tie points or frames of two bodies.

#ifndef CONDYLE_DERIVATIVE_TIE_H_
#define CONDYLE_DERIVATIVE_TIE_H_

#include "derivative/coupling.h"
#include "derivative/dual.h"
#include "derivative/row_law.h"

// Adds the rows of a connect or weld, which begin at `row`; returns how many they are.
int tie_partials(Couplings* of, const RowLaw* law, int row);

// The same for one number.
int tie_dual(Duals* of, int row);

#endif  // CONDYLE_DERIVATIVE_TIE_H_
