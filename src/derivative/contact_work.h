// contact_work.h: what the two ways of differentiating contacts share: as blocks of two bodies
// (contact.c) and as one number (contact_dual.c).

#ifndef CONDYLE_DERIVATIVE_CONTACT_WORK_H_
#define CONDYLE_DERIVATIVE_CONTACT_WORK_H_

#include "derivative/kinematics.h"
#include "derivative/touch.h"

// Everything here is in the frame of the contact: (n, t1, t2) with its origin at contact.pos,
// twists and wrenches about that.
typedef struct {
  Touch touch;
  int kinks;
  mjtNum force[6], Hs[36], damping[6];  // along (n, t1, t2) and about them
  mjtNum spring, sigma;                 // by the distance
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

// How the frame turns about the normal; returns 1 at a kink.
//                                                   theory/constraint-derivatives.md, Contact frame
int contact_spin(ContactWork* w, const mjModel* m, const mjData* d, const mjContact* contact);

// The body on one side of a contact: that of its geom, or of the vertex of a flex.
int contact_body(const mjModel* m, const mjContact* contact, int side);

// Twist of a body about the contact, in its frame.
void contact_twist(mjtNum out[6], const mjModel* m, const mjData* d, int body, const Twists* W,
                   const mjContact* contact);

// No force, and none to come: the contact is as if it were not there.
int contact_isIdle(const ContactWork* w);

#endif  // CONDYLE_DERIVATIVE_CONTACT_WORK_H_
