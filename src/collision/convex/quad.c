// The walk of four vertices around a polygon.                   theory/contact/convex.md, Manifolds

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/convex/quad.h"

#include <string.h>

#include "base/algebra/vec.h"

// |(c - a) x (d - b)| / 2
mjtNum quad_area(mjtNum (*v)[3], const int quad[FEW]) {
  mjtNum ac[3], bd[3], x[3];
  v3_sub(ac, v[quad[2]], v[quad[0]]);
  v3_sub(bd, v[quad[3]], v[quad[1]]);
  v3_cross(x, ac, bd);
  return (mjtNum)0.5 * v3_norm(x);
}

// Moves one corner to the next vertex if that makes the largest quadrilateral so far.
static int advance(mjtNum* largest, int best[FEW], int quad[FEW], int corner, mjtNum (*v)[3],
                   int num, QuadArea* area_of) {
  int next[FEW];
  memcpy(next, quad, sizeof(next));
  next[corner] = (next[corner] + 1) % num;
  mjtNum area = area_of(v, next);
  if (!(area > *largest)) {
    return 0;
  }
  *largest = area;
  memcpy(quad, next, sizeof(next));
  memcpy(best, next, sizeof(next));
  return 1;
}

void largest_quad(int best[FEW], mjtNum (*v)[3], int num, int firsts, QuadArea* area) {
  int quad[FEW] = {0, 1, 2, 3};
  memcpy(best, quad, sizeof(quad));
  mjtNum largest = area(v, quad);
  for (quad[0] = 0; quad[0] < firsts; quad[0]++) {
    while (advance(&largest, best, quad, 3, v, num, area)) {
      while (advance(&largest, best, quad, 2, v, num, area)) {
      }
      while (advance(&largest, best, quad, 1, v, num, area)) {
      }
    }
    for (int k = 1; k < FEW && quad[k] == quad[k - 1]; k++) {
      quad[k] = (quad[k] + 1) % num;
    }
  }
}
