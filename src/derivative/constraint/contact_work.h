// contact_work.h: what the ways of differentiating contacts share: as blocks of bodies (contact.c),
// as one number (contact_vjp.c), as what is measured (contact_measures).

#ifndef CONDYLE_DERIVATIVE_CONSTRAINT_CONTACT_WORK_H_
#define CONDYLE_DERIVATIVE_CONSTRAINT_CONTACT_WORK_H_

#include "derivative/constraint/row_law.h"
#include "derivative/geometry/contact_geometry.h"
#include "derivative/tree/coupling.h"
#include "derivative/tree/kinematics.h"

// Everything here is in the frame of the contact: (n, t1, t2) with its origin at contact.pos,
// twists and wrenches about that.
typedef struct {
  ContactGeometry geometry;
  int kinks;
  mjtNum force[6], Hs[36], damping[6];  // along (n, t1, t2) and about them
  mjtNum spring, sigma;                 // by the distance
  mjtNum push;                          // the first force, by the distance alone
  mjtNum x[2][6], v[2][6];   // twists of both bodies, of the accelerations and velocities
  mjtNum spin[3], about[3];  // tau = spin . dn + about . turn of the second body
} ContactWork;

// What moves when the bodies move by a pair of twists.
typedef struct {
  mjtNum turn[3];  // of the frame
  mjtNum pos[3], dist;
} ContactMotion;

// By twists of the first and the second body; needs touch, spin and about of the work.
void contact_move(ContactMotion* out, const ContactWork* w, const mjtNum E1[6], const mjtNum E2[6]);

// Change of the relative motion A = (w, c) of both sides along the directions of the contact, where
// DA is the change of the motion itself:
//
//   force directions:  (DA)_shift + w x dp - turn x c         torques:  (DA)_turn - turn x w
void contact_move_rows(mjtNum out[6], const ContactMotion* to, const mjtNum A[6],
                       const mjtNum DA[6]);

// How the forces change as what the rows measure changes by x of accelerations and v of velocities,
// and the contact moves: they grow with the depth, and the first by `push` besides.
void contact_move_forces(mjtNum response[6], const ContactWork* w, const ContactMotion* to,
                         const mjtNum x[6], const mjtNum v[6]);

// The wrench on the second side: forces turn and move with the contact besides.
void contact_move_wrench(mjtNum out[6], const ContactWork* w, const ContactMotion* to,
                         const mjtNum response[6]);

// A wrench to the world, with a sign.
void contact_to_world(mjtNum out[6], const mjtNum wrench[6], const mjtNum frame[9], mjtNum sign);

// A 6 x 6 matrix of (turn, shift) parts from the frame to the world.
void contact_block_to_world(mjtNum out[36], const mjtNum A[36], const mjtNum frame[9]);

// How the wrench on the second side answers to its twist of accelerations, and of velocities, in
// the world and but for the sign.
void contact_stiffness(mjtNum out[36], const ContactWork* w, const mjtNum frame[9]);
void contact_damping(mjtNum out[36], const ContactWork* w, const mjtNum frame[9]);

// How the frame turns about the normal; returns 1 at a kink.
//                                                   theory/constraint-derivatives.md, Contact frame
int contact_spin(ContactWork* w, const mjModel* m, const mjData* d, const mjContact* contact);

// The body of the geom on one side.
int contact_body(const mjModel* m, const mjContact* contact, int side);

// Twist of a body about the contact, in its frame.
void contact_twist(mjtNum out[6], const mjModel* m, const mjData* d, int body, const Twists* W,
                   const mjContact* contact);

// Fills in the forces and how they answer; returns 0 if there is no force and none to come, so that
// the contact is as if it were not there.
int contact_take_law(ContactWork* w, const RowLaw* law, const mjContact* contact);

// What the rows answer to J lambda along the directions, -Hs J lambda, and times their damping.
void contact_responses(mjtNum response[6], mjtNum damped[6], const ContactWork* w,
                       const RowLaw* law, const mjContact* contact, const mjtNum along[6]);

// What a contact measures, as dofs move: rows of nv numbers by positions, velocities and
// accelerations of the first forces (at most 6) along the directions of the contact and torques
// about them; and how it moves by positions itself, in its frame, one for each dof (NULL: not asked
// for).
typedef struct {
  int forces;
  mjtNum *q[6], *v[6], *x[6];
  ContactMotion* motion;
} ContactRows;

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
                          const mjtNum response[6], const ContactMotion* to);

#endif  // CONDYLE_DERIVATIVE_CONSTRAINT_CONTACT_WORK_H_
