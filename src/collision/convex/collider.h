// collider.h: signed distance of two convex shapes, for contacts and for mj_geomDistance.

#pragma once

#include <mujoco/mjdata.h>

#include "collision/convex/epa.h"
#include "collision/convex/level.h"

// Signed distance of two shapes inflated by their margins; exact only up to `cutoff` (beyond: some
// number > cutoff). axis: as in gjk.h, NULL if not known. Leaves the closest or deepest points in
// g; uses d's stack.
mjtNum convex_distance(Gjk* g, const mjModel* m, const mjData* d, ConvexShape* a, ConvexShape* b,
                       const mjtNum* axis, mjtNum cutoff);

// The same, from afresh, with the corners of the final simplex in an order that doesn't depend on
// what searches there are.
mjtNum convex_distance_ordered(Gjk* g, const mjModel* m, mjData* d, ConvexShape* a, ConvexShape* b,
                               mjtNum cutoff);

// The same for the shapes of two geoms, with what is known of them from earlier steps. touch: where
// their polytope is kept; NULL if nowhere.
mjtNum convex_distance_kept(Gjk* g, const mjModel* m, const mjData* d, ConvexShape* a,
                            ConvexShape* b, const mjtNum* axis, mjtNum cutoff, Touch* touch,
                            const int geom[2]);

// Whether a polytope of two geoms is kept.
static inline int has_polytope(const Touch* touch, const int geom[2]) {
  return touch && touch->nface && touch_is_of(touch, geom);
}

// The same up to cutoff 0, if the kept polytope tells it; returns 0 if not, or if none is kept.
// What it tells is what convex_distance finds, whatever polytope there is.
int convex_distance_again(mjtNum* dist, Gjk* g, const mjModel* m, const mjData* d, ConvexShape* a,
                          ConvexShape* b, Touch* touch, const int geom[2]);

// Contacts of two shapes with their margins, at most max and all of the same depth. The options
// choose the search. Distances are those of the shapes without margins. axis: as in gjk.h, NULL if
// not known. Returns the number of contacts, 0 if the shapes don't overlap. Unless it is NULL,
// apart is then the direction from a to b along which they are apart, zeros if that isn't known.
int collide_shapes(mjContact* con, const mjModel* m, const mjData* d, ConvexShape* a,
                   ConvexShape* b, const mjtNum* axis, mjtNum margin, int max, mjtNum apart[3]);

// The contact of two shapes without margins, at their true distance, if that is within margin.
int collide_bare(mjContact* con, const mjModel* m, const mjData* d, ConvexShape* a, ConvexShape* b,
                 mjtNum margin);

// The largest number of contacts that collide_convex makes of two geoms of these types, 0 if they
// are not convex.
int convex_most(const mjModel* m, int type1, int type2, int has_margin);

// The same of collide_convex_several.
int convex_most_several(const mjModel* m, int type1, int type2);
