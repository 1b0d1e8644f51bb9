// triangle.h: arithmetic of four triangles at once, in the lanes of vectors.
//
// Every mesh needs areas, normals and volumes of all its faces several times over, and square roots
// and divisions of four lanes take little more time than those of one number. Each lane has the
// operations and roundings of the formula for one triangle; sums over faces are taken lane by lane,
// in the order of the faces.

#pragma once

#include <math.h>
#include <stddef.h>

#include "base/algebra/simd.h"

enum {
  LANES = 4
};

typedef double Four __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t FourMask __attribute__((vector_size(LANES * sizeof(double))));

// Corners of four triangles: corner, coordinate, lane.
typedef struct Triangles_ {
  Four corner[3][3];
} Triangles;

// Gathers the corners of four faces from index `first` on, of n in all. Lanes beyond the last face
// repeat it. `vertices` has float or double coordinates. (Without the zeros, which cost nothing,
// GCC 12 warns.)
#define TRIANGLES_GATHER(t, vertices, face, first, n)                                              \
  do {                                                                                             \
    const int* corner_[LANES];                                                                     \
    *(t) = (Triangles){0};                                                                         \
    for (int lane = 0; lane < LANES; lane++) {                                                     \
      corner_[lane] = (face) + 3 * (size_t)((first) + lane < (n) ? (first) + lane : (n)-1);        \
    }                                                                                              \
    for (size_t c = 0; c < 3; c++) {                                                               \
      for (size_t k = 0; k < 3; k++) {                                                             \
        (t)->corner[c][k] = (Four){                                                                \
            (vertices)[3 * (size_t)corner_[0][c] + k], (vertices)[3 * (size_t)corner_[1][c] + k],  \
            (vertices)[3 * (size_t)corner_[2][c] + k], (vertices)[3 * (size_t)corner_[3][c] + k]}; \
      }                                                                                            \
    }                                                                                              \
  } while (0)

INLINE void four_cross(Four out[3], const Four a[3], const Four b[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// cross = (q - p) x (r - p) for corners p, q, r; length is twice the area.
INLINE void triangles_cross(Four cross[3], Four length[1], const Triangles* t) {
  Four u[3], v[3];
  for (int k = 0; k < 3; k++) {
    u[k] = t->corner[1][k] - t->corner[0][k];
    v[k] = t->corner[2][k] - t->corner[0][k];
  }
  four_cross(cross, u, v);
  Four squared = cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2];
  for (int lane = 0; lane < LANES; lane++) {
    (*length)[lane] = sqrt(squared[lane]);
  }
}

// a where the mask is set, else b.
INLINE void four_choose(Four out[1], const FourMask mask[1], const Four a[1], const Four b[1]) {
  *out = (Four)((*mask & (FourMask)*a) | (~*mask & (FourMask)*b));
}
