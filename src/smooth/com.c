#include <string.h>

#include "base/target.h"
#include "base/vec.h"

// Positions, inertias, motion axes and velocities about the com of each tree.    spec 04, section 3
//
// Spatial quantities of a body or a dof are world-oriented and referred to one point for the whole
// tree, its centre of mass
// c = subtree_com[root]: no shift is needed between bodies, and the numbers stay
// small far from the origin.

// positions

// com of every subtree: mass-weighted sum from the leaves up, divided by the mass
static KERNEL void subtree_coms(const mjModel* m, mjData* d) {
  int nbody = m->nbody;
  mjtNum* com = d->subtree_com;
  for (int i = 0; i < nbody; i++) {
    v3_scl(com + 3 * i, d->xipos + 3 * i, m->body_mass[i]);
  }
  for (int i = nbody - 1; i > 0; i--) {
    v3_addto(com + 3 * m->body_parentid[i], com + 3 * i);
  }
  for (int i = 0; i < nbody; i++) {
    mjtNum mass = m->body_subtreemass[i];
    if (mass < mjMINVAL) {
      v3_copy(com + 3 * i, d->xipos + 3 * i);
    } else {
      v3_scl(com + 3 * i, com + 3 * i, 1 / mass);
    }
  }
}

// I = R diag(inertia) R' + mass (|d|^2 E - d d'), then mass d and mass; d = com of the body - c
INLINE void com_inertia(mjtNum out[10], const mjtNum R[9], const mjtNum inertia[3], mjtNum mass,
                        const mjtNum d[3]) {
  mjtNum md[3], Rx[3], Ry[3], Rz[3];
  v3_scl(md, d, mass);
  for (int k = 0; k < 3; k++) {
    Rx[k] = R[k] * inertia[k];
    Ry[k] = R[3 + k] * inertia[k];
    Rz[k] = R[6 + k] * inertia[k];
  }
  out[0] = v3_dot(Rx, R) + md[1] * d[1] + md[2] * d[2];
  out[1] = v3_dot(Ry, R + 3) + md[0] * d[0] + md[2] * d[2];
  out[2] = v3_dot(Rz, R + 6) + md[0] * d[0] + md[1] * d[1];
  out[3] = v3_dot(Rx, R + 3) - md[0] * d[1];
  out[4] = v3_dot(Rx, R + 6) - md[0] * d[2];
  out[5] = v3_dot(Ry, R + 6) - md[1] * d[2];
  v3_copy(out + 6, md);
  out[9] = mass;
}

// rotation about an axis through a point, r = c - point: (axis, axis x r)
INLINE void turn_axis(mjtNum cdof[6], const mjtNum axis[3], const mjtNum r[3]) {
  v3_copy(cdof, axis);
  v3_cross(cdof + 3, axis, r);
}

INLINE void joint_axes(const mjModel* m, mjData* d, int joint) {
  int body = m->jnt_bodyid[joint];
  mjtNum* cdof = d->cdof + 6 * m->jnt_dofadr[joint];
  mjtNum r[3], axis[3];

  switch (m->jnt_type[joint]) {
    case mjJNT_SLIDE:
      v3_zero(cdof);
      v3_copy(cdof + 3, d->xaxis + 3 * joint);
      return;

    case mjJNT_HINGE:
      v3_sub(r, d->subtree_com + 3 * m->body_rootid[body], d->xanchor + 3 * joint);
      turn_axis(cdof, d->xaxis + 3 * joint, r);
      return;

    case mjJNT_FREE:
      // translation along the world's axes
      memset(cdof, 0, 18 * sizeof(mjtNum));
      cdof[3] = cdof[6 + 4] = cdof[12 + 5] = 1;
      cdof += 18;
      break;

    default:
      break;
  }

  // rotation about the body's own axes
  v3_sub(r, d->subtree_com + 3 * m->body_rootid[body], d->xanchor + 3 * joint);
  for (int k = 0; k < 3; k++) {
    m3_column(axis, d->xmat + 9 * body, k);
    turn_axis(cdof + 6 * k, axis, r);
  }
}

static KERNEL void com_inertias(const mjModel* m, mjData* d) {
  memset(d->cinert, 0, 10 * sizeof(mjtNum));
  for (int i = 1; i < m->nbody; i++) {
    mjtNum offset[3];
    v3_sub(offset, d->xipos + 3 * i, d->subtree_com + 3 * m->body_rootid[i]);
    com_inertia(d->cinert + 10 * i, d->ximat + 9 * i, m->body_inertia + 3 * i, m->body_mass[i],
                offset);
  }
}

