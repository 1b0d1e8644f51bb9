// Coms, inertias (inertia.c) and motion axes about the com of each tree.
//                                                            theory/conventions.md, Reference point
//
// Spatial quantities of a body or a dof are world-oriented and referred to one point for the whole
// tree, its centre of mass c = subtree_com[root]: no shift is needed between bodies, and the
// numbers stay small far from the origin.

#pragma STDC FP_CONTRACT OFF  // what cancels must be exactly zero, or sparse rows get more entries

#include <mujoco/api/smooth.h>

#include "base/algebra/simd.h"
#include "base/algebra/spatial.h"
#include "base/algebra/vec.h"
#include "base/joint.h"
#include "model/checks/pair.h"
#include "model/data/awake.h"
#include "model/data/tree_runs.h"
#include "smooth/inertia.h"

// positions

// out = mass xipos of the bodies [i, nbody)
INLINE void weighted_positions(mjtNum* restrict out, const mjtNum* restrict mass,
                               const mjtNum* restrict xipos, int i, int nbody) {
  for (; i + 4 <= nbody; i += 4) {
    Simd4 masses[3];
    simd4_repeat3(masses, mass + i);
    for (int k = 0; k < 3; k++) {
      SIMD_AT(Simd4, out + 3 * i + 4 * k) = masses[k] * SIMD_READ(Simd4, xipos + 3 * i + 4 * k);
    }
  }
  for (; i < nbody; i++) {
    v3_scl(out + 3 * i, xipos + 3 * i, mass[i]);
  }
}

// Com of every subtree: the mass-weighted sum from the leaves up, divided by the mass. If the
// parent is the body before, the sum stays in registers; otherwise it goes through the parent's
// entry in the array. In both cases a body's own share is added first, then its children's, the
// last child first, so the rounding is the same.
INLINE void subtree_coms(const mjModel* m, mjData* d, const AwakeRun* run) {
  const int* parent = m->body_parentid;
  const mjtNum* subtreemass = m->body_subtreemass;
  mjtNum* com = d->subtree_com;
  mjtNum sum[3] = {0};
  for (int i = run->body_end - 1; i >= run->body; i--) {
    mjtNum mass = subtreemass[i];
    v3_addto(sum, com + 3 * i);
    if (mass < mjMINVAL) {
      v3_copy(com + 3 * i, d->xipos + 3 * i);
    } else {
      v3_scl(com + 3 * i, sum, 1 / mass);
    }
    if (i > 0 && parent[i] != i - 1) {
      v3_addto(com + 3 * parent[i], sum);
      v3_zero(sum);
    }
  }
}

// Adds the trees of a gap, whose coms stay, to what carries them.
static void add_sleepers(const mjModel* m, mjData* d, AwakeGap gap) {
  for (int t = gap.tree_end - 1; t >= gap.tree; t--) {
    int root = m->tree_bodyadr[t];
    v3_addtoscl(d->subtree_com + 3 * m->body_parentid[root], d->subtree_com + 3 * root,
                m->body_subtreemass[root]);
  }
}

// motion axes

// The axis of a rotation about a line through a point, with r = c - point: (axis, axis x r). Both
// vectors are passed as their components xy and yz.
INLINE void turn_axis(mjtNum cdof[6], Simd2 xy, Simd2 yz, Simd2 rxy, Simd2 ryz) {
  Simd2 zx = simd2(yz[1], xy[0]), rzx = simd2(ryz[1], rxy[0]);
  SIMD_AT(Simd2, cdof) = xy;
  SIMD_AT(Simd2, cdof + 2) = simd2(zx[0], yz[0] * rzx[0] - zx[0] * ryz[0]);
  SIMD_AT(Simd2, cdof + 4) = zx * rxy - xy * rzx;
}

// c = com of the tree
INLINE void motion_axes(const mjModel* m, mjData* d, const AwakeRun* run) {
  const int* jnt_type = m->jnt_type;
  const int* dofadr = m->jnt_dofadr;
  const int* body = m->jnt_bodyid;
  const int* root = m->body_rootid;
  const mjtNum* xaxis = d->xaxis;
  const mjtNum* xanchor = d->xanchor;
  const mjtNum* com = d->subtree_com;
  mjtNum* axes = d->cdof;
  for (int j = run->joint, n = run->joint_end; j < n; j++) {
    int type = jnt_type[j];
    mjtNum* cdof = axes + 6 * dofadr[j];
    const mjtNum* axis = xaxis + 3 * j;
    const mjtNum* c = com + 3 * root[body[j]];
    const mjtNum* anchor = xanchor + 3 * j;
    Simd2 rxy = SIMD_READ(Simd2, c) - SIMD_READ(Simd2, anchor),
          ryz = SIMD_READ(Simd2, c + 1) - SIMD_READ(Simd2, anchor + 1);
    if (type == mjJNT_HINGE) {
      turn_axis(cdof, SIMD_READ(Simd2, axis), SIMD_READ(Simd2, axis + 1), rxy, ryz);
      continue;
    }
    if (type == mjJNT_SLIDE) {
      v3_zero(cdof);
      v3_copy(cdof + 3, axis);
      continue;
    }

    // translations of a free joint, along the world's axes
    int scalars = joint_scalars(type);
    for (int k = 0; k < scalars; k++) {
      sp_zero(cdof + 6 * k);
      cdof[6 * k + 3 + k] = 1;
    }

    // rotation about the body's own axes
    const mjtNum* R = d->xmat + 9 * body[j];
    for (int k = 0; k < 3; k++) {
      turn_axis(cdof + 6 * (scalars + k), simd2(R[k], R[3 + k]), simd2(R[3 + k], R[6 + k]), rxy,
                ryz);
    }
  }
}

// The coms of all subtrees. The world's sum has the order of bodies, so that no threads share it.
static KERNEL void all_coms(const mjModel* m, mjData* d) {
  for (int i = 0; i < d->cnd_nrun; i++) {
    const AwakeRun* run = awake_run(d, i);
    weighted_positions(d->subtree_com, m->body_mass, d->xipos, run->body, run->body_end);
  }
  for (int i = d->cnd_nrun - 1; i >= 0; i--) {
    if (i < d->cnd_nrun - 1) {
      add_sleepers(m, d, awake_gap(m, d, i));
    }
    subtree_coms(m, d, awake_run(d, i));
  }
}

static KERNEL void axes_of(const mjModel* m, mjData* d, const AwakeRun* run) {
  motion_axes(m, d, run);
}

static void run_axes(void* argument, const AwakeRun* run) {
  const RunData* s = argument;
  axes_of(s->m, s->d, run);
  inertia_bodies(s->m, s->d, run);
}

// About the com c of each tree: spatial inertias cinert, and axes cdof = (a, a x (c - p)) of
// rotations about a at p.
// Also dof_axes in lanes/dynamics/frames.h.
void mj_comPos(const mjModel* m, mjData* d) {
  check_pair(m, d);
  all_coms(m, d);
  memset(d->cinert, 0, 10 * sizeof(mjtNum));
  runs_share(m, d, run_axes, &(RunData){m, d});
}
