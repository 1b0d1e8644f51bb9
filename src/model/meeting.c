// meeting.c: finds the geoms that may touch. Bits of bodies and geoms must match, and the bodies
// must be neither welded together nor parent and child.

#include "model/meeting.h"

// Does the contype of one element share a bit with the conaffinity of the other?
static int bits_match(const int* contype, const int* conaffinity, int i, int j) {
  return (contype[i] & conaffinity[j]) || (contype[j] & conaffinity[i]);
}

// Are the bodies welded together, both without dofs, or parent and child? The world doesn't count
// as a parent, so its children may touch it.
static int are_relatives(const mjModel* m, int b1, int b2, int parents) {
  int w1 = m->body_weldid[b1], w2 = m->body_weldid[b2];
  int parent1 = m->body_weldid[m->body_parentid[w1]],
      parent2 = m->body_weldid[m->body_parentid[w2]];
  return w1 == w2 || !(m->body_dofnum[w1] || m->body_dofnum[w2]) ||
         (parents && w1 && w2 && (w1 == parent2 || w2 == parent1));
}

int geoms_may_meet(const mjModel* m, int g1, int g2, int parents) {
  int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
  return bits_match(m->geom_contype, m->geom_conaffinity, g1, g2) &&
         bits_match(m->body_contype, m->body_conaffinity, b1, b2) &&
         !are_relatives(m, b1, b2, parents);
}

void meeting_write(mjModel* m) {
  for (int i = 0; i < m->ngeom; i++) {
    m->cnd_geom_contype[i] = m->geom_contype[i];
    m->cnd_geom_conaffinity[i] = m->geom_conaffinity[i];
    m->cnd_geom_meet[i] = 0;
  }
  for (int i = 0; i < m->nbody; i++) {
    m->cnd_body_contype[i] = m->body_contype[i];
    m->cnd_body_conaffinity[i] = m->body_conaffinity[i];
  }
  for (int i = 0; i < m->ngeom && m->ngeom <= MEETING_MOST; i++) {
    for (int j = i + 1; j < m->ngeom; j++) {
      // the set of a plane has all its pairs; any other pair is in the set of its first geom
      int plane = m->geom_type[j] == mjGEOM_PLANE && m->geom_type[i] != mjGEOM_PLANE;
      if (geoms_may_meet(m, i, j, 1)) {
        m->cnd_geom_meet[plane ? j : i] |= (mjtSize)1 << (plane ? i : j);
      }
    }
  }
}
