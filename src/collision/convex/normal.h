// normal.h: the normal of a contact from the surfaces that touch, where these are round.
//
// Normals from MPR, or from the facets of a height field, are off by the size of a facet. A round
// surface has an exact normal at the contact.
//                                                       theory/contact/convex.md, Corrected normals

#pragma once

#include <mujoco/mjdata.h>

#include "collision/convex/shape.h"

// Replaces the normal of a contact between a and b if one of them has a surface normal there.
void correct_normal(mjContact* con, const ConvexShape* a, const ConvexShape* b);
