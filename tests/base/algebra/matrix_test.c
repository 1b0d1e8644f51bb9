// Dense and sparse matrices: products, rearrangements, Cholesky factors.

#include "base/trials.h"
#include "support/precision.h"

enum {
  SIDE = 7,  // rows or columns at most
  AREA = SIDE * SIDE
};

// An element of op(mat), a stored matrix with nc columns or its transpose.
static mjtNum element(const mjtNum* mat, int nc, int transposed, int r, int c) {
  return transposed ? mat[c * nc + r] : mat[r * nc + c];
}

// out (rows x columns) is op(a) diag op(b), summed over `inner`; strides are the stored columns.
static void check_product(const mjtNum* out, int rows, int columns, const mjtNum* a, int a_stride,
                          int a_transposed, const mjtNum* diag, const mjtNum* b, int b_stride,
                          int b_transposed, int inner) {
  Exact lost = diag ? exact_lost(a, inner * a_stride) : 0;
  for (int r = 0; r < rows; r++) {
    for (int c = 0; c < columns; c++) {
      Exact sum = 0, size = 0;
      for (int k = 0; k < inner; k++) {
        Exact term = (Exact)element(a, a_stride, a_transposed, r, k) *
                     element(b, b_stride, b_transposed, k, c) * (diag ? diag[k] : 1);
        sum += term;
        size += fabsl(term);
      }
      check_exact1(out[r * columns + c], sum, (inner + 2) * size + lost);
    }
  }
  check_that(out[rows * columns] == 7);
}

// products

TEST(products_are_sums_of_products) {
  mjtNum A[AREA], B[AREA], v[SIDE], w[SIDE], out[AREA + 1];
  TRIALS(mju_mulMatVec) {
    int nr = draw_int(SIDE), nc = draw_int(SIDE);
    draw(A, nr * nc);
    draw(v, nc);
    out[nr] = 7;
    f(out, A, v, nr, nc);
    check_product(out, nr, 1, A, nc, 0, NULL, v, 1, 0, nc);
  }
  TRIALS(mju_mulMatTVec) {
    int nr = draw_int(SIDE), nc = draw_int(SIDE);
    draw(A, nr * nc);
    draw(v, nr);
    out[nc] = 7;
    f(out, A, v, nr, nc);
    check_product(out, nc, 1, A, nc, 1, NULL, v, 1, 0, nr);
  }
  TRIALS(mju_mulMatMat) {
    int r1 = draw_int(SIDE), c1 = draw_int(SIDE), c2 = draw_int(SIDE);
    draw(A, r1 * c1);
    draw(B, c1 * c2);
    out[r1 * c2] = 7;
    f(out, A, B, r1, c1, c2);
    check_product(out, r1, c2, A, c1, 0, NULL, B, c2, 0, c1);
  }
  TRIALS(mju_mulMatMatT) {
    int r1 = draw_int(SIDE), c1 = draw_int(SIDE), r2 = draw_int(SIDE);
    draw(A, r1 * c1);
    draw(B, r2 * c1);
    out[r1 * r2] = 7;
    f(out, A, B, r1, c1, r2);
    check_product(out, r1, r2, A, c1, 0, NULL, B, c1, 1, c1);
  }
  TRIALS(mju_mulMatTMat) {
    int r1 = draw_int(SIDE), c1 = draw_int(SIDE), c2 = draw_int(SIDE);
    draw(A, r1 * c1);
    draw(B, r1 * c2);
    out[c1 * c2] = 7;
    f(out, A, B, r1, c1, c2);
    check_product(out, c1, c2, A, c1, 1, NULL, B, c2, 0, r1);
  }
  TRIALS(mju_sqrMatTD) {
    int nr = draw_int(SIDE), nc = draw_int(SIDE);
    const mjtNum* diag = draw_int(4) ? w : NULL;
    draw(A, nr * nc);
    draw(w, nr);
    out[nc * nc] = 7;
    f(out, A, diag, nr, nc);
    check_product(out, nc, nc, A, nc, 1, diag, A, nc, 0, nr);
  }
  TRIALS(mju_mulVecMatVec) {
    int n = draw_int(SIDE);
    draw(v, n);
    draw_related(w, v, n);
    draw(A, n * n);
    Exact sum = 0, size = 0;
    for (int i = 0; i < n; i++) {
      sum += v[i] * exact_dot(A + i * n, w, n);
      size += fabsl(v[i]) * exact_size(A + i * n, w, n);
    }
    check_exact1(f(v, A, w, n), sum, 2 * (n + 1) * size + exact_lost(v, n));
  }
}

