// separation.h: proof that two geoms are still apart along the direction that separated them
// before.
//
// A search for the overlap of near shapes takes ten support points or more, and copies of mesh
// vertices. Two support points along a separating direction prove that there is no overlap.
//                                                     theory/contact/convex.md, Proof of separation

#pragma once

#include "collision/convex/shape.h"
#include "model/data/apart.h"

// Whether two convex geoms are apart by more than margin, with room for rounding, along the
// direction in their slot. 0 also if the slot holds another pair.
int is_still_apart(Apart* slot, const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin);

// Keeps the direction `way`, from a to b, of the shapes of two geoms that are apart.
void apart_keep(Apart* slot, const ConvexShape* a, const ConvexShape* b, int g1, int g2,
                const mjtNum way[3]);
