// epa.h: how deep two overlapping convex shapes are in each other.
//
// The origin is inside the Minkowski difference A - B; its distance from the boundary is the depth.
// A polytope inside A - B is grown towards the boundary where it is nearest to the origin, until
// the boundary is not further out than the face that is there.                theory/convex.md, EPA

#ifndef CONDYLE_COLLISION_CONVEX_EPA_H_
#define CONDYLE_COLLISION_CONVEX_EPA_H_

#include <mujoco/mjdata.h>

#include "collision/convex/gjk.h"

// More iterations than these aren't made, whatever the options say.
enum {
  EPA_ITERATIONS = 170
};

// Depth, from the final simplex of gjk_distance; g->x1 and g->x2 become the deepest points, so that
// x1 - x2 is the shortest translation of B that separates them, and the simplex becomes the
// triangle of A - B where that leads out. Returns 0 if no polytope can be built, or if one has led
// to more than the overlap that gjk_distance has seen.
// Its memory comes from the stack of d; without it there is a warning, and 0.
mjtNum epa_depth(Gjk* g, mjData* d, ConvexShape* a, ConvexShape* b);

// The points of A and B at a point of the plane of the triangle in g->vert, by its weights, of
// which the least is returned.
mjtNum epa_points(Gjk* g, const mjtNum near[3]);

#endif  // CONDYLE_COLLISION_CONVEX_EPA_H_
