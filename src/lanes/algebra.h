// algebra.h: vectors, quaternions, matrices and spatial vectors whose numbers are Reals.
//
// The formulas are those of base/algebra/vec.h and base/algebra/spatial.h; there they stand on
// arrays of plain numbers, here on structs that stay in registers.

#pragma once

#include <math.h>

#include "base/algebra/elementary.h"
#include "lanes/real.h"

typedef struct {
  Real x, y, z;
} Real3;

// a quaternion
typedef struct {
  Real w, x, y, z;
} Real4;

// a matrix, by rows
typedef struct {
  Real3 x, y, z;
} Real33;

// a spatial vector about the com of the tree: rotation or torque, translation or force
typedef struct {
  Real3 w, u;
} Real6;

// a matrix of spatial vectors, by columns
typedef struct {
  Real6 column[6];
} Real66;

static const Real3 REAL3_ZERO;
static const Real6 REAL6_ZERO;

// 3-vectors

INLINE Real3 r3_of(const Constant a[3]) {
  return (Real3){real_constant(a[0]), real_constant(a[1]), real_constant(a[2])};
}

INLINE Real3 r3_add(Real3 a, Real3 b) {
  return (Real3){a.x + b.x, a.y + b.y, a.z + b.z};
}

INLINE Real3 r3_sub(Real3 a, Real3 b) {
  return (Real3){a.x - b.x, a.y - b.y, a.z - b.z};
}

INLINE Real3 r3_scale(Real3 a, Real s) {
  return (Real3){a.x * s, a.y * s, a.z * s};
}

// a + b s
INLINE Real3 r3_addscale(Real3 a, Real3 b, Real s) {
  return (Real3){real_muladd(b.x, s, a.x), real_muladd(b.y, s, a.y), real_muladd(b.z, s, a.z)};
}

INLINE Real r3_dot(Real3 a, Real3 b) {
  return real_muladd(a.z, b.z, real_muladd(a.y, b.y, a.x * b.x));
}

INLINE Real3 r3_cross(Real3 a, Real3 b) {
  return (Real3){real_mulsub(a.z, b.y, a.y * b.z), real_mulsub(a.x, b.z, a.z * b.x),
                 real_mulsub(a.y, b.x, a.x * b.y)};
}

// a x b + c
INLINE Real3 r3_crossadd(Real3 a, Real3 b, Real3 c) {
  return (Real3){real_muladd(a.y, b.z, real_mulsub(a.z, b.y, c.x)),
                 real_muladd(a.z, b.x, real_mulsub(a.x, b.z, c.y)),
                 real_muladd(a.x, b.y, real_mulsub(a.y, b.x, c.z))};
}

INLINE Real3 r3_select(Mask mask, Real3 yes, Real3 no) {
  return (Real3){real_select(mask, yes.x, no.x), real_select(mask, yes.y, no.y),
                 real_select(mask, yes.z, no.z)};
}

// A unit vector, (1, 0, 0) for a vector that has no direction.
INLINE Real3 r3_normalize(Real3 a) {
  Real norm = real_sqrt(r3_dot(a, a));
  Mask none = norm < lane_real_of((Num)1e-15);
  Real inverse = 1 / real_select(none, lane_real_of(1), norm);
  return r3_select(none, (Real3){lane_real_of(1), REAL_ZERO, REAL_ZERO}, r3_scale(a, inverse));
}

// matrices

// of a matrix by rows
INLINE Real33 r33_of(const Constant a[9]) {
  return (Real33){
      {real_constant(a[0]), real_constant(a[1]), real_constant(a[2])},
      {real_constant(a[3]), real_constant(a[4]), real_constant(a[5])},
      {real_constant(a[6]), real_constant(a[7]), real_constant(a[8])},
  };
}

// out = R a
INLINE Real3 r33_mul(const Real33* R, Real3 a) {
  return (Real3){r3_dot(R->x, a), r3_dot(R->y, a), r3_dot(R->z, a)};
}

