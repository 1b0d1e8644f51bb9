// qcqp.h: the minimum of a quadratic function in an ellipsoid.      theory/contact/solvers.md, QCQP
//
// Scaling y_i = x_i / size_i turns the ellipsoid into a ball. For the scaled A and b, the solution
// is y(l) = -(A + l I)^-1 b with the smallest l >= 0 for which |y(l)| <= radius. Newton's method
// finds the root l of |y(l)|^2 - radius^2, a convex and decreasing function, from l = 0. It is
// inline because a sweep of a dual solver solves one for each contact.
//
// Two and three unknowns are solved by the inverse of A + l I in closed form, five along the
// principal axes of A, where a round of Newton's method is a few operations on two vectors. The
// axes are found when a solution first lies on the surface, and serve all later ones with that A.
// A four-legged robot with PGS whose contacts roll and slide stepped 3.1 times as fast with them.

#pragma once

#include <string.h>

#include "base/algebra/dense_solve.h"
#include "base/algebra/simd.h"
#include "base/algebra/vec.h"

enum {
  QCQP_FEW = 3,   // unknowns in closed form
  QCQP_MOST = 5,  // unknowns
  QCQP_ROW = SIMD_PADDED(QCQP_MOST),
  QCQP_ROUNDS = 20  // of Newton's method
};

// A pivot or determinant below this is singular; a residual or step below this has converged.
#define QCQP_SMALL ((mjtNum)1e-10)

// What is known of the scaled A of QCQP_MOST unknowns, from one solution to the next; 0 at first.
typedef struct QcqpAxes_ {
  int has_factor, has_axes, positive;
  mjtNum factor[QCQP_MOST][QCQP_MOST];  // Cholesky's, of A
  mjtNum value[QCQP_ROW];               // eigenvalues, 1 in the padding
  mjtNum axis[QCQP_MOST][QCQP_ROW];  // y_i = axis_i z in coordinates z along them, 0 in the padding
} QcqpAxes;

// Finds value and axis of a symmetric A by Jacobi's method.
void qcqp_find_axes(QcqpAxes* axes, mjtNum A[QCQP_MOST][QCQP_MOST]);

// F = (A + l I)^-1 of two or three unknowns. Returns 0 if the matrix is singular or not positive.
INLINE int qcqp_invert(mjtNum F[QCQP_FEW][QCQP_FEW], mjtNum A[QCQP_FEW][QCQP_FEW], mjtNum l,
                       int n) {
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

// x = F b
INLINE void qcqp_apply(mjtNum* x, mjtNum F[QCQP_FEW][QCQP_FEW], const mjtNum* b, int n) {
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

// Scaled -b, and the lower triangle of the scaled A with rows of ld numbers.
INLINE void qcqp_scale(mjtNum* rhs, mjtNum* scaled, int ld, const mjtNum* A, const mjtNum* b,
                       const mjtNum* size, int n) {
  for (int i = 0; i < n; i++) {
    rhs[i] = -b[i] * size[i];
    for (int j = 0; j <= i; j++) {
      scaled[i * ld + j] = A[i * n + j] * size[i] * size[j];
    }
  }
}

// x = argmin 1/2 x'Ax + x'b subject to sum (x_i / size_i)^2 <= radius^2, for 2 or 3 unknowns; A is
// n x n, symmetric. Returns 1 if the solution is on the surface. If the matrix isn't safely
// positive it returns 0 with x = 0.
// Also lane_friction in lanes/solvers/qcqp.h.
INLINE int qcqp_solve(mjtNum* x, const mjtNum* A, const mjtNum* b, const mjtNum* size,
                      mjtNum radius, int n) {
  mjtNum scaled[QCQP_FEW][QCQP_FEW], F[QCQP_FEW][QCQP_FEW];
  mjtNum rhs[QCQP_FEW], y[QCQP_FEW], z[QCQP_FEW], l = 0;
  qcqp_scale(rhs, scaled[0], QCQP_FEW, A, b, size, n);
  for (int round = 0; round < QCQP_ROUNDS; round++) {
    if (!qcqp_invert(F, scaled, l, n)) {
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

// y(l) for the smallest l, which is returned, if y(0) is outside of the ball.
INLINE mjtNum qcqp_slide(mjtNum y[QCQP_MOST], const QcqpAxes* axes, const mjtNum rhs[QCQP_MOST],
                         mjtNum radius) {
  enum {
    COUNT = QCQP_ROW / SIMD_N
  };
  SimdN along[COUNT], z[COUNT];
  for (int k = 0; k < COUNT; k++) {
    along[k] = (SimdN){0};
    for (int i = 0; i < QCQP_MOST; i++) {
      along[k] += rhs[i] * SIMD_READ(SimdN, axes->axis[i] + k * SIMD_N);
    }
  }
  mjtNum l = 0;
  for (int round = 0; round < QCQP_ROUNDS; round++) {
    SimdN squares = {0}, slopes = {0};
    for (int k = 0; k < COUNT; k++) {
      SimdN inverse = 1 / (SIMD_READ(SimdN, axes->value + k * SIMD_N) + l);
      z[k] = along[k] * inverse;
      SimdN square = z[k] * z[k];
      squares += square;
      slopes += square * inverse;
    }
    mjtNum excess = simdn_sum(&squares) - radius * radius;
    if (excess < QCQP_SMALL) {
      break;
    }
    mjtNum step = excess / (2 * simdn_sum(&slopes));
    if (step < QCQP_SMALL) {
      break;
    }
    l += step;
  }
  for (int i = 0; i < QCQP_MOST; i++) {
    SimdN sum = {0};
    for (int k = 0; k < COUNT; k++) {
      sum += z[k] * SIMD_READ(SimdN, axes->axis[i] + k * SIMD_N);
    }
    y[i] = simdn_sum(&sum);
  }
  return l;
}

// qcqp_solve for QCQP_MOST unknowns; `axes` belongs to this A and these sizes.
INLINE int qcqp_solve_most(mjtNum* x, QcqpAxes* axes, const mjtNum* A, const mjtNum* b,
                           const mjtNum* size, mjtNum radius) {
  mjtNum scaled[QCQP_MOST][QCQP_MOST], rhs[QCQP_MOST], y[QCQP_MOST], l = 0;
  qcqp_scale(rhs, scaled[0], QCQP_MOST, A, b, size, QCQP_MOST);
  if (!axes->has_factor) {
    memcpy(axes->factor, scaled, sizeof scaled);
    axes->positive = small_factor(axes->factor[0], QCQP_MOST, QCQP_MOST, QCQP_SMALL, 0) > 0;
    axes->has_factor = 1;
  }
  if (!axes->positive) {
    memset(x, 0, QCQP_MOST * sizeof(mjtNum));
    return 0;
  }
  small_solve(y, axes->factor[0], rhs, QCQP_MOST, QCQP_MOST);
  if (qcqp_dot(y, y, QCQP_MOST) - radius * radius >= QCQP_SMALL) {
    if (!axes->has_axes) {
      qcqp_find_axes(axes, scaled);
    }
    l = qcqp_slide(y, axes, rhs, radius);
  }
  for (int i = 0; i < QCQP_MOST; i++) {
    x[i] = y[i] * size[i];
  }
  return l != 0;
}
