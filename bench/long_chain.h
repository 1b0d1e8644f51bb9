// long_chain.h: chains of any length for the articulated-body algorithm, for its benchmark and its
// test.
//
// They are written straight into a model and its data: compiling a chain of 10,000 dofs would take
// minutes, and 4 GB for M and factors that the algorithm is there to avoid. Only what forward
// dynamics reads is filled.

#pragma once

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  mjModel m;
  mjData* d;
} LongChain;

// the arrays of ints that forward dynamics reads
// clang-format off
#define LONG_CHAIN_INTS(X) \
  X(body_parentid) X(body_weldid) X(body_rootid) X(body_dofadr) X(body_dofnum) X(body_jntadr) \
  X(body_jntnum) X(jnt_dofadr) X(jnt_type) X(dof_parentid) X(dof_bodyid) X(dof_simplenum) \
  X(M_rownnz) X(M_rowadr) X(dof_Madr)
// clang-format on

static inline void* long_array(size_t n, size_t size) {
  void* block = calloc(n ? n : 1, size);
  if (!block) {
    fprintf(stderr, "long_chain: out of memory\n");
    exit(1);
  }
  return block;
}

// n bodies behind each other, body i + 1 hangs by hinge i; rows of M only if they are wanted
static inline LongChain make_chain(int n, int factor) {
  LongChain chain = {0};
  mjModel* m = &chain.m;
  mj_defaultOption(&m->opt);
  m->nbody = n + 1;
  m->nv = m->nq = n;
  m->nC = m->nM = factor ? n * (n + 1) / 2 : 0;
  m->narena = 1 << 20;
#define TAKE(name) m->name = long_array((size_t)n + 1, sizeof(int));
  LONG_CHAIN_INTS(TAKE)
#undef TAKE
  m->dof_armature = long_array((size_t)n, sizeof(mjtNum));
  m->dof_damping = long_array((size_t)n, sizeof(mjtNum));
  m->M_colind = long_array((size_t)m->nC, sizeof(int));
  chain.d = mj_makeData(m);
  mjData* d = chain.d;

  mjtNum com = (mjtNum)n / 2;
  for (int i = 0; i < n; i++) {
    int body = i + 1;
    m->body_parentid[body] = i;
    m->body_weldid[body] = body;
    m->body_rootid[body] = 1;
    m->body_dofadr[body] = i;
    m->body_dofnum[body] = 1;
    m->body_jntadr[body] = m->jnt_dofadr[i] = i;
    m->body_jntnum[body] = 1;
    m->jnt_type[i] = mjJNT_HINGE;
    m->dof_parentid[i] = i - 1;
    m->dof_bodyid[i] = body;
    m->M_rownnz[i] = i + 1;
    for (int k = 0; factor && k <= i; k++) {
      m->M_rowadr[i] = m->dof_Madr[i] = i * (i + 1) / 2;
      m->M_colind[m->M_rowadr[i] + k] = k;
    }

    // hinge about y or z at x = i, a ball of mass 1 at its middle
    mjtNum *s = d->cdof + 6 * i, *I = d->cinert + 10 * body, x = (mjtNum)i + (mjtNum)0.5 - com;
    s[1 + i % 2] = 1;
    s[i % 2 ? 4 : 5] = (i % 2 ? -1 : 1) * (com - (mjtNum)i);
    I[0] = (mjtNum)0.1;
    I[1] = I[2] = (mjtNum)0.1 + x * x;
    I[6] = x;
    I[9] = 1;
    d->xipos[3 * body] = d->subtree_com[3 * body] = com;
    d->qvel[i] = (mjtNum)sin(i) / (mjtNum)n;
    d->qfrc_actuator[i] = (mjtNum)cos(i);
  }
  mj_comVel(m, d);
  return chain;
}

static inline void delete_chain(LongChain* chain) {
#define GIVE_BACK(name) free(chain->m.name);
  LONG_CHAIN_INTS(GIVE_BACK)
#undef GIVE_BACK
  free(chain->m.dof_armature);
  free(chain->m.dof_damping);
  free(chain->m.M_colind);
  mj_deleteData(chain->d);
}
