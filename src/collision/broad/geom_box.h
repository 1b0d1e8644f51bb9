// geom_box.h: bounding boxes of single geoms, axis-aligned (AABB) and oriented (OBB).
//
// Both tests only drop pairs that have no contact: a box holds all points of its geom, with room
// for rounding and for the tolerance of the general collider. Sizes that programs edit in a running
// model count at once: primitives are bounded by their sizes, meshes by geom_aabb, the rest by
// geom_rbound.
//                                                          theory/contact/collision.md, Broad phase

#pragma once

#include <mujoco/mjdata.h>
#include <stdint.h>

// An upper bound on rounding errors of surfaces, relative to sizes and distances from the origin.
#define SURFACE_SLACK ((mjtNum)1e-5)

// An axis-aligned box in the world. Single precision halves the memory that sweeps read.
typedef struct GeomBox {
  float lo[4], hi[4];  // the fourth is 0: three axes are compared as one vector
} GeomBox;

typedef float BoxCorner __attribute__((vector_size(16), aligned(sizeof(float)), may_alias));
typedef int64_t BoxBits __attribute__((vector_size(16)));

// Whether two boxes are apart along some axis. Which axis that is can't be predicted: all six
// comparisons cost less than a mispredicted branch.
static inline int box_apart(const GeomBox* a, const GeomBox* b) {
  const BoxCorner lo1 = *(const BoxCorner*)a->lo, hi1 = *(const BoxCorner*)a->hi;
  const BoxCorner lo2 = *(const BoxCorner*)b->lo, hi2 = *(const BoxCorner*)b->hi;
  BoxBits apart = (BoxBits)((lo1 > hi2) | (lo2 > hi1));
  return (apart[0] | apart[1]) != 0;
}

// a where it is below b, else b
static inline BoxCorner box_lower(BoxCorner a, BoxCorner b) {
  BoxBits below = (BoxBits)(a < b);
  return (BoxCorner)(((BoxBits)a & below) | ((BoxBits)b & ~below));
}

static inline void box_include(GeomBox* box, const GeomBox* other) {
  BoxCorner *lo = (BoxCorner*)box->lo, *hi = (BoxCorner*)box->hi;
  *lo = box_lower(*(const BoxCorner*)other->lo, *lo);
  *hi = -box_lower(-*(const BoxCorner*)other->hi, -*hi);
}

// The box around a geom, inflated by twice its margin.
void geom_box(GeomBox* out, const mjModel* m, const mjData* d, int geom);

// The boxes of geoms [begin, end) that can collide, or of all of them, and the box around these.
void geom_boxes(GeomBox* around, GeomBox* geom, const mjModel* m, const mjData* d, int begin,
                int end, int all);

// The number of geoms, or pairs of them, up to which looking at all is faster than descending
// trees.
enum {
  MID_FEW = 64
};

// Whether a body is fixed and so large that only its tree of boxes is looked at: the cost of a step
// doesn't depend on how many geoms such a body has.
int body_has_tree(const mjModel* m, int body);

// The box around the root of a body's tree of boxes, inflated by twice the body's margin.
void tree_box(GeomBox* out, const mjModel* m, const mjData* d, int body);

// Whether the oriented boxes of two geoms are more than margin apart. If not, axis is the axis of
// either box along which they overlap least, pointing from the first to the second; zero if a geom
// has no bounds.
int geom_boxes_apart(mjtNum axis[3], const mjModel* m, const mjData* d, int g1, int g2,
                     mjtNum margin);

// Whether the oriented box of a geom is more than margin above a plane.
int geom_box_above(const mjModel* m, const mjData* d, int plane, int geom, mjtNum margin);
