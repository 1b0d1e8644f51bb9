// pyramid.h: the law of a pyramid, whose edges are x_0 +- x_k, and of one row without friction.
//                                                               theory/contact/solvers.md, Row laws

#pragma once

#include "lanes/laws/law.h"
#include "lanes/work.h"

// Also law_cost in constraint/law/law.c.
INLINE Change pyramid_change(const ContactSlot* slot, int dim, Real step) {
  Real D = slot->stiffness, x = slot->x[0], to = real_muladd(step, slot->v[0], x);
  if (dim == 1) {
    return one_sided_change(D, x, to);
  }
  Real sum = REAL_ZERO, size = REAL_ZERO, half = D * (Num)0.5;
  for (int i = 1; i < dim; i++) {
    Real y = slot->x[i], end = real_muladd(step, slot->v[i], y);
    Real a = one_sided(x + y), b = one_sided(to + end), c = one_sided(x - y),
         d = one_sided(to - end);
    sum = real_muladd(b - a, b + a, real_muladd(d - c, d + c, sum));
    size = real_muladd(a, a, real_muladd(b, b, real_muladd(c, c, real_muladd(d, d, size))));
  }
  return (Change){half * sum, half * size};
}

INLINE void pyramid_line(Real* slope, Real* curvature, const ContactSlot* slot, int dim,
                         Real step) {
  Real D = slot->stiffness, v = slot->v[0], x = real_muladd(step, v, slot->x[0]);
  if (dim == 1) {
    Real Dv = D * v;
    *slope = real_muladd(Dv, one_sided(x), *slope);
    *curvature = real_muladd(real_where(x < REAL_ZERO, Dv), v, *curvature);
    return;
  }
  Real a = REAL_ZERO, b = REAL_ZERO;
  for (int i = 1; i < dim; i++) {
    Real u = slot->v[i], y = real_muladd(step, u, slot->x[i]);
    Real plus = x + y, minus = x - y, up = v + u, down = v - u;
    a = real_muladd(one_sided(plus), up, real_muladd(one_sided(minus), down, a));
    b = real_muladd(real_where(plus < REAL_ZERO, up), up,
                    real_muladd(real_where(minus < REAL_ZERO, down), down, b));
  }
  *slope = real_muladd(D, a, *slope);
  *curvature = real_muladd(D, b, *curvature);
}

// forces along the directions
INLINE void pyramid_force(Real f[6], const ContactSlot* slot, int dim) {
  Real D = slot->stiffness, x = slot->x[0], sum = REAL_ZERO;
  if (dim == 1) {
    sum = one_sided(x);
  }
  for (int i = 1; i < dim; i++) {
    Real up = one_sided(x + slot->x[i]), down = one_sided(x - slot->x[i]);
    sum += up + down;
    f[i] = D * (down - up);
  }
  f[0] = -(D * sum);
}

// Curvature between the directions, lower triangle, of the edges' weights W+ and W-: h_00 is their
// sum, h_k0 = W+ - W-, h_kk = W+ + W-.
INLINE void pyramid_curvature(Real h[6][6], const ContactSlot* slot, int dim) {
  Real D = slot->stiffness, x = slot->x[0];
  h[0][0] = dim == 1 ? one_sided_curvature(D, x) : REAL_ZERO;
  for (int i = 1; i < dim; i++) {
    Real up = one_sided_curvature(D, x + slot->x[i]), down = one_sided_curvature(D, x - slot->x[i]);
    h[0][0] += up + down;
    h[i][0] = up - down;
    h[i][i] = up + down;
    for (int j = 1; j < i; j++) {
      h[i][j] = REAL_ZERO;
    }
  }
}
