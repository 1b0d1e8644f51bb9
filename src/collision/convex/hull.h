// hull.h: overlap and depth of two polytopes by one search.
//
// GJK drops vertices of A - B, and EPA begins with its last four. This search keeps all vertices: a
// polytope inside A - B grows at the face nearest to the origin, until that face lies on the
// boundary of A - B. The distance of a face is negative if the origin is beyond it. Support points
// take most of the time, since each search waits for the one before; this search needs fewer of
// them than GJK and EPA. It decides only clear cases; rounding, ties and flat starts are left to
// gjk.h and epa.h.
//
// Without it mj_collision takes 1.15 to 1.40 times as long (humanoid_mesh, hand, bunnies, cube).
// Times are the minima of alternating runs, summed over states of a motion.

#pragma once

#include "collision/convex/gjk.h"

enum {
  HULL_APART,
  HULL_DEEP,
  HULL_UNCLEAR
};

// Whether the precision and the number of iterations are enough for this search.
int hull_may_search(const Gjk* g);

// Whether two polytopes without margin overlap. If the result is HULL_DEEP, *depth is their depth,
// and g holds the triangle and the deepest points as after feature_touch. The polytope is kept in
// g->touch for hull_again.
int hull_depth(mjtNum* depth, Gjk* g, ConvexShape* a, ConvexShape* b);

// The same, beginning with the polytope in g->touch of an earlier search. Any closed surface in A
// - B around the origin will do, and what comes out does not depend on it: an answer other than
// HULL_UNCLEAR is that of hull_depth, or of the searches that decide where hull_depth doesn't.
int hull_again(mjtNum* depth, Gjk* g, ConvexShape* a, ConvexShape* b);
