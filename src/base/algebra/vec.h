// vec.h: 3-vectors, 3x3 matrices, quaternions and 6D spatial vectors, inline.
//
// Each function is a few multiplications, called millions of times per second, so a function call
// would cost more than the work. Outputs come first and may alias an input of the same shape unless
// said otherwise. lanes/algebra.h has the same formulas for several worlds at once.
//
//   3-vector    v[3]
//   matrix      m[9], row-major: m[3*row + column]
//   quaternion  q[4] = (w, x, y, z), Hamilton product, unit for rotations
//   spatial     s[6] = (rotation, translation): motion (angular, linear velocity),
//               or force (torque, force)
//   inertia     i[10] = (Ixx Iyy Izz Ixy Ixz Iyz, m*cx m*cy m*cz, m) about the frame's origin
//                                                            theory/conventions.md, Spatial vectors

#pragma once

#include <math.h>
#include <mujoco/api/base.h>
#include <string.h>

// scalars

static inline mjtNum num_min(mjtNum a, mjtNum b) {
  return a < b ? a : b;
}

static inline mjtNum num_max(mjtNum a, mjtNum b) {
  return a > b ? a : b;
}

static inline mjtNum num_clamp(mjtNum x, mjtNum lo, mjtNum hi) {
  return x < lo ? lo : (x > hi ? hi : x);
}

static inline mjtNum num_square(mjtNum x) {
  return x * x;
}

static inline int int_min(int a, int b) {
  return a < b ? a : b;
}

static inline int int_max(int a, int b) {
  return a > b ? a : b;
}

// defines v3_cross, q_mul, q_turn, q_tomat
#define NUMBER mjtNum
#define CROSS v3_cross
#define PRODUCT q_mul
#define TURN q_turn
#define MATRIX q_tomat
#include "base/algebra/elementary.h"
#include "base/algebra/rotation_formulas.h"

// 3-vectors

static inline void v3_zero(mjtNum out[3]) {
  out[0] = out[1] = out[2] = 0;
}

static inline void v3_set(mjtNum out[3], mjtNum x, mjtNum y, mjtNum z) {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

static inline void v3_copy(mjtNum out[3], const mjtNum a[3]) {
  mjtNum x = a[0], y = a[1], z = a[2];
  v3_set(out, x, y, z);
}

static inline void v3_scl(mjtNum out[3], const mjtNum a[3], mjtNum s) {
  v3_set(out, a[0] * s, a[1] * s, a[2] * s);
}

static inline void v3_add(mjtNum out[3], const mjtNum a[3], const mjtNum b[3]) {
  v3_set(out, a[0] + b[0], a[1] + b[1], a[2] + b[2]);
}

static inline void v3_sub(mjtNum out[3], const mjtNum a[3], const mjtNum b[3]) {
  v3_set(out, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

static inline void v3_addto(mjtNum out[3], const mjtNum a[3]) {
  v3_add(out, out, a);
}

static inline void v3_subfrom(mjtNum out[3], const mjtNum a[3]) {
  v3_sub(out, out, a);
}

// out = a + s b
static inline void v3_addscl(mjtNum out[3], const mjtNum a[3], const mjtNum b[3], mjtNum s) {
  v3_set(out, a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]);
}

// out += s a
static inline void v3_addtoscl(mjtNum out[3], const mjtNum a[3], mjtNum s) {
  v3_addscl(out, out, a, s);
}

static inline mjtNum v3_dot(const mjtNum a[3], const mjtNum b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline mjtNum v3_norm(const mjtNum a[3]) {
  return mju_sqrt(v3_dot(a, a));
}

static inline mjtNum v3_dist(const mjtNum a[3], const mjtNum b[3]) {
  mjtNum d[3];
  v3_sub(d, a, b);
  return v3_norm(d);
}

// Normalizes a in place and returns its former length. A vector shorter than mjMINVAL becomes (1,
// 0, 0).
static inline mjtNum v3_normalize(mjtNum a[3]) {
  mjtNum norm = v3_norm(a);
  if (norm < mjMINVAL) {
    v3_set(a, 1, 0, 0);
  } else {
    v3_scl(a, a, 1 / norm);
  }
  return norm;
}

static inline int v3_iszero(const mjtNum a[3]) {
  return a[0] == 0 && a[1] == 0 && a[2] == 0;
}

// out = a x b + c
static inline void v3_crossadd(mjtNum out[3], const mjtNum a[3], const mjtNum b[3],
                               const mjtNum c[3]) {
  mjtNum t[3];
  v3_cross(t, a, b);
  v3_add(out, t, c);
}

// 3x3 matrices

static inline void m3_copy(mjtNum out[9], const mjtNum a[9]) {
  v3_copy(out, a);
  v3_copy(out + 3, a + 3);
  v3_copy(out + 6, a + 6);
}

static inline void m3_identity(mjtNum out[9]) {
  v3_set(out, 1, 0, 0);
  v3_set(out + 3, 0, 1, 0);
  v3_set(out + 6, 0, 0, 1);
}

// out = m v
static inline void m3_mulv(mjtNum out[3], const mjtNum m[9], const mjtNum v[3]) {
  v3_set(out, v3_dot(m, v), v3_dot(m + 3, v), v3_dot(m + 6, v));
}

// out = m' v
static inline void m3_tmulv(mjtNum out[3], const mjtNum m[9], const mjtNum v[3]) {
  v3_set(out, m[0] * v[0] + m[3] * v[1] + m[6] * v[2], m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
         m[2] * v[0] + m[5] * v[1] + m[8] * v[2]);
}

// v3_toworld: out = m x + pos, from a frame at pos with axes m. v3_tolocal: out = m' (x - pos).
static inline void v3_toworld(mjtNum out[3], const mjtNum x[3], const mjtNum pos[3],
                              const mjtNum m[9]) {
  mjtNum t[3];
  m3_mulv(t, m, x);
  v3_add(out, t, pos);
}

static inline void v3_tolocal(mjtNum out[3], const mjtNum x[3], const mjtNum pos[3],
                              const mjtNum m[9]) {
  mjtNum t[3];
  v3_sub(t, x, pos);
  m3_tmulv(out, m, t);
}

// out = a b; no aliasing
static inline void m3_mul(mjtNum out[9], const mjtNum a[9], const mjtNum b[9]) {
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      out[3 * r + c] = a[3 * r] * b[c] + a[3 * r + 1] * b[3 + c] + a[3 * r + 2] * b[6 + c];
    }
  }
}

// out = a' b; no aliasing
static inline void m3_tmul(mjtNum out[9], const mjtNum a[9], const mjtNum b[9]) {
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      out[3 * r + c] = a[r] * b[c] + a[3 + r] * b[3 + c] + a[6 + r] * b[6 + c];
    }
  }
}

