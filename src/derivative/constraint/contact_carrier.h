// contact_carrier.h: the bodies that carry the sides of a contact.
//
//   J = sum_i w_i J_i at the contact,  i the bodies of both sides
//
// A geom is one body with the weight 1, or -1 on the first side. A flex has several, with weights
// that depend on where the contact is; where that goes depends on the features of the flex, and
// these on the corners, which bodies carry.
//                                        theory/constraint-derivatives.md, Contacts of deformables

#ifndef CONDYLE_DERIVATIVE_CONSTRAINT_CONTACT_CARRIER_H_
#define CONDYLE_DERIVATIVE_CONSTRAINT_CONTACT_CARRIER_H_

#include "derivative/constraint/contact_work.h"
#include "derivative/geometry/flex_feature.h"

// As in contact_work.h, all is in the frame of the contact.

enum {
  MOST_CARRIERS = 2 * FLEX_NODES
};

// A body that carries one side, or some of its corners.
typedef struct {
  int body, side;
  mjtNum weight;    // in the rows, negative on the first side
  mjtNum arm[3];    // of a flex: where on the body its corners hang
  mjtNum share[4];  // of the body in the motion of each
} ContactCarrier;

// A side of a contact; a geom has no corners.
typedef struct {
  FlexFeature feature;
  mjtNum at[4][3];    // the corners
  mjtNum inverse[4];  // what a corner's weight adds to the diagonal approximation, per weight
} ContactSide;

// Twists of all carriers for some joint velocities, and what the rows measure of them, the sum with
// their weights.
typedef struct {
  mjtNum A[MOST_CARRIERS][6], rel[6];
} CarriedMotion;

typedef struct {
  const mjModel* m;
  mjData* d;
  const mjContact* con;
  ContactWork w;
  ContactSide side[2];
  int n, is_free;  // whether the regularizer follows the diagonal approximation
  mjtNum diagonal;
  ContactCarrier carrier[MOST_CARRIERS];
  CarriedMotion x, v;  // of accelerations and velocities
} CarriedContact;

// 1 on the second side, -1 on the first.
static inline mjtNum contact_sign(int side) {
  return side ? 1 : -1;
}

// What a carrier counts of the weight of a corner that follows it.
static inline mjtNum carrier_share(const ContactCarrier* carrier, int corner) {
  return carrier->share[corner] >= FLEX_SHARE_MIN ? carrier->share[corner] : 0;
}

// Fills in the bodies of both sides; the forces in w are the caller's.
void contact_carriers(CarriedContact* c, const mjModel* m, mjData* d, const mjContact* contact);

// Where the contact goes; returns the number of kinks. The weights have one where the contact is at
// a corner.
int contact_find_geometry(CarriedContact* c);

void contact_measure(CarriedMotion* out, const CarriedContact* c, const Twists* W);

int carrier_moves(const CarriedContact* c, int k);

// Directions of the contact have forces first, wrenches and twists torques and turns.
void contact_swap_parts(mjtNum out[6], const mjtNum in[6]);

#endif  // CONDYLE_DERIVATIVE_CONSTRAINT_CONTACT_CARRIER_H_
