// contact_param.h: what a contact inherits from its two geoms, or from an explicit pair.
//
// A collider finds the geometry of a contact. Its softness, friction and margin come from here,
// once for all contacts of one pair of geoms. No other place knows the mixing rules, the override
// and the frame convention.
//                                                   theory/contact/collision.md, Contact parameters

#pragma once

#include <mujoco/mjdata.h>

// Distance below which geoms g1 and g2 get contacts, with their gap if that comes on top. ipair:
// their explicit pair, -1 if none.
mjtNum contact_margin(const mjModel* m, int g1, int g2, int ipair);

// Distance below which contacts of geoms g1 and g2 act, without their gap.
mjtNum contact_acting_margin(const mjModel* m, int g1, int g2, int ipair);

// One side of a contact: a geom, or an element or a vertex of a flex. The other ids are -1.
typedef struct ContactSide {
  int geom, flex, elem, vert;
} ContactSide;

// Fills in num contacts found with that margin: all fields but dist, pos and the normal. Contacts
// of a flex with itself have no gap.
void contact_fill_sides(const mjModel* m, mjContact* con, int num, const ContactSide side[2],
                        int ipair, mjtNum margin);

// Fills in num contacts of geoms g1 and g2 as above.
void contact_fill(const mjModel* m, mjContact* con, int num, int g1, int g2, int ipair,
                  mjtNum margin);

// What the contacts of two geoms were filled with, which the next two often share: parameters of
// like geoms, and a frame on the same plane. A memo lasts as long as the model stays as it is.
enum {
  CONTACT_NUMBERS = 20  // from includemargin to what is before H
};
typedef struct ContactMemo {
  int is_set, geom[2], dim;
  mjtNum margin, number[CONTACT_NUMBERS];
  int is_framed;
  mjtNum given[6], frame[9];  // normal and hint, and what they became
} ContactMemo;

// The same as contact_fill, with the same bits. A memo begins with is_set and is_framed 0.
void contact_fill_next(ContactMemo* memo, const mjModel* m, mjContact* con, int num, int g1, int g2,
                       int ipair, mjtNum margin);

// Writes surfacevel of all contacts, from the velocities of the surfaces of their geoms.
//                                                      theory/contact/collision.md, Moving surfaces
void contact_surfaces(const mjModel* m, mjData* d);

// Completes the rows of a contact frame: normal (frame[0..2], made a unit vector), then two
// tangents, the first one along the hint in frame[3..5] if there is one.
void contact_frame(mjtNum frame[9]);
