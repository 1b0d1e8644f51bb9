// contact.h: derivatives of the wrench of a contact as bodies move.

#pragma once

#include "derivative/constraint/contact_work.h"
#include "derivative/constraint/row_law.h"
#include "derivative/tree/coupling.h"
#include "derivative/tree/vjp.h"

// Adds the coupling of a contact; returns its number of kinks of geometry.
int contact_partials(Couplings* of, const RowLaw* law, const mjContact* contact);

// Adds its terms to the gradient of a scalar; returns the number of kinks.
int contact_vjp(ConstraintVjp* vjp, const mjContact* contact);

// rows += derivative of the forces and the motion of the contact; returns the number of kinks.
int contact_measures(const ContactRows* rows, const Couplings* of, const RowLaw* law,
                     const mjContact* contact);

// Adds the wrench of a contact on bodies inside of a set, each about the point of its tree.
void contact_add_wrench(mjtNum wrench[6], const mjModel* m, mjData* d, const RowLaw* law,
                        const mjContact* contact, const char* inside);

// Adds the coupling of a force that pushes the sides of a contact apart along its normal;
// derivative: of the force by the distance. Returns the number of kinks.
int contact_push(Couplings* of, const mjContact* contact, mjtNum force, mjtNum derivative);
