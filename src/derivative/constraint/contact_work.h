// contact_work.h: the steps that all derivatives of contacts share: blocks of bodies (contact.c),
// a scalar (contact_vjp.c), contact sensors (contact_measures).
// Symbols: row_law.h (f, Hs, sigma, b, spring); n, dist: contact_geometry.h.

#pragma once

#include "derivative/constraint/row_law.h"
#include "derivative/geometry/contact_geometry.h"
#include "derivative/tree/coupling.h"
#include "derivative/tree/kinematics.h"

// State of one contact. Everything is in the frame of the contact, (n, t1, t2) with the origin at
// contact.pos; twists and wrenches are about that point.
typedef struct {
  ContactGeometry geometry;
  int kinks;
  mjtNum force[6], Hs[36], damping[6];  // along (n, t1, t2), then about them; attraction included
  mjtNum weighed[6];                    // row_law.h
  mjtNum spring[6], sigma;              // of reference_springs, row_sigma
  mjtNum push;                          // derivative of force[0] by the distance, beside the law
  mjtNum x[2][6], v[2][6];              // twists of both bodies at accelerations and velocities
  mjtNum spin[3], about[3];             // turn about n: tau = spin . dn + about . turn_2
} ContactWork;

// Motion of a contact as its bodies move by a pair of twists.
typedef struct {
  mjtNum turn[3];  // of the frame
  mjtNum pos[3], dist;
} ContactMotion;

// Motion of the contact by twists E1 and E2 of its bodies. Reads geometry, spin and about of w.
void contact_move(ContactMotion* out, const ContactWork* w, const mjtNum E1[6], const mjtNum E2[6]);

// Change of the rows of a relative motion A = (w, c) of both sides, along the directions of the
// contact. DA is the change of A itself:
//
//   force directions:  (DA)_shift + w x dp - turn x c         torques:  (DA)_turn - turn x w
void contact_move_rows(mjtNum out[6], const ContactMotion* to, const mjtNum A[6],
                       const mjtNum DA[6]);

// Linearised change of the contact forces when the rows of accelerations change by x, those of
// velocities by v, and the contact moves by `to` (d = to->dist); e_n: the unit vector
// of the normal row.
//
//   response = sigma d weighed - Hs (x + damping v + spring d) + push d e_n
void contact_move_forces(mjtNum response[6], const ContactWork* w, const ContactMotion* to,
                         const mjtNum x[6], const mjtNum v[6]);

// Change of the wrench on side 2: the forces change by `response`, and turn and move with the
// contact.
void contact_move_wrench(mjtNum out[6], const ContactWork* w, const ContactMotion* to,
                         const mjtNum response[6]);

// Rotates a wrench from the contact frame to world axes and multiplies it by `sign`.
void contact_to_world(mjtNum out[6], const mjtNum wrench[6], const mjtNum frame[9], mjtNum sign);

// A 6 x 6 matrix of (turn, shift) parts, from the frame of the contact to the world.
void contact_block_to_world(mjtNum out[36], const mjtNum A[36], const mjtNum frame[9]);

// Minus the derivative of the wrench on side 2 by its twist of accelerations, and by that of
// velocities, in the world.
void contact_stiffness(mjtNum out[36], const ContactWork* w, const mjtNum frame[9]);
void contact_damping(mjtNum out[36], const ContactWork* w, const mjtNum frame[9]);

// Sets spin and about of w: how the frame turns about the normal. Returns 1 at a kink.
//                                              theory/time/constraint-derivatives.md, Contact frame
int contact_spin(ContactWork* w, const mjModel* m, const mjData* d, const mjContact* contact);

// Body of the geom on one side.
int contact_body(const mjModel* m, const mjContact* contact, int side);

// Twist of a body about the contact, in its frame.
void contact_twist(mjtNum out[6], const mjModel* m, const mjData* d, int body, const Twists* W,
                   const mjContact* contact);

// Fills in forces, Hs and damping; returns 0 for a contact without any force, now or after a small
// motion. What attracts the sides pulls along the normal besides the rows; it is in force, too.
int contact_take_law(ContactWork* w, const RowLaw* law, const mjContact* contact);

// Responses -Hs J lambda of the rows, along the directions, and the responses times damping. along:
// J lambda.
void contact_responses(mjtNum response[6], mjtNum damped[6], const ContactWork* w,
                       const RowLaw* law, const mjContact* contact, const mjtNum along[6]);

// Outputs: derivatives of the first `forces` (at most 6) components of the contact force, along the
// directions of the contact and then about them, by positions, velocities and accelerations: rows
// of nv numbers. motion: motion of the contact by the position of each dof, in its frame (NULL: not
// asked for). speed_q, speed_v: derivatives of how the second side moves against the first, along
// and about these directions, by positions and velocities (NULL: not asked for).
typedef struct {
  int forces;
  mjtNum *q[6], *v[6], *x[6];
  ContactMotion* motion;
  mjtNum *speed_q[6], *speed_v[6];
} ContactRows;

// A dof that moves a body of the contact by the twist S; `weight` is that of the body in the rows.
// The twists of accelerations and velocities change by rate too. In the frame of the contact.
typedef struct {
  int dof;
  mjtNum weight, S[6], rate[2][6];
} ContactMover;

void contact_mover_make(ContactMover* out, const Couplings* of, const mjContact* contact, int body,
                        int dof, mjtNum weight);

// Adds to rows the derivatives by the dof of `by`, with the changes of forces and contact by its
// position.
void contact_add_measures(const ContactRows* rows, const ContactWork* w, const ContactMover* by,
                          const mjtNum response[6], const ContactMotion* to);
