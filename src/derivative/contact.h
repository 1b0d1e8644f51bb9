// contact.h: the wrench of a contact as bodies move.

#ifndef CONDYLE_DERIVATIVE_CONTACT_H_
#define CONDYLE_DERIVATIVE_CONTACT_H_

#include "derivative/coupling.h"
#include "derivative/dual.h"
#include "derivative/row_law.h"

// Adds the rows of a contact; returns how many of them are at a kink of its geometry.
int contact_partials(Couplings* of, const RowLaw* law, const mjContact* contact);

// The same for one number.
int contact_dual(Duals* of, const mjContact* contact);

// Rows of nv numbers, by positions, velocities and accelerations.
typedef struct {
  mjtNum *q, *v, *x;
} ForceRows;

// rows += derivative of the normal force of a contact.
int contact_normalForce(ForceRows* rows, const Couplings* of, const RowLaw* law,
                        const mjContact* contact);

// The same of a constant force that pushes the bodies of a contact apart along its normal.
int contact_push(Couplings* of, const mjContact* contact, mjtNum force);

#endif  // CONDYLE_DERIVATIVE_CONTACT_H_
