// quat_derivative.c: derivatives on the rotation group. A small turn e of a quaternion is q exp(e),
// in its own axes. K = skew(a) is the matrix of a x (Sola, Deray and Atchuthan, A micro Lie theory
// for state estimation in robotics, 2018, appendix B).
//                                    theory/smooth/kinematics.md, Derivatives on the rotation group

#include <mujoco/api/base.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"

static void skew(mjtNum out[9], const mjtNum a[3]) {
  v3_set(out, 0, -a[2], a[1]);
  v3_set(out + 3, a[2], 0, -a[0]);
  v3_set(out + 6, -a[1], a[0], 0);
}

// out = x I + y skew(a) + z a a'
static void combine(mjtNum out[9], mjtNum x, mjtNum y, mjtNum z, const mjtNum a[3]) {
  mjtNum K[9];
  skew(K, a);
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      out[3 * r + c] = (r == c ? x : 0) + y * K[3 * r + c] + z * a[r] * a[c];
    }
  }
}

// The difference is 2t a with |a| = 1, and K^2 = a a' - I:
//
//   Da = I + t K + (1 - t / tan t) K^2        Db = -Da'
//
// t / tan t is 1 at t = 0. The difference itself jumps at the half turn, t = pi/2.
void mjd_subQuat(const mjtNum qa[4], const mjtNum qb[4], mjtNum Da[9], mjtNum Db[9]) {
  const mjtNum tiny = sizeof(mjtNum) == 8 ? (mjtNum)6e-8 : (mjtNum)1e-3;
  mjtNum axis[3], jacobian[9];
  mju_subQuat(axis, qa, qb);
  mjtNum t = v3_normalize(axis) / 2;
  mjtNum c = t < tiny ? 0 : 1 - t / num_tan(t);
  combine(jacobian, 1 - c, t, c, axis);
  if (Da) {
    m3_copy(Da, jacobian);
  }
  if (Db) {
    mju_transpose(Db, jacobian, 3, 3);
    mju_scl(Db, Db, -1, 9);
  }
}

// With s = scale vel, x = |s| and
//
//   b = sin x / x        c = (1 - cos x) / x^2        d = (1 - b) / x^2
//
//   Dquat = cos x I - b skew(s) + c s s' = exp(-skew(s))
//   Dvel  = b I - c skew(s) + d s s'                            Dscale = Dvel vel
//
// b, c and d lose digits for small x, where their series are used.
void mjd_quatIntegrate(const mjtNum vel[3], mjtNum scale, mjtNum Dquat[9], mjtNum Dvel[9],
                       mjtNum Dscale[3]) {
  const mjtNum series_below = (mjtNum)1 / 32;
  mjtNum s[3], b, c, d;
  v3_scl(s, vel, scale);
  mjtNum x2 = v3_dot(s, s), x = mju_sqrt(x2);
  if (x <= series_below) {
    b = 1 - x2 / 6 * (1 - x2 / 20 * (1 - x2 / 42));
    c = (1 - x2 / 12 * (1 - x2 / 30 * (1 - x2 / 56))) / 2;
    d = (1 - x2 / 20 * (1 - x2 / 42 * (1 - x2 / 72))) / 6;
  } else {
    b = num_sin(x) / x;
    c = (1 - num_cos(x)) / x2;
    d = (1 - b) / x2;
  }
  if (Dquat) {
    combine(Dquat, num_cos(x), -b, c, s);
  }
  if (Dvel || Dscale) {
    mjtNum jacobian[9];
    combine(jacobian, b, -c, d, s);
    if (Dscale) {
      m3_mulv(Dscale, jacobian, vel);
    }
    if (Dvel) {
      m3_copy(Dvel, jacobian);
    }
  }
}
