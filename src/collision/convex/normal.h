// normal.h: the normal of a contact from the surfaces that touch, where these are round.
//
// A depth search in a portal, or against the facets of a height field, gives directions that are
// off by the size of its last facet. A round surface knows its normal at the place of the contact.
//                                                            theory/convex.md, Corrected normals

#ifndef CONDYLE_COLLISION_CONVEX_NORMAL_H_
#define CONDYLE_COLLISION_CONVEX_NORMAL_H_

#include <mujoco/mjdata.h>

#include "collision/convex/shape.h"

// Replaces the normal of a contact between a and b if one of them tells its own there.
void correct_normal(mjContact* con, const ConvexShape* a, const ConvexShape* b);

#endif  // CONDYLE_COLLISION_CONVEX_NORMAL_H_
