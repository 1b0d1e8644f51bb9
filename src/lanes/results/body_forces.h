// body_forces.h: accelerations of bodies, and the forces on and between them, of the last step.
//                                                   theory/smooth/inertia.md, Forces between bodies

#pragma once

#include "lanes/dynamics/motion.h"
#include "lanes/rows/contacts.h"

// Contacts and applied forces, about the coms of trees. Forces of ties are not among them.
static void external_forces(Work* w) {
  const mjModel* m = w->m;
  wrenches_clear(w);
  for (int n = 0; n < w->nmet; n++) {
    const LaneContact* contact = w->s->contact + w->met[n];
    const ContactSlot* slot = w->contact + w->met[n];
    const ContactConstants* c = w->constants.contact + w->met[n];
    Real f[6];
    contact_force(f, slot, real_constant(c->mu), contact->dim, w->has_cones, w->is_dual);
    contact_push(w, contact, slot, c, f);
  }
  for (int b = 1; b < m->nbody; b++) {
    Real6 pushed = REAL6_ZERO;
    if (w->pushed) {
      pushed = applied_wrench(w, b);
    }
    w->external[b] = r6_add(w->wrench[b], pushed);
  }
  w->external[0] = REAL6_ZERO;
}

// cacc, and cfrc_int = sum over the subtree of I A + V x* (I V) - cfrc_ext. As mj_rnePostConstraint
// after a step has it, rates of axes are of the step, and velocities the new ones.
static void body_forces(Work* w) {
  const mjModel* m = w->m;
  external_forces(w);
  w->total[0] = w->cacc[0];
  w->internal[0] = REAL6_ZERO;
  for (int b = 1; b < m->nbody; b++) {
    Real6 V = w->cvel[m->body_parentid[b]], A = w->total[m->body_parentid[b]];
    for (int j = m->body_jntadr[b]; j < m->body_jntadr[b] + m->body_jntnum[b]; j++) {
      joint_velocity(w, &V, &A, j, w->moving, w->qvel);
    }
    for (int i = m->body_dofadr[b]; i < m->body_dofadr[b] + m->body_dofnum[b]; i++) {
      A = r6_addscale(A, w->cdof[i], w->acc[i]);
    }
    w->total[b] = A;
    Real6 force = body_force(w->cinert + b, A, w->cvel[b]);
    w->internal[b] = r6_addscale(force, w->external[b], real_of(-1));
  }
  for (int b = m->nbody - 1; b > 0; b--) {
    Real6* parent = w->internal + m->body_parentid[b];
    *parent = r6_add(*parent, w->internal[b]);
  }
}
