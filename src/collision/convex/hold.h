// hold.h: the depth of two hulls in a later step, from a few faces of the surface in which it was
// found.
//
// hull_again places all faces of the surface anew, finds the nearest and asks both hulls for their
// support along its normal. Here most faces are known to be further away without being looked at,
// because the shapes have moved by less than that:
//
//        ___________ room: the nearest face that isn't listed, as it was
//       /  - motion  \  that far at least it still is
//      | - - - - - -  |
//      |   listed     |  a few nearer faces are placed anew, and must be further away than
//       \____n_______/   the face that was nearest, of definite corners (feature.h)
//
// and tables (shape/support_table.h) tell whether both hulls still touch in these corners alone.
// What it proves hull_again would find, to the last bit. It needs meshes that don't change between
// steps, so the one who keeps the Touch says by `hold` that they don't.
//                                                        theory/contact/convex.md, Hulls that touch

#pragma once

#include "collision/convex/gjk.h"

// Takes what hull_depth or hull_again has left in g and g->touch.
void hold_take(const Gjk* g, const mjData* d, const ConvexShape* a, const ConvexShape* b,
               mjtNum depth);

// Whether the shapes still overlap least where they did. Then depth and g are as after hull_again.
int hold_tells(mjtNum* depth, Gjk* g, const mjData* d, const ConvexShape* a, const ConvexShape* b);