// 0 * NaN is nothing where a multiplier is skipped, NaN where it is not
TEST(zeros_hide_what_is_not_a_number) {
  const mjtNum bad = (mjtNum)NAN;
  const mjtNum A[4] = {1, bad, bad, 2}, zero[2] = {0, 0}, first[2] = {1, 0};
  mjtNum out[4];
  mju_mulMatTVec(out, A, zero, 2, 2);
  assert_that(out[0], ==, 0);
  assert_that(out[1], ==, 0);
  mju_mulMatMat(out, zero, A, 1, 2, 2);
  assert_that(out[0], ==, 0);
  assert_that(out[1], ==, 0);
  mju_mulMatTMat(out, first, A, 1, 2, 2);
  assert_that(out[0], ==, 1);
  assert_true(isnan(out[1]));
  assert_that(out[2], ==, 0);
  assert_that(out[3], ==, 0);
  mju_sqrMatTD(out, A, zero, 2, 2);
  assert_true(mju_isZero(out, 4));
  mju_mulMatVec(out, A, first, 2, 2);
  assert_true(isnan(out[0]));
  assert_true(isnan(out[1]));
}

// rearrangements

TEST(a_matrix_is_rearranged_without_rounding) {
  mjtNum A[AREA], out[AREA + 1];
  TRIALS(mju_transpose) {
    int nr = draw_int(SIDE), nc = draw_int(SIDE);
    draw(A, nr * nc);
    out[nr * nc] = 7;
    f(out, A, nr, nc);
    for (int i = 0; i < nr * nc; i++) {
      check_that(out[i % nc * nr + i / nc] == A[i]);
    }
    check_that(out[nr * nc] == 7);
  }
  TRIALS(mju_symmetrize) {
    int n = draw_int(SIDE);
    draw(A, n * n);
    out[n * n] = 7;
    f(out, A, n);
    for (int i = 0; i < n * n; i++) {
      Exact a = A[i], b = A[i % n * n + i / n];
      check_exact1(out[i], (a + b) / 2, fabsl(a) + fabsl(b));
      check_that(out[i] == out[i % n * n + i / n]);
    }
    check_that(out[n * n] == 7);
    f(A, A, n);
    check_same(A, out, n * n);
  }
  TRIALS(mju_eye) {
    int n = draw_int(SIDE);
    out[n * n] = 7;
    f(out, n);
    for (int i = 0; i < n * n; i++) {
      check_that(out[i] == (i % (n + 1) == 0 ? 1 : 0));
    }
    check_that(out[n * n] == 7);
  }
}

// nr x nc with many zeros; returns how many are none
static int draw_sparse(mjtNum* out, int nr, int nc) {
  int nonzero = 0, keep = draw_int(9);
  draw(out, nr * nc);
  for (int i = 0; i < nr * nc; i++) {
    out[i] = draw_int(8) < keep ? out[i] : 0;
    nonzero += out[i] != 0;
  }
  return nonzero;
}

TEST(a_sparse_matrix_holds_what_is_not_zero) {
  mjtNum A[AREA], value[AREA], out[AREA];
  int rownnz[SIDE], rowadr[SIDE], colind[AREA];
  TRIALS(mju_dense2sparse) {
    int nr = draw_int(SIDE), nc = draw_int(SIDE), nonzero = draw_sparse(A, nr, nc);
    int room = draw_int(AREA);
    int full = f(value, A, nr, nc, rownnz, rowadr, colind, room);
    check_that(full == (room <= 0 || nonzero > room));
    int k = 0;
    for (int r = 0; !full && r < nr; r++) {
      check_that(rowadr[r] == k);
      for (int c = 0; c < nc; c++) {
        if (A[r * nc + c] != 0) {
          check_that(value[k] == A[r * nc + c] && colind[k] == c);
          k++;
        }
      }
      check_that(rownnz[r] == k - rowadr[r]);
    }
  }
  TRIALS(mju_sparse2dense) {
    int nr = draw_int(SIDE), nc = draw_int(SIDE);
    draw_sparse(A, nr, nc);
    mju_dense2sparse(value, A, nr, nc, rownnz, rowadr, colind, AREA);
    f(out, value, nr, nc, rownnz, rowadr, colind);
    check_same(out, A, nr * nc);
  }
}

TEST(lower_triangles_become_symmetric_matrices) {
  for (int i = 0; i < 100; i++) {
    int n = draw_int(SIDE), rownnz[SIDE], rowadr[SIDE], colind[AREA];
    mjtNum lower[AREA], symmetric[AREA], value[AREA], out[AREA];
    draw_sparse(lower, n, n);
    for (int r = 0; r < n; r++) {
      for (int c = 0; c <= r; c++) {
        symmetric[r * n + c] = symmetric[c * n + r] = lower[r * n + c];
      }
      for (int c = r + 1; c < n; c++) {
        lower[r * n + c] = 0;
      }
    }
    mju_dense2sparse(value, lower, n, n, rownnz, rowadr, colind, AREA);
    mju_fill(out, 7, AREA);
    mju_sym2dense(out, value, n, rownnz, rowadr, colind);
    check_same(out, symmetric, n * n);
  }
}

// Cholesky factors

// B B' for a B with rank columns: semidefinite, rows and columns of many scales
static void draw_spd(mjtNum* out, int n, int rank) {
  mjtNum B[AREA], scale[SIDE];
  int spread = draw_int(12);
  draw_scaled(B, n * rank, 1);
  for (int i = 0; i < n; i++) {
    scale[i] = spread ? draw_scale(-spread, spread) : 1;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      Exact sum = exact_dot(B + i * rank, B + j * rank, rank);
      out[i * n + j] = out[j * n + i] = (mjtNum)(sum * scale[i] * scale[j]);
    }
  }
}

