// quat.c: the public functions of quaternions and poses.

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "base/memory/check.h"

// Makes q a unit quaternion, given its length; returns that.
static mjtNum normalize_by(mjtNum q[4], mjtNum norm) {
  if (norm < mjMINVAL) {
    q_identity(q);
  } else if (mju_abs(norm - 1) > Q_UNIT_EPS) {
    mjtNum inv = 1 / norm;
    q[0] *= inv;
    v3_scl(q + 1, q + 1, inv);
  }
  return norm;
}

mjtNum q_normalize(mjtNum q[4]) {
  return normalize_by(q, mju_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]));
}

mjtNum q_normalize_in_pairs(mjtNum q[4]) {
  return normalize_by(q, mju_sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3])));
}

void mju_rotVecQuat(mjtNum res[3], const mjtNum vec[3], const mjtNum quat[4]) {
  q_rotate(res, vec, quat);
}

void mju_negQuat(mjtNum res[4], const mjtNum quat[4]) {
  q_conj(res, quat);
}

void mju_mulQuat(mjtNum res[4], const mjtNum quat1[4], const mjtNum quat2[4]) {
  q_mul(res, quat1, quat2);
}

void mju_mulQuatAxis(mjtNum res[4], const mjtNum quat[4], const mjtNum axis[3]) {
  q_mulaxis(res, quat, axis);
}

void mju_axisAngle2Quat(mjtNum res[4], const mjtNum axis[3], mjtNum angle) {
  q_axisangle(res, axis, angle);
}

void mju_quat2Mat(mjtNum res[9], const mjtNum quat[4]) {
  q_tomat(res, quat);
}

// The angle of q = (w, u) is 2 atan2(|u|, w) in [0, 2 pi]. Above pi the opposite turn is shorter.
// Also r4_turns in lanes/algebra.h.
void mju_quat2Vel(mjtNum res[3], const mjtNum quat[4], mjtNum dt) {
  mjtNum axis[3];
  v3_copy(axis, quat + 1);
  mjtNum angle = 2 * num_atan2(v3_normalize(axis), quat[0]);
  if (angle > mjPI) {
    angle -= 2 * (mjtNum)mjPI;
  }
  v3_scl(res, axis, angle / dt);
}

void mju_subQuat(mjtNum res[3], const mjtNum qa[4], const mjtNum qb[4]) {
  mjtNum difference[4];
  q_conj(difference, qb);
  q_mul(difference, difference, qa);
  mju_quat2Vel(res, difference, 1);
}

// Divides by w if the trace is positive, else by the largest of |x|, |y|, |z|, to avoid
// cancellation.
void mju_mat2Quat(mjtNum quat[4], const mjtNum mat[9]) {
  if (mat[0] + mat[4] + mat[8] > 0) {
    quat[0] = mju_sqrt(1 + mat[0] + mat[4] + mat[8]) / 2;
    mjtNum four = 4 * quat[0];
    v3_set(quat + 1, (mat[7] - mat[5]) / four, (mat[2] - mat[6]) / four, (mat[3] - mat[1]) / four);
  } else {
    // i: axis of the largest diagonal element; j, k: the next two in cyclic order
    int i = mat[0] > mat[4] && mat[0] > mat[8] ? 0 : (mat[4] > mat[8] ? 1 : 2);
    int j = (i + 1) % 3, k = (i + 2) % 3;
    mjtNum sum = 1;
    for (int n = 0; n < 3; n++) {
      sum += n == i ? mat[4 * n] : -mat[4 * n];
    }
    quat[1 + i] = mju_sqrt(sum) / 2;
    mjtNum four = 4 * quat[1 + i];
    quat[0] = (mat[3 * k + j] - mat[3 * j + k]) / four;
    quat[1 + j] = (mat[3 * i + j] + mat[3 * j + i]) / four;
    quat[1 + k] = (mat[3 * i + k] + mat[3 * k + i]) / four;
  }
  q_normalize(quat);
}

// dq/dt = (0, vel) q / 2, vel in the outer frame
void mju_derivQuat(mjtNum res[4], const mjtNum quat[4], const mjtNum vel[3]) {
  mjtNum w = quat[0], x = quat[1], y = quat[2], z = quat[3];
  res[0] = (-vel[0] * x - vel[1] * y - vel[2] * z) / 2;
  res[1] = (vel[0] * w + vel[1] * z - vel[2] * y) / 2;
  res[2] = (-vel[0] * z + vel[1] * w + vel[2] * x) / 2;
  res[3] = (vel[0] * y - vel[1] * x + vel[2] * w) / 2;
}

// q <- q exp(scale vel), vel in the inner frame
void mju_quatIntegrate(mjtNum quat[4], const mjtNum vel[3], mjtNum scale) {
  mjtNum axis[3], turn[4];
  v3_copy(axis, vel);
  mjtNum angle = scale * v3_normalize(axis);
  q_axisangle(turn, axis, angle);
  q_normalize(quat);
  q_mul(quat, quat, turn);
}

