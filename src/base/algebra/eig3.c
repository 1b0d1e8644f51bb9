// eig3.c: Jacobi's method with the rotation kept as a quaternion q. While D = R(q)' A R(q) has a
// large off-diagonal element, q turns about axis k by the angle that zeroes the largest one, D_rc:
//   tau = (D_cc - D_rr) / (2 D_rc)
//   t   = tangent of the turn, the smaller root of t^2 + 2 tau t = 1;  cos = 1 / sqrt(1 + t^2)
// The order of the turns and their signs are part of the format, because compiled inertial frames
// depend on them. By the later rule (eig3_relative) the half angle comes from its tangent, which
// loses no digits for small turns and has the last bits of release 4.0:
//   h = t / (1 + sqrt(1 + t^2));  cos = 1 / sqrt(1 + h^2), sin = h cos
//                            theory/numerics.md, Eigenvalues of a symmetric matrix

#include "base/algebra/eig3.h"

#include <condyle/dynamics.h>
#include <math.h>
#include <mujoco/api/base.h>

#include "base/algebra/pose.h"
#include "base/algebra/vec.h"
#include "base/memory/check.h"

Eig3Ends eig3_relative(const double a[9], double negligible, double equal) {
  double largest = 0;
  for (int i = 0; i < 9; i++) {
    largest = fmax(largest, fabs(a[i]));
  }
  return (Eig3Ends){negligible * largest, equal * largest, -1};
}

// D = (R(q)' A) R(q)
static void rotate_matrix(double d[9], const double a[9], const double quat[4]) {
  double r[9], ra[9];
  pose_matrix(r, quat);
  for (int i = 0; i < 9; i++) {
    const double *column = r + i / 3, *other = a + i % 3;
    ra[i] = column[0] * other[0] + column[3] * other[3] + column[6] * other[6];
  }
  for (int i = 0; i < 9; i++) {
    const double *row = ra + i / 3 * 3, *column = r + i % 3;
    d[i] = row[0] * column[0] + row[1] * column[3] + row[2] * column[6];
  }
}

int eig3(double eigenvalue[3], double quat[4], const double a[9], const Eig3Ends* ends) {
  const int most_turns = 500;
  int count = 0;
  quat[0] = 1;
  quat[1] = quat[2] = quat[3] = 0;
  for (; count < most_turns; count++) {
    double d[9];
    rotate_matrix(d, a, quat);
    for (int i = 0; i < 3; i++) {
      eigenvalue[i] = d[4 * i];
    }

    double d01 = fabs(d[1]), d02 = fabs(d[2]), d12 = fabs(d[5]);
    int k = d01 > d02 && d01 > d12 ? 2 : d02 > d12 ? 1 : 0;
    int r = k == 0 ? 1 : 0, c = k == 2 ? 1 : 2;
    double off = d[3 * r + c];
    if (fabs(off) < ends->negligible || off == 0) {
      break;
    }
    double tau = (d[4 * c] - d[4 * r]) / (2 * off), root = sqrt(1 + tau * tau);
    double t = tau >= 0 ? 1 / (tau + root) : -1 / (root - tau);
    double cosine = 1 / sqrt(1 + t * t);
    if (cosine > 1 - ends->least_turn) {
      break;
    }

    // the axis (r, c, k) is left-handed for k = 1
    double turn[4] = {0, 0, 0, 0};
    if (ends->least_turn > 0) {
      turn[1 + k] = sqrt(0.5 - 0.5 * cosine);
      turn[0] = sqrt(1 - turn[1 + k] * turn[1 + k]);
    } else {
      double h = fabs(t) / (1 + sqrt(1 + t * t));
      turn[0] = 1 / sqrt(1 + h * h);
      turn[1 + k] = turn[0] * h;
    }
    turn[1 + k] = (tau >= 0) != (k == 1) ? -turn[1 + k] : turn[1 + k];
    pose_normalize(turn, 4);
    pose_mulquat(quat, quat, turn);
  }

  // Sort in decreasing order. Swapping two neighbours is a quarter turn about the third axis.
  const double half_sqrt2 = 0.707106781186548;
  for (int pass = 0; pass < 3; pass++) {
    int j = pass % 2;
    if (eigenvalue[j] + ends->equal < eigenvalue[j + 1]) {
      double swap = eigenvalue[j];
      eigenvalue[j] = eigenvalue[j + 1];
      eigenvalue[j + 1] = swap;
      double turn[4] = {half_sqrt2, 0, 0, 0};
      turn[j == 0 ? 3 : 1] = half_sqrt2;
      pose_mulquat(quat, quat, turn);
    }
  }
  return count;
}

static int write_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const double a[9],
                      const Eig3Ends* ends) {
  double value[3], turn[4];
  int count = eig3(value, turn, a, ends);
  mju_d2n(eigval, value, 3);
  mju_d2n(quat, turn, 4);
  q_normalize(quat);
  q_tomat(eigvec, quat);
  return count;
}

int mju_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9]) {
  const Eig3Ends ends = eig3_ends(sizeof(mjtNum) == sizeof(double) ? 1e-12 : 1e-6);
  double a[9];
  mju_n2d(a, mat, 9);
  return write_eig3(eigval, eigvec, quat, a, &ends);
}

int cnd_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9]) {
  check_given(eigval, eigvec, quat, mat);
  double a[9];
  mju_n2d(a, mat, 9);
  const Eig3Ends ends = sizeof(mjtNum) == sizeof(double) ? eig3_relative(a, 4e-15, 1e-12)
                                                         : eig3_relative(a, 1e-6, 1e-6);
  return write_eig3(eigval, eigvec, quat, a, &ends);
}
