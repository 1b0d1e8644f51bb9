// Eigenvalues and eigenvectors of a symmetric 3 x 3 matrix make the matrix again.

#include "base/trials.h"

// The eigenvectors are a right-handed frame, the values are what the matrix does along them, and
// across them it does nothing: up to the angle at which the iteration stops, 2e-6, whose square is
// the error of the values.
static void check_decomposition(__typeof__(&mju_eig3) f, const mjtNum A[9]) {
  const Exact eps = sizeof(mjtNum) == 8 ? 1e-12L : 1e-6L;
  mjtNum value[3], vector[9], quat[4], mat[9];
  int iterations = f(value, vector, quat, A);
  check_that(iterations >= 0 && iterations < 500);
  check_exact1((mjtNum)exact_norm(quat, 4), 1, 4 + 2 * mjMINVAL / ROUNDING);
  mju_quat2Mat(mat, quat);
  check_exact(vector,
              (Exact[]){mat[0], mat[1], mat[2], mat[3], mat[4], mat[5], mat[6], mat[7], mat[8]}, 9,
              8);
  Exact size = exact_norm(A, 9);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      Exact sum = 0;
      for (int k = 0; k < 9; k++) {
        sum += (Exact)mat[k / 3 * 3 + i] * A[k] * mat[k % 3 * 3 + j];
      }
      Exact error = i == j ? 4 * eps + 400 * ROUNDING : 4 * sqrtl(eps);
      check_that(fabsl(sum - (i == j ? value[i] : 0)) <= error * size + eps);
    }
  }
  Exact tie = 2 * eps + 4 * ROUNDING * size;
  check_that(value[0] >= value[1] - tie && value[1] >= value[2] - tie);
}

TEST(values_and_vectors_make_the_matrix) {
  TRIALS(mju_eig3) {
    mjtNum A[9], q[4], V[9], VD[9];
    draw_scaled(A, 9, draw_scale(-10, 10));
    mju_symmetrize(A, A, 3);
    if (draw_int(4) == 0) {
      // equal or nearly equal values in any frame
      mjtNum d = draw_scale(-4, 4), near = draw_int(2) ? 0 : draw_scale(-50, 0);
      const mjtNum value[3] = {d, d * (1 + near), draw_int(2) ? d * (1 - near) : draw_unit()};
      draw_quat(q);
      mju_quat2Mat(V, q);
      for (int i = 0; i < 9; i++) {
        VD[i] = V[i] * value[i % 3];
      }
      mju_mulMatMatT(A, VD, V, 3, 3, 3);
      mju_symmetrize(A, A, 3);
    }
    check_decomposition(f, A);
  }
}

TEST(equal_values_and_diagonals_are_no_trouble) {
  check_decomposition(mju_eig3, (mjtNum[]){2, 0, 0, 0, 2, 0, 0, 0, 2});
  check_decomposition(mju_eig3, (mjtNum[]){1, 0, 0, 0, 2, 0, 0, 0, 3});
  check_decomposition(mju_eig3, (mjtNum[]){0, 0, 0, 0, 0, 0, 0, 0, 0});
  check_decomposition(mju_eig3, (mjtNum[]){1, 1, 1, 1, 1, 1, 1, 1, 1});
  check_decomposition(mju_eig3, (mjtNum[]){3, 1, 0, 1, 3, 0, 0, 0, 5});
}

#ifndef mjUSESINGLE
// The frame is a convention; numbers recorded from the reference (3.3.7).
TEST(signs_and_order_are_those_of_the_format) {
  const mjtNum A[9] = {1, 0.2, -0.3, 0.2, 2, 0.5, -0.3, 0.5, 1.5};
  mjtNum value[3], vector[9], quat[4];
  mju_eig3(value, vector, quat, A);
  check_near(value, (mjtNum[]){2.3091461023757476, 1.4682029388616824, 0.72265095876257268}, 3, 20);
  check_near(
      quat,
      (mjtNum[]){0.52840469527583944, 0.47538373825196145, 0.12759638417572078, 0.6917499130186574},
      4, 20);

  // only the order changes: two quarter turns
  mju_eig3(value, vector, quat, (mjtNum[]){1, 0, 0, 0, 2, 0, 0, 0, 3});
  check_near(value, (mjtNum[]){3, 2, 1}, 3, 0);
  check_near(quat, (mjtNum[]){0, 0.70710678118654802, 0, 0.70710678118654802}, 4, 20);
}
#endif
