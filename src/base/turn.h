// turn.h: quaternions in registers, all four numbers at once.
//
// A product is a sum of reorderings of its first factor q = (w, x, y, z), because
//
//   q i = (-x, w, z, -y)     q j = (-y, -z, w, x)     q k = (-z, y, -x, w)
//
// and so takes a third of the instructions of one that is written out by components.

#ifndef CONDYLE_BASE_TURN_H_
#define CONDYLE_BASE_TURN_H_

#include "base/pack.h"
#include "base/target.h"
#include "base/vec.h"

// q (0, a); out may be q
INLINE void turn_mulaxis(Four* out, const Four* q, const mjtNum a[3]) {
  const Four i = {-1, 1, 1, -1}, j = {-1, -1, 1, 1}, k = {-1, 1, -1, 1};
  *out = FOUR_ORDER(*q, 1, 0, 3, 2) * (i * a[0]) + FOUR_ORDER(*q, 2, 3, 0, 1) * (j * a[1]) +
         FOUR_ORDER(*q, 3, 2, 1, 0) * (k * a[2]);
}

// q p; out may be q
INLINE void turn_mul(Four* out, const Four* q, const mjtNum p[4]) {
  Four vector;
  turn_mulaxis(&vector, q, p + 1);
  *out = *q * p[0] + vector;
}

INLINE void turn_normalize(Four* q) {
  mjtNum out[4] = {(*q)[0], (*q)[1], (*q)[2], (*q)[3]};
  if (!q_isunit(out)) {
    q_normalize(out);
    *q = FOUR_READ(out);
  }
}

INLINE void turn_tomat(mjtNum R[9], const Four* q) {
  q_tomat(R, (const mjtNum[4]){(*q)[0], (*q)[1], (*q)[2], (*q)[3]});
}

#endif  // CONDYLE_BASE_TURN_H_
