// inertia.h: spatial inertias and the joint-space inertia matrix.
//                                                       theory/smooth/inertia.md, Composite inertia

#pragma once

#include "lanes/work.h"

// The inertia of a body about the com of its tree: R T R' + m (|d|^2 E - d d'), T in body axes.
// Also body_inertia in smooth/inertia.c.
INLINE Inertia10 lane_body_inertia(const BodyConstants* c, const Real33* R, Real3 d) {
  Real xx = real_constant(c->xx), yy = real_constant(c->yy), zz = real_constant(c->zz);
  Real xy = real_constant(c->xy), xz = real_constant(c->xz), yz = real_constant(c->yz);
  Real m = real_constant(c->mass);
  const Real3 T[3] = {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
  const Real3 row[3] = {R->x, R->y, R->z};
  Real3 RT[3];
  for (int i = 0; i < 3; i++) {
    RT[i] = r3_addscale(r3_addscale(r3_scale(T[0], row[i].x), T[1], row[i].y), T[2], row[i].z);
  }
  Real3 md = r3_scale(d, m);
  Real sx = md.x * d.x, sy = md.y * d.y, sz = md.z * d.z;
  return (Inertia10){r3_dot(RT[0], row[0]) + (sy + sz),
                     r3_dot(RT[1], row[1]) + (sx + sz),
                     r3_dot(RT[2], row[2]) + (sx + sy),
                     real_mulsub(md.x, d.y, r3_dot(RT[0], row[1])),
                     real_mulsub(md.x, d.z, r3_dot(RT[0], row[2])),
                     real_mulsub(md.y, d.z, r3_dot(RT[1], row[2])),
                     md,
                     m};
}

INLINE void inertia10_addto(Inertia10* sum, const Inertia10* a) {
  sum->xx += a->xx;
  sum->yy += a->yy;
  sum->zz += a->zz;
  sum->xy += a->xy;
  sum->xz += a->xz;
  sum->yz += a->yz;
  sum->md = r3_add(sum->md, a->md);
  sum->m += a->m;
}

static void body_inertias(Work* w) {
  const mjModel* m = w->m;
  for (int b = 1; b < m->nbody; b++) {
    Real3 d = r3_sub(w->xipos[b], w->com[m->body_rootid[b]]);
    w->cinert[b] = lane_body_inertia(w->constants.body + b, w->xmat + b, d);
    w->crb[b] = w->cinert[b];
  }
  for (int b = m->nbody - 1; b > 0; b--) {
    if (m->body_parentid[b]) {
      inertia10_addto(w->crb + m->body_parentid[b], w->crb + b);
    }
  }
}

// M_ij = S_j . (Ic_i S_i), armature on the diagonal
// Also mj_makeM in smooth/inertia.c.
static void inertia_matrix(Work* w) {
  const LanePattern* p = &w->s->M;
  for (int k = 0; k < p->npanel; k++) {
    const LanePanel* panel = p->panel + k;
    const int* column = p->column + panel->column;
    for (int i = panel->first; i < panel->first + panel->count; i++) {
      const DofConstants* c = w->constants.dof + i;
      Real* row = w->M + lane_row_at(i);
      int simple = w->m->dof_simplenum[i];
      Real6 S = w->cdof[i], momentum = inertia10_mul(w->crb + w->m->dof_bodyid[i], S);
      for (int a = 0; a < panel->n; a++) {
        row[column[a]] = simple ? REAL_ZERO : r6_dot(momentum, w->cdof[column[a]]);
      }
      for (int j = panel->first; j < i; j++) {
        row[j] = simple ? REAL_ZERO : r6_dot(momentum, w->cdof[j]);
      }
      row[i] = simple ? real_constant(c->simple) : r6_dot(momentum, S) + c->armature;
    }
  }
}
