// flex.h: contacts of deformables: with geoms, with each other, with themselves.
//
// In the broad phase a flex is one more body, nbody + its id. Beyond that it is its elements, each
// the convex hull of its vertices inflated by the radius of the flex:
//
//   body  --planes----------> vertices            flex  --two trees of boxes--> elements
//     `-----tree of boxes---> elements              `--itself: neighbours, then one of
//                                                       all pairs, tree, sweep and prune
//
// Elements with a vertex on the other side's body don't meet it; so neighbours don't meet.
//                                                       theory/deformables.md, Contacts of flexes

#ifndef CONDYLE_COLLISION_FLEX_FLEX_H_
#define CONDYLE_COLLISION_FLEX_FLEX_H_

#include "collision/broad/pair_list.h"
#include "collision/contact_param.h"

// Adds the pairs of flexes with bodies and with each other that may touch: first is the lower
// number.
void flex_broad(PairList* out, const mjModel* m, mjData* d);

// Contacts of such a pair.
void flex_collide(const mjModel* m, mjData* d, int first, int second);

// Contacts of a flex with itself.                                                self.c
void flex_collide_self(const mjModel* m, mjData* d, int flex);

// shared by the parts

// May things with these bits collide?
static inline int flex_bits(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return (contype1 & conaffinity2) || (contype2 & conaffinity1);
}

// Distance below which a flex touches a geom (other side's margin is given), unless the options say
// otherwise.
mjtNum flex_margin(const mjModel* m, int flex, mjtNum other);

// Is there a formula for elements of that dimension and a type of geom (segments are capsules), or
// are they searched?                                                              element.c
int flex_has_formula(int dim, int type);

// A contact of a geom (flex -1) or an element with an element, found by a collider into room for
// mjMAXCONPAIR; room for less is a warning and no contact.                      element.c
void flex_geom_element(const mjModel* m, mjData* d, int geom, int flex, int elem);
void flex_elements(const mjModel* m, mjData* d, int flex1, int elem1, int flex2, int elem2);

// All vertices against a plane.
void flex_plane(const mjModel* m, mjData* d, int geom, int flex);

// A vertex of a flex against one of its elements, neither having the other.
void flex_vertex_element(const mjModel* m, mjData* d, int flex, int vert, int elem);

// Adds one contact; 0 if there is no room.
int flex_add_contact(const mjModel* m, mjData* d, const ContactSide side[2], mjtNum dist,
                     const mjtNum pos[3], const mjtNum normal[3], mjtNum margin, int dim);

// Are two boxes (center, half sizes) more than margin apart along some axis of the world?
int flex_boxes_apart(const mjtNum a[6], const mjtNum b[6], mjtNum margin);

// How far apart elements of two flexes must be known to be for the search to find no contact; -1:
// the legacy search has its own idea of what touches. Searches for a direction in which they are
// take at most so many tries.
enum {
  FLEX_APART_TRIES = 6
};
mjtNum flex_reach(const mjModel* m, int flex1, int flex2, mjtNum margin);

#endif  // CONDYLE_COLLISION_FLEX_FLEX_H_
