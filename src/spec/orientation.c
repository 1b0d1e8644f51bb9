// Axis and angle, axes, Euler angles: all become quaternions.                  spec 01, section 4.1

#include <math.h>
#include <mujoco/mujoco.h>
#include <string.h>

#include "spec/spec.h"

enum {
  X = 0,
  Y,
  Z
};

// a vector with a smaller square has no direction
#define TOO_SMALL 1e-14

// Makes v a unit vector; 0 if it is too short, v unchanged.
static int normalize(double* v, int n) {
  double square = 0;
  for (int i = 0; i < n; i++) {
    square += v[i] * v[i];
  }
  if (square < TOO_SMALL) {
    return 0;
  }
  double length = sqrt(square);
  if (fabs(length - 1) > TOO_SMALL) {
    for (int i = 0; i < n; i++) {
      v[i] /= length;
    }
  }
  return 1;
}

static void cross(double out[3], const double a[3], const double b[3]) {
  out[X] = a[Y] * b[Z] - a[Z] * b[Y];
  out[Y] = a[Z] * b[X] - a[X] * b[Z];
  out[Z] = a[X] * b[Y] - a[Y] * b[X];
}

static double radians(double angle, mjtByte degree) {
  return degree ? angle / 180 * mjPI : angle;
}

static void axis_angle(double quat[4], const double axis[3], double angle) {
  quat[0] = cos(angle / 2);
  for (int i = 0; i < 3; i++) {
    quat[1 + i] = sin(angle / 2) * axis[i];
  }
}

// out = a b
static void multiply(double out[4], const double a[4], const double b[4]) {
  double q[4] = {
      a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
      a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
      a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
      a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  };
  memcpy(out, q, sizeof(q));
}

// Quaternion of the rotation matrix with columns x, y, z. The largest of w^2, x^2, y^2, z^2 (trace
// first) is found from the diagonal, so the root is never near zero; the other three follow from
// sums or differences of mirrored entries.
static void from_axes(double quat[4], const double x[3], const double y[3], const double z[3]) {
  double m[3][3];  // m[row][column]
  for (int i = 0; i < 3; i++) {
    m[i][0] = x[i];
    m[i][1] = y[i];
    m[i][2] = z[i];
  }
  double trace = m[0][0] + m[1][1] + m[2][2];
  if (trace > 0) {
    double w = sqrt(1 + trace) / 2;
    quat[0] = w;
    quat[1] = (m[2][1] - m[1][2]) / (4 * w);
    quat[2] = (m[0][2] - m[2][0]) / (4 * w);
    quat[3] = (m[1][0] - m[0][1]) / (4 * w);
  } else {
    int i = m[0][0] > m[1][1] && m[0][0] > m[2][2] ? 0 : m[1][1] > m[2][2] ? 1 : 2;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double root = sqrt(1 + m[i][i] - m[j][j] - m[k][k]) / 2;
    quat[1 + i] = root;
    quat[0] = (m[k][j] - m[j][k]) / (4 * root);
    quat[1 + j] = (m[i][j] + m[j][i]) / (4 * root);
    quat[1 + k] = (m[i][k] + m[k][i]) / (4 * root);
  }
  normalize(quat, 4);
}

// Least rotation that takes z to a unit vector; a half turn about x if they are opposite.
static void from_z(double quat[4], const double v[3]) {
  double axis[3] = {-v[Y], v[X], 0};  // z x v
  double sine = sqrt(axis[X] * axis[X] + axis[Y] * axis[Y]);
  if (!normalize(axis, 3)) {
    sine = 0;
  }
  if (sine < 1e-10) {
    axis[X] = 1;
    axis[Y] = 0;
  }
  axis_angle(quat, axis, atan2(sine, v[Z]));
}

static const char* from_euler(double quat[4], const double euler[3], mjtByte degree,
                              const char* sequence) {
  double total[4] = {1, 0, 0, 0};
  for (int i = 0; i < 3; i++) {
    static const char letters[] = "xyzXYZ";
    const char* letter = sequence[i] ? strchr(letters, sequence[i]) : NULL;
    if (!letter) {
      return "euler sequence can only contain x, y, z, X, Y, Z";
    }
    int index = (int)(letter - letters);
    double axis[3] = {0, 0, 0}, turn[4];
    axis[index % 3] = 1;
    axis_angle(turn, axis, radians(euler[i], degree));

    // small letters turn about the axes turned so far, capitals about the fixed ones
    if (index < 3) {
      multiply(total, total, turn);
    } else {
      multiply(total, turn, total);
    }
  }
  normalize(total, 4);
  memcpy(quat, total, sizeof(total));
  return NULL;
}

static const char* from_xyaxes(double quat[4], const double xyaxes[6]) {
  double x[3], y[3], z[3];
  memcpy(x, xyaxes, sizeof(x));
  memcpy(y, xyaxes + 3, sizeof(y));
  if (!normalize(x, 3)) {
    return "xaxis too small";
  }
  double dot = x[X] * y[X] + x[Y] * y[Y] + x[Z] * y[Z];
  for (int i = 0; i < 3; i++) {
    y[i] -= x[i] * dot;
  }
  if (!normalize(y, 3)) {
    return "yaxis too small";
  }
  cross(z, x, y);
  if (!normalize(z, 3)) {
    return "cross(xaxis, yaxis) too small";
  }
  from_axes(quat, x, y, z);
  return NULL;
}

const char* mjs_resolveOrientation(double quat[4], mjtByte degree, const char* sequence,
                                   const mjsOrientation* orientation) {
  double axis[3];
  switch (orientation->type) {
    case mjORIENTATION_QUAT:
      return NULL;

    case mjORIENTATION_AXISANGLE:
      memcpy(axis, orientation->axisangle, sizeof(axis));
      if (!normalize(axis, 3)) {
        return "axisangle too small";
      }
      axis_angle(quat, axis, radians(orientation->axisangle[3], degree));
      return NULL;

    case mjORIENTATION_XYAXES:
      return from_xyaxes(quat, orientation->xyaxes);

    case mjORIENTATION_ZAXIS:
      memcpy(axis, orientation->zaxis, sizeof(axis));
      if (!normalize(axis, 3)) {
        return "zaxis too small";
      }
      from_z(quat, axis);
      return NULL;

    case mjORIENTATION_EULER:
      return from_euler(quat, orientation->euler, degree, sequence);
  }
  return "unknown kind of orientation";
}