// (L L')_ij from the lower triangle, i >= j, and the size of its terms
static Exact square_of(const mjtNum* L, int n, int i, int j, Exact* size) {
  *size = exact_size(L + i * n, L + j * n, j + 1);
  return exact_dot(L + i * n, L + j * n, j + 1);
}

// Off the diagonal and where no pivot is replaced L L' is the matrix; where one is, the diagonal
// grows. The upper triangle and the matrix behind it stay. In single precision what follows a
// replaced pivot overflows.
TEST(a_factor_is_the_root_of_a_matrix_with_raised_pivots) {
  DOUBLE_ONLY();
  mjtNum A[AREA], L[AREA];
  TRIALS(mju_cholFactor) {
    int n = draw_int(SIDE), singular = draw_int(4) == 0;
    mjtNum mindiag = draw_int(2) ? (mjtNum)mjMINVAL : draw_scale(-10, 0);
    draw_spd(A, n, singular ? draw_int(n + 1) : n);
    if (draw_int(8) == 0 && n) {
      A[draw_int(n) * (n + 1)] *= -1;
    }
    mju_copy(L, A, n * n);
    int rank = f(L, n, mindiag), replaced = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        Exact size, square = square_of(L, n, i, j <= i ? j : i, &size);
        Exact bound = 4 * (n + 2) * (size + fabsl(A[i * n + j]));
        if (j > i) {
          check_that(L[i * n + j] == A[i * n + j]);
        } else if (i == j && L[i * n + j] == mju_sqrt(mindiag)) {
          replaced++;
          check_that(square >= A[i * n + j] - bound * ROUNDING);
        } else {
          check_that(fabsl(square - A[i * n + j]) <= bound * ROUNDING);
        }
      }
    }
    check_that(rank == n - replaced);
  }
}

// a lower triangular matrix with rows of many scales, garbage above
static void draw_factor(mjtNum* L, int n) {
  draw_scaled(L, n * n, 1);
  for (int i = 0; i < n; i++) {
    mjtNum scale = draw_scale(-6, 6);
    for (int j = 0; j <= i; j++) {
      L[i * n + j] *= scale;
    }
    L[i * (n + 1)] = scale * (1 + mju_abs(draw_unit()));
  }
}

// |L L' x - b| is small against |L| |L'| |x|, in each row
TEST(a_solution_solves_the_system) {
  mjtNum L[AREA], b[SIDE], x[SIDE];
  TRIALS(mju_cholSolve) {
    int n = draw_int(SIDE);
    draw_factor(L, n);
    draw_scaled(b, n, draw_scale(-20, 20));
    f(x, L, b, n);
    for (int i = 0; i < n; i++) {
      Exact sum = 0, size = 0;
      for (int k = 0; k <= i; k++) {
        for (int j = k; j < n; j++) {
          Exact term = (Exact)L[i * n + k] * L[j * n + k] * x[j];
          sum += term;
          size += fabsl(term);
        }
      }
      check_that(fabsl(sum - b[i]) <= 6 * (n + 1) * size * ROUNDING);
    }
    f(b, L, b, n);
    check_same(b, x, n);
  }
}

// L L' +- x x' with x = L y. A downdate leaves 1 - |y|^2 of the smallest pivot, and nothing if |y|
// is more than 1.
TEST(an_updated_factor_is_the_factor_of_the_updated_matrix) {
  mjtNum L[AREA], before[AREA], x[SIDE], y[SIDE];
  TRIALS(mju_cholUpdate) {
    int n = draw_int(SIDE), plus = draw_int(2);
    draw_factor(L, n);
    mjtNum length = mju_abs(draw_unit()) * (mjtNum)0.99;
    int too_much = !plus && draw_int(4) == 0;
    draw_scaled(y, n, 1);
    mju_zero(y, n ? draw_int(n) : 0);
    mju_normalize(y, n);
    mju_scl(y, y, too_much ? 2 : length, n);
    for (int i = 0; i < n; i++) {
      x[i] = mju_dot(L + i * n, y, i + 1);
    }
    mju_copy(before, L, n * n);
    mju_copy(y, x, n);
    int rank = f(L, y, n, plus);
    if (too_much) {
      check_that(n == 0 ? rank == 0 : rank < n);
      continue;
    }
    check_that(rank == n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        if (j > i) {
          check_that(L[i * n + j] == before[i * n + j]);
          continue;
        }
        Exact size, square = square_of(before, n, i, j, &size);
        square += (plus ? 1 : -1) * (Exact)x[i] * x[j];
        Exact rows = exact_norm(before + i * n, i + 1) * exact_norm(before + j * n, j + 1);
        check_that(fabsl(square_of(L, n, i, j, &size) - square) <=
                   40 * (n + 1) * rows * ROUNDING / (1 - length * length));
      }
    }
  }
}
