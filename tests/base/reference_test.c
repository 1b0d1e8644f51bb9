// Utilities whose choices (signs, branches, iteration counts) are part of the format, against the
// reference.

#include "base/trials.h"

// Declares `reference`, the reference's function of the same type as ours.
#define REFERENCE(name) \
  BRIDGE_OR_SKIP();     \
  __typeof__(&name) reference = (__typeof__(&name))(uintptr_t)bridge_function(#name)

TEST(eigenvectors_are_the_same) {
  REFERENCE(mju_eig3);
  for (int i = 0; i < NTRIALS; i++) {
    mjtNum A[9], value[2][3], vector[2][9], quat[2][4];
    random_numbers(A, 9);
    mju_symmetrize(A, A, 3);
    if (i % 3 == 0) {
      // nearly diagonal, nearly equal
      mju_scl(A, A, (mjtNum)1e-9, 9);
      A[0] += 1;
      A[4] += 1 + (mjtNum)1e-13 * (mjtNum)(i % 5);
      A[8] += i % 2 ? 1 : 3;
    }
    int n = mju_eig3(value[0], vector[0], quat[0], A);
    assert_int_equal(reference(value[1], vector[1], quat[1], A), n);
    check_near(value[0], value[1], 3, 20);
    check_near(quat[0], quat[1], 4, 1e4);
    check_near(vector[0], vector[1], 9, 1e4);
  }
}

TEST(box_constrained_minima_are_the_same) {
  REFERENCE(mju_boxQP);
  for (int i = 0; i < NTRIALS; i++) {
    int n = 1 + i % 10, index[2][10];
    mjtNum H[100], g[10], lower[10], upper[10], x[2][10], R[2][170];
    random_spd(H, n);
    if (i % 7 == 0) {
      H[0] = -1;
    }
    random_numbers(g, n);
    random_numbers(x[0], n);
    mju_copy(x[1], x[0], n);
    for (int k = 0; k < n; k++) {
      lower[k] = -mju_abs(random_number());
      upper[k] = mju_abs(random_number());
    }
    const mjtNum* lo = i % 3 == 1 ? NULL : lower;
    const mjtNum* hi = i % 3 == 2 || i % 6 == 1 ? NULL : upper;
    int nfree = mju_boxQP(x[0], R[0], index[0], H, g, n, lo, hi);
    assert_int_equal(reference(x[1], R[1], index[1], H, g, n, lo, hi), nfree);
    if (nfree >= 0) {
      assert_memory_equal(index[0], index[1], (size_t)nfree * sizeof(int));
      check_near(x[0], x[1], n, 1e5);
    }
  }
}

// Sines of the C library and ours differ in the last bit now and then, which a matrix near a
// singular one makes large.
TEST(rotations_are_fitted_in_the_same_steps) {
  REFERENCE(mju_mat2Rot);
  int differ = 0;
  for (int i = 0; i < NTRIALS; i++) {
    mjtNum A[9], q[2][4];
    random_numbers(A, 9);
    A[0] += 1;
    A[4] += 1;
    A[8] += 1;
    random_quat(q[0]);
    mju_copy4(q[1], q[0]);
    int n = mju_mat2Rot(q[0], A);
    int expected = reference(q[1], A);
    if (expected < 100) {
      mju_subFrom(q[0], q[1], 4);
      differ += n != expected || mju_norm(q[0], 4) > 1e6 * NUMBER_EPS;
    }
  }
  assert_in_range(differ, 0, NTRIALS / 50);
}

TEST(quaternions_of_matrices_are_the_same) {
  REFERENCE(mju_mat2Quat);
  for (int i = 0; i < NTRIALS; i++) {
    mjtNum A[9], q[2][4];
    random_quat(q[0]);
    mju_quat2Mat(A, q[0]);
    if (i % 2) {
      // half turns, exactly and nearly
      mju_zero(A, 9);
      A[0] = i % 3 == 0 ? 1 : -1;
      A[4] = i % 3 == 1 ? 1 : -1;
      A[8] = i % 3 == 2 ? 1 : -1;
      A[i % 9] += (mjtNum)1e-9 * random_number();
    }
    mju_mat2Quat(q[0], A);
    reference(q[1], A);
    check_near(q[0], q[1], 4, 10);
  }
}

TEST(minimal_rotations_are_the_same) {
  REFERENCE(mju_quatZ2Vec);
  const mjtNum special[][3] = {{0, 0, 0},
                               {0, 0, 1},
                               {0, 0, -1},
                               {(mjtNum)1e-16, 0, -1},
                               {(mjtNum)1e-9, 0, -1},
                               {0, (mjtNum)1e-12, 2},
                               {3, 0, 0}};
  for (int i = 0; i < NTRIALS; i++) {
    mjtNum v[3], q[2][4];
    random_numbers(v, 3);
    mju_quatZ2Vec(q[0], i < 7 ? special[i] : v);
    reference(q[1], i < 7 ? special[i] : v);
    check_near(q[0], q[1], 4, 10);
  }
}

TEST(rotation_vectors_are_the_same) {
  REFERENCE(mju_quat2Vel);
  const mjtNum special[][4] = {{0, 1, 0, 0}, {0, -1, 0, 0}, {-1, 0, 0, 0},
                               {1, 0, 0, 0}, {0, 0, 0, 0},  {-1, (mjtNum)1e-9, 0, 0},
                               {2, 1, 0, 0}};
  for (int i = 0; i < NTRIALS; i++) {
    mjtNum q[4], v[2][3];
    random_numbers(q, 4);
    mju_quat2Vel(v[0], i < 7 ? special[i] : q, (mjtNum)0.5);
    reference(v[1], i < 7 ? special[i] : q, (mjtNum)0.5);
    check_near(v[0], v[1], 3, 10);
  }
}

TEST(euler_angles_are_the_same) {
  REFERENCE(mju_euler2Quat);
  const char* sequence[] = {"xyz", "XYZ", "zyx", "xYz", "ZxY", "xyx", "zZz"};
  for (int i = 0; i < 7; i++) {
    mjtNum angle[3], q[2][4];
    random_numbers(angle, 3);
    mju_euler2Quat(q[0], angle, sequence[i]);
    reference(q[1], angle, sequence[i]);
    check_near(q[0], q[1], 4, 10);
  }
}

TEST(muscle_gains_are_the_same) {
  REFERENCE(mju_muscleGain);
  for (int i = 0; i < NTRIALS; i++) {
    mjtNum prm[9] = {(mjtNum)0.75, (mjtNum)1.05, i % 2 ? -1 : 30, 200,        (mjtNum)0.5,
                     (mjtNum)1.6,  (mjtNum)1.5,  (mjtNum)1.3,     (mjtNum)1.2};
    mjtNum range[2] = {(mjtNum)0.2, (mjtNum)0.5};
    mjtNum length = (mjtNum)0.4 + (mjtNum)0.7 * random_number(), velocity = 3 * random_number();
    check_number(mju_muscleGain(length, velocity, range, 5, prm),
                 reference(length, velocity, range, 5, prm), 100);
  }
}

TEST(muscle_biases_are_the_same) {
  REFERENCE(mju_muscleBias);
  for (int i = 0; i < NTRIALS; i++) {
    mjtNum prm[9] = {(mjtNum)0.75, (mjtNum)1.05, i % 2 ? -1 : 30, 200,        (mjtNum)0.5,
                     (mjtNum)1.6,  (mjtNum)1.5,  (mjtNum)1.3,     (mjtNum)1.2};
    mjtNum range[2] = {(mjtNum)0.2, (mjtNum)0.5};
    mjtNum length = (mjtNum)0.4 + (mjtNum)0.7 * random_number();
    check_number(mju_muscleBias(length, range, 5, prm), reference(length, range, 5, prm), 100);
  }
}

TEST(muscle_activations_are_the_same) {
  REFERENCE(mju_muscleDynamics);
  for (int i = 0; i < NTRIALS; i++) {
    mjtNum prm[3] = {(mjtNum)0.01, (mjtNum)0.04, i % 2 ? (mjtNum)0.2 : 0};
    mjtNum ctrl = 2 * random_number(), act = 2 * random_number();
    check_number(mju_muscleDynamics(ctrl, act, prm), reference(ctrl, act, prm), 100);
  }
}

TEST(band_factors_are_the_same) {
  REFERENCE(mju_cholFactorBand);
  int n = 9, nband = 4, ndense = 2, size = 7 * 4 + 2 * 9;
  mjtNum A[81], band[2][46];
  for (int i = 0; i < NTRIALS; i++) {
    random_spd(A, n);
    for (int k = 0; k < n; k++) {
      A[k * n + k] += (mjtNum)(i % 5);
    }
    mju_dense2Band(band[0], A, n, nband, ndense);
    mju_copy(band[1], band[0], size);
    mjtNum smallest = mju_cholFactorBand(band[0], n, nband, ndense, (mjtNum)0.1, (mjtNum)0.2);
    check_number(smallest, reference(band[1], n, nband, ndense, (mjtNum)0.1, (mjtNum)0.2), 1e4);
    if (smallest > 0) {
      check_near(band[0], band[1], size, 1e4);
    }
  }
}

TEST(replaced_pivots_are_the_same) {
  REFERENCE(mju_cholFactor);
  mjtNum A[2][NMAX * NMAX];
  for (int n = 1; n < NMAX; n += 7) {
    random_spd(A[0], n);
    mju_copy(A[1], A[0], n * n);
    assert_int_equal(mju_cholFactor(A[0], n, 1), reference(A[1], n, 1));
    check_near(A[0], A[1], n * n, 1e3);
  }
}
