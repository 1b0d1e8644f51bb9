#include <mujoco/api/base.h>

#include "base/vec.h"

// Jacobi's method carried in a quaternion: while an off-diagonal element d_rc of D = R(q)' A
// R(q) is large, q turns about the axis k that is neither r nor c so that d_rc vanishes. The
// order of the choices and the signs are part of the format: inertial frames, and all that is
// given in them, come from here.                                               spec 07, section 5.5

#ifndef mjUSESINGLE
static const mjtNum eig_eps = 1e-12;
#else
static const mjtNum eig_eps = 1e-6f;
#endif
static const int max_iterations = 500;

// off-diagonal pairs (r, c) and the axis they leave
static const int pair_row[3] = {0, 0, 1};
static const int pair_column[3] = {1, 2, 2};
static const int pair_axis[3] = {2, 1, 0};

static int largest_pair(const mjtNum D[9]) {
  mjtNum d01 = mju_abs(D[1]), d02 = mju_abs(D[2]), d12 = mju_abs(D[5]);
  if (d01 > d02 && d01 > d12) {
    return 0;
  }
  return d02 > d12 ? 1 : 2;
}

static void turn_by(mjtNum quat[4], const mjtNum turn[4]) {
  q_mul(quat, quat, turn);
  q_normalize(quat);
}

// Exchanges axes j and j+1 by a quarter turn about the third.
static void swap_axes(mjtNum quat[4], mjtNum eigval[3], int j) {
  const mjtNum half_sqrt2 = (mjtNum)0.707106781186548;
  mjtNum turn[4] = {half_sqrt2, 0, 0, 0};
  turn[j == 0 ? 3 : 1] = half_sqrt2;
  turn_by(quat, turn);
  mjtNum t = eigval[j];
  eigval[j] = eigval[j + 1];
  eigval[j + 1] = t;
}

int mju_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9]) {
  mjtNum V[9], VA[9], D[9];
  int iteration = 0;
  q_identity(quat);
  for (; iteration < max_iterations; iteration++) {
    q_tomat(V, quat);
    m3_tmul(VA, V, mat);
    m3_mul(D, VA, V);
    v3_set(eigval, D[0], D[4], D[8]);

    int pair = largest_pair(D);
    int r = pair_row[pair], c = pair_column[pair], axis = pair_axis[pair];
    mjtNum off = D[3 * r + c];
    if (mju_abs(off) < eig_eps) {
      break;
    }
    mjtNum tau = (D[4 * c] - D[4 * r]) / (2 * off);
    mjtNum root = mju_sqrt(1 + tau * tau);
    mjtNum tangent = tau >= 0 ? 1 / (tau + root) : -1 / (root - tau);
    mjtNum cosine = 1 / mju_sqrt(1 + tangent * tangent);
    if (cosine > 1 - eig_eps) {
      break;
    }

    // half angle; the sense of rotation about y is the opposite of that from axis r to axis c
    mjtNum u = mju_sqrt((mjtNum)0.5 - (mjtNum)0.5 * cosine);
    if ((tau >= 0) != (axis == 1)) {
      u = -u;
    }
    mjtNum turn[4] = {mju_sqrt(1 - u * u), 0, 0, 0};
    turn[1 + axis] = u;
    q_normalize(turn);
    turn_by(quat, turn);
  }

  // decreasing order
  for (int pass = 0; pass < 3; pass++) {
    int j = pass % 2;
    if (eigval[j] + eig_eps < eigval[j + 1]) {
      swap_axes(quat, eigval, j);
    }
  }
  q_tomat(eigvec, quat);
  return iteration;
}
