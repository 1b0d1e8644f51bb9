// flex_feature.h: the feature of a flex that a contact is on, and how the contact moves with it. The
// flex is second beside a geom.

#ifndef CONDYLE_DERIVATIVE_GEOMETRY_FLEX_FEATURE_H_
#define CONDYLE_DERIVATIVE_GEOMETRY_FLEX_FEATURE_H_

#include "derivative/geometry/rules.h"
#include "smooth/flex/flex.h"

// A vertex, an edge or a face of one side of a contact: its corners, by their numbers on that side,
// and the shares that they have in the point of it to which the contact belongs.
typedef struct {
  FlexCorners corners;
  int n, corner[4];
  mjtNum share[4];
} FlexFeature;

// Of a side that is no geom; returns 0 if the contact is not on it.
int flex_feature(FlexFeature* out, const mjModel* m, const mjData* d, const mjContact* contact,
                 int side);

// The twist of a feature about the contact, from the places and velocities of the corners of its
// side, in the frame of the contact. Turning in the plane of a face or about an edge, and
// stretching, change nothing and are left out.
void flex_feature_twist(mjtNum out[6], const FlexFeature* feature, const mjtNum x[4][3],
                        const mjtNum v[4][3]);

// Is a contact with a flex found by the general search, not by a formula?
int flex_is_iterative(const mjModel* m, const mjContact* contact);

// A contact with a flex on one of its sides or both, whose sides move by the twists of features.
ContactGeometryRule geometry_flex;

#endif  // CONDYLE_DERIVATIVE_GEOMETRY_FLEX_FEATURE_H_
