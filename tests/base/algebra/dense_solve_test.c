// Small dense systems: elimination with pivoting, and Cholesky factors of symmetric ones.

#include "base/algebra/dense_solve.h"

#include "base/trials.h"

enum {
  SIDE = 6,
  COLUMNS = 3
};

// B = A X for n rows, rows of all SIDE or COLUMNS numbers apart
static void multiply(mjtNum* B, const mjtNum* A, const mjtNum* X, int n, int columns) {
  for (int i = 0; i < n; i++) {
    for (int c = 0; c < columns; c++) {
      B[i * COLUMNS + c] = 0;
      for (int k = 0; k < n; k++) {
        B[i * COLUMNS + c] += A[i * SIDE + k] * X[k * COLUMNS + c];
      }
    }
  }
}

TEST(solutions_give_the_right_sides_with_zeros_on_the_diagonal) {
  TRIALS(pivoted_solve) {
    mjtNum A[SIDE * SIDE], kept[SIDE * SIDE], X[SIDE * COLUMNS], B[SIDE * COLUMNS];
    int n = 2 + draw_int(SIDE - 1), columns = 1 + draw_int(COLUMNS);
    draw_scaled(A, SIDE * SIDE, 1);
    draw_scaled(X, SIDE * COLUMNS, 1);
    // a permuted diagonal that dominates
    for (int i = 0; i < n; i++) {
      A[i * SIDE + i] = 0;
      A[i * SIDE + (i + 1) % n] += 2 * SIDE;
    }
    memcpy(kept, A, sizeof A);
    multiply(B, A, X, n, columns);
    check_that(f(B, A, n, columns, COLUMNS, SIDE, mjMINVAL));
    for (int i = 0; i < n; i++) {
      for (int c = 0; c < columns; c++) {
        assert_near(B[i * COLUMNS + c], X[i * COLUMNS + c], 1e-12);
      }
    }

    // two rows that are one
    memcpy(A, kept, sizeof A);
    memcpy(A + (n - 1) * SIDE, A, SIDE * sizeof(mjtNum));
    check_that(!f(B, A, n, columns, COLUMNS, SIDE, (mjtNum)1e-5));
  }
}

// the last row is the sum of the others
TEST(a_row_that_others_determine_has_no_pivot_and_no_unknown) {
  for (int n = 2; n <= SIDE; n++) {
    mjtNum A[SIDE * SIDE], L[SIDE * SIDE], b[SIDE], x[SIDE], determinant = 1;
    for (int i = 0; i < n; i++) {
      b[i] = i < n - 1 ? (mjtNum)(i + 1) : 0;
      for (int j = 0; j < n; j++) {
        A[i * SIDE + j] = i == j ? 2 : 0;
      }
    }
    for (int i = 0; i < n - 1; i++) {
      A[(n - 1) * SIDE + i] = A[i * SIDE + n - 1] = 2;
      b[n - 1] += b[i];
      determinant *= 2;
    }
    A[n * SIDE - SIDE + n - 1] = 2 * (mjtNum)(n - 1);
    memcpy(L, A, sizeof A);
    assert_near(small_factor(L, n, SIDE, 0, (mjtNum)1e-5), 0, 0);
    small_solve(x, L, b, n, SIDE);
    for (int i = 0; i < n; i++) {
      assert_near(x[i], i < n - 1 ? b[i] / 2 : 0, 1e-6);
    }
    assert_near(small_factor(A, n - 1, SIDE, 0, 0), determinant, 1e-4);
  }
}
