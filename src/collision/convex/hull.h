// hull.h: overlap and depth of two polytopes by one search.
//
// GJK forgets vertices of A - B as it goes, and EPA begins with the last four. Here all are kept: a
// polytope inside A - B grows where its boundary is nearest to the origin, distances being negative
// where the origin is beyond a face, until a face is one of A - B. So it takes fewer supports, each
// of which must wait for the one before. Only clear cases are answered: those of rounding, ties and
// flat starts are for gjk.h and epa.h.
//                                                               theory/convex.md, Polytopes

#ifndef CONDYLE_COLLISION_CONVEX_HULL_H_
#define CONDYLE_COLLISION_CONVEX_HULL_H_

#include "collision/convex/gjk.h"

enum {
  HULL_APART,
  HULL_DEEP,
  HULL_UNCLEAR
};

// Whether two polytopes without margin overlap; if so their depth, and what epa_depth leaves in g.
int hull_depth(mjtNum* depth, Gjk* g, ConvexShape* a, ConvexShape* b);

#endif  // CONDYLE_COLLISION_CONVEX_HULL_H_
