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

// What a contact measures, as dofs move: rows of nv numbers by positions, velocities and
// accelerations of the first forces (at most 6) along the directions of the contact and torques
// about them; and how it moves by positions itself, in its frame, one for each dof (NULL: not asked
// for).
typedef struct {
  int forces;
  mjtNum *q[6], *v[6], *x[6];
  ContactMotion* motion;
} ContactRows;

// rows += derivative of what the contact measures; returns the number of kinks.
int contact_measures(const ContactRows* rows, const Couplings* of, const RowLaw* law,
                     const mjContact* contact);

// A dof of a body that counts by a weight in the rows: it moves the body by S, and twists of
// accelerations and velocities change by rate besides. In the frame of the contact.
typedef struct {
  int dof;
  mjtNum weight, S[6], rate[2][6];
} ContactMover;

void contact_mover_make(ContactMover* out, const Couplings* of, const mjContact* contact, int body,
                        int dof, mjtNum weight);

// Adds to rows how forces answer to a dof that moves the contact.
void contact_add_measures(const ContactRows* rows, const ContactWork* w, const ContactMover* by,
                          const mjtNum answer[6], const ContactMotion* to);

// Adds a constant force that pushes the geoms of a contact apart along its normal.
int contact_push(Couplings* of, const mjContact* contact, mjtNum force);

#endif  // CONDYLE_DERIVATIVE_CONSTRAINT_CONTACT_H_
