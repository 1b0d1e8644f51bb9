// The reach of bodies, from that of their geoms.

#include "model/reach.h"

#include <mujoco/api/base.h>

mjtNum body_reach(const mjModel* m, int body) {
  if (!(m->opt.enableflags & mjENBL_OVERRIDE)) {
    return m->body_margin[body];
  }
  mjtNum reach = m->opt.o_margin;
  int begin = m->body_geomadr[body], end = begin + m->body_geomnum[body];
  for (int g = begin; g < end && behaves(m, cndBEHAVIOUR_marginband); g++) {
    reach = num_max(reach, geom_reach(m, g));
  }
  return reach;
}

void reach_of_bodies(mjtNum* body_margin, const mjModel* m) {
  mju_zero(body_margin, m->nbody);
  for (int g = 0; g < m->ngeom; g++) {
    mjtNum* reach = body_margin + m->geom_bodyid[g];
    *reach = num_max(*reach, reach_alone(m, m->geom_margin[g], m->geom_gap[g]));
  }
}