// column c of m
static inline void m3_column(mjtNum out[3], const mjtNum m[9], int c) {
  v3_set(out, m[c], m[3 + c], m[6 + c]);
}

// quaternions

static inline void q_identity(mjtNum out[4]) {
  out[0] = 1;
  out[1] = out[2] = out[3] = 0;
}

static inline void q_copy(mjtNum out[4], const mjtNum q[4]) {
  mjtNum w = q[0];
  v3_copy(out + 1, q + 1);
  out[0] = w;
}

static inline void q_conj(mjtNum out[4], const mjtNum q[4]) {
  out[0] = q[0];
  v3_set(out + 1, -q[1], -q[2], -q[3]);
}

// out = q (0, axis): half of it is the derivative of q turning at rate axis about its local axes
static inline void q_mulaxis(mjtNum out[4], const mjtNum q[4], const mjtNum axis[3]) {
  mjtNum w = -q[1] * axis[0] - q[2] * axis[1] - q[3] * axis[2];
  mjtNum x = q[0] * axis[0] + q[2] * axis[2] - q[3] * axis[1];
  mjtNum y = q[0] * axis[1] + q[3] * axis[0] - q[1] * axis[2];
  mjtNum z = q[0] * axis[2] + q[1] * axis[1] - q[2] * axis[0];
  out[0] = w;
  v3_set(out + 1, x, y, z);
}

static inline int q_isidentity(const mjtNum q[4]) {
  return q[0] == 1 && q[1] == 0 && q[2] == 0 && q[3] == 0;
}

// Rotates v by q. Unlike q_turn, safe with inf or NaN in two cases: a zero v gives exactly zero for
// any q, and the identity q returns v unchanged.
static inline void q_rotate(mjtNum out[3], const mjtNum v[3], const mjtNum q[4]) {
  if (v3_iszero(v)) {
    v3_zero(out);
  } else if (q_isidentity(q)) {
    v3_copy(out, v);
  } else {
    q_turn(out, v, q);
  }
}

// Rotates v by the inverse of q.
static inline void q_unrotate(mjtNum out[3], const mjtNum v[3], const mjtNum q[4]) {
  mjtNum c[4];
  q_conj(c, q);
  q_rotate(out, v, c);
}

// quaternion of a turn by angle (radians) about a unit axis
static inline void q_axisangle(mjtNum out[4], const mjtNum axis[3], mjtNum angle) {
  if (angle == 0) {
    q_identity(out);
    return;
  }
  mjtNum s = num_sin(angle * (mjtNum)0.5);
  out[0] = num_cos(angle * (mjtNum)0.5);
  v3_scl(out + 1, axis, s);
}

// A quaternion counts as a unit quaternion if its length differs from 1 by at most this rounding.
static const mjtNum Q_UNIT_EPS =
    sizeof(mjtNum) == sizeof(double) ? (mjtNum)mjMINVAL : (mjtNum)1.2e-7;

// Is q a unit quaternion? Uses the squared length: |q|^2 - 1 is about 2 (|q| - 1).
static inline int q_isunit(const mjtNum q[4]) {
  mjtNum square = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
  return mju_abs(square - 1) <= 2 * Q_UNIT_EPS;
}

