// contact_flex.h: contacts with a flex, which act on several bodies on each side.
//
//   J = sum_i w_i J_i at the contact,  i the bodies of both sides
//
// with weights that depend on where the contact is. Where it is goes with the features of the flex,
// and these with the corners, which bodies carry.
//                                        theory/constraint-derivatives.md, Contacts of deformables

#ifndef CONDYLE_DERIVATIVE_CONSTRAINT_CONTACT_FLEX_H_
#define CONDYLE_DERIVATIVE_CONSTRAINT_CONTACT_FLEX_H_

#include "derivative/constraint/contact_work.h"
#include "derivative/tree/vjp.h"

// What contact.h has for two bodies.
int contact_flex_partials(Couplings* of, const RowLaw* law, const mjContact* contact);
int contact_flex_vjp(ConstraintVjp* of, const mjContact* contact);
int contact_flex_measures(const ContactRows* rows, const Couplings* of, const RowLaw* law,
                          const mjContact* contact);

// A force that pushes the sides apart along the normal, and its slope by the distance.
int contact_flex_push(Couplings* of, const mjContact* contact, mjtNum force, mjtNum slope);

#endif  // CONDYLE_DERIVATIVE_CONSTRAINT_CONTACT_FLEX_H_
