// qcqp.h: the friction of a contact at its normal force: the minimum of a quadratic function in a
// ball. Rows of contacts are scaled by friction, so that the ellipsoid is a ball here.
//                                                                   theory/contact/solvers.md, QCQP
//
//   minimise 1/2 y'Ay + y'b,  |y| <= radius:   y = -(A + l E)^-1 b,  the least l >= 0 that fits

#pragma once

#include "lanes/algebra.h"

// Pivots and determinants below this are singular, residuals and steps converged.
static const Num QCQP_LEAST = (Num)1e-10;

enum {
  QCQP_UNKNOWNS = 5,
  QCQP_TURNS = 20  // of Newton's method
};

// Cholesky's factor of A + l E. Returns the lanes in which all pivots are safely positive.
// Also small_factor in base/algebra/dense_solve.h.
INLINE Mask qcqp_factor(Real F[QCQP_UNKNOWNS][QCQP_UNKNOWNS], Real A[QCQP_UNKNOWNS][QCQP_UNKNOWNS],
                        Real l, int n) {
  Mask fits = mask_of(~0u);
  for (int r = 0; r < n; r++) {
    for (int c = 0; c <= r; c++) {
      Real sum = r == c ? A[r][r] + l : A[r][c];
      for (int k = 0; k < c; k++) {
        sum = real_mulsub(F[r][k], F[c][k], sum);
      }
      if (c < r) {
        F[r][c] = sum * F[c][c];
      } else {
        Mask good = sum > QCQP_LEAST;
        F[r][r] = 1 / real_sqrt(real_select(good, sum, lane_real_of(1)));  // 1/pivot
        fits &= good;
      }
    }
  }
  return fits;
}

INLINE void qcqp_factor_solve(Real* x, Real F[QCQP_UNKNOWNS][QCQP_UNKNOWNS], const Real* b, int n) {
  for (int r = 0; r < n; r++) {
    Real sum = b[r];
    for (int k = 0; k < r; k++) {
      sum = real_mulsub(F[r][k], x[k], sum);
    }
    x[r] = sum * F[r][r];
  }
  for (int r = n - 1; r >= 0; r--) {
    Real sum = x[r];
    for (int k = r + 1; k < n; k++) {
      sum = real_mulsub(F[k][r], x[k], sum);
    }
    x[r] = sum * F[r][r];
  }
}

// F = (A + l E)^-1 of two or three unknowns. Returns the lanes in which it is safely positive.
// Also qcqp_invert in constraint/solver/qcqp.h.
INLINE Mask lane_qcqp_invert(Real F[QCQP_UNKNOWNS][QCQP_UNKNOWNS],
                             Real A[QCQP_UNKNOWNS][QCQP_UNKNOWNS], Real l, int n) {
  Real a = A[0][0] + l, b = A[1][0], c = A[1][1] + l, minor = a * c - b * b;
  const Real one = lane_real_of(1);
  if (n == 2) {
    Mask fits = (a > REAL_ZERO) & (minor >= QCQP_LEAST);
    Real scale = 1 / real_select(fits, minor, one);
    F[0][0] = c * scale;
    F[1][0] = F[0][1] = -b * scale;
    F[1][1] = a * scale;
    return fits;
  }
  Real p = A[2][0], q = A[2][1], r = A[2][2] + l;
  Real P = b * q - c * p, Q = b * p - a * q, determinant = p * P + q * Q + r * minor;
  Mask fits = (a > REAL_ZERO) & (minor > REAL_ZERO) & (determinant >= QCQP_LEAST);
  Real scale = 1 / real_select(fits, determinant, one);
  F[0][0] = (c * r - q * q) * scale;
  F[1][1] = (a * r - p * p) * scale;
  F[2][2] = minor * scale;
  F[1][0] = F[0][1] = (p * q - b * r) * scale;
  F[2][0] = F[0][2] = P * scale;
  F[2][1] = F[1][2] = Q * scale;
  return fits;
}

INLINE void qcqp_product(Real* x, Real F[QCQP_UNKNOWNS][QCQP_UNKNOWNS], const Real* b, int n) {
  for (int i = 0; i < n; i++) {
    x[i] = F[i][0] * b[0] + F[i][1] * b[1] + (n == 3 ? F[i][2] * b[2] : REAL_ZERO);
  }
}

// y, on the sphere where it slides; 0 where the normal force or the matrix is nothing.
// Also solve_friction in constraint/solver/dual_sweep.c and qcqp_solve in constraint/solver/qcqp.h.
static void lane_friction(Real* y, Real A[QCQP_UNKNOWNS][QCQP_UNKNOWNS], const Real* b, Real radius,
                          int n) {
  Real F[QCQP_UNKNOWNS][QCQP_UNKNOWNS], next[QCQP_UNKNOWNS], z[QCQP_UNKNOWNS];
  Real rhs[QCQP_UNKNOWNS], l = REAL_ZERO;
  Mask open = ~(radius < (Num)mjMINVAL);
  for (int i = 0; i < n; i++) {
    y[i] = REAL_ZERO;
    rhs[i] = -b[i];
  }
  for (int turn = 0; turn < QCQP_TURNS && mask_any(open); turn++) {
    Mask fits = n > 3 ? qcqp_factor(F, A, l, n) : lane_qcqp_invert(F, A, l, n);
    if (n > 3) {
      qcqp_factor_solve(next, F, rhs, n);
      qcqp_factor_solve(z, F, next, n);
    } else {
      qcqp_product(next, F, rhs, n);
      qcqp_product(z, F, next, n);
    }
    Real square = REAL_ZERO, slope = REAL_ZERO;
    for (int i = 0; i < n; i++) {
      y[i] = real_select(open, real_where(fits, next[i]), y[i]);
      square = real_muladd(next[i], next[i], square);
      slope = real_muladd(next[i], z[i], slope);
    }
    l = real_select(open & ~fits, REAL_ZERO, l);
    Real excess = square - radius * radius;
    open &= fits & (excess >= QCQP_LEAST);
    Real step = excess / (slope * 2);
    open &= step >= QCQP_LEAST;
    l = real_select(open, l + step, l);
  }
  // what slides is on the sphere, to the last digit
  Mask slides = l != REAL_ZERO;
  Real square = REAL_ZERO;
  for (int i = 0; i < n; i++) {
    square = real_muladd(y[i], y[i], square);
  }
  Real scale = radius / real_sqrt(real_max(square, lane_real_of((Num)mjMINVAL)));
  for (int i = 0; i < n; i++) {
    y[i] = real_select(slides, y[i] * scale, y[i]);
  }
}