// R a + b
INLINE Real3 r33_muladd(const Real33* R, Real3 a, Real3 b) {
  return (Real3){real_muladd(R->x.z, a.z, real_muladd(R->x.y, a.y, real_muladd(R->x.x, a.x, b.x))),
                 real_muladd(R->y.z, a.z, real_muladd(R->y.y, a.y, real_muladd(R->y.x, a.x, b.y))),
                 real_muladd(R->z.z, a.z, real_muladd(R->z.y, a.y, real_muladd(R->z.x, a.x, b.z)))};
}

// R' a
INLINE Real3 r33_tmul(const Real33* R, Real3 a) {
  return r3_addscale(r3_addscale(r3_scale(R->x, a.x), R->y, a.y), R->z, a.z);
}

// columns
INLINE Real3 r33_column(const Real33* R, int k) {
  return k == 0   ? (Real3){R->x.x, R->y.x, R->z.x}
         : k == 1 ? (Real3){R->x.y, R->y.y, R->z.y}
                  : (Real3){R->x.z, R->y.z, R->z.z};
}

// quaternions

INLINE Real4 r4_of(const Constant a[4]) {
  return (Real4){real_constant(a[0]), real_constant(a[1]), real_constant(a[2]),
                 real_constant(a[3])};
}

// the product a b
INLINE Real4 r4_mul(Real4 a, Real4 b) {
  return (Real4){real_mulsub(a.z, b.z, real_mulsub(a.y, b.y, real_mulsub(a.x, b.x, a.w * b.w))),
                 real_mulsub(a.z, b.y, real_muladd(a.y, b.z, real_muladd(a.x, b.w, a.w * b.x))),
                 real_muladd(a.z, b.x, real_muladd(a.y, b.w, real_mulsub(a.x, b.z, a.w * b.y))),
                 real_muladd(a.z, b.w, real_mulsub(a.y, b.x, real_muladd(a.x, b.y, a.w * b.z)))};
}

// v turned by a unit quaternion
INLINE Real3 r4_turn(Real4 q, Real3 v) {
  Real3 u = {q.x, q.y, q.z};
  Real3 t = r3_crossadd(u, v, r3_scale(v, q.w));
  Real3 twice = {u.x + u.x, u.y + u.y, u.z + u.z};
  return r3_crossadd(twice, t, v);
}

#if LANES_SINGLE
static const Num NEARLY_ONE = 1e-4f;
#else
static const Num NEARLY_ONE = 1e-8;
#endif

// Of unit length; the identity for a quaternion that is too short. Nearly all have that length but
// for rounding, and then 1/sqrt(s) = 1 - (s - 1)/2 has an error of 3/8 (s - 1)^2.
INLINE Real4 r4_normalize(Real4 q) {
  Real square = real_muladd(q.z, q.z, real_muladd(q.y, q.y, real_muladd(q.x, q.x, q.w * q.w)));
  Real inverse = real_mulsub(square, lane_real_of((Num)0.5), lane_real_of((Num)1.5));
  Mask far = ~(real_abs(square - 1) < lane_real_of(NEARLY_ONE));
  if (mask_any(far)) {
    Real norm = real_sqrt(square);
    Mask none = norm < lane_real_of((Num)1e-15);
    q.w = real_select(none, lane_real_of(1), q.w);
    inverse = real_select(far, real_where(~none, 1 / norm), inverse);
    return (Real4){q.w * real_select(none, lane_real_of(1), inverse), q.x * inverse, q.y * inverse,
                   q.z * inverse};
  }
  return (Real4){q.w * inverse, q.x * inverse, q.y * inverse, q.z * inverse};
}

// The quaternion in a row of numbers, made a unit one.
INLINE Real4 r4_unit(const Real q[4]) {
  return r4_normalize((Real4){q[0], q[1], q[2], q[3]});
}

INLINE Real4 r4_conjugate(Real4 q) {
  return (Real4){q.w, -q.x, -q.y, -q.z};
}

