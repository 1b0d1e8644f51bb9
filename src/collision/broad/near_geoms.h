// near_geoms.h: whether two geoms can possibly touch, by bit masks, bounding spheres and boxes.
//                                                            theory/contact/collision.md, Mid phase

#pragma once

#include <mujoco/mjdata.h>

#include "collision/broad/oriented_boxes.h"
#include "collision/broad/pair_list.h"

// Whether the bounding spheres of two geoms are more than margin apart. A plane counts as its
// half-space.
int bounding_spheres_apart(const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin);

static inline OrientedBox oriented_geom(const mjModel* m, const mjData* d, int geom) {
  return (OrientedBox){d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom, m->geom_aabb + 6 * geom};
}

// Whether the boxes of two geoms are more than margin apart.
int oriented_geoms_apart(const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin);

static inline int geom_collides(const mjModel* m, int geom) {
  return m->geom_contype[geom] || m->geom_conaffinity[geom];
}

// Whether the bit masks let two geoms collide. If the program has a filter, it is asked later and
// replaces this test.
static inline int bits_meet(const mjModel* m, int g1, int g2, mjfConFilt filter) {
  return filter || (m->geom_contype[g1] & m->geom_conaffinity[g2]) ||
         (m->geom_contype[g2] & m->geom_conaffinity[g1]);
}

// Adds the pair, in order of type, if its bounding spheres and oriented boxes meet. Oriented boxes
// are not tested where the collider costs no more than that test.
void pair_add_near(PairList* out, const mjModel* m, const mjData* d, int g1, int g2);
