// Parts that several rules share: the surface points of a contact, and the rule of closest points.

#include "derivative/geometry/rules.h"

#include "base/algebra/vec.h"

void witness_points(mjtNum p1[3], mjtNum p2[3], const mjContact* con) {
  v3_addscl(p1, con->pos, con->frame, -con->dist / 2);
  v3_addscl(p2, con->pos, con->frame, con->dist / 2);
}

int geometry_convex(ContactGeometry* out, const mjModel* m, const mjData* d, const mjContact* con) {
  mjtNum p1[3], p2[3], back[3];
  SurfaceShape s1, s2;
  witness_points(p1, p2, con);
  v3_scl(back, con->frame, -1);
  if (!surface_of(&s1, m, d, con->geom[0], p1, con->frame, con->frame) ||
      !surface_of(&s2, m, d, con->geom[1], p2, back, con->frame)) {
    return GEOMETRY_NOT_CLOSEST;
  }
  return contact_geometry_closest(out, &s1, &s2, con->dist) ? 0 : GEOMETRY_FLAT;
}

int contact_pair(const mjModel* m, const mjContact* con) {
  for (int i = 0; i < m->npair; i++) {
    int same = m->pair_geom1[i] == con->geom[0] && m->pair_geom2[i] == con->geom[1];
    int swapped = m->pair_geom1[i] == con->geom[1] && m->pair_geom2[i] == con->geom[0];
    if (same || swapped) {
      return i;
    }
  }
  return -1;
}
