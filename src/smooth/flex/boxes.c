// Axis-aligned boxes (center, half sizes) around elements of flexes and nodes of their BVHs. Their
// six numbers are always written and read as a vector of four and one of two (simd.h): a load that
// spans two stores would stall.
//                                                 theory/smooth/deformables.md, Positions and edges

#pragma STDC FP_CONTRACT OFF  // rounding decides whether boxes that touch are a pair

#include <mujoco/mjdata.h>

#include "base/algebra/simd.h"
#include "model/flex/rod.h"
#include "smooth/flex/flex.h"

// Bounds of a box, in the first three components.
typedef struct Range_ {
  Simd4 low, high;
} Range;

INLINE void enclose(Range* range, const Range* other) {
  Simd4Mask below = range->low<other->low, above = range->high> other->high;
  range->low = (Simd4)((below & (Simd4Mask)range->low) | (~below & (Simd4Mask)other->low));
  range->high = (Simd4)((above & (Simd4Mask)range->high) | (~above & (Simd4Mask)other->high));
}

INLINE void store_box(mjtNum box[6], const Simd4* center, const Simd4* half) {
  SIMD_AT(Simd4, box) = SIMD4_ZIP(*center, *half, 0, 1, 2, 4);
  SIMD_AT(Simd2, box + 4) = (Simd2){(*half)[1], (*half)[2]};
}

INLINE void load_box(Range* range, const mjtNum box[6]) {
  Simd4 center = SIMD_READ(Simd4, box);
  Simd2 end = SIMD_READ(Simd2, box + 4);
  Simd4 half = {center[3], end[0], end[1], 0};
  range->low = center - half;
  range->high = center + half;
}

// Loads a point. Four numbers are read, but not beyond `last`, the array's last point.
INLINE void load_point(Range* range, const mjtNum* x, const mjtNum* last) {
  range->low = x < last ? SIMD_READ(Simd4, x) : (Simd4){x[0], x[1], x[2], 0};
  range->high = range->low;
}

// `per`, the number of vertices of an element, is constant where this is inlined.
INLINE void box_elements(mjtNum* box, const mjtNum* vertex, const mjtNum* last, const int* elem,
                         int n, mjtNum radius, int per) {
  for (int e = 0; e < n; e++, elem += per, box += 6) {
    Range range, point;
    load_point(&range, vertex + 3 * (size_t)elem[0], last);
    for (int i = 1; i < per; i++) {
      load_point(&point, vertex + 3 * (size_t)elem[i], last);
      enclose(&range, &point);
    }
    Simd4 center = (range.low + range.high) / 2, half = (range.high - range.low) / 2 + radius;
    store_box(box, &center, &half);
  }
}

KERNEL void flex_box_elements(const mjModel* m, mjData* d, int f) {
  const mjtNum* vertex = d->flexvert_xpos + 3 * (size_t)m->flex_vertadr[f];
  const mjtNum* last = d->flexvert_xpos + 3 * (size_t)(m->nflexvert - 1);
  const int* elem = m->flex_elem + m->flex_elemdataadr[f];
  mjtNum* box = d->flexelem_aabb + 6 * (size_t)m->flex_elemadr[f];
  int n = m->flex_elemnum[f];
  switch (m->flex_dim[f]) {
    case 1:
      box_elements(box, vertex, last, elem, n, flex_girth(m, f), 2);
      break;
    case 2:
      box_elements(box, vertex, last, elem, n, m->flex_radius[f], 3);
      break;
    default:
      box_elements(box, vertex, last, elem, n, m->flex_radius[f], 4);
      break;
  }
}

// Boxes from the leaves up: children have higher numbers than their parent.
KERNEL void flex_box_tree(const mjModel* m, mjData* d, int f) {
  int adr = m->flex_bvhadr[f];
  mjtNum* box = d->bvh_aabb_dyn + 6 * (size_t)(adr - m->nbvhstatic);
  const mjtNum* elem = d->flexelem_aabb + 6 * (size_t)m->flex_elemadr[f];
  for (int i = m->flex_bvhnum[f] - 1; i >= 0; i--) {
    int leaf = m->bvh_nodeid[adr + i];
    const int* child = m->bvh_child + 2 * (adr + i);
    mjtNum* to = box + 6 * (size_t)i;
    if (leaf >= 0) {
      const mjtNum* from = elem + 6 * (size_t)leaf;
      SIMD_AT(Simd4, to) = SIMD_READ(Simd4, from);
      SIMD_AT(Simd2, to + 4) = SIMD_READ(Simd2, from + 4);
      continue;
    }
    Range range, other;
    load_box(&range, box + 6 * (size_t)child[0]);
    load_box(&other, box + 6 * (size_t)child[1]);
    enclose(&range, &other);
    Simd4 center = (range.low + range.high) / 2, half = (range.high - range.low) / 2;
    store_box(to, &center, &half);
  }
}
