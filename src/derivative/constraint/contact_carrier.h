// contact_carrier.h: the carriers of a contact, which are the bodies that hold its sides.
//
//   J = sum_i w_i J_i at the contact,  i the bodies of both sides
//
// A geom is one body with the weight 1, or -1 on side 0. A flex has several bodies. Their weights
// depend on the position of the contact, which depends on the features of the flex, and these on
// its corners, which move with bodies.
//                                    theory/time/constraint-derivatives.md, Contacts of deformables

#pragma once

#include "derivative/constraint/contact_work.h"
#include "derivative/geometry/flex_feature.h"

// As in contact_work.h, all is in the frame of the contact.

enum {
  MOST_CARRIERS = 2 * FLEX_NODES
};

// A carrier: a body that holds one side, or some of its corners.
typedef struct {
  int body, side;
  mjtNum weight;    // of its twist in the rows; negative on side 0
  mjtNum arm[3];    // of a flex: the point of the body that its corners follow
  mjtNum share[4];  // part of the body in the motion of each corner
} ContactCarrier;

// A side of a contact. A geom has no corners.
typedef struct {
  FlexFeature feature;
  mjtNum at[4][3];    // the corners
  mjtNum inverse[4];  // diagonal approximation per weight of each corner
} CarrierSide;

// Twists A of all carriers at given joint velocities, and their weighted sum, which the rows
// measure.
typedef struct {
  mjtNum A[MOST_CARRIERS][6], rel[6];
} CarriedMotion;

typedef struct {
  const mjModel* m;
  mjData* d;
  const mjContact* con;
  ContactWork w;
  CarrierSide side[2];
  int n, is_free;  // is_free: whether R depends on the diagonal
  mjtNum diagonal;
  ContactCarrier carrier[MOST_CARRIERS];
  CarriedMotion x, v;     // of accelerations and velocities
  int slides;             // the surface of some side moves against its body ...
  CarriedMotion surface;  // ... by these twists, of which tangents and spin count
} CarriedContact;

// 1 on the second side, -1 on the first.
static inline mjtNum contact_sign(int side) {
  return side ? 1 : -1;
}

// Share of a carrier in the weight of a corner; shares below a minimum count as zero, as in the
// rows.
static inline mjtNum carrier_share(const ContactCarrier* carrier, int corner) {
  return carrier->share[corner] >= FLEX_SHARE_MIN ? carrier->share[corner] : 0;
}

// Fills in the bodies of both sides; the forces in w are the caller's.
void contact_carriers(CarriedContact* c, const mjModel* m, mjData* d, const mjContact* contact);

// Finds the geometry of the contact and the features of its sides; returns the number of kinks
// (places where no derivative exists). A flex contact exactly at a corner, where the bodies'
// weights have no derivative, is one.
int contact_find_geometry(CarriedContact* c);

void contact_measure(CarriedMotion* out, const CarriedContact* c, const Twists* W);

// Finds slides and surface, from the rows.
void contact_find_surfaces(CarriedContact* c);

// What of h, in directions of the contact, surfaces have a part in.
void contact_sliding(mjtNum out[6], const mjtNum h[6]);

int carrier_moves(const CarriedContact* c, int k);

// Directions of the contact have forces first, wrenches and twists torques and turns.
void contact_swap_parts(mjtNum out[6], const mjtNum in[6]);
