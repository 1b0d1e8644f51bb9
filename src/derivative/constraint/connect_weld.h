// connect_weld.h: derivatives of the wrenches of connect and weld equalities between two bodies.

#pragma once

#include "derivative/constraint/row_law.h"
#include "derivative/tree/coupling.h"
#include "derivative/tree/vjp.h"

// Adds the couplings of a connect or weld whose first row is `row`; returns its number of rows.
// With a watched wrench only that is right: its torques are those that sensors read.
int connect_weld_partials(Couplings* of, const RowLaw* law, int row);

// Adds its terms to the gradient of a scalar; returns its number of rows.
int connect_weld_vjp(ConstraintVjp* of, int row);
