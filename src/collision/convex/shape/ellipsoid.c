// Ellipsoids: support points in closed form, normals by iteration.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/convex/shape.h"

// S(u) = s^2 u / |s u|, componentwise: the unit sphere stretched by the half axes s.
static int support(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  const mjtNum* s = shape->size;
  mjtNum l[3];
  shape_direction(l, shape, u);
  v3_set(l, s[0] * l[0], s[1] * l[1], s[2] * l[2]);
  mjtNum norm = v3_norm(l);
  if (norm < mjMINVAL) {
    v3_set(l, s[0], 0, 0);
  } else {
    mjtNum inv = 1 / norm;
    v3_set(l, l[0] * (inv * s[0]), l[1] * (inv * s[1]), l[2] * (inv * s[2]));
  }
  shape_point(point, shape, l);
  return -1;
}

static int legacy(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  const mjtNum* s = shape->size;
  mjtNum l[3];
  shape_direction(l, shape, u);
  v3_set(point, s[0] * l[0], s[1] * l[1], s[2] * l[2]);
  v3_normalize(point);
  v3_set(point, s[0] * point[0], s[1] * point[1], s[2] * point[2]);
  legacy_point(point, shape, point, l);
  return -1;
}

enum {
  MAX_NORMAL_STEPS = 30
};

// Normal near a point x inside, w = 1 / s^2. The ray from x along n meets the surface at x + t n;
// the normal there is the next n.
//
//     sum (x + t n)^2 / s^2 = 1:   t = (-B + sqrt(B^2 - A C)) / A
//     A = sum n^2/s^2,  B = sum x n / s^2,  C = sum x^2/s^2 - 1
static int normal_inside(mjtNum n[3], const mjtNum w[3], const mjtNum x[3]) {
  for (int step = 0; step < MAX_NORMAL_STEPS; step++) {
    mjtNum a = 0, b = 0, c = -1;
    for (int k = 0; k < 3; k++) {
      a += n[k] * n[k] * w[k];
      b += x[k] * n[k] * w[k];
      c += x[k] * x[k] * w[k];
    }
    mjtNum det = b * b - a * c, t = a < mjMINVAL || det < mjMINVAL ? -1 : (mju_sqrt(det) - b) / a;
    if (t < 0) {
      return step > 0;
    }
    mjtNum next[3];
    v3_addscl(next, x, n, t);
    v3_set(next, next[0] * w[0], next[1] * w[1], next[2] * w[2]);
    v3_normalize(next);
    mjtNum change = v3_dist(next, n);
    v3_copy(n, next);
    if (change < (mjtNum)1e-6) {
      break;
    }
  }
  return 1;
}

// Normal near a point x outside. The nearest point of the surface is y = x s^2 / (s^2 + lambda),
// its normal x / (s^2 + lambda).
// lambda is the positive root of f(lambda) = sum x^2 s^2 / (s^2 + lambda)^2 - 1, which Newton's
// steps reach from below.
static void normal_outside(mjtNum n[3], const mjtNum s[3], const mjtNum x[3]) {
  mjtNum lambda = 0;
  for (int step = 0; step < MAX_NORMAL_STEPS; step++) {
    mjtNum f = -1, slope = 0;
    for (int k = 0; k < 3; k++) {
      mjtNum s2 = s[k] * s[k], sum = s2 + lambda, term = x[k] * x[k] * s2 / (sum * sum);
      f += term;
      slope -= 2 * term / sum;
    }
    if (f < (mjtNum)1e-6 || slope > -mjMINVAL || -f / slope < (mjtNum)1e-6) {
      break;
    }
    lambda -= f / slope;
  }
  for (int k = 0; k < 3; k++) {
    n[k] = x[k] / (s[k] * s[k] + lambda);
  }
}

static int normal(mjtNum n[3], const ConvexShape* shape, const mjtNum x[3]) {
  const mjtNum* s = shape->size;
  if (s[0] < mjMINVAL || s[1] < mjMINVAL || s[2] < mjMINVAL) {
    return 0;
  }
  const mjtNum w[3] = {1 / (s[0] * s[0]), 1 / (s[1] * s[1]), 1 / (s[2] * s[2])};
  if (x[0] * x[0] * w[0] + x[1] * x[1] * w[1] + x[2] * x[2] * w[2] <= 1) {
    return normal_inside(n, w, x);
  }
  normal_outside(n, s, x);
  return 1;
}

const ConvexKind convex_ellipsoid = {
    .support = support, .legacy = legacy, .normal = normal, .is_strict = 1};
