// displaced.h: depth of two shapes where EPA starts degenerate, because centres coincide or
// features are aligned.                                           theory/convex.md, Convex contacts

#ifndef CONDYLE_COLLISION_CONVEX_DISPLACED_H_
#define CONDYLE_COLLISION_CONVEX_DISPLACED_H_

#include "collision/convex/gjk.h"

// Depth, with the deepest points in g; 0 if the shapes just touch, or, with a warning, if no depth
// is found.
mjtNum displaced_depth(Gjk* g, mjData* d, ConvexShape* a, ConvexShape* b);

#endif  // CONDYLE_COLLISION_CONVEX_DISPLACED_H_