// The rotation vector of a quaternion, its angle in [0, pi].
// Also mju_quat2Vel in base/algebra/quat.c.
INLINE Real3 r4_turns(Real4 q) {
  Real4 e = r4_normalize(q);
  Real sine = real_sqrt(real_muladd(e.z, e.z, real_muladd(e.y, e.y, e.x * e.x)));
  Real scale = sine;
  for (int l = 0; l < LANES; l++) {
    double s = (double)sine[l], half = portable_atan2(s, fabs((double)e.w[l]));
    double over = s > 1e-15 ? 2 * half / s : 2;
    scale[l] = (Num)(e.w[l] < 0 ? -over : over);
  }
  return (Real3){e.x * scale, e.y * scale, e.z * scale};
}

INLINE Real33 r4_matrix(Real4 q) {
  Real x = q.x + q.x, y = q.y + q.y, z = q.z + q.z;
  Real wx = q.w * x, wy = q.w * y, wz = q.w * z, xy = q.x * y, xz = q.x * z, yz = q.y * z;
  Real xx = q.x * x, yy = q.y * y, zz = q.z * z;
  return (Real33){{1 - yy - zz, xy - wz, xz + wy},
                  {xy + wz, 1 - xx - zz, yz - wx},
                  {xz - wy, yz + wx, 1 - xx - yy}};
}

// spatial vectors

INLINE Real6 r6_add(Real6 a, Real6 b) {
  return (Real6){r3_add(a.w, b.w), r3_add(a.u, b.u)};
}

// a + b s
INLINE Real6 r6_addscale(Real6 a, Real6 b, Real s) {
  return (Real6){r3_addscale(a.w, b.w, s), r3_addscale(a.u, b.u, s)};
}

INLINE Real r6_dot(Real6 a, Real6 b) {
  Real first = r3_dot(a.w, b.w);
  return real_muladd(a.u.z, b.u.z, real_muladd(a.u.y, b.u.y, real_muladd(a.u.x, b.u.x, first)));
}

// The rate of the axis s that moves along with V: V x s.
//                                                    theory/smooth/kinematics.md, Rates of the axes
INLINE Real6 r6_cross(Real6 V, Real6 s) {
  return (Real6){r3_cross(V.w, s.w), r3_crossadd(V.w, s.u, r3_cross(V.u, s.w))};
}

// The rate of the momentum p that moves along with V: V x* p.
INLINE Real6 r6_crossforce(Real6 V, Real6 p) {
  return (Real6){r3_crossadd(V.w, p.w, r3_cross(V.u, p.u)), r3_cross(V.w, p.u)};
}

// B s
INLINE Real6 r66_mul(const Real66* B, Real6 s) {
  Real6 out = r6_addscale(REAL6_ZERO, B->column[0], s.w.x);
  out = r6_addscale(r6_addscale(out, B->column[1], s.w.y), B->column[2], s.w.z);
  out = r6_addscale(r6_addscale(out, B->column[3], s.u.x), B->column[4], s.u.y);
  return r6_addscale(out, B->column[5], s.u.z);
}

// A spatial inertia: about the com of the tree, first moment and mass.
//                                                         theory/smooth/inertia.md, Spatial inertia
typedef struct {
  Real xx, yy, zz, xy, xz, yz;
  Real3 md;
  Real m;
} Inertia10;

// I s
INLINE Real6 inertia10_mul(const Inertia10* I, Real6 s) {
  Real3 w = s.w, u = s.u;
  Real3 Jw = {
      real_muladd(I->xz, w.z, real_muladd(I->xy, w.y, I->xx * w.x)),
      real_muladd(I->yz, w.z, real_muladd(I->yy, w.y, I->xy * w.x)),
      real_muladd(I->zz, w.z, real_muladd(I->yz, w.y, I->xz * w.x)),
  };
  return (Real6){r3_crossadd(I->md, u, Jw), r3_crossadd(w, I->md, r3_scale(u, I->m))};
}
