// geom_box.h: boxes around single geoms, along the axes of the world and along their own.
//
// Both tests only ever drop pairs that have no contact: a box holds all points of its geom, and as much
// more as rounding, and the tolerance of the general collider, may add. What programs edit in a running
// model is seen: primitives are bounded by their sizes, meshes by geom_aabb, the rest by geom_rbound.
//                                                                  theory/collision.md, Broad phase

#ifndef CONDYLE_COLLISION_BROAD_GEOM_BOX_H_
#define CONDYLE_COLLISION_BROAD_GEOM_BOX_H_

#include <mujoco/mjdata.h>

// A box along the axes of the world; single precision halves what the sweeps read.
typedef struct Box {
  float lo[3], hi[3];
} Box;

// Most boxes that get here are apart on an axis that can't be foretold: six comparisons cost less
// than a wrong guess.
static inline int box_apart(const Box* a, const Box* b) {
  return (a->lo[0] > b->hi[0]) | (b->lo[0] > a->hi[0]) | (a->lo[1] > b->hi[1]) |
         (b->lo[1] > a->hi[1]) | (a->lo[2] > b->hi[2]) | (b->lo[2] > a->hi[2]);
}

static inline void box_include(Box* box, const Box* other) {
  for (int k = 0; k < 3; k++) {
    box->lo[k] = other->lo[k] < box->lo[k] ? other->lo[k] : box->lo[k];
    box->hi[k] = other->hi[k] > box->hi[k] ? other->hi[k] : box->hi[k];
  }
}

// The box around a geom, its margin twice around it.
void geom_box(Box* out, const mjModel* m, const mjData* d, int geom);

// Whether the boxes of two geoms along their own axes are more than margin apart.
int geom_boxes_apart(const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin);

// Whether the box of a geom along its own axes is more than margin above a plane.
int geom_box_above(const mjModel* m, const mjData* d, int plane, int geom, mjtNum margin);

#endif  // CONDYLE_COLLISION_BROAD_GEOM_BOX_H_
