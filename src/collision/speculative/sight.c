// A line against all geoms: filters first, then a ray, and only where that hits the distance from
// the geom that travels.                              theory/contact/speculative.md, Line of sight

#pragma STDC FP_CONTRACT OFF  // rounding decides whether a ray that grazes hits

#include "collision/speculative/sight.h"

#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "collision/broad/body_pairs.h"
#include "collision/contact_param.h"
#include "collision/ray/ray.h"
#include "collision/speculative/impact.h"
#include "model/meeting.h"

// Whether two geoms may collide: by the program's filter or their bits, and by their bodies.
static int may_collide(const mjModel* m, mjData* d, int g1, int g2, mjfConFilt filter) {
  int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
  int keeps_apart = filter ? filter(m, d, g1, g2)
                           : !(m->geom_contype[g1] & m->geom_conaffinity[g2]) &&
                                 !(m->geom_contype[g2] & m->geom_conaffinity[g1]);
  return !keeps_apart && bodies_may_meet(m, b1, b2, filter) && !bodies_excluded(m, b1, b2);
}

// Whether a geom can be in the way at all. What is fixed to the second geom is part of it, unless
// both are fixed to the world.
static int may_block(const mjModel* m, mjData* d, SightPair pair, int geom, mjfConFilt filter) {
  int type = m->geom_type[geom], weld = m->body_weldid[m->geom_bodyid[geom]];
  if (geom == pair.first || geom == pair.second || type == mjGEOM_HFIELD || type > mjGEOM_MESH) {
    return 0;
  }
  int is_part = weld && weld == m->body_weldid[m->geom_bodyid[pair.second]];
  return !is_part && may_collide(m, d, pair.first, geom, filter);
}

// Where a line meets a plane from its front. Planes are infinite, however large they are drawn.
static mjtNum ray_front(const mjData* d, int plane, const mjtNum from[3], const mjtNum way[3]) {
  mjtNum n[3], arm[3];
  m3_column(n, d->geom_xmat + 9 * plane, 2);
  v3_sub(arm, d->geom_xpos + 3 * plane, from);
  mjtNum along = v3_dot(n, way);
  return along < 0 ? v3_dot(n, arm) / along : -1;
}

// Whether the line from + x way, 0 <= x < 1, meets a geom.
static int is_crossed(const mjModel* m, const mjData* d, int geom, const mjtNum from[3],
                      const mjtNum way[3]) {
  mjtNum x = m->geom_type[geom] == mjGEOM_PLANE ? ray_front(d, geom, from, way)
                                                : ray_geom(m, d, geom, from, way, NULL);
  return x >= 0 && x < 1;
}

// Whether the line passes by the sphere around a geom.
static int passes_by(const mjModel* m, const mjData* d, int geom, const mjtNum from[3],
                     const mjtNum way[3]) {
  mjtNum arm[3], nearest[3], r = m->geom_rbound[geom], ww = v3_dot(way, way);
  v3_sub(arm, from, d->geom_xpos + 3 * geom);
  mjtNum x = ww > 0 ? num_clamp(-v3_dot(arm, way) / ww, 0, 1) : 0;
  v3_addscl(nearest, arm, way, x);
  return r > 0 && v3_norm(nearest) > r * (1 + SURFACE_SLACK);
}

// Whether two geoms touch already; then an ordinary contact keeps them apart.
static int are_touching(const mjModel* m, mjData* d, int g1, int g2) {
  mjtNum margin = contact_acting_margin(m, g1, g2, -1);
  return impact_distance(m, d, g1, g2) <= margin + m->opt.ccd_tolerance;
}

int sight_is_blocked(const mjModel* m, mjData* d, SightPair pair, const mjtNum from[3],
                     const mjtNum to[3], mjfConFilt filter) {
  mjtNum way[3];
  v3_sub(way, to, from);
  for (int g = 0; g < m->ngeom; g++) {
    if (!passes_by(m, d, g, from, way) && may_block(m, d, pair, g, filter) &&
        is_crossed(m, d, g, from, way) && !are_touching(m, d, pair.first, g)) {
      return 1;
    }
  }
  return 0;
}
