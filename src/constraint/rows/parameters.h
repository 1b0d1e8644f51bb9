// parameters.h: the regularizer, spring and impedance of each constraint row: efc_diagApprox, KBIP,
// R, D, contact.mu.
//
// Needs type, id, pos and margin of all rows, not the Jacobian: the diagonal of J M^-1 J' is
// approximated from the inverse weights of the model's reference configuration, so that it is cheap
// and smooth.                                            theory/contact/constraints.md, Regularizer

#pragma once

#include <mujoco/mjdata.h>

// exact: the diagonal, if it is known; NULL: it is approximated.
void rows_parameters(const mjModel* m, mjData* d, const mjtNum* exact);

// Those of the rows [begin, end), whole constraints.
void rows_parameters_of(const mjModel* m, mjData* d, const mjtNum* exact, int begin, int end);
