// Symmetric matrices that are banded except for their last rows.

#include "base/trials.h"

enum {
  SIDE = 8,
  AREA = SIDE * SIDE
};

// A matrix of a random shape: n rows, the last ndense of them full, the others nband wide.
typedef struct Band_ {
  int n, nband, ndense, size;
  mjtNum full[AREA];    // symmetric, zero outside of the band
  mjtNum stored[AREA];  // the lower triangle in banded form
} Band;

// Whether element (i, j), j <= i, is stored, and where.
static int address(const Band* b, int i, int j) {
  int nsparse = b->n - b->ndense;
  if (i >= nsparse) {
    return nsparse * b->nband + (i - nsparse) * b->n + j;
  }
  return i - j < b->nband ? i * b->nband + b->nband - 1 - (i - j) : -1;
}

// Diagonally dominant, unless indefinite; rows and columns of several scales.
static Band draw_band(int indefinite) {
  Band b = {.n = 1 + draw_int(SIDE)};
  b.nband = 1 + draw_int(b.n);
  b.ndense = draw_int(b.n + 1);
  b.size = (b.n - b.ndense) * b.nband + b.ndense * b.n;
  mjtNum scale[SIDE];
  draw_scaled(b.stored, b.size, 100);  // what is never read
  for (int i = 0; i < b.n; i++) {
    scale[i] = draw_scale(-6, 6);
  }
  for (int i = 0; i < b.n; i++) {
    for (int j = 0; j <= i; j++) {
      int at = address(&b, i, j);
      mjtNum a = i == j ? (mjtNum)(indefinite ? -1 : SIDE) + draw_unit() : draw_unit();
      if (at >= 0) {
        b.stored[at] = a * scale[i] * scale[j];
      }
      b.full[i * b.n + j] = b.full[j * b.n + i] = at >= 0 ? b.stored[at] : 0;
    }
  }
  return b;
}

TEST(storage_is_by_rows_up_to_the_diagonal) {
  mjtNum out[AREA];
  TRIALS(mju_band2Dense) {
    Band b = draw_band(0);
    int symmetric = draw_int(2);
    f(out, b.stored, b.n, b.nband, b.ndense, (mjtByte)symmetric);
    for (int i = 0; i < b.n * b.n; i++) {
      check_that(out[i] == (symmetric || i % b.n <= i / b.n ? b.full[i] : 0));
    }
  }
  TRIALS(mju_dense2Band) {
    Band b = draw_band(0);
    f(out, b.full, b.n, b.nband, b.ndense);
    for (int i = 0; i < b.n; i++) {
      for (int j = 0; j <= i; j++) {
        int at = address(&b, i, j);
        check_that(at < 0 || out[at] == b.full[i * b.n + j]);
      }
    }
  }
  TRIALS(mju_bandDiag) {
    Band b = draw_band(0);
    int i = draw_int(b.n);
    check_that(f(i, b.n, b.nband, b.ndense) == address(&b, i, i));
  }
}

TEST(a_band_matrix_multiplies_as_the_dense_one) {
  TRIALS(mju_bandMulMatVec) {
    Band b = draw_band(0);
    mjtNum vec[2 * SIDE], out[2 * SIDE + 1];
    int symmetric = draw_int(2), nvec = draw_int(3);
    draw(vec, nvec * b.n);
    out[nvec * b.n] = 7;
    f(out, b.stored, vec, b.n, b.nband, b.ndense, nvec, (mjtByte)symmetric);
    for (int i = 0; i < nvec * b.n; i++) {
      const mjtNum *row = b.full + i % b.n * b.n, *v = vec + i / b.n * b.n;
      int end = symmetric ? b.n : i % b.n + 1;
      check_exact1(out[i], exact_dot(row, v, end), (b.n + 1) * exact_size(row, v, end));
    }
    check_that(out[nvec * b.n] == 7);
  }
}

// L L' is the matrix with its larger diagonal, and the smallest square on the diagonal is returned
TEST(a_band_factor_is_the_root_of_the_matrix) {
  TRIALS(mju_cholFactorBand) {
    int indefinite = draw_int(8) == 0;
    Band b = draw_band(indefinite);
    mjtNum add = draw_int(2) ? draw_scale(-10, 0) : 0, mul = draw_int(2) ? draw_scale(-10, 0) : 0;
    if (indefinite) {
      check_that(f(b.stored, b.n, b.nband, b.ndense, 0, 0) == 0);
      continue;
    }
    mjtNum smallest = f(b.stored, b.n, b.nband, b.ndense, add, mul), L[AREA];
    mju_band2Dense(L, b.stored, b.n, b.nband, b.ndense, 0);
    Exact expected = INFINITY;
    for (int i = 0; i < b.n; i++) {
      expected = fminl(expected, (Exact)L[i * (b.n + 1)] * L[i * (b.n + 1)]);
      for (int j = 0; j <= i; j++) {
        Exact a = b.full[i * b.n + j];
        a += i == j ? add + mul * a : 0;
        Exact size = exact_size(L + i * b.n, L + j * b.n, j + 1);
        check_that(fabsl(exact_dot(L + i * b.n, L + j * b.n, j + 1) - a) <=
                   4 * (b.n + 2) * size * ROUNDING);
      }
    }
    check_exact1(smallest, expected, 4 * expected);
  }
}

TEST(a_band_system_is_solved) {
  TRIALS(mju_cholSolveBand) {
    Band b = draw_band(0);
    mjtNum vec[SIDE], x[SIDE];
    draw_scaled(vec, b.n, draw_scale(-20, 20));
    mju_cholFactorBand(b.stored, b.n, b.nband, b.ndense, 0, 0);
    f(x, b.stored, vec, b.n, b.nband, b.ndense);
    for (int i = 0; i < b.n; i++) {
      // diagonally dominant: |L| |L'| is not much larger than |L L'|
      Exact size = exact_size(b.full + i * b.n, x, b.n);
      check_that(fabsl(exact_dot(b.full + i * b.n, x, b.n) - vec[i]) <=
                 16 * (b.n + 2) * size * ROUNDING);
    }
    f(vec, b.stored, vec, b.n, b.nband, b.ndense);
    check_same(vec, x, b.n);
  }
}
