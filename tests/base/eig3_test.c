#include "base/numbers.h"

static void check_decomposition(const mjtNum A[9]) {
  mjtNum value[3], vector[9], quat[4], mat[9], product[9], scaled[9];
  assert_in_range(mju_eig3(value, vector, quat, A), 0, 499);
  mju_quat2Mat(mat, quat);
  check_near(vector, mat, 9, 0);
  for (int i = 0; i < 9; i++) {
    scaled[i] = mat[i] * value[i % 3];
  }
  mju_mulMatMatT(product, scaled, mat, 3, 3, 3);
  // the iteration stops at angles whose cosine is within 1e-12 (single precision: 1e-6) of 1
  check_near(product, A, 9, sizeof(mjtNum) == 8 ? 3e9 : 3e3);
  assert_true(value[0] >= value[1] - (mjtNum)1e-5 && value[1] >= value[2] - (mjtNum)1e-5);
}

static void values_and_vectors_make_the_matrix(void** state) {
  (void)state;
  for (int i = 0; i < 200; i++) {
    mjtNum A[9];
    random_numbers(A, 9);
    mju_symmetrize(A, A, 3);
    check_decomposition(A);
  }
}

static void equal_values_and_diagonals_are_no_trouble(void** state) {
  (void)state;
  check_decomposition((mjtNum[]){2, 0, 0, 0, 2, 0, 0, 0, 2});
  check_decomposition((mjtNum[]){1, 0, 0, 0, 2, 0, 0, 0, 3});
  check_decomposition((mjtNum[]){0, 0, 0, 0, 0, 0, 0, 0, 0});
  check_decomposition((mjtNum[]){1, 1, 1, 1, 1, 1, 1, 1, 1});
  check_decomposition((mjtNum[]){3, 1, 0, 1, 3, 0, 0, 0, 5});
}

#ifndef mjUSESINGLE
// The frame is a convention; numbers recorded from the reference (3.3.7).
static void signs_and_order_are_those_of_the_format(void** state) {
  (void)state;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_and_vectors_make_the_matrix),
      cmocka_unit_test(equal_values_and_diagonals_are_no_trouble),
#ifndef mjUSESINGLE
      cmocka_unit_test(signs_and_order_are_those_of_the_format),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
