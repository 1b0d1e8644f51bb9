// touch_rules.h: the rules of single pairs behind touch_make. Each returns a number of kinks, or
// one of these if it has no derivative.

#ifndef CONDYLE_DERIVATIVE_TOUCH_RULES_H_
#define CONDYLE_DERIVATIVE_TOUCH_RULES_H_

#include "collision/collide.h"
#include "derivative/touch.h"

enum {
  TOUCH_UNKNOWN = -1,  // no rule
  TOUCH_FLAT = -2,     // two flat surfaces
  TOUCH_LEGACY = -3,   // found by the older pipeline
  TOUCH_ASTRAY = -4,   // not at the closest points
  TOUCH_ROLLED = -5    // found between shapes in other places
};

// Rounding of places, relative to the sizes of shapes, with much to spare.
#define TOUCH_NEAR ((mjtNum)(sizeof(mjtNum) == sizeof(double) ? 1e-9 : 1e-4))

typedef int TouchRule(Touch* out, const mjModel* m, const mjData* d, const mjContact* con);

// The closest points of two shapes, each with its own surface.
TouchRule touch_convex;

// A plane and the rim of a cylinder, or one of the points that stand around on its disk.
TouchRule touch_plane_cylinder;

// The features of two boxes that make a contact.
TouchRule touch_boxes;

// A capsule and a box: the closest points, or the second contact.
TouchRule touch_capsule_box;

// A box and a segment of a flex, as a capsule, whose contact is not at the closest points.
int touch_segment_box(Touch* out, const mjModel* m, const mjData* d, const mjContact* con,
                      const Solid* segment);

// One of several contacts of two shapes that were searched with a margin.
int touch_manifold(Touch* out, const mjModel* m, const mjData* d, const mjContact* con,
                   mjtNum margin);

// Two polytopes that lie flat against each other: as their search has ended. One kink.
int touch_flat(Touch* out, const mjModel* m, const mjData* d, const mjContact* con, mjtNum margin);

// The same of a polytope and a prism of a height field.
int touch_prism(Touch* out, const mjModel* m, const mjData* d, const mjContact* con, mjtNum margin);

// The explicit pair that a contact comes from, -1 if it has none.
int contact_pair(const mjModel* m, const mjContact* con);

// Points of the surfaces half-way between which a contact is.
void witness_points(mjtNum p1[3], mjtNum p2[3], const mjContact* con);

#endif  // CONDYLE_DERIVATIVE_TOUCH_RULES_H_
