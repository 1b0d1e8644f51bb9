// points.h: the vertices of a mesh for many support questions, all lanes at once.
//
// The highest vertex along l is looked for with the precision of the vertices, which is single:
//
//     h_i = l . v_i,  top = max h:  the answer is i if h_i >= top - band for this i only
//
// Then it is what any exact search of all vertices finds, and a climb over the hull too: the band
// is wide enough for the rounding of the heights, and for dents that the rounding of the vertices
// has made in the hull. Otherwise vertices are about equally high, and the way of a search decides.
// Where that doesn't matter, rounding alone is enough.
//
// Heights are integers, in parts of the size, whose last bits hold the number of the vertex: the
// largest tells whose it is, the second largest whether that is clear, and one pass without a
// branch finds both.
//                                                               theory/convex.md, Support functions

#ifndef CONDYLE_COLLISION_CONVEX_SHAPE_SUPPORT_POINTS_H_
#define CONDYLE_COLLISION_CONVEX_SHAPE_SUPPORT_POINTS_H_

#include <stdint.h>
#include <string.h>

#include "base/simd.h"
#include "collision/convex/shape.h"

enum {
  POINT_LANES = 16,
  MOST_POINTS = 512,     // more are better climbed over
  POINT_UNIT = 1 << 29,  // height that is the size
  // 1e-4 of it times the largest sum of components that a direction has, and rounding
  POINT_BAND = (int)(1.76e-4 * (1 << 29)),
  // two heights are sums of three products with five roundings each, of a sum of components up to
  // sqrt(3)
  POINT_ROUNDING = 2 * (5 * 56 + 1)
};

// The memory of one is aligned to 64 bytes.
struct SupportPoints {
  int num;
  int mask;     // bits of a height that hold a number
  float scale;  // POINT_UNIT by the largest coordinate
  // x, y, z of so many points each; behind the last, zeros
  _Alignas(64) float block[][3][POINT_LANES];
};

// Bytes of a copy of so many points.
static inline size_t points_bytes(int num) {
  size_t blocks = (size_t)(num + POINT_LANES - 1) / POINT_LANES;
  return sizeof(SupportPoints) + blocks * sizeof(float[3][POINT_LANES]);
}

// How many vertices may be the support points of a shape, all or those of its hull; 0 if it has
// none.
int points_number(const ConvexShape* shape);

// SupportCache those, points_number of them, at least one, at most MOST_POINTS; NULL if they are not
// finite or all are zero.
const SupportPoints* points_fill(SupportPoints* p, const ConvexShape* shape);

// Heights in eight lanes. Loops over lanes become single instructions.
typedef int32_t PointHeights __attribute__((vector_size(32), may_alias));

// The higher one in each lane.
INLINE void lanes_max(PointHeights* high, const PointHeights* a, const PointHeights* b) {
  int x[8], y[8], more[8];
  memcpy(x, a, sizeof(x));
  memcpy(y, b, sizeof(y));
  for (int k = 0; k < 8; k++) {
    more[k] = int_max(x[k], y[k]);
  }
  memcpy(high, more, sizeof(more));
}

// The highest of all lanes, in each.
INLINE void lanes_highest(PointHeights* x) {
  PointHeights other = SIMD8_ORDER(PointHeights, *x, 4, 5, 6, 7, 0, 1, 2, 3);
  lanes_max(x, x, &other);
  other = SIMD8_ORDER(PointHeights, *x, 2, 3, 0, 1, 6, 7, 4, 5);
  lanes_max(x, x, &other);
  other = SIMD8_ORDER(PointHeights, *x, 1, 0, 3, 2, 5, 4, 7, 6);
  lanes_max(x, x, &other);
}

// The highest point along a direction l of unit length, -1 if there is none; *is_clear: by more than
// `band`, in parts of the size.
INLINE int points_highest(int* is_clear, const SupportPoints* p, const mjtNum l[3], int band) {
  *is_clear = 0;
  if (!(mju_abs(l[0]) + mju_abs(l[1]) + mju_abs(l[2]) < 2)) {
    return -1;
  }
  const float x = (float)l[0] * p->scale, y = (float)l[1] * p->scale, z = (float)l[2] * p->scale;
  const int keep = ~p->mask;
  int first[POINT_LANES], second[POINT_LANES];
  for (int k = 0; k < POINT_LANES; k++) {
    first[k] = second[k] = INT32_MIN;
  }
  const float(*v)[POINT_LANES] = p->block[0];
  for (int i = 0; i < p->num; i += POINT_LANES, v += 3) {
    for (int k = 0; k < POINT_LANES; k++) {
      int height = ((int)(x * v[0][k] + y * v[1][k] + z * v[2][k]) & keep) | (i + k);
      second[k] = int_max(second[k], int_min(first[k], height));
      first[k] = int_max(first[k], height);
    }
  }
  PointHeights f[2], s[2], top, rest;
  memcpy(f, first, sizeof(first));
  memcpy(s, second, sizeof(second));
  lanes_max(&top, f, f + 1);
  lanes_highest(&top);
  for (int k = 0; k < 2; k++) {
    PointHeights is_top = f[k] == top;  // in one lane of all
    f[k] = (s[k] & is_top) | (f[k] & ~is_top);
  }
  lanes_max(&rest, f, f + 1);
  lanes_highest(&rest);
  int id = top[0] & p->mask;
  *is_clear = rest[0] < top[0] - p->mask - band && id < p->num;
  return id < p->num ? id : -1;
}

INLINE int points_top(const SupportPoints* p, const mjtNum l[3]) {
  int is_clear, id = points_highest(&is_clear, p, l, POINT_BAND);
  return is_clear ? id : -1;
}

// A point of the copy.
INLINE void points_read(mjtNum out[3], const SupportPoints* p, int id) {
  const float* x = p->block[id / POINT_LANES][0] + id % POINT_LANES;
  v3_set(out, x[0], x[POINT_LANES], x[2 * POINT_LANES]);
}

#endif  // CONDYLE_COLLISION_CONVEX_SHAPE_SUPPORT_POINTS_H_
