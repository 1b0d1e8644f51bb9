#include <mujoco/mjmodel.h>

#include "base/joint.h"
#include "base/vec.h"
#include "compile/derive/derive.h"
#include "model/structure.h"

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

// What any geom of a body collides with; how far the widest of their margins reaches.
static void derive_masks(mjModel* m) {
  for (int b = 0; b < m->nbody; b++) {
    m->body_contype[b] = m->body_conaffinity[b] = 0;
    m->body_margin[b] = 0;
  }
  for (int g = 0; g < m->ngeom; g++) {
    int b = m->geom_bodyid[g];
    m->body_contype[b] |= m->geom_contype[g];
    m->body_conaffinity[b] |= m->geom_conaffinity[g];
    m->body_margin[b] = num_max(m->body_margin[b], m->geom_margin[g]);
  }
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
