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
// within margin. Returns their number, 0 if no features match; then the
// contact of the search is all there is. The stack of d is scratch memory.
int convex_patch(mjContact* con, const Gjk* g, mjData* d, const ConvexShape* a,
                 const ConvexShape* b, mjtNum dist, mjtNum margin);

// Contacts of a plane through `origin` with the unit normal n and a shape above it without margin:
// corners of the face or edge at the lowest point that is level with the plane, if they are at most
// margin above it. id: the vertex of that point. Returns their number, 0 if nothing is level.
int plane_patch(mjContact* con, mjData* d, const mjtNum n[3], const mjtNum origin[3],
                const ConvexShape* shape, int id, mjtNum margin);

// Whether shapes of these kinds have several contacts at all.
int has_patch(const ConvexKind* a, const ConvexKind* b);
