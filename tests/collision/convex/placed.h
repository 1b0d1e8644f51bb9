// placed.h: single convex shapes anywhere in the world, put together without a model.

#pragma once

#include "collision/convex/gjk.h"
#include "collision/pair_case.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/test.h"

// A shape with its center at pos, its axes along the world's.
static inline ConvexShape placed(const ConvexKind* kind, const mjtNum size[3],
                                 const mjtNum pos[3]) {
  ConvexShape s = {.kind = kind, .radius = size[0], .last = -1};
  v3_copy(s.size, size);
  v3_copy(s.pos, pos);
  s.mat[0] = s.mat[4] = s.mat[8] = 1;
  return s;
}

// The hull of a few points, which are searched one by one.
static inline ConvexShape placed_points(const float* point, int num) {
  const mjtNum zero[3] = {0, 0, 0};
  ConvexShape s = placed(&convex_mesh, zero, zero);
  s.vert = point;
  s.nvert = num;
  return s;
}

static inline void random_vector(mjtNum out[3], mjtNum size, uint64_t* seed) {
  for (int k = 0; k < 3; k++) {
    out[k] = size * (mjtNum)case_real(seed, -1, 1);
  }
}

static inline void random_direction(mjtNum u[3], uint64_t* seed) {
  random_vector(u, 1, seed);
  v3_normalize(u);
}

// Support point of a shape with its margin, and its id: its part in the difference with itself.
static inline int support_point(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  ConvexShape one = *shape, other = *shape;
  Vertex vertex;
  difference_support(&vertex, &one, &other, u);
  v3_copy(point, vertex.a);
  return vertex.ia;
}

// The search for a distance up to the cutoff, by rules that leave nothing to tolerances.
static inline Gjk search_to(mjtNum cutoff) {
  return (Gjk){.tolerance = (mjtNum)1e-9, .iterations = 200, .cutoff = cutoff, .most_normal = 1e6};
}
