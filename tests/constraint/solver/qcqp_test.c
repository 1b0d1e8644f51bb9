// The quadratic problem in an ellipsoid: its optimality conditions.

#include "constraint/solver/qcqp.h"

#include "support/test.h"

static mjtNum uniform(mjtNum low, mjtNum high) {
  return low + (high - low) * (mjtNum)rand() / (mjtNum)RAND_MAX;
}

static void make_problem(mjtNum* A, mjtNum* b, mjtNum* size, int n) {
  mjtNum root[25];
  for (int i = 0; i < n; i++) {
    b[i] = uniform(-5, 5);
    size[i] = uniform((mjtNum)0.3, 1);
    for (int j = 0; j < n; j++) {
      root[i * n + j] = uniform(-1, 1);
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      A[i * n + j] = i == j ? (mjtNum)0.5 : 0;
      for (int k = 0; k < n; k++) {
        A[i * n + j] += root[i * n + k] * root[j * n + k];
      }
    }
  }
}

// A x + b = -l x_i / size_i^2 with one l >= 0, which is 0 inside
TEST(solution_is_optimal) {
  double tolerance = sizeof(mjtNum) == 8 ? 1e-8 : 1e-3;
  for (int trial = 0; trial < 500; trial++) {
    int n = trial % 4 + 2;
    mjtNum A[25], b[5], size[5], x[5], radius = uniform((mjtNum)0.1, 5);
    make_problem(A, b, size, n);
    int active = qcqp_solve(x, A, b, size, radius, n);
    double square = 0, along = 0;
    for (int i = 0; i < n; i++) {
      square += pow((double)(x[i] / size[i]), 2);
    }
    assert_true(sqrt(square) <= (double)radius * (1 + tolerance));
    double gradient[5];
    for (int i = 0; i < n; i++) {
      gradient[i] = (double)b[i];
      for (int j = 0; j < n; j++) {
        gradient[i] += (double)(A[i * n + j] * x[j]);
      }
      along -= gradient[i] * (double)x[i];
    }
    double multiplier = active ? along / square : 0;
    assert_true(multiplier >= -tolerance);
    for (int i = 0; i < n; i++) {
      assert_true(fabs(gradient[i] + multiplier * (double)(x[i] / (size[i] * size[i]))) <
                  100 * tolerance);
    }
  }
}

TEST(singular_matrix_gives_zero) {
  const mjtNum A[4] = {1, 1, 1, 1}, b[2] = {1, -1}, size[2] = {1, 1};
  mjtNum x[2] = {7, 7};
  assert_int_equal(qcqp_solve(x, A, b, size, 1, 2), 0);
  assert_true(x[0] == 0 && x[1] == 0);
}
