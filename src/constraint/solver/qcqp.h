// qcqp.h: the minimum of a quadratic function in an ellipsoid.              theory/solvers.md, QCQP
//
// Scaling y_i = x_i / size_i turns the ellipsoid into a ball. For the scaled A and b, the solution
// is y(l) = -(A + l I)^-1 b with the smallest l >= 0 for which |y(l)| <= radius. Newton's method
// finds the root l of |y(l)|^2 - radius^2, a convex and decreasing function, from l = 0. It is
// inline because a sweep of a dual solver solves one for each contact.

#pragma once

#include <string.h>

#include "base/dense_solve.h"
#include "base/vec.h"

enum {
  QCQP_MOST = 5,    // unknowns
  QCQP_ROUNDS = 20  // of Newton's method
};

// A pivot or determinant below this is singular; a residual or step below this has converged.
#define QCQP_SMALL ((mjtNum)1e-10)

// (A + l I)^-1 of two or three unknowns, the factor of A + l I of more. Returns 0 if the matrix is
// singular or not positive. The test looks at the determinant for n <= 3, at the pivots for larger
// n.
INLINE int qcqp_factor(mjtNum F[QCQP_MOST][QCQP_MOST], mjtNum A[QCQP_MOST][QCQP_MOST], mjtNum l,
                       int n) {
  if (n > 3) {
    for (int i = 0; i < n; i++) {
      memcpy(F[i], A[i], (i + 1) * sizeof(mjtNum));
      F[i][i] += l;
    }
    return small_factor(F[0], n, QCQP_MOST, QCQP_SMALL, 0) > 0;
  }
  mjtNum a = A[0][0] + l, b = A[1][0], c = A[1][1] + l, minor = a * c - b * b;
  if (n == 2) {
    if (!(a > 0 && minor >= QCQP_SMALL)) {
      return 0;
    }
    F[0][0] = c / minor;
    F[1][0] = F[0][1] = -b / minor;
    F[1][1] = a / minor;
    return 1;
  }
  mjtNum p = A[2][0], q = A[2][1], r = A[2][2] + l;
  mjtNum P = b * q - c * p, Q = b * p - a * q, determinant = p * P + q * Q + r * minor;
  if (!(a > 0 && minor > 0 && determinant >= QCQP_SMALL)) {
    return 0;
  }
  mjtNum scale = 1 / determinant;
  F[0][0] = (c * r - q * q) * scale;
  F[1][1] = (a * r - p * p) * scale;
  F[2][2] = minor * scale;
  F[1][0] = F[0][1] = (p * q - b * r) * scale;
  F[2][0] = F[0][2] = P * scale;
  F[2][1] = F[1][2] = Q * scale;
  return 1;
}

// x = (A + l I)^-1 b
INLINE void qcqp_apply(mjtNum* x, mjtNum F[QCQP_MOST][QCQP_MOST], const mjtNum* b, int n) {
  if (n > 3) {
    small_solve(x, F[0], b, n, QCQP_MOST);
    return;
  }
  for (int i = 0; i < n; i++) {
    x[i] = F[i][0] * b[0] + F[i][1] * b[1] + (n == 3 ? F[i][2] * b[2] : 0);
  }
}

INLINE mjtNum qcqp_dot(const mjtNum* a, const mjtNum* b, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

// x = argmin 1/2 x'Ax + x'b subject to sum (x_i / size_i)^2 <= radius^2, for 2 to 5 unknowns; A is
// n x n, symmetric. Returns 1 if the solution is on the surface. If the matrix isn't safely
// positive it returns 0 with x = 0.
INLINE int qcqp_solve(mjtNum* x, const mjtNum* A, const mjtNum* b, const mjtNum* size,
                      mjtNum radius, int n) {
  mjtNum scaled[QCQP_MOST][QCQP_MOST], F[QCQP_MOST][QCQP_MOST];
  mjtNum rhs[QCQP_MOST], y[QCQP_MOST], z[QCQP_MOST], l = 0;
  for (int i = 0; i < n; i++) {
    rhs[i] = -b[i] * size[i];
    for (int j = 0; j <= i; j++) {
      scaled[i][j] = A[i * n + j] * size[i] * size[j];
    }
  }
  for (int round = 0; round < QCQP_ROUNDS; round++) {
    if (!qcqp_factor(F, scaled, l, n)) {
      memset(x, 0, n * sizeof(mjtNum));
      return 0;
    }
    qcqp_apply(y, F, rhs, n);
    mjtNum excess = qcqp_dot(y, y, n) - radius * radius;
    if (excess < QCQP_SMALL) {
      break;
    }
    qcqp_apply(z, F, y, n);
    mjtNum step = excess / (2 * qcqp_dot(y, z, n));
    if (step < QCQP_SMALL) {
      break;
    }
    l += step;
  }
  for (int i = 0; i < n; i++) {
    x[i] = y[i] * size[i];
  }
  return l != 0;
}
