// Velocities about the com of each tree, to which com.c refers everything.
//                                                      theory/smooth/kinematics.md, Body velocities

#include "smooth/velocity.h"

#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/spatial.h"
#include "base/algebra/vec.h"
#include "base/joint.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "model/data/tree_runs.h"
#include "smooth/alike/alike.h"

// V x s = (w x s_w, w x s_u + u x s_w), V = (w, u), s = (s_w, s_u); halves side by side
INLINE VecPair motion_cross(VecPair V, VecPair s) {
  VecPair out = vecpair_cross(V.x[0], V.y[0], V.z[0], s);
  out.x[1] += V.y[1] * s.z[0] - V.z[1] * s.y[0];
  out.y[1] += V.z[1] * s.x[0] - V.x[1] * s.z[0];
  out.z[1] += V.x[1] * s.y[0] - V.y[1] * s.x[0];
  return out;
}

// Three rotations of one joint: the rate of each axis from the velocity before the joint, then all
// three added.
INLINE VecPair turn_three(VecPair V, mjtNum* rate, const mjtNum* cdof, const mjtNum* qvel) {
  VecPair before = V;
  for (int k = 0; k < 3; k++) {
    VecPair axis = vecpair_load(cdof + 6 * k);
    vecpair_store(rate + 6 * k, motion_cross(before, axis));
    V = vecpair_addscl(V, axis, qvel[k]);
  }
  return V;
}

// V = velocity of the parent, plus cdof qvel dof by dof; cdof_dot = V x cdof with the
// V found so far. The three axes of a ball see the V before the joint; translations of
// a free joint don't turn.                           theory/smooth/kinematics.md, Rates of the axes
// Also joint_velocity in lanes/dynamics/motion.h, alike_velocity in smooth/alike/motion.c and
// dof_rates in step/derivative.c.
static KERNEL void com_velocities(const mjModel* m, mjData* d, const AwakeRun* run) {
  for (int i = int_max(1, run->body); i < run->body_end; i++) {
    VecPair V = vecpair_load(d->cvel + 6 * m->body_parentid[i]);

    int end = m->body_jntadr[i] + m->body_jntnum[i];
    for (int j = m->body_jntadr[i]; j < end; j++) {
      int dof = m->jnt_dofadr[j], type = m->jnt_type[j];
      const mjtNum* cdof = d->cdof + 6 * dof;
      const mjtNum* qvel = d->qvel + dof;
      mjtNum* rate = d->cdof_dot + 6 * dof;

      if (!joint_has_quat(type)) {
        VecPair axis = vecpair_load(cdof);
        vecpair_store(rate, motion_cross(V, axis));
        V = vecpair_addscl(V, axis, *qvel);
        continue;
      }
      int n = joint_scalars(type);
      if (n) {
        memset(rate, 0, 18 * sizeof(mjtNum));
        V.x[1] += qvel[0];
        V.y[1] += qvel[1];
        V.z[1] += qvel[2];
      }
      V = turn_three(V, rate + 6 * n, cdof + 6 * n, qvel + n);
    }
    vecpair_store(d->cvel + 6 * i, V);
  }
}

static void run_velocities(void* argument, const AwakeRun* run) {
  const RunData* s = argument;
  com_velocities(s->m, s->d, run);
}

static void groups_velocities(void* argument, const TreeGroups* groups, int begin, int end) {
  const RunData* s = argument;
  alike_velocities(s->m, s->d, groups, begin, end);
}

void velocities_beside(const mjModel* m, mjData* d, GroupCall beside, void* argument) {
  sp_zero(d->cvel);
  trees_share(m, d, run_velocities, beside, argument);
}

void mj_comVel(const mjModel* m, mjData* d) {
  check_pair(m, d);
  velocities_beside(m, d, groups_velocities, &(RunData){m, d});
}

//   p_i = sum m v                              linvel_i = p_i / mass
//   h_i = sum [R I R' w + (x - c) x m v]       angmom_i = h_i - (com_i - c) x p_i
//
// h_i is about c of the tree, angmom_i about com_i.
//
// Sums are over the subtree, v is the velocity of each com x. The angular momentum about com_i
// needs no relative velocity: (x - com) x m (v - linvel) sums to (x - com) x m v, because the sum
// of m (x - com) is zero. Trees have different points c, so their momenta are moved to the com of
// the whole model before the world adds them.
//                                                        theory/smooth/inertia.md, Subtree momentum
// Also subtrees in lanes/results/sensors.h and sense_momentum in derivative/sensor/sensors.c.
static KERNEL void subtree_momenta(const mjModel* m, mjData* d, mjtNum* momentum) {
  int nbody = m->nbody;

  // momentum of each body about its tree's reference point, accumulated within the tree
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
      mjtNum shift[3];
      v3_sub(shift, d->subtree_com + 3 * i, d->subtree_com);
      v3_crossadd(momentum, shift, momentum + 6 * i + 3, momentum);
      sp_addto(momentum, momentum + 6 * i);
    }
  }

  for (int i = 0; i < nbody; i++) {
    const mjtNum* p = momentum + 6 * i + 3;
    mjtNum shift[3];
    v3_scl(d->subtree_linvel + 3 * i, p, 1 / num_max(mjMINVAL, m->body_subtreemass[i]));
    if (i == 0) {
      v3_copy(d->subtree_angmom, momentum);
      continue;
    }
    v3_sub(shift, d->subtree_com + 3 * m->body_rootid[i], d->subtree_com + 3 * i);
    v3_crossadd(d->subtree_angmom + 3 * i, shift, p, momentum + 6 * i);
  }
}

void mj_subtreeVel(const mjModel* m, mjData* d) {
  check_pair(m, d);
  size_t top = arena_top(d);
  subtree_momenta(m, d, arena_num(d, 6 * m->nbody));
  arena_pop(d, top);
  d->flg_subtreevel = 1;
}
