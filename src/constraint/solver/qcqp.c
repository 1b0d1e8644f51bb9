// Quadratic program with an ellipsoidal constraint (QCQP). Scaling y_i = x_i / size_i turns the
// ellipsoid into a ball. For the scaled A and b, the solution is y(l) = -(A + l I)^-1 b with the
// smallest l >= 0 for which |y(l)| <= radius. Newton's method finds the root l of |y(l)|^2 -
// radius^2, a convex and decreasing function, from l = 0.

#include "constraint/solver/qcqp.h"

#include <string.h>

#include "base/dense_solve.h"
#include "base/vec.h"

enum {
  MAXSIZE = 5,
  MAXROUND = 20
};

// A pivot or determinant below this is singular; a residual or step below this has converged.
#define SMALL ((mjtNum)1e-10)

// L L' = A + l I. Returns 0 if the matrix is singular or not positive. The test looks at the
// determinant for n <= 3, at the pivots for larger n.
static int factor(mjtNum L[MAXSIZE][MAXSIZE], mjtNum A[MAXSIZE][MAXSIZE], mjtNum l, int n) {
  for (int i = 0; i < n; i++) {
    memcpy(L[i], A[i], (i + 1) * sizeof(mjtNum));
    L[i][i] += l;
  }
  mjtNum determinant = small_factor(L[0], n, MAXSIZE, n > 3 ? SMALL : mjMINVAL, 0);
  return determinant > 0 && (n > 3 || determinant >= SMALL);
}

static mjtNum dot(const mjtNum* a, const mjtNum* b, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

// min 1/2 x' A x + b' x with sum (x_i / size_i)^2 <= radius^2
int qcqp_solve(mjtNum* x, const mjtNum* A, const mjtNum* b, const mjtNum* size, mjtNum radius,
               int n) {
  mjtNum scaled[MAXSIZE][MAXSIZE], rhs[MAXSIZE], L[MAXSIZE][MAXSIZE], y[MAXSIZE], z[MAXSIZE];
  for (int i = 0; i < n; i++) {
    rhs[i] = -b[i] * size[i];
    for (int j = 0; j < n; j++) {
      scaled[i][j] = A[i * n + j] * size[i] * size[j];
    }
  }

  mjtNum l = 0;
  for (int round = 0; round < MAXROUND; round++) {
    if (!factor(L, scaled, l, n)) {
      memset(x, 0, n * sizeof(mjtNum));
      return 0;
    }
    small_solve(y, L[0], rhs, n, MAXSIZE);
    mjtNum excess = dot(y, y, n) - radius * radius;
    if (excess < SMALL) {
      break;
    }
    small_solve(z, L[0], y, n, MAXSIZE);
    mjtNum step = excess / (2 * dot(y, z, n));
    if (step < SMALL) {
      break;
    }
    l += step;
  }
  for (int i = 0; i < n; i++) {
    x[i] = y[i] * size[i];
  }
  return l != 0;
}
