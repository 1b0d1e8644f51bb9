// support_points.h: a copy of a mesh's vertices, of which vector code finds the support point.
//
// Heights of vertices along l are computed in single precision, which is that of the vertices:
//
//     h_i = l . v_i,  top = max h:  vertex i is clearly the highest if h_i >= top - band for i only
//
// Any exact search of all vertices then finds the same vertex, and so does a climb over the hull:
// the band covers the rounding of the heights and the dents that rounded vertices make in a hull.
// Without a clear winner the path of a search decides between vertices of about the same height.
// Where this choice doesn't matter, a band that covers the rounding alone is enough.
//
// Heights are integers in units of the size. Their last bits hold the number of the vertex, so the
// largest height tells the vertex, and the second largest whether it is clearly the highest. One
// pass without branches finds both.
//
// Climbing instead, mj_collision takes 1.4 (humanoid_mesh, hand) to 1.6 times as long (bunnies).
// Without hull.h, which needs these copies, it takes 1.6 to 2.0 times as long. Measured as in
// hull.h.
//                                                       theory/contact/convex.md, Support functions

#pragma once

#include <stdint.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "collision/convex/shape.h"
#include "collision/convex/shape/support_table.h"

enum {
  POINT_LANES = 16,
  MOST_POINTS = 512,     // climbing is faster from there on
  HULL_POINTS = 4096,    // for shapes that overlap, where many searches share a copy
  POINT_UNIT = 1 << 29,  // the largest coordinate, as a height
  // 1e-4 times sqrt(3), the largest sum of a unit vector's components, and rounding
  POINT_BAND = (int)(1.76e-4 * (1 << 29)),
  POINT_TIE = 1,  // 2e-9, beyond the rounding of heights in double precision
  // two heights, each with five roundings of a sum of up to sqrt(3)
  POINT_ROUNDING = 2 * (5 * 56 + 1)
};

// The copy; its memory is aligned to 64 bytes.
struct SupportPoints {
  int num;
  int mask;                   // bits of a height that hold the vertex number
  float scale;                // POINT_UNIT divided by the largest coordinate
  const SupportTable* table;  // which vertices to look at; NULL: all
  // x, y and z of POINT_LANES points per block; zeros behind the last
  _Alignas(64) float block[][3][POINT_LANES];
};

// Bytes of a copy of num points.
static inline size_t points_bytes(int num) {
  size_t blocks = (size_t)(num + POINT_LANES - 1) / POINT_LANES;
  return sizeof(SupportPoints) + blocks * sizeof(float[3][POINT_LANES]);
}

// How many vertices a copy holds: those of the hull if support climbs, else all; 0 for shapes that
// aren't meshes.
int points_number(const ConvexShape* shape);

// Fills a copy with points_number vertices, from 1 to HULL_POINTS of them. Returns NULL if they are
// not finite or all zero.
const SupportPoints* points_fill(SupportPoints* p, const ConvexShape* shape);

// Heights in eight lanes. The compiler turns loops over lanes into single instructions.
typedef int32_t PointHeights __attribute__((vector_size(32), may_alias));

// The larger height of each lane.
INLINE void lanes_max(PointHeights* high, const PointHeights* a, const PointHeights* b) {
  int x[8], y[8], more[8];
  memcpy(x, a, sizeof(x));
  memcpy(y, b, sizeof(y));
  for (int k = 0; k < 8; k++) {
    more[k] = int_max(x[k], y[k]);
  }
  memcpy(high, more, sizeof(more));
}

// Sets each lane to the largest of all lanes.
INLINE void lanes_highest(PointHeights* x) {
  PointHeights other = SIMD8_ORDER(PointHeights, *x, 4, 5, 6, 7, 0, 1, 2, 3);
  lanes_max(x, x, &other);
  other = SIMD8_ORDER(PointHeights, *x, 2, 3, 0, 1, 6, 7, 4, 5);
  lanes_max(x, x, &other);
  other = SIMD8_ORDER(PointHeights, *x, 1, 0, 3, 2, 5, 4, 7, 6);
  lanes_max(x, x, &other);
}

// The highest point along a unit direction l, -1 if there is none. *is_clear: whether the next one
// is lower by more than `band` (POINT_BAND or POINT_ROUNDING).
INLINE int points_highest(int* is_clear, const SupportPoints* p, const mjtNum l[3], int band) {
  *is_clear = 0;
  if (!(mju_abs(l[0]) + mju_abs(l[1]) + mju_abs(l[2]) < 2)) {
    return -1;
  }
  if (p->table) {
    const int tie = sizeof(mjtNum) < sizeof(double) ? POINT_ROUNDING : POINT_TIE;
    mjtNum lead;
    int dented, best = support_table_highest(&lead, &dented, p->table, l);
    *is_clear = best >= 0 && lead * p->scale > (mjtNum)(dented ? band : tie);
    return best;
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

// Heights along a direction in single precision, and a level.
typedef struct PointLevel {
  float x, y, z, low;
} PointLevel;

typedef float PointFloats __attribute__((vector_size(32), may_alias));

// Which points of a block are no lower than the level, as bits.
INLINE unsigned points_above(const float block[3][POINT_LANES], const PointLevel* l) {
  const PointHeights first = {1, 2, 4, 8, 16, 32, 64, 128};
  PointHeights bits = {0};
  for (int k = 0; k < POINT_LANES; k += 8) {
    const PointFloats height = SIMD_READ(PointFloats, block[0] + k) * l->x +
                               SIMD_READ(PointFloats, block[1] + k) * l->y +
                               SIMD_READ(PointFloats, block[2] + k) * l->z;
    bits |= (PointHeights)(height >= l->low) & first << k;
  }
  uint64_t pair[4], all;
  memcpy(pair, &bits, sizeof(pair));
  all = pair[0] | pair[1] | pair[2] | pair[3];
  return (unsigned)(all | all >> 32);
}

// The vertex with number id of the copy.
INLINE void points_read(mjtNum out[3], const SupportPoints* p, int id) {
  const float* x = p->block[id / POINT_LANES][0] + id % POINT_LANES;
  v3_set(out, x[0], x[POINT_LANES], x[2 * POINT_LANES]);
}

// The level of all points that may be as high along l as `top`, less `tie`, in double precision.
INLINE PointLevel points_level(const SupportPoints* p, const mjtNum l[3], mjtNum top, mjtNum tie) {
  return (PointLevel){(float)l[0] * p->scale, (float)l[1] * p->scale, (float)l[2] * p->scale,
                      (float)(top - tie) * p->scale - (float)POINT_ROUNDING};
}

// The highest of all points along l in the precision of l, the first of them if several are. id:
// one that is nearly as high.
INLINE int points_best(const SupportPoints* p, const mjtNum l[3], int id) {
  if (p->table) {
    return id;  // it has told the highest, and of equal ones the first
  }
  mjtNum v[3];
  points_read(v, p, id);
  mjtNum top = v3_dot(v, l);
  const PointLevel level = points_level(p, l, top, 0);
  for (int i = 0; i < p->num; i += POINT_LANES) {
    for (unsigned near = points_above(p->block[i / POINT_LANES], &level); near; near &= near - 1) {
      int k = i + __builtin_ctz(near);
      if (k < p->num) {
        points_read(v, p, k);
        mjtNum height = v3_dot(v, l);
        id = height > top || (height == top && k < id) ? k : id;
        top = height > top ? height : top;
      }
    }
  }
  return id;
}
