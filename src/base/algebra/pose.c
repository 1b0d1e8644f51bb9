// pose.c: conversions and composition of frames in double precision.

#include "base/algebra/pose.h"

#include <math.h>

#include "base/algebra/elementary.h"

static double sum_of_squares(const double* v, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += v[i] * v[i];
  }
  return sum;
}

double pose_normalize(double* v, int n) {
  double sum = sum_of_squares(v, n), scale = 1;
  if (sum < POSE_EPS) {
    return 0;
  }
  if (isinf(sum)) {
    // the squares overflow: scale by the largest component first
    scale = 0;
    for (int i = 0; i < n; i++) {
      scale = fmax(scale, fabs(v[i]));
    }
    for (int i = 0; i < n; i++) {
      v[i] /= scale;
    }
    sum = sum_of_squares(v, n);
  }
  double norm = sqrt(sum);
  if (fabs(norm - 1) > POSE_UNIT_EPS) {
    for (int i = 0; i < n; i++) {
      v[i] /= norm;
    }
  }
  return scale * norm;
}

void pose_axisangle(double quat[4], const double axis[3], double angle) {
  double sine = portable_sin(0.5 * angle);
  quat[0] = portable_cos(0.5 * angle);
  for (int i = 0; i < 3; i++) {
    quat[1 + i] = sine * axis[i];
  }
}

void pose_from_rpy(double quat[4], const double rpy[3]) {
  double c[3], s[3];
  for (int i = 0; i < 3; i++) {
    c[i] = portable_cos(rpy[i] / 2);
    s[i] = portable_sin(rpy[i] / 2);
  }
  quat[0] = c[0] * c[1] * c[2] + s[0] * s[1] * s[2];
  quat[1] = s[0] * c[1] * c[2] - c[0] * s[1] * s[2];
  quat[2] = c[0] * s[1] * c[2] + s[0] * c[1] * s[2];
  quat[3] = c[0] * c[1] * s[2] - s[0] * s[1] * c[2];
}

void pose_to_rpy(double rpy[3], const double quat[4]) {
  double R[9];
  pose_matrix(R, quat);
  double yaw = portable_atan2(R[3], R[0]), c = portable_cos(yaw), s = portable_sin(yaw);
  rpy[0] = portable_atan2(s * R[2] - c * R[5], c * R[4] - s * R[1]);
  rpy[1] = portable_atan2(-R[6], c * R[0] + s * R[3]);
  rpy[2] = yaw;
}

void pose_mulquat(double out[4], const double a[4], const double b[4]) {
  pose_product(out, a, b);
  pose_normalize(out, 4);
}

// The matrix gives the squares and the products of the components:
//   4 w^2 = 1 + m00 + m11 + m22,   4 x^2 = 1 + m00 - m11 - m22,   4 w x = m21 - m12,
//   4 x y = m10 + m01, and so on
// The largest component comes from its square, the others from products with it.
void pose_from_axes(double quat[4], const double x[3], const double y[3], const double z[3]) {
  const double* axis[3] = {x, y, z};  // m[r][c] = axis[c][r]
  double a = x[0], b = y[1], c = z[2], *u = quat + 1;
  if (a + b + c > 0) {
    quat[0] = 0.5 * sqrt(1 + a + b + c);
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      u[i] = (axis[j][k] - axis[k][j]) / (4 * quat[0]);
    }
  } else {
    // i: axis of the largest diagonal element; j, k: the next two in cyclic order
    int i = a > b && a > c ? 0 : (b > c ? 1 : 2), j = (i + 1) % 3, k = (i + 2) % 3;
    u[i] = 0.5 * sqrt(1 + (i == 0 ? a : -a) + (i == 1 ? b : -b) + (i == 2 ? c : -c));
    quat[0] = (axis[j][k] - axis[k][j]) / (4 * u[i]);
    u[j] = (axis[i][j] + axis[j][i]) / (4 * u[i]);
    u[k] = (axis[i][k] + axis[k][i]) / (4 * u[i]);
  }
  pose_normalize(quat, 4);
}

// The smallest rotation that takes the z axis to v: axis = z x v, angle = atan2(|z x v|, z . v).
// For v = +-z that axis is zero, and the x axis is used. Products with zero give zeros their signs.
void pose_from_z(double quat[4], const double v[3]) {
  double axis[3] = {0 * v[2] - v[1], v[0] - 0 * v[2], 0 * v[1] - 0 * v[0]};
  double sine = pose_normalize(axis, 3);
  if (sine < 1e-10) {
    axis[0] = 1;
    axis[1] = axis[2] = 0;
  }
  pose_axisangle(quat, axis, portable_atan2(sine, v[2]));
}

void pose_compose(Pose* out, const Pose* outer, const Pose* inner) {
  Pose result;
  pose_rotate(result.pos, inner->pos, outer->quat);
  for (int i = 0; i < 3; i++) {
    result.pos[i] += outer->pos[i];
  }
  pose_mulquat(result.quat, outer->quat, inner->quat);
  *out = result;
}

void pose_inverse(Pose* out, const Pose* pose) {
  Pose result = {{0}, {pose->quat[0], -pose->quat[1], -pose->quat[2], -pose->quat[3]}};
  pose_rotate(result.pos, pose->pos, result.quat);
  for (int i = 0; i < 3; i++) {
    result.pos[i] = -result.pos[i];
  }
  *out = result;
}

// outer = whole inner^-1. Quaternions need not have unit length: q^-1 = q* / |q|^2.
void pose_outer(Pose* outer, const Pose* whole, const Pose* inner) {
  const double* q = inner->quat;
  double squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  double back[4] = {q[0] / squared, -q[1] / squared, -q[2] / squared, -q[3] / squared};
  Pose out;
  pose_product(out.quat, whole->quat, back);
  pose_rotate(out.pos, inner->pos, out.quat);
  for (int i = 0; i < 3; i++) {
    out.pos[i] = whole->pos[i] - out.pos[i];
  }
  *outer = out;
}

void pose_round(double* v, int n) {
  for (int i = 0; i < n; i++) {
    v[i] = (double)(mjtNum)v[i];
  }
}
