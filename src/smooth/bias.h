// bias.h: acceleration of a body, and the force that gives it: the steps of recursive Newton-Euler.

#pragma once

#include <mujoco/mjdata.h>

#include "base/algebra/simd.h"
#include "base/algebra/spatial.h"
#include "base/algebra/vec.h"

// Both steps of motion in two parts, between which nothing of it changes: cvel, cdof_dot and, of
// trees in groups, qfrc_bias; then qfrc_bias of all others. Trees in groups are read once for both.
void bias_velocities(const mjModel* m, mjData* d);
void bias_rest(const mjModel* m, mjData* d);

// the world's acceleration relative to a freely falling frame: gravity, pointing upwards
INLINE void world_acceleration(mjtNum out[6], const mjModel* m) {
  sp_zero(out);
  if (!(m->opt.disableflags & mjDSBL_GRAVITY)) {
    v3_scl(out + 3, m->opt.gravity, -1);
  }
}

// a = a_parent + sum over the dofs of the body
INLINE Spatial body_acceleration(Spatial a, const mjModel* m, const mjData* d, int body,
                                 int flg_acc) {
  int end = m->body_dofadr[body] + m->body_dofnum[body];
  for (int j = m->body_dofadr[body]; j < end; j++) {
    a = spatial_addscl(a, spatial_load(d->cdof_dot + 6 * j), d->qvel[j]);
    if (flg_acc) {
      a = spatial_addscl(a, spatial_load(d->cdof + 6 * j), d->qacc[j]);
    }
  }
  return a;
}

// f = I a + v x* (I v), with I a and I v found side by side. For s = (w, u), inertia J about the
// origin and first moment h = mass com:
//
//   I s = (J w + h x u,  mass u - h x w)          v x* f = (w x f_w + u x f_u,  w x f_u)
// Also in lanes/dynamics/motion.h, smooth/alike/motion.c, step/derivative.c and
// derivative/tree/dynamics.c.
INLINE Spatial body_force(const mjtNum I[10], Spatial a, Spatial v) {
  VecPair w = {simd2(a.p[0][0], v.p[0][0]), simd2(a.p[0][1], v.p[0][1]),
               simd2(a.p[1][0], v.p[1][0])};
  VecPair u = {simd2(a.p[1][1], v.p[1][1]), simd2(a.p[2][0], v.p[2][0]),
               simd2(a.p[2][1], v.p[2][1])};
  VecPair hu = vecpair_cross(I[6], I[7], I[8], u), hw = vecpair_cross(I[6], I[7], I[8], w);
  VecPair torque = {I[0] * w.x + I[3] * w.y + I[4] * w.z + hu.x,
                    I[3] * w.x + I[1] * w.y + I[5] * w.z + hu.y,
                    I[4] * w.x + I[5] * w.y + I[2] * w.z + hu.z};
  VecPair force = {I[9] * u.x - hw.x, I[9] * u.y - hw.y, I[9] * u.z - hw.z};

  // the first half of each pair belongs to I a, the second to I v
  VecPair momentum = {simd2(torque.x[1], force.x[1]), simd2(torque.y[1], force.y[1]),
                      simd2(torque.z[1], force.z[1])};
  VecPair gyro = vecpair_cross(w.x[1], w.y[1], w.z[1], momentum);
  mjtNum x = force.x[1], y = force.y[1], z = force.z[1];
  Simd2 fx = simd2(torque.x[0] + (u.y[1] * z - u.z[1] * y), force.x[0]) + gyro.x;
  Simd2 fy = simd2(torque.y[0] + (u.z[1] * x - u.x[1] * z), force.y[0]) + gyro.y;
  Simd2 fz = simd2(torque.z[0] + (u.x[1] * y - u.y[1] * x), force.z[0]) + gyro.z;
  return (Spatial){{simd2(fx[0], fy[0]), simd2(fz[0], fx[1]), simd2(fy[1], fz[1])}};
}
