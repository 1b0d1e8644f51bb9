// group.h: trees of the same shape, one in each lane of vectors.
//
// Stages read what they need of all trees of a group into vectors, compute as for one tree, and
// write back. The numbers of a tree are consecutive in every array, so that four of each of four
// trees are read or written at once. A group of fewer trees than lanes repeats its first one, which
// then is written several times, with the same bits.
//                                                   theory/smooth/inertia.md, Trees side by side

#pragma once

#include <mujoco/mjdata.h>
#include <stddef.h>

#include "base/algebra/lane_vectors.h"
#include "base/joint.h"
#include "model/data/tree_runs.h"
#include "model/tree/alike.h"

// Where the trees' elements begin, and how many each has. Element k of any tree is element k of
// tree 0, shifted.
typedef struct TreeGroup_ {
  int tree[SIMD_N];
  int body[SIMD_N], joint[SIMD_N], dof[SIMD_N], qpos[SIMD_N], entry[SIMD_N];  // entry: of M
  int nbody, njnt, ndof, nq, nentry;
} TreeGroup;

INLINE void group_load(TreeGroup* g, const mjModel* m, const TreeGroups* groups, int k) {
  const int *tree = groups->tree + groups->group[2 * k], count = groups->group[2 * k + 1];
  for (int l = 0; l < SIMD_N; l++) {
    int t = tree[l < count ? l : 0], body = m->tree_bodyadr[t], dof = m->tree_dofadr[t];
    g->tree[l] = t;
    g->body[l] = body;
    g->dof[l] = dof;
    g->joint[l] = m->body_jntadr[body];
    g->qpos[l] = m->jnt_qposadr[g->joint[l]];
    g->entry[l] = m->M_rowadr[dof];
  }
  int t = g->tree[0], last = g->dof[0] + m->tree_dofnum[t] - 1, joint = m->dof_jntid[last];
  g->nbody = m->tree_bodynum[t];
  g->ndof = m->tree_dofnum[t];
  g->njnt = joint + 1 - g->joint[0];
  g->nq = m->jnt_qposadr[joint] - g->qpos[0] + joint_nq(m->jnt_type[joint]);
  g->nentry = m->M_rowadr[last] + m->M_rownnz[last] - g->entry[0];
}

// Reads n numbers of each tree from an array of `columns` numbers per element, from number
// `offset` on after the trees' first elements.
INLINE void group_read(SimdN* to, const mjtNum* from, const int first[SIMD_N], int columns,
                       int offset, int n) {
  const mjtNum* at[SIMD_N];
  for (int l = 0; l < SIMD_N; l++) {
    at[l] = from + (ptrdiff_t)columns * first[l] + offset;
  }
  lanes_read(to, at, n);
}

// Writes them there.
INLINE void group_write(mjtNum* to, const SimdN* from, const int first[SIMD_N], int columns,
                        int offset, int n) {
  mjtNum* at[SIMD_N];
  for (int l = 0; l < SIMD_N; l++) {
    at[l] = to + (ptrdiff_t)columns * first[l] + offset;
  }
  lanes_write(at, from, n, SIMD_N);
}
