// pose.c: orientations as quaternions where mjData has matrices. The quaternion of a geom, site or
// inertial frame is that of its body times its own, not normalised. A frame that counts as equal to
// its body's frame or inertial frame takes the quaternion of that frame exactly.

#pragma STDC FP_CONTRACT OFF  // a product by the identity must not change a bit

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "computed/fill.h"

static void inertial_quat(mjtNum out[4], const mjModel* m, const mjData* d, int body) {
  if (m->body_sameframe[body] == mjSAMEFRAME_NONE) {
    mju_mulQuat(out, d->xquat + 4 * body, m->body_iquat + 4 * body);
  } else {
    q_copy(out, d->xquat + 4 * body);
  }
}

static void attached_quat(mjtNum out[4], const mjModel* m, const mjData* d, int body,
                          const mjtNum quat[4], int sameframe) {
  if (sameframe == mjSAMEFRAME_NONE) {
    mju_mulQuat(out, d->xquat + 4 * body, quat);
  } else if (sameframe == mjSAMEFRAME_INERTIA || sameframe == mjSAMEFRAME_INERTIAROT) {
    inertial_quat(out, m, d, body);
  } else {
    q_copy(out, d->xquat + 4 * body);
  }
}

void fill_xiquat(void* out, const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nbody; i++) {
    inertial_quat((mjtNum*)out + 4 * i, m, d, i);
  }
}

void fill_geom_xquat(void* out, const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->ngeom; i++) {
    attached_quat((mjtNum*)out + 4 * i, m, d, m->geom_bodyid[i], m->geom_quat + 4 * i,
                  m->geom_sameframe[i]);
  }
}

void fill_site_xquat(void* out, const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nsite; i++) {
    attached_quat((mjtNum*)out + 4 * i, m, d, m->site_bodyid[i], m->site_quat + 4 * i,
                  m->site_sameframe[i]);
  }
}
