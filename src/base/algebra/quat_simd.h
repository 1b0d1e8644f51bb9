// quat_simd.h: quaternion products in vector registers.
//
// A product is a sum of reorderings of its second factor p = (w, x, y, z), because
//
//   i p = (-x, w, -z, y)     j p = (-y, z, w, -x)     k p = (-z, -y, x, w)
//
// It takes a third of the instructions of the product by components. Its terms are summed in the
// same order, so both have the same bits; or in pairs (`order`), as those of release 4.0.

#pragma once

#include <mujoco/mjtnum.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"

// q p; out may be either
INLINE void quat4_mul(Simd4* out, const Simd4* q, const Simd4* p, QuatOrder order) {
  const Simd4 i = {-1, 1, -1, 1}, j = {-1, 1, 1, -1}, k = {-1, -1, 1, 1};
  Simd4 a = *q, b = *p;
  Simd4 w = SIMD4_ORDER(a, 0, 0, 0, 0) * b;
  Simd4 x = SIMD4_ORDER(a, 1, 1, 1, 1) * (i * SIMD4_ORDER(b, 1, 0, 3, 2));
  Simd4 y = SIMD4_ORDER(a, 2, 2, 2, 2) * (j * SIMD4_ORDER(b, 2, 3, 0, 1));
  Simd4 z = SIMD4_ORDER(a, 3, 3, 3, 3) * (k * SIMD4_ORDER(b, 3, 2, 1, 0));
  *out = order == QUAT_IN_PAIRS ? (w + x) + (y + z) : w + x + y + z;
}

// Rotates v by q, like q_turn. The last lane of x is unused. It repeats v[2], because a zero would
// cost an instruction that valgrind does not know.
INLINE void quat4_turn(mjtNum out[3], const Simd4* q, const mjtNum v[3]) {
  Simd4 a = *q, w = SIMD4_ORDER(a, 0, 0, 0, 0), x = {v[0], v[1], v[2], v[2]};
  Simd4 yzx = SIMD4_ORDER(a, 2, 3, 1, 0), zxy = SIMD4_ORDER(a, 3, 1, 2, 0);
  Simd4 t = w * x + yzx * SIMD4_ORDER(x, 2, 0, 1, 3) - zxy * SIMD4_ORDER(x, 1, 2, 0, 3);
  x += (yzx + yzx) * SIMD4_ORDER(t, 2, 0, 1, 3) - (zxy + zxy) * SIMD4_ORDER(t, 1, 2, 0, 3);
  v3_set(out, x[0], x[1], x[2]);
}

INLINE void quat4_normalize(Simd4* q, QuatOrder order) {
  mjtNum out[4] = {(*q)[0], (*q)[1], (*q)[2], (*q)[3]};
  if (order == QUAT_IN_PAIRS) {
    q_normalize_in_pairs(out);
    *q = SIMD_READ(Simd4, out);
  } else if (!q_isunit(out)) {
    q_normalize(out);
    *q = SIMD_READ(Simd4, out);
  }
}

INLINE void quat4_tomat(mjtNum R[9], const Simd4* q, QuatOrder order) {
  const mjtNum copy[4] = {(*q)[0], (*q)[1], (*q)[2], (*q)[3]};
  if (order == QUAT_IN_PAIRS) {
    q_tomat_in_pairs(R, copy);
  } else {
    q_tomat(R, copy);
  }
}
