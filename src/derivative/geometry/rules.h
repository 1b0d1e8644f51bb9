// rules.h: the rules for single pairs of shapes that contact_geometry chooses from. Each rule
// returns the number of kinks, or one of these codes if it has no derivative.

#pragma once

#include "collision/collide.h"
#include "derivative/geometry/contact_geometry.h"

enum {
  GEOMETRY_UNKNOWN = -1,      // no rule
  GEOMETRY_FLAT = -2,         // two surfaces that are flat against each other
  GEOMETRY_LEGACY = -3,       // found by the older pipeline
  GEOMETRY_NOT_CLOSEST = -4,  // not at the closest points
  GEOMETRY_ROLLED = -5        // found between shapes that were turned a little
};

// Tolerance for rounding of positions, relative to the sizes of shapes, with a wide margin.
#define GEOMETRY_TOL ((mjtNum)(sizeof(mjtNum) == sizeof(double) ? 1e-9 : 1e-4))

typedef int ContactGeometryRule(ContactGeometry* out, const mjModel* m, const mjData* d,
                                const mjContact* con);

// The closest points of two shapes, each with its own surface.
ContactGeometryRule geometry_convex;

// A plane and a cylinder: the lowest point of the rim, or a point at a fixed angle from it.
ContactGeometryRule geometry_plane_cylinder;

// The features of two boxes that make a contact.
ContactGeometryRule geometry_boxes;

// The same by the rule of later releases (behaviour boxclip): corners of a face clipped by another,
// at their depths, or a point of two edges.
ContactGeometryRule geometry_clipped_boxes;

// A capsule and a box: its first and its second contact.
ContactGeometryRule geometry_capsule_box;

// A box and a segment of a flex, treated as a capsule.
int geometry_segment_box(ContactGeometry* out, const mjModel* m, const mjData* d,
                         const mjContact* con, const Solid* segment);

// One of several contacts of two convex shapes, found with a margin.
int geometry_manifold(ContactGeometry* out, const mjModel* m, const mjData* d, const mjContact* con,
                      mjtNum margin);

// Two polytopes that lie flat against each other, by the triangle at which the search has ended.
// Returns one kink.
int geometry_flat(ContactGeometry* out, const mjModel* m, const mjData* d, const mjContact* con,
                  mjtNum margin);

// A polytope and a prism of a height field: the triangle at which the search has ended.
int geometry_prism(ContactGeometry* out, const mjModel* m, const mjData* d, const mjContact* con,
                   mjtNum margin);

// Index of the explicit pair of a contact, -1 if it has none.
int contact_pair(const mjModel* m, const mjContact* con);

// Points of the two surfaces, half-way between which the contact is.
void witness_points(mjtNum p1[3], mjtNum p2[3], const mjContact* con);
