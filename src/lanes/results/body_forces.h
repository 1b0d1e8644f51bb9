// body_forces.h: accelerations of bodies, and the forces on and between them, of the last step.
//                                                   theory/smooth/inertia.md, Forces between bodies

#pragma once

#include "lanes/dynamics/motion.h"
#include "lanes/rows/contacts.h"

// Adds the force of a contact to that on the body of its second geom and takes it from that of its
// first, about the coms of their trees. Bodies that can't move have forces, too, but the world.
static void contact_load(Work* w, const LaneContact* contact, const ContactSlot* slot,
                         const ContactConstants* c) {
  const mjModel* m = w->m;
  Real f[6];
  contact_force(f, slot, real_constant(c->mu), contact->dim, w->has_cones, w->has_forces);
  ContactSlot at = *slot;
  Real3 point = contact_point(w, contact, slot);
  int first = m->geom_bodyid[contact->geom1], second = m->geom_bodyid[contact->geom2];
  at.r = r3_sub(point, w->com[m->body_rootid[second]]);
  at.r1 = r3_sub(point, w->com[m->body_rootid[first]]);
  Real6 on_first, on_second = lane_contact_wrench(&on_first, &at, c, f, contact->dim);
  w->external[first] = r6_addscale(w->external[first], on_first, lane_real_of(-1));
  w->external[second] = r6_add(w->external[second], on_second);
}

// Contacts and applied forces, about the coms of trees. The forces of connect and weld equalities,
// which act on bodies as well, are not among them.
static void external_forces(Work* w) {
  for (int b = 0; b < w->m->nbody; b++) {
    w->external[b] = REAL6_ZERO;
    if (w->pushed && b) {
      w->external[b] = applied_wrench(w, b);
    }
  }
  for (int n = 0; n < w->nmet; n++) {
    int k = w->met[n];
    contact_load(w, w->s->contact + k, w->contact + k, w->constants.contact + k);
  }
  w->external[0] = REAL6_ZERO;
}

// cacc, and cfrc_int = sum over the subtree of I A + V x* (I V) - cfrc_ext. As mj_rnePostConstraint
// after a step has it, rates of axes are of the step, and velocities the new ones.
// Also body_forces in constraint/body_forces.c.
static void lane_body_forces(Work* w) {
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
    Real6 force = lane_body_force(w->cinert + b, A, w->cvel[b]);
    w->internal[b] = r6_addscale(force, w->external[b], lane_real_of(-1));
  }
  for (int b = m->nbody - 1; b > 0; b--) {
    Real6* parent = w->internal + m->body_parentid[b];
    *parent = r6_add(*parent, w->internal[b]);
  }
}
