// Intersection of a ray with the triangles of a skin, at the vertex positions that the visualizer
// computes.                                                    theory/contact/rays.md, Ray and mesh

#pragma STDC FP_CONTRACT OFF  // rounding decides whether a ray through an edge hits

#include <mujoco/api/collision.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "collision/ray/ray.h"

// Whether the ray meets the box of the vertices.
static int meets_box(int nvert, const float* vert, const mjtNum pnt[3], const mjtNum vec[3]) {
  mjtNum lower[3], upper[3], half[3], from[3];
  for (int k = 0; k < 3; k++) {
    lower[k] = upper[k] = vert[k];
    for (int i = 1; i < nvert; i++) {
      lower[k] = num_min(lower[k], vert[3 * (size_t)i + (size_t)k]);
      upper[k] = num_max(upper[k], vert[3 * (size_t)i + (size_t)k]);
    }
    half[k] = (upper[k] - lower[k]) / 2;
    from[k] = pnt[k] - (lower[k] + upper[k]) / 2;
  }
  return ray_box(from, vec, half) >= 0;
}

// The corner nearest to a point; of equally near ones the first.
static int nearest_corner(const mjtNum corner[3][3], const mjtNum point[3]) {
  int nearest = 0;
  for (int i = 1; i < 3; i++) {
    if (v3_dist(corner[i], point) < v3_dist(corner[nearest], point)) {
      nearest = i;
    }
  }
  return nearest;
}

mjtNum mju_raySkin(int nface, int nvert, const int* face, const float* vert, const mjtNum pnt[3],
                   const mjtNum vec[3], int vertid[1]) {
  check_given(pnt, vec);
  check_arrays(nface, face);
  check_arrays(nvert, vert);
  mjtNum view[2][3], nearest = -1;
  if (vertid) {
    *vertid = -1;
  }
  if (nvert <= 0 || !meets_box(nvert, vert, pnt, vec)) {
    return -1;
  }
  ray_view(view, vec);
  for (int i = 0; i < nface; i++) {
    const int* f = face + 3 * (size_t)i;
    mjtNum corner[3][3];
    for (int k = 0; k < 3; k++) {
      const float* p = vert + 3 * (size_t)f[k];
      v3_set(corner[k], p[0], p[1], p[2]);
    }
    mjtNum x = ray_triangle(pnt, vec, view, corner);
    if (x < 0 || (nearest >= 0 && x >= nearest)) {
      continue;
    }
    nearest = x;
    if (vertid) {
      mjtNum hit[3];
      v3_addscl(hit, pnt, vec, x);
      *vertid = f[nearest_corner(corner, hit)];
    }
  }
  return nearest;
}
