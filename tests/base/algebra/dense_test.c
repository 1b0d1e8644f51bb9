// Products, factors and updates of dense matrices agree with each other and with plain sums.

#include "base/algebra/dense.h"

#include "base/numbers.h"

static mjtNum A[NMAX * NMAX], B[NMAX * NMAX], C[NMAX * NMAX];
static mjtNum x[NMAX], y[NMAX], z[NMAX];

// every length goes through another mix of vectors and single numbers
TEST(a_dot_product_of_any_length_is_the_sum) {
  for (int n = 0; n < NMAX; n++) {
    long double sum = 0;
    random_numbers(x, n);
    random_numbers(y, n);
    for (int i = 0; i < n; i++) {
      sum += (long double)x[i] * (long double)y[i];
    }
    check_number(dot_n(x, y, n), (mjtNum)sum, 20);
    check_number(mju_dot(x, y, n), (mjtNum)sum, 20);
  }
}

TEST(a_product_takes_rows_or_columns) {
  int nr = 7, nc = 13;
  random_numbers(A, nr * nc);
  random_numbers(x, nc);
  mju_mulMatVec(y, A, x, nr, nc);
  mju_transpose(B, A, nr, nc);
  mju_mulMatTVec(z, B, x, nc, nr);
  check_near(z, y, nr, 20);
}

TEST(products_of_matrices_agree_with_each_other) {
  int n1 = 5, n2 = 11, n3 = 6;
  static mjtNum M[NMAX * NMAX], N[NMAX * NMAX], P[NMAX * NMAX], Q[NMAX * NMAX];
  random_numbers(M, n1 * n2);
  random_numbers(N, n2 * n3);
  mju_mulMatMat(P, M, N, n1, n2, n3);

  mju_transpose(A, N, n2, n3);
  mju_mulMatMatT(Q, M, A, n1, n2, n3);
  check_near(Q, P, n1 * n3, 30);
  mju_transpose(A, M, n1, n2);
  mju_mulMatTMat(Q, A, N, n2, n1, n3);
  check_near(Q, P, n1 * n3, 30);

  // M' diag(x) M is symmetric and the product of its three factors
  random_numbers(x, n1);
  mju_sqrMatTD(P, M, x, n1, n2);
  for (int r = 0; r < n1; r++) {
    mju_scl(B + r * n2, M + r * n2, x[r], n2);
  }
  mju_mulMatTMat(Q, M, B, n1, n2, n2);
  check_near(P, Q, n2 * n2, 30);
  mju_sqrMatTD(P, M, NULL, n1, n2);
  mju_mulMatTMat(Q, M, M, n1, n2, n2);
  check_near(P, Q, n2 * n2, 30);
  mju_copy(B, P, n2 * n2);
  mju_symmetrize(B, B, n2);
  check_near(B, P, n2 * n2, 1);
}

TEST(zero_times_nan_is_nothing) {
  mjtNum M[4] = {1, 2, (mjtNum)NAN, (mjtNum)NAN}, v[2] = {3, 0}, res[4];
  mju_mulMatTVec(res, M, v, 2, 2);
  check_near(res, (mjtNum[]){3, 6}, 2, 1);
  mju_sqrMatTD(res, M, v, 2, 2);
  check_near(res, (mjtNum[]){3, 6, 6, 12}, 4, 1);
}

TEST(a_factor_times_its_transpose_is_the_matrix) {
  for (int n = 0; n < NMAX; n += 1 + n / 12) {
    random_spd(A, n);
    mju_copy(B, A, n * n);
    assert_int_equal(mju_cholFactor(B, n, mjMINVAL), n);
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        assert_that(B[i * n + j], ==, A[i * n + j]);
        B[i * n + j] = 0;
      }
    }
    mju_mulMatMatT(C, B, B, n, n, n);
    check_near(C, A, n * n, 50);

    random_numbers(x, n);
    mju_mulMatVec(y, A, x, n, n);
    mju_cholSolve(z, B, y, n);
    check_near(z, x, n, 1e4);
    mju_cholSolve(y, B, y, n);
    check_near(y, z, n, 0);
  }
}

TEST(a_pivot_below_the_bound_is_replaced_and_counted) {
  mjtNum M[9] = {4, 0, 0, 2, 1, 0, 0, 0, 9};
  assert_int_equal(mju_cholFactor(M, 3, (mjtNum)0.25), 2);
  check_near(M, (mjtNum[]){2, 0, 0, 1, (mjtNum)0.5, 0, 0, 0, 3}, 9, 1);
  mjtNum indefinite[1] = {-1};
  assert_int_equal(mju_cholFactor(indefinite, 1, (mjtNum)0.25), 0);
  check_number(indefinite[0], (mjtNum)0.5, 1);
}

TEST(an_update_is_the_factor_of_the_updated_matrix) {
  for (int n = 1; n < NMAX; n += 5) {
    random_spd(A, n);
    random_numbers(x, n);
    x[n / 2] = 0;
    mju_copy(B, A, n * n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        A[i * n + j] += x[i] * x[j];
      }
    }
    mju_cholFactor(B, n, mjMINVAL);
    mju_cholFactor(A, n, mjMINVAL);
    mju_copy(C, B, n * n);
    mju_copy(y, x, n);
    assert_int_equal(mju_cholUpdate(B, y, n, 1), n);
    for (int i = 0; i < n; i++) {
      check_near(B + i * n, A + i * n, i + 1, 100);
    }
    assert_int_equal(mju_cholUpdate(B, x, n, 0), n);
    for (int i = 0; i < n; i++) {
      check_near(B + i * n, C + i * n, i + 1, 3000);
    }
  }
}

TEST(an_update_that_takes_too_much_is_counted) {
  mjtNum L[1] = {1}, v[1] = {2};
  assert_int_equal(mju_cholUpdate(L, v, 1, 0), 0);
  check_number(L[0] * L[0], mjMINVAL, 1);
}

TEST(a_sparse_matrix_and_back_is_the_same) {
  int nr = 6, nc = 9, rownnz[6], rowadr[6], colind[54];
  mjtNum value[54];
  random_numbers(A, nr * nc);
  for (int i = 0; i < nr * nc; i++) {
    if (A[i] < 0 || i / nc == 3) {
      A[i] = 0;
    }
  }
  assert_int_equal(mju_dense2sparse(value, A, nr, nc, rownnz, rowadr, colind, 54), 0);
  assert_int_equal(rownnz[3], 0);
  mju_sparse2dense(B, value, nr, nc, rownnz, rowadr, colind);
  check_near(B, A, nr * nc, 0);

  int nnz = rowadr[5] + rownnz[5];
  assert_int_equal(mju_dense2sparse(value, A, nr, nc, rownnz, rowadr, colind, nnz), 0);
  assert_int_equal(mju_dense2sparse(value, A, nr, nc, rownnz, rowadr, colind, nnz - 1), 1);
  assert_int_equal(mju_dense2sparse(value, A, nr, nc, rownnz, rowadr, colind, 0), 1);
}
