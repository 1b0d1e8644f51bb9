// scalar_row.h: derivatives of rows on joints, tendons and flex edges: couplings, friction loss,
// limits.

#pragma once

#include "derivative/constraint/row_law.h"
#include "derivative/tree/coupling.h"
#include "derivative/tree/vjp.h"

// Adds a row that is of neither a contact nor a connect or weld. Constant forces of tendons go into
// loads. Returns 1 if a tendon is at a kink.
int scalar_partials(Couplings* of, Load* loads, const RowLaw* law, int row);

// Adds its terms to the gradient of a scalar; returns the number of rows, 1.
int scalar_vjp(ConstraintVjp* of, int row);
