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
  for (int trial = 0; trial < 600; trial++) {
    int n = (const int[]){2, 3, 5}[trial % 3];
    mjtNum A[25], b[5], size[5], x[5], radius = uniform((mjtNum)0.1, 5);
    make_problem(A, b, size, n);
    QcqpAxes axes = {0};
    int active = n == QCQP_MOST ? qcqp_solve_most(x, &axes, A, b, size, radius)
                                : qcqp_solve(x, A, b, size, radius, n);
    double square = 0, along = 0;
    for (int i = 0; i < n; i++) {
      square += pow((double)(x[i] / size[i]), 2);
    }
    assert_that(sqrt(square), <=, (double)radius * (1 + tolerance));
    double gradient[5];
    for (int i = 0; i < n; i++) {
      gradient[i] = (double)b[i];
      for (int j = 0; j < n; j++) {
        gradient[i] += (double)(A[i * n + j] * x[j]);
      }
      along -= gradient[i] * (double)x[i];
    }
    double multiplier = active ? along / square : 0;
    assert_that(multiplier, >=, -tolerance);
    for (int i = 0; i < n; i++) {
      assert_that(fabs(gradient[i] + multiplier * (double)(x[i] / (size[i] * size[i]))), <,
                  100 * tolerance);
    }
  }
}

// the axes of one matrix serve many right-hand sides, and keep the digits of friction that rolls
TEST(axes_give_what_elimination_gives) {
  const mjtNum size[5] = {1, 1, (mjtNum)0.005, (mjtNum)1e-2, (mjtNum)1e-2};
  double tolerance = sizeof(mjtNum) == 8 ? 1e-10 : 1e-3;
  int slides = 0;
  for (int trial = 0; trial < 50; trial++) {
    mjtNum A[25], b[5], unused[5];
    QcqpAxes axes = {0};
    for (int round = 0; round < 4; round++) {
      mjtNum x[5], radius = uniform((mjtNum)0.1, 5), scaled[5][5], y[5], rhs[5], l = 0;
      if (round) {
        make_problem(scaled[0], b, unused, 5);
      } else {
        make_problem(A, b, unused, 5);
      }
      slides += qcqp_solve_most(x, &axes, A, b, size, radius);
      // Newton's method as above, each round with a factor of its own
      for (int newton = 0; newton < QCQP_ROUNDS; newton++) {
        qcqp_scale(rhs, scaled[0], 5, A, b, size, 5);
        for (int i = 0; i < 5; i++) {
          scaled[i][i] += l;
        }
        mjtNum z[5];
        small_factor(scaled[0], 5, 5, 0, 0);
        small_solve(y, scaled[0], rhs, 5, 5);
        small_solve(z, scaled[0], y, 5, 5);
        mjtNum excess = qcqp_dot(y, y, 5) - radius * radius;
        mjtNum step = excess / (2 * qcqp_dot(y, z, 5));
        if (excess < QCQP_SMALL || step < QCQP_SMALL) {
          break;
        }
        l += step;
      }
      for (int i = 0; i < 5; i++) {
        assert_that(fabs((double)(x[i] / size[i] - y[i])), <,
                    tolerance * (fabs((double)y[i]) + 1e-3 * (double)radius));
      }
    }
  }
  assert_that(slides, >, 20);
}

TEST(singular_matrix_gives_zero) {
  const mjtNum A[4] = {1, 1, 1, 1}, b[2] = {1, -1}, size[2] = {1, 1};
  mjtNum x[2] = {7, 7};
  assert_int_equal(qcqp_solve(x, A, b, size, 1, 2), 0);
  assert_that(x[0], ==, 0);
  assert_that(x[1], ==, 0);

  const mjtNum rank1[25] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const mjtNum force[5] = {1, -1, 1, 1, 1}, ones[5] = {1, 1, 1, 1, 1};
  QcqpAxes axes = {0};
  mjtNum y[5] = {7, 7, 7, 7, 7};
  assert_int_equal(qcqp_solve_most(y, &axes, rank1, force, ones, 1), 0);
  assert_that(y[0], ==, 0);
  assert_that(y[4], ==, 0);
}
