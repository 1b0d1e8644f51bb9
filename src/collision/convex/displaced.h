// displaced.h: depth of two shapes where EPA starts degenerate, because centres coincide or
// features are aligned.                                   theory/contact/convex.md, Convex contacts

#pragma once

#include "collision/convex/gjk.h"

// Depth, with the deepest points in g. 0 if the shapes just touch; also 0, with a warning, if no
// depth is found.
mjtNum displaced_depth(Gjk* g, mjData* d, ConvexShape* a, ConvexShape* b);
