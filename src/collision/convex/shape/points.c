#include "collision/convex/shape/points.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

// share of the size: rounding moves heights by less than 1e-6 of it; the rest is for dents of about
// that depth, which a climb may end in where edges are long and short
static const float BAND = 1e-4F;

enum {
  LANES = 16,
  PART = 4,
  BLOCKS = MOST_POINTS / LANES,
  ONE = 1 << 20  // in sums of numbers of points, which are smaller
};

typedef float FloatN __attribute__((vector_size(64), aligned(sizeof(float)), may_alias));
typedef float Float8 __attribute__((vector_size(32), aligned(sizeof(float)), may_alias));
typedef float Float4 __attribute__((vector_size(16), aligned(sizeof(float)), may_alias));
typedef int32_t IntN __attribute__((vector_size(64), aligned(sizeof(int32_t)), may_alias));
typedef int32_t Int8 __attribute__((vector_size(32), aligned(sizeof(int32_t)), may_alias));
typedef int32_t Int4 __attribute__((vector_size(16), aligned(sizeof(int32_t)), may_alias));

// The larger of each two lanes. Int: vectors of as many integers.
#define LARGER(Int, a, b) ((((Int)(a)) & ((a) > (b))) | (((Int)(b)) & ~((a) > (b))))

INLINE float largest_of_four(const Float4* v) {
  float a = (*v)[0] > (*v)[1] ? (*v)[0] : (*v)[1], b = (*v)[2] > (*v)[3] ? (*v)[2] : (*v)[3];
  return a > b ? a : b;
}

INLINE float largest(const FloatN* v) {
  const Float8* half = (const Float8*)v;
  Float8 h = (Float8)LARGER(Int8, half[0], half[1]);
  const Float4* part = (const Float4*)&h;
  Float4 q = (Float4)LARGER(Int4, part[0], part[1]);
  return largest_of_four(&q);
}

INLINE int sum(const IntN* v) {
  const Int8* half = (const Int8*)v;
  Int8 h = half[0] + half[1];
  const Int4* part = (const Int4*)&h;
  Int4 q = part[0] + part[1];
  return (q[0] + q[1]) + (q[2] + q[3]);
}

// Four at a time: loads of whole vectors wait long for single stores.
KERNEL void points_fill(ConvexPoints* p, const ConvexShape* mesh, int of_hull) {
  static const float origin[3] = {0, 0, 0};
  const Int4 unsign = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
  const int num = of_hull ? mesh->graph[0] : mesh->nvert;
  const int* hull = of_hull ? mesh->graph + 2 + num : NULL;
  Float4 size = {0};
  for (int i = 0; i < (num + LANES - 1) / LANES * LANES; i += PART) {
    const float* v[PART];
    for (int j = 0; j < PART; j++) {
      int id = of_hull && i + j < num ? hull[i + j] : i + j;
      v[j] = i + j < num ? mesh->vert + 3 * (size_t)id : origin;
    }
    for (int k = 0; k < 3; k++) {
      Float4 x = {v[0][k], v[1][k], v[2][k], v[3][k]}, magnitude = (Float4)((Int4)x & unsign);
      SIMD_AT(Float4, p->coord[k] + i) = x;
      size = (Float4)LARGER(Int4, size, magnitude);
    }
  }
  p->num = num;
  p->size = largest_of_four(&size);
}

// Points at or above the limit are counted in the upper bits of a sum of their numbers.
KERNEL int points_top(const ConvexPoints* p, const mjtNum l[3]) {
  const float x = (float)l[0], y = (float)l[1], z = (float)l[2];
  const int blocks = (p->num + LANES - 1) / LANES;
  FloatN height[BLOCKS], top = {0};
  top -= FLT_MAX;
  for (int b = 0; b < blocks; b++) {
    const float* v = p->coord[0] + b * LANES;
    height[b] = x * SIMD_READ(FloatN, v) + y * SIMD_READ(FloatN, v + MOST_POINTS) +
                z * SIMD_READ(FloatN, v + 2 * MOST_POINTS);
    top = (FloatN)LARGER(IntN, height[b], top);
  }
  const float band = BAND * p->size * (fabsf(x) + fabsf(y) + fabsf(z));
  const float limit = largest(&top) - band;
  IntN found = {0}, number = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  number += ONE;
  for (int b = 0; b < blocks; b++) {
    found += (height[b] >= limit) & number;
    number += LANES;
  }
  int id = sum(&found) - ONE;
  return id >= 0 && id < p->num ? id : -1;
}
