// simplex.h: triangles in A - B, for GJK and EPA.                     theory/contact/convex.md, GJK
//
// Files that include this must not fuse multiplications into sums: rounding decides which features
// tie.

#pragma once

#include <math.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"

// The point of a triangle's plane nearest to the origin, x = n (n.a) / (n.n), with n the cross
// product of two edges. Returns 0 if the triangle is degenerate.
INLINE int plane_nearest(mjtNum out[3], const mjtNum a[3], const mjtNum b[3], const mjtNum c[3]) {
  const mjtNum* corner[3] = {b, a, c};
  mjtNum ba[3], cb[3], ac[3], n[3];
  v3_sub(ba, b, a);
  v3_sub(cb, c, b);
  v3_cross(n, cb, ba);
  mjtNum nn = v3_dot(n, n), nv = v3_dot(n, b);
  if (nn == 0) {
    return 0;
  }
  v3_sub(ac, a, c);
  for (int i = 1; i < 3 && !(nv != 0 && nn > mjMINVAL); i++) {
    v3_cross(n, i == 1 ? ba : ac, i == 1 ? ac : cb);
    nn = v3_dot(n, n);
    nv = v3_dot(n, corner[i]);
    if (nn == 0) {
      return 0;
    }
  }
  v3_scl(out, n, nv / nn);
  return 1;
}

// The axis along which the projection of a triangle is largest, and the doubled areas of all three.
INLINE int widest_axis(double area[3], const mjtNum a[3], const mjtNum b[3], const mjtNum c[3]) {
  for (int k = 0; k < 3; k++) {
    const int x = k == 0, y = k == 2 ? 1 : 2;
    area[k] = (double)b[x] * c[y] - (double)b[y] * c[x] - (double)a[x] * c[y] +
              (double)a[y] * c[x] + (double)a[x] * b[y] - (double)a[y] * b[x];
  }
  double ax = fabs(area[0]), ay = fabs(area[1]), az = fabs(area[2]);
  return ax >= ay && ax >= az ? 0 : (ay >= az ? 1 : 2);
}

// Barycentric weights of a point p in the plane of triangle (a, b, c), times the returned area.
// Areas are doubled and are those of the projection along the axis that makes the triangle largest:
//
//     lambda_a = area(p, b, c) / area(a, b, c) and so on
//
// They need double precision: for a small triangle the products cancel to a single's last digits.
INLINE double triangle_weights(double weight[3], const mjtNum a[3], const mjtNum b[3],
                               const mjtNum c[3], const mjtNum p[3]) {
  double area[3];
  int k = widest_axis(area, a, b, c), x = k == 0, y = k == 2 ? 1 : 2;
  const mjtNum* q[3] = {a, b, c};
  const double px = p[x], py = p[y];
  for (int i = 0; i < 3; i++) {
    const mjtNum *s = q[(i + 1) % 3], *t = q[(i + 2) % 3];
    const double sx = s[x], sy = s[y], tx = t[x], ty = t[y];
    weight[i] = px * sy + py * tx + sx * ty - px * ty - py * sx - tx * sy;
  }
  return area[k];
}

// The same by areas of triangles with corner p, from differences, which keep the digits of small
// triangles far from the origin. The returned area is their sum, so the weights add up to 1.
//
//     lambda_a = area(p, b, c) / (area(p, b, c) + area(p, c, a) + area(p, a, b)) and so on
INLINE double triangle_shares(double weight[3], const mjtNum a[3], const mjtNum b[3],
                              const mjtNum c[3], const mjtNum p[3]) {
  double area[3];
  int k = widest_axis(area, a, b, c), x = k == 0, y = k == 2 ? 1 : 2;
  const mjtNum* q[3] = {a, b, c};
  for (int i = 0; i < 3; i++) {
    const mjtNum *s = q[(i + 1) % 3], *t = q[(i + 2) % 3];
    weight[i] = ((double)s[x] - p[x]) * ((double)t[y] - p[y]) -
                ((double)s[y] - p[y]) * ((double)t[x] - p[x]);
  }
  return weight[0] + weight[1] + weight[2];
}