// The smallest rotation taking z to vec; a half turn about x if vec points down.
void mju_quatZ2Vec(mjtNum quat[4], const mjtNum vec[3]) {
  mjtNum axis[3], unit[3];
  const mjtNum z[3] = {0, 0, 1};
  q_identity(quat);
  v3_copy(unit, vec);
  if (v3_normalize(unit) < mjMINVAL) {
    return;
  }
  v3_cross(axis, z, unit);
  mjtNum sine = v3_normalize(axis);
  if (sine < mjMINVAL) {
    if (unit[2] < 0) {
      memset(quat, 0, 4 * sizeof(mjtNum));
      quat[1] = 1;
    }
    return;
  }
  q_axisangle(quat, axis, num_atan2(sine, unit[2]));
}

// Nearest rotation to A: turns R = R(q) by  omega = sum_k r_k x a_k / |sum_k r_k . a_k|  over the
// columns r_k, a_k until |omega| is below the tolerance.
int mju_mat2Rot(mjtNum quat[4], const mjtNum mat[9]) {
  const int max_iterations = 500;
  const mjtNum tolerance = sizeof(mjtNum) == 8 ? (mjtNum)1e-9 : (mjtNum)1e-6;
  int i = 0;
  for (; i < max_iterations; i++) {
    mjtNum rot[9], omega[3] = {0}, turn[4], dot = 0;
    q_tomat(rot, quat);
    for (int c = 0; c < 3; c++) {
      mjtNum r[3], a[3];
      m3_column(r, rot, c);
      m3_column(a, mat, c);
      v3_crossadd(omega, r, a, omega);
      dot += v3_dot(r, a);
    }
    v3_scl(omega, omega, 1 / (mju_abs(dot) + mjMINVAL));
    mjtNum angle = v3_normalize(omega);
    if (angle < tolerance) {
      break;
    }
    q_axisangle(turn, omega, angle);
    q_mul(quat, turn, quat);
    q_normalize(quat);
  }
  return i;
}

// Three turns about coordinate axes. A lower-case letter is an axis of the turned frame, an
// upper-case one an axis of the fixed frame.
void mju_euler2Quat(mjtNum quat[4], const mjtNum euler[3], const char* seq) {
  check_given(seq);
  if (strlen(seq) != 3) {
    mju_error("mju_euler2Quat: seq must contain exactly 3 characters");
  }
  mjtNum total[4] = {1, 0, 0, 0};
  for (int i = 0; i < 3; i++) {
    const char* axes = "xyzXYZ";
    const char* found = strchr(axes, seq[i]);
    if (!found) {
      mju_error("mju_euler2Quat: seq[%d] is '%c', should be one of x, y, z, X, Y, Z", i, seq[i]);
    }
    int which = (int)(found - axes);
    mjtNum turn[4] = {num_cos(euler[i] / 2), 0, 0, 0};
    turn[1 + which % 3] = num_sin(euler[i] / 2);
    if (which < 3) {
      q_mul(total, total, turn);
    } else {
      q_mul(total, turn, total);
    }
  }
  q_copy(quat, total);
}

// poses

void mju_mulPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos1[3], const mjtNum quat1[4],
                 const mjtNum pos2[3], const mjtNum quat2[4]) {
  mju_trnVecPose(posres, pos1, quat1, pos2);
  q_mul(quatres, quat1, quat2);
  q_normalize(quatres);
}

void mju_negPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos[3], const mjtNum quat[4]) {
  q_conj(quatres, quat);
  q_rotate(posres, pos, quatres);
  v3_scl(posres, posres, -1);
}

void mju_trnVecPose(mjtNum res[3], const mjtNum pos[3], const mjtNum quat[4], const mjtNum vec[3]) {
  mjtNum turned[3];
  q_rotate(turned, vec, quat);
  v3_add(res, turned, pos);
}

// A motion (w, v) or force (t, f) seen from another point, d away, and in a frame with axes rot:
//   motion  (w, v - d x w)       force  (t - d x f, f)
void mju_transformSpatial(mjtNum res[6], const mjtNum vec[6], int flg_force, const mjtNum newpos[3],
                          const mjtNum oldpos[3], const mjtNum rotnew2old[9]) {
  mjtNum moved[6], d[3], cross[3];
  sp_copy(moved, vec);
  v3_sub(d, newpos, oldpos);
  if (flg_force) {
    v3_cross(cross, d, vec + 3);
    v3_subfrom(moved, cross);
  } else {
    v3_cross(cross, d, vec);
    v3_subfrom(moved + 3, cross);
  }
  if (rotnew2old) {
    sp_tmulv(moved, rotnew2old, moved);
  }
  sp_copy(res, moved);
}
