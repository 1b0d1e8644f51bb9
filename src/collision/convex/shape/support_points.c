// Copies the vertices of a mesh, or of its hull, in blocks of POINT_LANES: first x, then y, then z.

#include "collision/convex/shape/support_points.h"

#include <math.h>

enum {
  GROUP = 4
};

typedef float Floats __attribute__((vector_size(16), aligned(sizeof(float)), may_alias));
typedef int32_t Bits __attribute__((vector_size(16), aligned(sizeof(float)), may_alias));

static int is_of_hull(const ConvexShape* shape) {
  return shape->kind->has_memory && mesh_is_climbed(shape);
}

int points_number(const ConvexShape* shape) {
  int num = shape->kind->has_memory ? shape->nvert : 0;
  return is_of_hull(shape) ? shape->graph[0] : num;
}

// Vertices go in four at a time, because vector loads wait long for single stores.
KERNEL const SupportPoints* points_fill(SupportPoints* p, const ConvexShape* shape) {
  static const float origin[3] = {0, 0, 0};
  const Bits unsign = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
  const int num = points_number(shape);
  const int* hull = is_of_hull(shape) ? shape->graph + 2 + num : NULL;
  Floats size = {0}, nonfinite = {0};
  for (int i = 0; i < (num + POINT_LANES - 1) / POINT_LANES * POINT_LANES; i += GROUP) {
    const float* v[GROUP];
    for (int j = 0; j < GROUP; j++) {
      int id = hull && i + j < num ? hull[i + j] : i + j;
      v[j] = i + j < num ? shape->vert + 3 * (size_t)id : origin;
    }
    for (int k = 0; k < 3; k++) {
      Floats x = {v[0][k], v[1][k], v[2][k], v[3][k]}, magnitude = (Floats)((Bits)x & unsign);
      SIMD_AT(Floats, p->block[i / POINT_LANES][k] + i % POINT_LANES) = x;
      Bits larger = magnitude > size;
      size = (Floats)(((Bits)magnitude & larger) | ((Bits)size & ~larger));
      nonfinite += x - x;  // not zero where a number is not finite
    }
  }
  float most = 0, rest = 0;
  for (int j = 0; j < GROUP; j++) {
    most = size[j] > most ? size[j] : most;
    rest += nonfinite[j];
  }
  p->num = num;
  p->scale = (float)POINT_UNIT / most;
  p->mask = POINT_LANES - 1;
  while (p->mask < num - 1) {
    p->mask = 2 * p->mask + 1;
  }
  return rest == 0 && p->scale < INFINITY ? p : NULL;
}