static KERNEL void dof_axes(const mjModel* m, mjData* d) {
  for (int j = 0; j < m->njnt; j++) {
    joint_axes(m, d, j);
  }
}

void mj_comPos(const mjModel* m, mjData* d) {
  subtree_coms(m, d);
  com_inertias(m, d);
  dof_axes(m, d);
}

// velocities

// three rotations sharing the velocity before them: rate of each axis, then all three added
INLINE void turn_three(mjtNum V[6], mjtNum* cdof_dot, const mjtNum* cdof, const mjtNum* qvel) {
  for (int k = 0; k < 3; k++) {
    sp_crossmotion(cdof_dot + 6 * k, V, cdof + 6 * k);
  }
  for (int k = 0; k < 3; k++) {
    sp_addtoscl(V, cdof + 6 * k, qvel[k]);
  }
}

// V = velocity of the parent, plus cdof qvel dof by dof; cdof_dot = V x cdof with the
// V found so far. The three axes of a ball see the V before the joint; translations of
// a free joint don't turn.                                                     spec 04, section 3.2
static KERNEL void com_velocities(const mjModel* m, mjData* d) {
  sp_zero(d->cvel);
  for (int i = 1; i < m->nbody; i++) {
    const mjtNum* parent = d->cvel + 6 * m->body_parentid[i];
    mjtNum V[6];
    v3_copy(V, parent);
    v3_copy(V + 3, parent + 3);

    int end = m->body_jntadr[i] + m->body_jntnum[i];
    for (int j = m->body_jntadr[i]; j < end; j++) {
      int dof = m->jnt_dofadr[j];
      const mjtNum* cdof = d->cdof + 6 * dof;
      const mjtNum* qvel = d->qvel + dof;
      mjtNum* rate = d->cdof_dot + 6 * dof;

      switch (m->jnt_type[j]) {
        case mjJNT_FREE:
          memset(rate, 0, 18 * sizeof(mjtNum));
          v3_addto(V + 3, qvel);
          turn_three(V, rate + 18, cdof + 18, qvel + 3);
          break;

        case mjJNT_BALL:
          turn_three(V, rate, cdof, qvel);
          break;

        default:
          sp_crossmotion(rate, V, cdof);
          sp_addtoscl(V, cdof, *qvel);
          break;
      }
    }
    v3_copy(d->cvel + 6 * i, V);
    v3_copy(d->cvel + 6 * i + 3, V + 3);
  }
}

void mj_comVel(const mjModel* m, mjData* d) {
  com_velocities(m, d);
}

//   p_i = sum m v                              linvel_i = p_i / mass
//   h_i = sum [R I R' w + (x - c) x m v]       angmom_i = h_i - (com_i - c) x p_i
//
// h_i is about c of the tree, angmom_i about com_i.
//
// Sums are over the subtree, v at the coms x. (x - com) x m (v - linvel) sums to (x - com) x m v,
// because the sum of m (x - com) is zero. Trees have different c, so their momenta are moved to the
// com of everything before the world adds them.                                spec 04, section 3.4
void mj_subtreeVel(const mjModel* m, mjData* d) {
  int nbody = m->nbody;
  mj_markStack(d);

  // momentum of each body about its tree's reference point, accumulated within the tree
  mjtNum* momentum = mj_stackAllocNum(d, 6 * nbody);
  sp_zero(momentum);
  for (int i = 1; i < nbody; i++) {
    sp_mulinertia(momentum + 6 * i, d->cinert + 10 * i, d->cvel + 6 * i);
  }
  for (int i = nbody - 1; i > 0; i--) {
    int parent = m->body_parentid[i];
    if (parent) {
      sp_addto(momentum + 6 * parent, momentum + 6 * i);
    } else {
      // about the world's com: h + (c - com) x p
      mjtNum shift[3], t[3];
      v3_sub(shift, d->subtree_com + 3 * i, d->subtree_com);
      v3_cross(t, shift, momentum + 6 * i + 3);
      v3_addto(momentum, t);
      sp_addto(momentum, momentum + 6 * i);
    }
  }

  for (int i = 0; i < nbody; i++) {
    const mjtNum* p = momentum + 6 * i + 3;
    mjtNum shift[3], t[3];
    v3_scl(d->subtree_linvel + 3 * i, p, 1 / num_max(mjMINVAL, m->body_subtreemass[i]));
    if (i == 0) {
      v3_copy(d->subtree_angmom, momentum);
      continue;
    }
    v3_sub(shift, d->subtree_com + 3 * m->body_rootid[i], d->subtree_com + 3 * i);
    v3_cross(t, shift, p);
    v3_add(d->subtree_angmom + 3 * i, momentum + 6 * i, t);
  }
  mj_freeStack(d);
}
