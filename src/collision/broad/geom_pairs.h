// geom_pairs.h: which geoms of two bodies can possibly touch.
//
// Bodies with few geoms are compared geom by geom, by bounding spheres; for bodies with many, both
// BVHs (body_bvhadr) are descended together. All ways drop only pairs without contact, and
// sort the remaining pairs by geom ids, so the result is the same.
//                                                            theory/contact/collision.md, Mid phase

#pragma once

#include <mujoco/mjdata.h>

#include "collision/broad/geom_box.h"
#include "collision/broad/pair_list.h"

// Appends the sorted pairs (geom of the lower type, other geom) of bodies b1 and b2 that may touch.
// box, filter: as in broad_phase.
void mid_phase(PairList* out, const mjModel* m, mjData* d, const GeomBox* box, int b1, int b2,
               mjfConFilt filter);
