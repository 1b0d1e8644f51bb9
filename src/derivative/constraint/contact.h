// contact.h: the wrench of a contact as bodies move.

#ifndef CONDYLE_DERIVATIVE_CONSTRAINT_CONTACT_H_
#define CONDYLE_DERIVATIVE_CONSTRAINT_CONTACT_H_

#include "derivative/constraint/contact_work.h"
#include "derivative/constraint/row_law.h"
#include "derivative/tree/coupling.h"
#include "derivative/tree/vjp.h"

// Adds the rows of a contact; returns how many of them are at a kink of its geometry.
int contact_partials(Couplings* of, const RowLaw* law, const mjContact* contact);

// The same for one number.
int contact_vjp(ConstraintVjp* of, const mjContact* contact);

// rows += derivative of what the contact measures; returns the number of kinks.
int contact_measures(const ContactRows* rows, const Couplings* of, const RowLaw* law,
                     const mjContact* contact);

// Adds a force that pushes the sides of a contact apart along its normal, with its slope by the
// distance.
int contact_push(Couplings* of, const mjContact* contact, mjtNum force, mjtNum derivative);

#endif  // CONDYLE_DERIVATIVE_CONSTRAINT_CONTACT_H_
