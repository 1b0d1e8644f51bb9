// geom_pairs.h: which geoms of two bodies can possibly touch.
//
// Bodies of few geoms are compared each with each by bounding spheres; bodies of many by descending
// their trees of boxes (body_bvhadr) together. Either way only pairs are dropped that have no
// contact; the order of the survivors is by geom ids, so the way they were found can't be seen.
//                                                                    theory/collision.md, Mid phase

#ifndef CONDYLE_COLLISION_BROAD_GEOM_PAIRS_H_
#define CONDYLE_COLLISION_BROAD_GEOM_PAIRS_H_

#include <mujoco/mjdata.h>

#include "collision/broad/geom_box.h"
#include "collision/broad/pair_list.h"

enum {
  MID_FEW = 64
};  // up to so many pairs of geoms comparing all is faster than descending trees

// Whether the bounding spheres of two geoms (or a sphere and the half-space of a plane) are more
// than margin apart.
int bounding_spheres_apart(const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin);

// Appends the pairs (geom of the lower type, geom of the other) of bodies b1 and b2 that may touch,
// sorted. A filter of the program, unless it is NULL, replaces the bits; boxes as from broad_phase.
void mid_phase(PairList* out, const mjModel* m, mjData* d, const Box* box, int b1, int b2,
               mjfConFilt filter);

#endif  // CONDYLE_COLLISION_BROAD_GEOM_PAIRS_H_
