// epa.h: penetration depth of two convex shapes by the expanding polytope algorithm.
//
// The origin is inside the Minkowski difference A - B; its distance from the boundary is the depth.
// A polytope inside A - B is grown at the face nearest to the origin, until that face lies on the
// boundary of A - B.                                                  theory/contact/convex.md, EPA

#pragma once

#include <mujoco/mjdata.h>

#include "collision/convex/gjk.h"

// The largest number of iterations, whatever the options say.
enum {
  EPA_ITERATIONS = 170
};

// Depth, from the final simplex of gjk_distance. g->x1 and g->x2 become the deepest points: x1 - x2
// is the shortest translation of B that separates the shapes. The simplex becomes the triangle of
// A - B that this translation passes through. Returns 0 if no polytope can be built, if the depth
// is more than the overlap that gjk_distance has seen, or, with a warning, if the stack of d is
// full.
mjtNum epa_depth(Gjk* g, mjData* d, ConvexShape* a, ConvexShape* b);

// The points g->x1 of A and g->x2 of B that belong to a point of the plane of the triangle in
// g->vert. Returns the least of the point's three barycentric weights.
mjtNum epa_points(Gjk* g, const mjtNum near[3]);
