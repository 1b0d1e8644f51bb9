// patch.h: several contacts of two convex shapes that touch in faces or along an edge, each with
// its own distance (behaviour multiccd).
//
//                 +-------o       reference face, its outward normal n up
//        o-------/| dist  |       the face or edge of the other shape (incident), clipped by walls
//        |dist  / v       v       that follow the incident face's normal; each corner that is left
//      --o-----/----------+--     makes a contact, half-way to the reference face along n
//             +
//                                                                 theory/contact/convex.md, Patches

#pragma once

#include <mujoco/mjdata.h>

#include "collision/convex/gjk.h"

// Contacts of the features that touch by the search in g, whose distance (negative: depth) must be
// within margin. The shapes have no margin. Returns their number, 0 if no features match; then the
// contact of the search is all there is. The stack of d is scratch memory.
int convex_patch(mjContact* con, const Gjk* g, mjData* d, const ConvexShape* a,
                 const ConvexShape* b, mjtNum dist, mjtNum margin);

// Whether shapes of these kinds have several contacts at all.
int has_patch(const ConvexKind* a, const ConvexKind* b);
