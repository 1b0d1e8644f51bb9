// frames.h: poses of bodies, coms of trees and axes of dofs.
//                                                          theory/smooth/kinematics.md, Joint poses

#pragma once

#include "base/algebra/vec.h"
#include "lanes/sincos.h"
#include "lanes/work.h"

static void lane_hinge_turns(Work* w) {
  const LaneStructure* s = w->s;
  for (int k = 0; k < s->nhinge; k++) {
    int q = w->m->jnt_qposadr[s->hinge[k]];
    Real half = (w->qpos[q] - w->constants.qpos0[q]) * (Num)0.5;
    real_sincos(w->sine + k, w->cosine + k, half);
  }
}

// Moves a body by one of its joints, whose axis and anchor are those before its own motion. hinge:
// counts the hinges so far.
// Also joint_move in smooth/kinematics.c.
INLINE void lane_joint_move(Work* w, Real3* x, Real4* Q, int joint, int* hinge) {
  const JointConstants* c = w->constants.joint + joint;
  const Real* q = w->qpos + w->m->jnt_qposadr[joint];
  Real3 pos = r3_of(c->pos), axis = r3_of(c->axis);
  int off = LANES_VARIED || !v3_iszero(w->m->jnt_pos + 3 * joint);
  Real3 anchor = off ? r3_add(*x, r4_turn(*Q, pos)) : *x, turned = r4_turn(*Q, axis);
  w->anchor[joint] = anchor;
  w->axis[joint] = turned;
  int type = w->m->jnt_type[joint];
  if (type == mjJNT_SLIDE) {
    *x = r3_addscale(*x, turned, q[0] - w->constants.qpos0[w->m->jnt_qposadr[joint]]);
    return;
  }
  Real4 turn;
  if (type == mjJNT_HINGE) {
    int k = (*hinge)++;
    Real sine = w->sine[k];
    turn = (Real4){w->cosine[k], axis.x * sine, axis.y * sine, axis.z * sine};
  } else {
    turn = r4_unit(q);
  }
  *Q = r4_mul(*Q, turn);
  if (off) {
    *x = r3_sub(anchor, r4_turn(*Q, pos));
  }
}

static void bodies_move(Work* w) {
  const mjModel* m = w->m;
  const Real one = lane_real_of(1), zero = REAL_ZERO;
  int hinge = 0;
  w->xpos[0] = w->xipos[0] = (Real3){zero, zero, zero};
  w->xquat[0] = (Real4){one, zero, zero, zero};
  w->xmat[0] = (Real33){{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
  for (int b = 1; b < m->nbody; b++) {
    const BodyConstants* c = w->constants.body + b;
    int parent = m->body_parentid[b], first = m->body_jntadr[b];
    Real3 x;
    Real4 Q;
    if (m->body_jntnum[b] == 1 && m->jnt_type[first] == mjJNT_FREE) {
      const Real* q = w->qpos + m->jnt_qposadr[first];
      x = (Real3){q[0], q[1], q[2]};
      Q = (Real4){q[3], q[4], q[5], q[6]};
      w->anchor[first] = x;
      w->axis[first] = r3_of(w->constants.joint[first].axis);
    } else {
      Real3 offset = r3_of(c->pos);
      int turned = LANES_VARIED || m->body_quat[4 * b] != 1;
      Q = turned ? r4_mul(w->xquat[parent], r4_of(c->quat)) : w->xquat[parent];
      if (m->body_mocapid[b] >= 0) {
        const Real* pos = w->mocap_pos + 3 * m->body_mocapid[b];
        const Real* quat = w->mocap_quat + 4 * m->body_mocapid[b];
        offset = (Real3){pos[0], pos[1], pos[2]};
        Q = r4_mul(w->xquat[parent], r4_unit(quat));
      }
      x = r33_muladd(w->xmat + parent, offset, w->xpos[parent]);
      for (int j = first; j < first + m->body_jntnum[b]; j++) {
        lane_joint_move(w, &x, &Q, j, &hinge);
      }
    }
    Q = r4_normalize(Q);
    w->xpos[b] = x;
    w->xquat[b] = Q;
    w->xmat[b] = r4_matrix(Q);
    w->xipos[b] = r33_muladd(w->xmat + b, r3_of(c->ipos), x);
  }
}

// The com of each tree, at its root.                       theory/smooth/inertia.md, Centre of mass
static void tree_coms(Work* w) {
  const mjModel* m = w->m;
  for (int b = 1; b < m->nbody; b++) {
    Real share = real_constant(w->constants.body[b].share);
    Real3* com = w->com + m->body_rootid[b];
    *com = m->body_rootid[b] == b ? r3_scale(w->xipos[b], share)
                                  : r3_addscale(*com, w->xipos[b], share);
  }
}

// A turn about an axis through a point: (axis, axis x (c - point)).
//                                                          theory/smooth/kinematics.md, Motion axes
// Also mj_comPos in smooth/com.c.
static void dof_axes(Work* w) {
  const mjModel* m = w->m;
  const Real one = lane_real_of(1), zero = REAL_ZERO;
  const Real3 world[3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
  for (int j = 0; j < m->njnt; j++) {
    int body = m->jnt_bodyid[j], type = m->jnt_type[j];
    Real6* S = w->cdof + m->jnt_dofadr[j];
    Real3 r = r3_sub(w->com[m->body_rootid[body]], w->anchor[j]);
    if (type == mjJNT_SLIDE) {
      *S = (Real6){REAL3_ZERO, w->axis[j]};
    } else if (type == mjJNT_HINGE) {
      *S = (Real6){w->axis[j], r3_cross(w->axis[j], r)};
    } else {
      int n = joint_scalars(type);
      for (int k = 0; k < n; k++) {
        S[k] = (Real6){REAL3_ZERO, world[k]};
      }
      for (int k = 0; k < 3; k++) {
        Real3 axis = r33_column(w->xmat + body, k);
        S[n + k] = (Real6){axis, r3_cross(axis, r)};
      }
    }
  }
}

static void frames(Work* w) {
  lane_hinge_turns(w);
  bodies_move(w);
  tree_coms(w);
  dof_axes(w);
}
