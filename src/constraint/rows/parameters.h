// parameters.h: what each constraint row weighs and how it wants to accelerate: efc_diagApprox,
// KBIP, R, D, contact.mu.
//
// Needs type, id, pos, margin of all rows; the Jacobian is not looked at: the diagonal of J M^-1 J'
// is approximated from the inverse weights of the model's reference configuration, so that it is
// cheap and smooth.                                              theory/constraints.md, Regularizer

#ifndef CONDYLE_CONSTRAINT_ROWS_PARAMETERS_H_
#define CONDYLE_CONSTRAINT_ROWS_PARAMETERS_H_

#include <mujoco/mjdata.h>

void rows_parameters(const mjModel* m, mjData* d);

#endif  // CONDYLE_CONSTRAINT_ROWS_PARAMETERS_H_
