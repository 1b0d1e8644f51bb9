// Principal axes of a small symmetric matrix by Jacobi's method: rotations in the plane of two axes
// that make their off-diagonal element zero, for all pairs in turn, until none counts.
//
//   tau = (A_qq - A_pp) / (2 A_pq)    t: tangent of the turn, smaller root of t^2 + 2 tau t = 1
//
// An element is negligible by its size relative to its two diagonal ones, not to the largest:
// rolling friction is scaled to 1e-8 of sliding friction, and its eigenvalues keep their digits
// that way.
//                                     theory/numerics.md, Eigenvalues of a symmetric matrix

#include "constraint/solver/qcqp.h"

enum {
  MOST_SWEEPS = 20
};

// Turns axes p and q of both A = axis' (first A) axis and axis by the tangent t.
static void turn(mjtNum A[QCQP_MOST][QCQP_MOST], QcqpAxes* axes, int p, int q, mjtNum t) {
  mjtNum c = 1 / mju_sqrt(1 + t * t), s = t * c, off = A[p][q];
  A[p][p] -= t * off;
  A[q][q] += t * off;
  A[p][q] = A[q][p] = 0;
  for (int i = 0; i < QCQP_MOST; i++) {
    if (i != p && i != q) {
      mjtNum a = A[i][p], b = A[i][q];
      A[i][p] = A[p][i] = c * a - s * b;
      A[i][q] = A[q][i] = s * a + c * b;
    }
    mjtNum x = axes->axis[i][p], y = axes->axis[i][q];
    axes->axis[i][p] = c * x - s * y;
    axes->axis[i][q] = s * x + c * y;
  }
}

void qcqp_find_axes(QcqpAxes* axes, mjtNum A[QCQP_MOST][QCQP_MOST]) {
  const mjtNum negligible = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-16 : (mjtNum)1e-7;
  memset(axes->axis, 0, sizeof axes->axis);
  for (int i = 0; i < QCQP_MOST; i++) {
    axes->axis[i][i] = 1;
    for (int j = 0; j < i; j++) {
      A[j][i] = A[i][j];
    }
  }
  for (int sweep = 0, turns = 1; turns && sweep < MOST_SWEEPS; sweep++) {
    turns = 0;
    for (int p = 0; p < QCQP_MOST; p++) {
      for (int q = p + 1; q < QCQP_MOST; q++) {
        mjtNum off = A[p][q];
        if (off * off <= negligible * negligible * A[p][p] * A[q][q]) {
          continue;
        }
        mjtNum tau = (A[q][q] - A[p][p]) / (2 * off), root = mju_sqrt(1 + tau * tau);
        turn(A, axes, p, q, tau >= 0 ? 1 / (tau + root) : -1 / (root - tau));
        turns++;
      }
    }
  }
  for (int k = 0; k < QCQP_ROW; k++) {
    axes->value[k] = k < QCQP_MOST ? A[k][k] : 1;
  }
  axes->has_axes = 1;
}
