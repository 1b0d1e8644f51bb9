// vector.c: the public functions of 3-, 4- and n-vectors.

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/dense.h"
#include "base/algebra/vec.h"

// 3-vectors

void mju_zero3(mjtNum res[3]) {
  v3_zero(res);
}

void mju_copy3(mjtNum res[3], const mjtNum data[3]) {
  v3_copy(res, data);
}

void mju_scl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl) {
  v3_scl(res, vec, scl);
}

void mju_add3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]) {
  v3_add(res, vec1, vec2);
}

void mju_sub3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]) {
  v3_sub(res, vec1, vec2);
}

void mju_addTo3(mjtNum res[3], const mjtNum vec[3]) {
  v3_addto(res, vec);
}

void mju_subFrom3(mjtNum res[3], const mjtNum vec[3]) {
  v3_subfrom(res, vec);
}

void mju_addToScl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl) {
  v3_addtoscl(res, vec, scl);
}

void mju_addScl3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3], mjtNum scl) {
  v3_addscl(res, vec1, vec2, scl);
}

mjtNum mju_normalize3(mjtNum vec[3]) {
  return v3_normalize(vec);
}

mjtNum mju_norm3(const mjtNum vec[3]) {
  return v3_norm(vec);
}

mjtNum mju_dot3(const mjtNum vec1[3], const mjtNum vec2[3]) {
  return v3_dot(vec1, vec2);
}

mjtNum mju_dist3(const mjtNum pos1[3], const mjtNum pos2[3]) {
  return v3_dist(pos1, pos2);
}

void mju_mulMatVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]) {
  m3_mulv(res, mat, vec);
}

void mju_mulMatTVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]) {
  m3_tmulv(res, mat, vec);
}

void mju_cross(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]) {
  v3_cross(res, a, b);
}

// 4-vectors

void mju_zero4(mjtNum res[4]) {
  memset(res, 0, 4 * sizeof(mjtNum));
}

void mju_unit4(mjtNum res[4]) {
  q_identity(res);
}

void mju_copy4(mjtNum res[4], const mjtNum data[4]) {
  q_copy(res, data);
}

mjtNum mju_normalize4(mjtNum vec[4]) {
  return q_normalize(vec);
}

// n-vectors

void mju_zero(mjtNum* res, int n) {
  mju_fill(res, 0, n);
}

void mju_fill(mjtNum* res, mjtNum val, int n) {
  for (int i = 0; i < n; i++) {
    res[i] = val;
  }
}

void mju_copy(mjtNum* res, const mjtNum* vec, int n) {
  if (n > 0) {
    memmove(res, vec, (size_t)n * sizeof(mjtNum));
  }
}

mjtNum mju_sum(const mjtNum* vec, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) {
    sum += vec[i];
  }
  return sum;
}

mjtNum mju_L1(const mjtNum* vec, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) {
    sum += mju_abs(vec[i]);
  }
  return sum;
}

void mju_add(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n) {
  for (int i = 0; i < n; i++) {
    res[i] = vec1[i] + vec2[i];
  }
}

void mju_sub(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n) {
  for (int i = 0; i < n; i++) {
    res[i] = vec1[i] - vec2[i];
  }
}

void mju_addTo(mjtNum* res, const mjtNum* vec, int n) {
  mju_add(res, res, vec, n);
}

void mju_subFrom(mjtNum* res, const mjtNum* vec, int n) {
  mju_sub(res, res, vec, n);
}

void mju_addToScl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n) {
  mju_addScl(res, res, vec, scl, n);
}

void mju_addScl(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, mjtNum scl, int n) {
  for (int i = 0; i < n; i++) {
    res[i] = vec1[i] + scl * vec2[i];
  }
}

mjtNum mju_normalize(mjtNum* res, int n) {
  mjtNum norm = mju_norm(res, n);
  if (norm < mjMINVAL) {
    mju_zero(res, n);
    if (n > 0) {
      res[0] = 1;
    }
  } else {
    mju_scl(res, res, 1 / norm, n);
  }
  return norm;
}

mjtNum mju_norm(const mjtNum* res, int n) {
  return mju_sqrt(dot_n(res, res, n));
}

mjtNum mju_dot(const mjtNum* vec1, const mjtNum* vec2, int n) {
  return dot_n(vec1, vec2, n);
}

int mju_isZero(const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) {
    if (vec[i] != 0) {
      return 0;
    }
  }
  return 1;
}

// conversions between float, double and mjtNum
#define CONVERT(name, To, From)                \
  void name(To* res, const From* vec, int n) { \
    for (int i = 0; i < n; i++) {              \
      res[i] = (To)vec[i];                     \
    }                                          \
  }

CONVERT(mju_f2n, mjtNum, float)
CONVERT(mju_n2f, float, mjtNum)
CONVERT(mju_d2n, mjtNum, double)
CONVERT(mju_n2d, double, mjtNum)
