// motion.h: velocities of bodies and the bias force, by recursive Newton-Euler.
//                                                             theory/smooth/inertia.md, Bias forces

#pragma once

#include "lanes/work.h"

// V grows by S_j v_j, and A by (V x S_j) u_j with the V before the joint; u is v but in body_forces
//                                                    theory/smooth/kinematics.md, Rates of the axes
// Also com_velocities in smooth/velocity.c.
INLINE void joint_velocity(const Work* w, Real6* V, Real6* A, int joint, const Real* qvel,
                           const Real* rates) {
  int type = w->m->jnt_type[joint], dof = w->m->jnt_dofadr[joint];
  const Real6* S = w->cdof + dof;
  const Real *v = qvel + dof, *u = rates + dof;
  int n = type == mjJNT_FREE ? 3 : 0;
  if (n) {
    // translations along the axes of the world
    V->u = r3_add(V->u, (Real3){v[0], v[1], v[2]});
  }
  Real6 before = *V;
  int end = joint_nv(type);
  for (int k = n; k < end; k++) {
    *A = r6_addscale(*A, r6_cross(before, S[k]), u[k]);
    *V = r6_addscale(*V, S[k], v[k]);
  }
}

// I A + V x* (I V)
// Also body_force in smooth/bias.h.
INLINE Real6 lane_body_force(const Inertia10* I, Real6 A, Real6 V) {
  Real6 IA = inertia10_mul(I, A), IV = inertia10_mul(I, V);
  return (Real6){r3_crossadd(V.w, IV.w, r3_crossadd(V.u, IV.u, IA.w)),
                 r3_crossadd(V.w, IV.u, IA.u)};
}

// What is applied to a body at its com, about that of its tree.
INLINE Real6 applied_wrench(const Work* w, int body) {
  const Real* f = w->xfrc + 6 * body;
  Real3 force = {f[0], f[1], f[2]}, torque = {f[3], f[4], f[5]};
  Real3 r = r3_sub(w->xipos[body], w->com[w->m->body_rootid[body]]);
  return (Real6){r3_crossadd(r, force, torque), force};
}

// Adds what each body has to that of its parent, up to the roots of trees.
INLINE void sum_inwards(Real6* own, const mjModel* m) {
  for (int b = m->nbody - 1; b > 0; b--) {
    int parent = m->body_parentid[b];
    if (parent) {
      own[parent] = r6_add(own[parent], own[b]);
    }
  }
}

// Bodies outwards: their velocities, accelerations without qacc, and the forces that these take;
// then forces inwards and onto the axes.
// Also mj_rne in smooth/bias.c.
static void motion(Work* w) {
  const mjModel* m = w->m;
  w->cvel[0] = REAL6_ZERO;
  w->cacc[0] = (Real6){REAL3_ZERO, r3_sub(REAL3_ZERO, r3_of(w->constants.option->gravity))};
  for (int b = 1; b < m->nbody; b++) {
    Real6 V = w->cvel[m->body_parentid[b]], A = w->cacc[m->body_parentid[b]];
    for (int j = m->body_jntadr[b]; j < m->body_jntadr[b] + m->body_jntnum[b]; j++) {
      joint_velocity(w, &V, &A, j, w->qvel, w->qvel);
    }
    w->cvel[b] = V;
    w->cacc[b] = A;
    w->cfrc[b] = lane_body_force(w->cinert + b, A, V);
  }
  sum_inwards(w->cfrc, m);
  for (int i = 0; i < m->nv; i++) {
    w->moving[i] = w->qvel[i];
    w->bias[i] = r6_dot(w->cdof[i], w->cfrc[m->dof_bodyid[i]]);
  }
}
