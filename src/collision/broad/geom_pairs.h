// geom_pairs.h: which geoms of two bodies can possibly touch.
//
// Bodies with few geoms are compared geom by geom, by bounding spheres; for bodies with many, both
// BVHs (body_bvhadr) are descended together. Both ways drop only pairs without contact, and both
// sort the remaining pairs by geom ids, so the result is the same.
//                                                            theory/contact/collision.md, Mid phase

#pragma once

#include <mujoco/mjdata.h>

#include "collision/broad/geom_box.h"
#include "collision/broad/pair_list.h"

// Whether the bounding spheres of two geoms are more than margin apart. A plane counts as its
// half-space.
int bounding_spheres_apart(const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin);

// A box (centre, half sizes) in a frame.
typedef struct OrientedBox {
  const mjtNum *pos, *mat, *box;
} OrientedBox;

static inline OrientedBox oriented_geom(const mjModel* m, const mjData* d, int geom) {
  return (OrientedBox){d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom, m->geom_aabb + 6 * geom};
}

// Whether two boxes are more than margin apart along an axis of either. A half size of mjMAXVAL is
// infinite.
int oriented_boxes_apart(const OrientedBox* a, const OrientedBox* b, mjtNum margin);
int oriented_geoms_apart(const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin);

// Appends the sorted pairs (geom of the lower type, other geom) of bodies b1 and b2 that may touch.
// box, filter: as in broad_phase.
void mid_phase(PairList* out, const mjModel* m, mjData* d, const GeomBox* box, int b1, int b2,
               mjfConFilt filter);
