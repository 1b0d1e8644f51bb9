// connect_weld.h: derivatives of the wrenches of connect and weld equalities between two bodies.

#pragma once

#include "derivative/constraint/row_law.h"
#include "derivative/tree/coupling.h"
#include "derivative/tree/vjp.h"

// Adds the couplings of a connect or weld whose first row is `row`; returns its number of rows.
// With a watched wrench only that is right: its torques are those that sensors read.
int connect_weld_partials(Couplings* of, const RowLaw* law, int row);

// Adds the wrench of one of its rows, as sensors read it, on bodies inside of a set, each about the
// point of its tree. first: the first row of the constraint.
void connect_weld_add_wrench(mjtNum wrench[6], const mjModel* m, const mjData* d, const RowLaw* law,
                             int first, int row, const char* inside);

// Adds its terms to the gradient of a scalar; returns its number of rows.
int connect_weld_vjp(ConstraintVjp* of, int row);
