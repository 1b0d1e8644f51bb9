// tree.c: derives masses, sameframe flags and collision masks of bodies.

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "compile/derive/derive.h"
#include "model/reach.h"

// Frames that differ by less in every component count as equal. Kinematics then drops the
// difference.
static const mjtNum frame_eps = (mjtNum)1e-6;

static int near(const mjtNum* a, const mjtNum* b, int n, mjtNum sign) {
  for (int i = 0; i < n; i++) {
    if (!(mju_abs(a[i] - sign * b[i]) < frame_eps)) {
      return 0;
    }
  }
  return 1;
}

static int same_pos(const mjtNum a[3], const mjtNum b[3]) {
  return near(a, b, 3, 1);
}

// q and -q are one rotation
static int same_quat(const mjtNum a[4], const mjtNum b[4]) {
  return near(a, b, 4, 1) || near(a, b, 4, -1);
}

static const mjtNum origin[3] = {0, 0, 0};
static const mjtNum identity[4] = {1, 0, 0, 0};

mjtSameFrame derive_bodyframe(const mjtNum ipos[3], const mjtNum iquat[4]) {
  if (!same_quat(iquat, identity)) {
    return mjSAMEFRAME_NONE;
  }
  return same_pos(ipos, origin) ? mjSAMEFRAME_BODY : mjSAMEFRAME_BODYROT;
}

mjtSameFrame derive_sameframe(const mjtNum pos[3], const mjtNum quat[4], const mjtNum ipos[3],
                              const mjtNum iquat[4]) {
  if (same_quat(quat, identity)) {
    return same_pos(pos, origin) ? mjSAMEFRAME_BODY : mjSAMEFRAME_BODYROT;
  }
  if (same_quat(quat, iquat)) {
    return same_pos(pos, ipos) ? mjSAMEFRAME_INERTIA : mjSAMEFRAME_INERTIAROT;
  }
  return mjSAMEFRAME_NONE;
}

static void derive_frames(mjModel* m) {
  for (int b = 0; b < m->nbody; b++) {
    m->body_sameframe[b] = (mjtByte)derive_bodyframe(m->body_ipos + 3 * b, m->body_iquat + 4 * b);
  }
  for (int g = 0; g < m->ngeom; g++) {
    int b = m->geom_bodyid[g];
    m->geom_sameframe[g] = (mjtByte)derive_sameframe(m->geom_pos + 3 * g, m->geom_quat + 4 * g,
                                                     m->body_ipos + 3 * b, m->body_iquat + 4 * b);
  }
  for (int s = 0; s < m->nsite; s++) {
    int b = m->site_bodyid[s];
    m->site_sameframe[s] = (mjtByte)derive_sameframe(m->site_pos + 3 * s, m->site_quat + 4 * s,
                                                     m->body_ipos + 3 * b, m->body_iquat + 4 * b);
  }
}

// Collision masks and largest margin over the geoms of each body.
static void derive_masks(mjModel* m) {
  for (int b = 0; b < m->nbody; b++) {
    m->body_contype[b] = m->body_conaffinity[b] = 0;
  }
  for (int g = 0; g < m->ngeom; g++) {
    int b = m->geom_bodyid[g];
    m->body_contype[b] |= m->geom_contype[g];
    m->body_conaffinity[b] |= m->geom_conaffinity[g];
  }
  reach_of_bodies(m->body_margin, m);
}

void derive_subtreemass(mjModel* m) {
  for (int b = 0; b < m->nbody; b++) {
    m->body_subtreemass[b] = m->body_mass[b];
  }
  for (int b = m->nbody - 1; b > 0; b--) {
    m->body_subtreemass[m->body_parentid[b]] += m->body_subtreemass[b];
  }
}

void derive_tree(mjModel* m) {
  structure_tree(m);
  derive_frames(m);
  derive_simple(m->body_simple, m);
  structure_runs(m);
  derive_masks(m);
  derive_subtreemass(m);

  m->ngravcomp = 0;
  for (int b = 0; b < m->nbody; b++) {
    m->ngravcomp += m->body_gravcomp[b] > 0;
  }
}
