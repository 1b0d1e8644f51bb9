// displaced.h: how deep shapes are in each other where every search starts degenerate, because
// their centres coincide or features are aligned.                 theory/convex.md, Convex contacts

#ifndef CONDYLE_COLLISION_CONVEX_DISPLACED_H_
#define CONDYLE_COLLISION_CONVEX_DISPLACED_H_

#include "collision/convex/gjk.h"

// Depth, and nearest points in g; 0 of shapes that just touch. Where others have none that is
// found, there is a warning.
mjtNum displaced_depth(Gjk* g, mjData* d, ConvexShape* a, ConvexShape* b);

#endif  // CONDYLE_COLLISION_CONVEX_DISPLACED_H_
