// rules.h: the rules of single pairs behind contact_geometry. Each returns a number of kinks, or
// one of these if it has no derivative.

#ifndef CONDYLE_DERIVATIVE_GEOMETRY_RULES_H_
#define CONDYLE_DERIVATIVE_GEOMETRY_RULES_H_

#include "collision/collide.h"
#include "derivative/geometry/contact_geometry.h"

enum {
  GEOMETRY_UNKNOWN = -1,  // no rule
  GEOMETRY_FLAT = -2,     // two flat surfaces
  GEOMETRY_LEGACY = -3,   // found by the older pipeline
  GEOMETRY_ASTRAY = -4,   // not at the closest points
  GEOMETRY_ROLLED = -5    // found between shapes in other places
};

// Rounding of places, relative to the sizes of shapes, with much to spare.
#define GEOMETRY_TOL ((mjtNum)(sizeof(mjtNum) == sizeof(double) ? 1e-9 : 1e-4))

typedef int ContactGeometryRule(ContactGeometry* out, const mjModel* m, const mjData* d,
                                const mjContact* con);

// The closest points of two shapes, each with its own surface.
ContactGeometryRule geometry_convex;

// A plane and the rim of a cylinder, or one of the points that stand around on its disk.
ContactGeometryRule geometry_plane_cylinder;

// The features of two boxes that make a contact.
ContactGeometryRule geometry_boxes;

// A capsule and a box: the closest points, or the second contact.
ContactGeometryRule geometry_capsule_box;

// A box and a segment of a flex, as a capsule, whose contact is not at the closest points.
int geometry_segment_box(ContactGeometry* out, const mjModel* m, const mjData* d,
                         const mjContact* con, const Solid* segment);

// One of several contacts of two shapes that were searched with a margin.
int geometry_manifold(ContactGeometry* out, const mjModel* m, const mjData* d, const mjContact* con,
                      mjtNum margin);

// Two polytopes that lie flat against each other: as their search has ended. One kink.
int geometry_flat(ContactGeometry* out, const mjModel* m, const mjData* d, const mjContact* con,
                  mjtNum margin);

// The same of a polytope and a prism of a height field.
int geometry_prism(ContactGeometry* out, const mjModel* m, const mjData* d, const mjContact* con,
                   mjtNum margin);

// The explicit pair that a contact comes from, -1 if it has none.
int contact_pair(const mjModel* m, const mjContact* con);

// Points of the surfaces half-way between which a contact is.
void witness_points(mjtNum p1[3], mjtNum p2[3], const mjContact* con);

#endif  // CONDYLE_DERIVATIVE_GEOMETRY_RULES_H_
