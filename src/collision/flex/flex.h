// flex.h: contacts of deformables: with geoms, with each other, with themselves.
//
// In the broad phase a flex is one more body, of number nbody + its id. Later phases see its
// elements, each the convex hull of its vertices inflated by the radius of the flex:
//
//   body  --planes---> vertices            flex  --two BVHs--> elements
//     `-----BVH------> elements              `--itself: neighbours, then one of
//                                                all pairs, BVH, sweep and prune
//
// An element doesn't collide with geoms or elements of a body to which one of its vertices is
// fixed. So neighbours don't collide.

#pragma once

#include "collision/broad/pair_list.h"
#include "collision/collide.h"
#include "collision/contact_param.h"
#include "model/flex/rod_frame.h"

// Adds the pairs of flexes with bodies and with each other that may touch, the lower number first.
void flex_broad(PairList* out, const mjModel* m, mjData* d);

// Contacts of such a pair.
void flex_collide(const mjModel* m, mjData* d, int first, int second);

// Contacts of a flex with itself.                                                self.c
void flex_collide_self(const mjModel* m, mjData* d, int flex);

// Whether flex_collide_self descends the tree of the flex against itself.                 self.c
int flex_descends_itself(const mjModel* m, int flex);

// shared by the parts

// Whether objects with these bits may collide.
static inline int flex_bits(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return (contype1 & conaffinity2) || (contype2 & conaffinity1);
}

// Distance below which a flex has contacts with a geom, or with another flex. With itself it has
// none but those that overlap; the distance then is for bounds.
mjtNum flex_geom_margin(const mjModel* m, int flex, int geom);
mjtNum flex_margin(const mjModel* m, int flex1, int flex2);

// Whether elements of that dimension have a formula for contacts with a type of geom (segments
// count as capsules). Others are left to the general collider.                            element.c
int flex_has_formula(int dim, int type);

// Adds the contacts of an element with a geom or an element. Without room for mjMAXCONPAIR there is
// a warning and no contact.                                                               element.c
void flex_geom_element(const mjModel* m, mjData* d, int geom, int flex, int elem);
void flex_elements(const mjModel* m, mjData* d, int flex1, int elem1, int flex2, int elem2);

// All vertices against a plane.
void flex_plane(const mjModel* m, mjData* d, int geom, int flex);

// Rods with a box section.                                                              section.c
//
// An element as a box; returns 0 if its flex has no such section.
int flex_section_box(RodBox* box, const mjModel* m, const mjData* d, int flex, int elem);

// Contacts of a sphere, capsule or box with it, as of a collider; the normals point to the element.
int flex_section_solid(mjContact* con, const mjModel* m, int type, const Solid* other,
                       const RodBox* box, mjtNum margin);

// The two corners of the section at a vertex that are lowest over a plane, and their heights, the
// lower one first. Returns 0 if the flex has no box section.
int flex_section_corners(mjtNum corner[2][3], mjtNum height[2], const mjModel* m, const mjData* d,
                         int flex, int vert, const mjtNum origin[3], const mjtNum n[3]);

// Adds the contact of a vertex of a flex with one of its elements that doesn't have the vertex.
void flex_vertex_element(const mjModel* m, mjData* d, int flex, int vert, int elem);

// Adds one contact; returns 0 if there is no room.
int flex_add_contact(const mjModel* m, mjData* d, const ContactSide side[2], mjtNum dist,
                     const mjtNum pos[3], const mjtNum normal[3], mjtNum margin, int dim);

// Keeps mjMAXCONPAIR of the contacts from `first` on, which are those of a flex with one geom: the
// deepest, and others far from each other. Only of rigid flexes and of those with nodes, and only
// with the behaviour flex.                                                               reduce.c
void flex_reduce(const mjModel* m, mjData* d, int flex, int first);

// Whether two boxes (center, half sizes) are more than margin apart along an axis of the world.
int flex_boxes_apart(const mjtNum a[6], const mjtNum b[6], mjtNum margin);

// The distance beyond which elements of two flexes are certain to have no contact; -1 if there is
// none, because the legacy search may find contacts at any distance. The search for a direction
// with that separation takes at most FLEX_APART_TRIES steps.
enum {
  FLEX_APART_TRIES = 6
};
mjtNum flex_reach(const mjModel* m, int flex1, int flex2, mjtNum margin);
