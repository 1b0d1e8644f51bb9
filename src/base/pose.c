#include "base/pose.h"

#include <math.h>
#include <mujoco/mjtnum.h>
#include <string.h>

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
    // the squares overflow, the vector has a direction all the same
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

void pose_cross(double out[3], const double a[3], const double b[3]) {
  double x = a[1] * b[2] - a[2] * b[1];
  double y = a[2] * b[0] - a[0] * b[2];
  double z = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

// v + 2 u x (w v + u x v), quat = (w, u)
void pose_rotate(double out[3], const double quat[4], const double v[3]) {
  double t[3], ut[3];
  pose_cross(t, quat + 1, v);
  for (int i = 0; i < 3; i++) {
    t[i] += quat[0] * v[i];
  }
  pose_cross(ut, quat + 1, t);
  for (int i = 0; i < 3; i++) {
    out[i] = v[i] + 2 * ut[i];
  }
}

void pose_axisangle(double quat[4], const double axis[3], double angle) {
  double sine = sin(0.5 * angle);
  quat[0] = cos(0.5 * angle);
  for (int i = 0; i < 3; i++) {
    quat[1 + i] = sine * axis[i];
  }
}

void pose_product(double out[4], const double a[4], const double b[4]) {
  double q[4] = {
      a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
      a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
      a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
      a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  };
  memcpy(out, q, sizeof(q));
}

void pose_mulquat(double out[4], const double a[4], const double b[4]) {
  pose_product(out, a, b);
  pose_normalize(out, 4);
}

void pose_matrix(double out[9], const double quat[4]) {
  double w = quat[0], x = quat[1], y = quat[2], z = quat[3];
  out[0] = w * w + x * x - y * y - z * z;
  out[1] = 2 * (x * y - w * z);
  out[2] = 2 * (x * z + w * y);
  out[3] = 2 * (x * y + w * z);
  out[4] = w * w - x * x + y * y - z * z;
  out[5] = 2 * (y * z - w * x);
  out[6] = 2 * (x * z - w * y);
  out[7] = 2 * (y * z + w * x);
  out[8] = w * w - x * x - y * y + z * z;
}

// The component with the largest square is found from the diagonal, the others from the
// off-diagonal sums and differences:
//   4 w^2 = 1 + m00 + m11 + m22,   4 x^2 = 1 + m00 - m11 - m22,   4 w x = m21 - m12,
//   4 x y = m10 + m01, and so on
void pose_from_axes(double quat[4], const double x[3], const double y[3], const double z[3]) {
  double m00 = x[0], m01 = y[0], m02 = z[0];
  double m10 = x[1], m11 = y[1], m12 = z[1];
  double m20 = x[2], m21 = y[2], m22 = z[2];
  if (m00 + m11 + m22 > 0) {
    quat[0] = 0.5 * sqrt(1 + m00 + m11 + m22);
    quat[1] = (m21 - m12) / (4 * quat[0]);
    quat[2] = (m02 - m20) / (4 * quat[0]);
    quat[3] = (m10 - m01) / (4 * quat[0]);
  } else if (m00 > m11 && m00 > m22) {
    quat[1] = 0.5 * sqrt(1 + m00 - m11 - m22);
    quat[0] = (m21 - m12) / (4 * quat[1]);
    quat[2] = (m01 + m10) / (4 * quat[1]);
    quat[3] = (m02 + m20) / (4 * quat[1]);
  } else if (m11 > m22) {
    quat[2] = 0.5 * sqrt(1 - m00 + m11 - m22);
    quat[0] = (m02 - m20) / (4 * quat[2]);
    quat[1] = (m01 + m10) / (4 * quat[2]);
    quat[3] = (m12 + m21) / (4 * quat[2]);
  } else {
    quat[3] = 0.5 * sqrt(1 - m00 - m11 + m22);
    quat[0] = (m10 - m01) / (4 * quat[3]);
    quat[1] = (m02 + m20) / (4 * quat[3]);
    quat[2] = (m12 + m21) / (4 * quat[3]);
  }
  pose_normalize(quat, 4);
}

// axis = z x v, angle = atan2(|z x v|, z . v). The axis vanishes for v = +-z: any axis does, x is
// taken.
void pose_from_z(double quat[4], const double v[3]) {
  double axis[3] = {-v[1], v[0], 0};
  double sine = pose_normalize(axis, 3);
  if (sine < 1e-10) {
    axis[0] = 1;
    axis[1] = axis[2] = 0;
  }
  pose_axisangle(quat, axis, atan2(sine, v[2]));
}

void pose_compose(Pose* out, const Pose* outer, const Pose* inner) {
  Pose result;
  pose_rotate(result.pos, outer->quat, inner->pos);
  for (int i = 0; i < 3; i++) {
    result.pos[i] += outer->pos[i];
  }
  pose_mulquat(result.quat, outer->quat, inner->quat);
  *out = result;
}

void pose_inverse(Pose* out, const Pose* pose) {
  Pose result = {{0}, {pose->quat[0], -pose->quat[1], -pose->quat[2], -pose->quat[3]}};
  pose_rotate(result.pos, result.quat, pose->pos);
  for (int i = 0; i < 3; i++) {
    result.pos[i] = -result.pos[i];
  }
  *out = result;
}

// q^-1 = q* / |q|^2
void pose_outer(Pose* outer, const Pose* whole, const Pose* inner) {
  const double* q = inner->quat;
  double squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  double back[4] = {q[0] / squared, -q[1] / squared, -q[2] / squared, -q[3] / squared};
  Pose out;
  pose_product(out.quat, whole->quat, back);
  pose_rotate(out.pos, out.quat, inner->pos);
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