// Normalizes q in place and returns its former length. Shorter than mjMINVAL becomes the identity.
// A quaternion of unit length up to rounding keeps its bits. It is compiled once, so that every
// kernel gets the same bits from it.                           theory/conventions.md, Normalisation
__attribute__((noinline)) mjtNum q_normalize(mjtNum q[4]);

// The order in which sums of four products are rounded: one after the other, as in 3.3.7, or two
// and two, as in release 4.0.
typedef enum {
  QUAT_IN_TURN,
  QUAT_IN_PAIRS,
} QuatOrder;

// As q_mul, q_tomat and q_normalize, with sums in pairs.
static inline void q_mul_in_pairs(mjtNum out[4], const mjtNum a[4], const mjtNum b[4]) {
  mjtNum w = (a[0] * b[0] - a[1] * b[1]) - (a[2] * b[2] + a[3] * b[3]);
  mjtNum x = (a[0] * b[1] + a[1] * b[0]) + (a[2] * b[3] - a[3] * b[2]);
  mjtNum y = (a[0] * b[2] - a[1] * b[3]) + (a[2] * b[0] + a[3] * b[1]);
  mjtNum z = (a[0] * b[3] + a[1] * b[2]) - (a[2] * b[1] - a[3] * b[0]);
  out[0] = w;
  v3_set(out + 1, x, y, z);
}

static inline void q_tomat_in_pairs(mjtNum out[9], const mjtNum q[4]) {
  q_tomat(out, q);
  mjtNum ww = q[0] * q[0], xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
  out[0] = (ww - yy) + (xx - zz);
  out[4] = (ww + yy) - (xx + zz);
  out[8] = (ww - yy) - (xx - zz);
}

__attribute__((noinline)) mjtNum q_normalize_in_pairs(mjtNum q[4]);

// Copy of any quaternion as a unit one.
static inline void q_unit(mjtNum out[4], const mjtNum q[4]) {
  q_copy(out, q);
  if (!q_isunit(out)) {
    q_normalize(out);
  }
}

// spatial vectors

static inline void sp_zero(mjtNum out[6]) {
  memset(out, 0, 6 * sizeof(mjtNum));
}

static inline void sp_copy(mjtNum out[6], const mjtNum a[6]) {
  memmove(out, a, 6 * sizeof(mjtNum));
}

static inline void sp_add(mjtNum out[6], const mjtNum a[6], const mjtNum b[6]) {
  for (int i = 0; i < 6; i++) {
    out[i] = a[i] + b[i];
  }
}

static inline void sp_addto(mjtNum out[6], const mjtNum a[6]) {
  sp_add(out, out, a);
}

static inline void sp_addtoscl(mjtNum out[6], const mjtNum a[6], mjtNum s) {
  for (int i = 0; i < 6; i++) {
    out[i] += s * a[i];
  }
}

static inline mjtNum sp_dot(const mjtNum a[6], const mjtNum b[6]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

// both halves rotated into the axes m: out = (m' a, m' b)
static inline void sp_tmulv(mjtNum out[6], const mjtNum m[9], const mjtNum s[6]) {
  m3_tmulv(out, m, s);
  m3_tmulv(out + 3, m, s + 3);
}

// motion cross product: out = v x s = (w x sw, w x sv + u x sw), v = (w, u); no aliasing
static inline void sp_crossmotion(mjtNum out[6], const mjtNum v[6], const mjtNum s[6]) {
  v3_cross(out, v, s);
  v3_cross(out + 3, v, s + 3);
  v3_crossadd(out + 3, v + 3, s, out + 3);
}

// force cross product: out = v x* f = (w x fw + u x fv, w x fv), v = (w, u); no aliasing
static inline void sp_crossforce(mjtNum out[6], const mjtNum v[6], const mjtNum f[6]) {
  v3_cross(out, v, f);
  v3_crossadd(out, v + 3, f + 3, out);
  v3_cross(out + 3, v, f + 3);
}

// momentum of an inertia moving with s: out = i s; no aliasing
static inline void sp_mulinertia(mjtNum out[6], const mjtNum i[10], const mjtNum s[6]) {
  out[0] = i[0] * s[0] + i[3] * s[1] + i[4] * s[2] - i[8] * s[4] + i[7] * s[5];
  out[1] = i[3] * s[0] + i[1] * s[1] + i[5] * s[2] + i[8] * s[3] - i[6] * s[5];
  out[2] = i[4] * s[0] + i[5] * s[1] + i[2] * s[2] - i[7] * s[3] + i[6] * s[4];
  out[3] = i[8] * s[1] - i[7] * s[2] + i[9] * s[3];
  out[4] = i[6] * s[2] - i[8] * s[0] + i[9] * s[4];
  out[5] = i[7] * s[0] - i[6] * s[1] + i[9] * s[5];
}
