// flex_feature.h: the feature (vertex, edge or face) of a flex that a contact is on, and how the
// contact moves with it. In a contact of a geom and a flex, the flex is the second side.

#pragma once

#include "derivative/geometry/rules.h"
#include "smooth/flex/flex.h"

// A feature of one side of a contact: the numbers of its n corners on that side, and their
// barycentric shares in the point of the contact.
typedef struct {
  FlexCorners corners;
  int n, corner[4];
  mjtNum share[4];
} FlexFeature;

// Finds the feature of a side that is a flex; returns 0 if the contact is not on it.
int flex_feature(FlexFeature* out, const mjModel* m, const mjData* d, const mjContact* contact,
                 int side);

// The twist of a feature about the contact, from the places x and velocities v of the corners of
// its side, in the frame of the contact. Rotation about an edge or in the plane of a face, and
// stretch, change no contact and are left out.
void flex_feature_twist(mjtNum out[6], const FlexFeature* feature, const mjtNum x[4][3],
                        const mjtNum v[4][3]);

// Whether the contact is found by an iterative search, not by a formula.
int flex_is_iterative(const mjModel* m, const mjContact* contact);

// The rule of contacts with a flex on one side or both; the sides move by the twists of their
// features.
ContactGeometryRule geometry_flex;
