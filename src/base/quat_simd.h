// quat_simd.h: quaternions in registers, all four numbers at once.
//
// A product is a sum of reorderings of its first factor q = (w, x, y, z), because
//
//   q i = (-x, w, z, -y)     q j = (-y, -z, w, x)     q k = (-z, y, -x, w)
//
// and so takes a third of the instructions of one that is written out by components.

#ifndef CONDYLE_BASE_QUAT_SIMD_H_
#define CONDYLE_BASE_QUAT_SIMD_H_

#include <mujoco/mjtnum.h>

#include "base/simd.h"
#include "base/vec.h"

// q (0, a); out may be q
INLINE void quat4_mulaxis(Simd4* out, const Simd4* q, const mjtNum a[3]) {
  const Simd4 i = {-1, 1, 1, -1}, j = {-1, -1, 1, 1}, k = {-1, 1, -1, 1};
  *out = SIMD4_ORDER(*q, 1, 0, 3, 2) * (i * a[0]) + SIMD4_ORDER(*q, 2, 3, 0, 1) * (j * a[1]) +
         SIMD4_ORDER(*q, 3, 2, 1, 0) * (k * a[2]);
}

// q p; out may be q
INLINE void quat4_mul(Simd4* out, const Simd4* q, const mjtNum p[4]) {
  Simd4 vector;
  quat4_mulaxis(&vector, q, p + 1);
  *out = *q * p[0] + vector;
}

INLINE void quat4_normalize(Simd4* q) {
  mjtNum out[4] = {(*q)[0], (*q)[1], (*q)[2], (*q)[3]};
  if (!q_isunit(out)) {
    q_normalize(out);
    *q = SIMD_READ(Simd4, out);
  }
}

INLINE void quat4_tomat(mjtNum R[9], const Simd4* q) {
  q_tomat(R, (const mjtNum[4]){(*q)[0], (*q)[1], (*q)[2], (*q)[3]});
}

#endif  // CONDYLE_BASE_QUAT_SIMD_H_
