// relative.h: poses of geoms in each other, and places, for contacts of distance fields.
//
// Files that include this must not fuse multiplications into sums: it ends searches elsewhere.

#pragma once

#include <mujoco/api/base.h>
#include <mujoco/mjdata.h>

#include "base/algebra/vec.h"
#include "model/behaviour.h"

// Pose of one frame in another.
typedef struct Relative {
  mjtNum pos[3], mat[9];
} Relative;

// Turns v by q = (w, u): v + 2 u x (w v + u x v). The order of operations is the reference's,
// because searches that start an ulp apart may end apart.
static inline void turn(mjtNum out[3], const mjtNum v[3], const mjtNum q[4]) {
  mjtNum t[3] = {q[0] * v[0] + q[2] * v[2] - q[3] * v[1], q[0] * v[1] + q[3] * v[0] - q[1] * v[2],
                 q[0] * v[2] + q[1] * v[1] - q[2] * v[0]};
  v3_cross(t, q + 1, t);
  v3_addscl(out, v, t, 2);
}

// How two geoms are turned: as their matrices say, or by the behaviour gjkepa as kinematics has
// found it, with the order in which it has rounded.
static inline QuatOrder turns_of(mjtNum quat1[4], mjtNum quat2[4], const mjModel* m,
                                 const mjData* d, int g1, int g2) {
  if (behaves(m, cndBEHAVIOUR_gjkepa)) {
    q_copy(quat1, d->geom_xquat + 4 * g1);
    q_copy(quat2, d->geom_xquat + 4 * g2);
    return QUAT_IN_PAIRS;
  }
  mju_mat2Quat(quat1, d->geom_xmat + 9 * g1);
  mju_mat2Quat(quat2, d->geom_xmat + 9 * g2);
  return QUAT_IN_TURN;
}

// The frame `from` in the frame `to`.
static inline void relative(Relative* out, const mjtNum to_pos[3], const mjtNum to_quat[4],
                            const mjtNum from_pos[3], const mjtNum from_quat[4], QuatOrder order) {
  mjtNum back[4], quat[4], origin[3];
  q_conj(back, to_quat);
  if (order == QUAT_IN_PAIRS) {
    q_mul_in_pairs(quat, back, from_quat);
    q_normalize_in_pairs(quat);
    q_tomat_in_pairs(out->mat, quat);
  } else {
    q_mul(quat, back, from_quat);
    q_normalize(quat);
    q_tomat(out->mat, quat);
  }
  turn(origin, to_pos, back);
  turn(out->pos, from_pos, back);
  v3_subfrom(out->pos, origin);
}

static inline void relative_point(mjtNum out[3], const Relative* pose, const mjtNum x[3]) {
  m3_mulv(out, pose->mat, x);
  v3_addto(out, pose->pos);
}

// Whether a gradient is a number that searches can use.
static inline int is_usable(const mjtNum g[3]) {
  return mju_abs(g[0]) <= mjMAXVAL && mju_abs(g[1]) <= mjMAXVAL && mju_abs(g[2]) <= mjMAXVAL;
}

// Whether x is none of the places found already.
static inline int is_new(mjtNum end[][3], int num, const mjtNum x[3]) {
  for (int i = 0; i < num; i++) {
    if (v3_dist(end[i], x) < mjMINVAL) {
      return 0;
    }
  }
  return 1;
}
