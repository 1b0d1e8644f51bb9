// twist_rates.h: the rates of axes S'_j = W_<j x S_j about a point, from differences alone.
//
//   D_j W_b = S_j x (W_b - W_<j)    so    S'_j = D_j W_b - S_j x W_b      W_b = J_b z, z constant
//
// with all of it about a point that is fixed in the world.

#pragma once

#include "base/algebra/spatial.h"
#include "derivative/scene.h"

// A body seen about a point: its twist for joint velocities z, or J' w for a wrench w.
typedef struct {
  int body;
  mjtNum point[3];
  const mjtNum *z, *wrench;
} Seen;

static inline void seen_twist(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  const Seen* seen = of;
  mjtNum* J = malloc(6 * (size_t)m->nv * sizeof(mjtNum));
  update_positions(m, d);
  body_twists(J, m, d, seen->body, seen->point);
  mju_mulMatVec(y, J, seen->z, 6, m->nv);
  free(J);
}

static inline void seen_force(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  const Seen* seen = of;
  mjtNum* J = malloc(6 * (size_t)m->nv * sizeof(mjtNum));
  update_positions(m, d);
  body_twists(J, m, d, seen->body, seen->point);
  mju_mulMatTVec(y, J, seen->wrench, 6, m->nv);
  free(J);
}

// rate (6 x nv) of seen->z; J: twists of the body, 6 x nv.
static inline void twist_rates(mjtNum* rate, const Scene* s, Seen* seen, const mjtNum* J) {
  mjtNum W[6];
  mju_mulMatVec(W, J, seen->z, 6, s->nv);
  differences_by_dofs(rate, seen_twist, seen, s->m, s->d, 6, (mjtNum)1e-3);
  for (int j = 0; j < s->nv; j++) {
    mjtNum S[6], moved[6];
    for (int i = 0; i < 6; i++) {
      S[i] = J[i * s->nv + j];
    }
    sp_crossmotion(moved, S, W);
    for (int i = 0; i < 6; i++) {
      rate[i * s->nv + j] -= moved[i];
    }
  }
}
