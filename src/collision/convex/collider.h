// collider.h: signed distance of two convex shapes, for contacts and for questions.

#ifndef CONDYLE_COLLISION_CONVEX_COLLIDER_H_
#define CONDYLE_COLLISION_CONVEX_COLLIDER_H_

#include <mujoco/mjdata.h>

#include "collision/convex/epa.h"

// Signed distance of two shapes with their margins. Distances beyond the cutoff come out as some
// larger number; with cutoff 0 only negative ones are of interest. axis: as in gjk.h, NULL if not
// known. The nearest or deepest points are left in g; the stack of d serves as scratch memory.
mjtNum convex_distance(Gjk* g, const mjModel* m, const mjData* d, ConvexShape* a, ConvexShape* b,
                       const mjtNum* axis, mjtNum cutoff);

// Contacts, at most max and all of the same depth, of two shapes with their margins, by the search
// that the options choose; distances are larger by margin than those of the inflated shapes.
// axis: as in gjk.h, NULL if not known. Returns how many there are, 0 if the shapes don't overlap.
int collide_shapes(mjContact* con, const mjModel* m, const mjData* d, ConvexShape* a,
                   ConvexShape* b, const mjtNum* axis, mjtNum margin, int max);

#endif  // CONDYLE_COLLISION_CONVEX_COLLIDER_H_
