// Dense systems: solutions solve, and what is zero between branches stays zero.

#include "derivative/tree/factor.h"

#include "derivative/scene.h"

enum {
  N = 9,
  MOST_COLUMNS = 37
};

// A matrix with a strong diagonal; parent: of a tree, zero between branches, or NULL.
static void make_matrix(mjtNum A[N * N], const int* parent, int symmetric, uint64_t* seed) {
  mju_zero(A, N * N);
  for (int i = 0; i < N; i++) {
    for (int j = i; j >= 0; j = parent ? parent[j] : j - 1) {
      A[i * N + j] = random_number(seed);
      A[j * N + i] = symmetric ? A[i * N + j] : random_number(seed);
    }
    A[i * N + i] = N + random_number(seed);
  }
}

static const int kTree[N] = {-1, 0, 1, 1, 3, 0, 5, 5, 7};

TEST(solutions_solve_for_any_number_of_right_sides) {
  uint64_t seed = 1;
  for (int trial = 0; trial < 40; trial++) {
    const int columns = 1 + trial % MOST_COLUMNS, ld = columns + 3, symmetric = trial % 2;
    mjtNum A[N * N], factor[N * N], X[N * (MOST_COLUMNS + 3)], B[N * (MOST_COLUMNS + 3)];
    make_matrix(A, trial % 3 ? kTree : NULL, symmetric, &seed);
    mju_copy(factor, A, N * N);
    for (int i = 0; symmetric && i < N; i++) {
      for (int j = i + 1; j < N; j++) {
        factor[i * N + j] = NAN;  // not read
      }
    }
    random_fill(X, N * ld, &seed);
    mju_copy(B, X, N * ld);
    assert_true(factor_make(factor, N, symmetric));
    factor_solve(X, columns, ld, factor, N);
    for (int i = 0; i < N; i++) {
      mjtNum row[MOST_COLUMNS + 3] = {0};
      for (int j = 0; j < N; j++) {
        mju_addToScl(row, X + j * ld, A[i * N + j], columns);
      }
      assert_close(row, B + i * ld, columns, 1e-13);
      assert_close(X + i * ld + columns, B + i * ld + columns, 3, 0);
    }
  }
}

TEST(one_right_side_has_the_solution_of_many) {
  uint64_t seed = 2;
  mjtNum A[N * N], x[N], X[N];
  make_matrix(A, NULL, 0, &seed);
  random_fill(x, N, &seed);
  mju_copy(X, x, N);
  assert_true(factor_make(A, N, 0));
  factor_solve_one(x, A, N);
  factor_solve(X, 1, 1, A, N);
  assert_close(x, X, N, 1e-14);
}

TEST(dofs_of_different_branches_stay_apart) {
  uint64_t seed = 3;
  mjtNum A[N * N];
  make_matrix(A, kTree, 0, &seed);
  assert_true(factor_make(A, N, 0));
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      int above = i;
      while (above > j) {
        above = kTree[above];
      }
      if (above != j && (A[i * N + j] != 0 || A[j * N + i] != 0)) {
        fail_msg("dofs %d and %d have %g and %g", i, j, (double)A[i * N + j], (double)A[j * N + i]);
      }
    }
  }
}

TEST(a_zero_pivot_is_refused) {
  mjtNum A[4] = {1, 2, 0, 0}, B[4] = {1, 0, 0, NAN}, C[4] = {1, 1, 1, 1};
  assert_false(factor_make(A, 2, 0));
  assert_false(factor_make(B, 2, 0));
  assert_false(factor_make(C, 2, 1));
}

// Y += s A X, for more terms than are added at a time.
TEST(products_are_sums_over_rows) {
  enum {
    ROWS = 3,
    INNER = 150,
    COLUMNS = 11,
    LD = 12
  };
  static mjtNum A[ROWS * INNER], X[INNER * LD], Y[ROWS * LD], expected[ROWS * LD];
  uint64_t seed = 4;
  random_fill(A, ROWS * INNER, &seed);
  random_fill(X, INNER * LD, &seed);
  random_fill(Y, ROWS * LD, &seed);
  A[5] = A[70] = 0;
  mju_copy(expected, Y, ROWS * LD);
  for (int i = 0; i < ROWS * INNER; i++) {
    for (int c = 0; c < COLUMNS; c++) {
      expected[i / INNER * LD + c] -= (mjtNum)0.5 * A[i] * X[i % INNER * LD + c];
    }
  }
  multiply_add(Y, A, X, ROWS, INNER, COLUMNS, LD, (mjtNum)-0.5);
  assert_close(Y, expected, ROWS * LD, 1e-12);
}
