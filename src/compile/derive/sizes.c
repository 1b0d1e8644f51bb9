// sizes.c: counts the entries of derived arrays, finds simple bodies, and sizes the arena.

#include <mujoco/api/base.h>
#include <mujoco/api/step.h>
#include <mujoco/mjdata.h>
#include <stdint.h>
#include <string.h>

#include "base/joint.h"
#include "base/memory/memory.h"
#include "base/transmission.h"
#include "compile/derive/derive.h"
#include "model/behaviour.h"
#include "model/terms.h"

// a smaller component of an axis counts as 0
static const mjtNum AXIS_EPS = (mjtNum)1e-14;

// a joint anchor closer than this to the body's origin counts as 0
static const mjtNum ANCHOR_EPS = (mjtNum)1e-6;

// Do these joints leave M diagonal in any configuration, if the body's frame is its inertial frame?
// Each must act through the body's origin; a slide or hinge must be along one coordinate axis; none
// may follow a joint that turns the body. Returns 2 if all of them are slides.
static int joints_are_simple(const int* type, const mjtNum* pos, const mjtNum* axis, int n) {
  int turned = 0, sliders = 0;
  for (int j = 0; j < n; j++) {
    if (turned) {
      return 0;
    }
    for (int k = 0; k < 3; k++) {
      if (!(mju_abs(pos[3 * j + k]) < ANCHOR_EPS)) {
        return 0;
      }
    }
    if (!joint_has_quat(type[j])) {
      int components = 0;
      for (int k = 0; k < 3; k++) {
        components += mju_abs(axis[3 * j + k]) > AXIS_EPS;
      }
      if (components != 1) {
        return 0;
      }
    }
    turned = type[j] != mjJNT_SLIDE;
    sliders += !turned;
  }
  return 1 + (sliders == n);
}

// A tendon with armature couples its bodies to others, so they are not simple. Joint wraps don't
// count, because a fixed tendon's couplings outside the pattern of M are dropped.
static void demote_tendon_bodies(mjtByte* simple, const mjModel* m) {
  for (int t = 0; t < m->ntendon; t++) {
    if (terms_tendon_armature(m, t) == 0) {
      continue;
    }
    for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
      if (m->wrap_type[w] == mjWRAP_SITE) {
        simple[m->site_bodyid[m->wrap_objid[w]]] = 0;
      } else if (m->wrap_type[w] == mjWRAP_SPHERE || m->wrap_type[w] == mjWRAP_CYLINDER) {
        simple[m->geom_bodyid[m->wrap_objid[w]]] = 0;
      }
    }
  }
}

void derive_simple(mjtByte* out, const mjModel* m) {
  const int* parentid = m->body_parentid;
  int jnt = 0;
  for (int b = 0; b < m->nbody; b++) {
    int parent = parentid[b];
    int n = m->body_jntnum[b];
    int alone = parent == 0 || (parentid[parent] == 0 && m->body_jntnum[parent] == 0);
    out[b] = m->body_simple[b] && m->body_sameframe[b] == mjSAMEFRAME_BODY && alone;
    if (out[b] && n) {
      out[b] = (mjtByte)joints_are_simple(m->jnt_type + jnt, m->jnt_pos + 3 * jnt,
                                          m->jnt_axis + 3 * jnt, n);
    }
    jnt += n;
  }

  // a body with children is not simple, except the world
  for (int b = 1; b < m->nbody; b++) {
    if (parentid[b] > 0) {
      out[parentid[b]] = 0;
    }
  }
  demote_tendon_bodies(out, m);
}

int64_t derive_momentsize(const mjModel* m, int64_t nv) {
  int64_t size = 0;
  for (int i = 0; i < (int)m->nactuator; i++) {
    int joint = actuator_joint(m, i);
    size += joint >= 0 ? joint_nv(m->jnt_type[joint]) : m->actuator_outnum[i] * nv;
  }
  return size;
}

// Nodes of the BVHs of bodies: 2n - 1 for a body with n colliding geoms.
static int64_t count_nodes(const mjModel* m) {
  int64_t nodes = 0;
  int* leaf = heap_take((size_t)m->nbody * sizeof(int));
  memset(leaf, 0, (size_t)m->nbody * sizeof(int));
  for (int g = 0; g < m->ngeom; g++) {
    leaf[m->geom_bodyid[g]] += m->geom_contype[g] || m->geom_conaffinity[g];
  }
  for (int b = 0; b < m->nbody; b++) {
    nodes += leaf[b] ? 2 * (int64_t)leaf[b] - 1 : 0;
  }
  heap_free(leaf);
  return nodes;
}

void derive_sizes(DeriveSizes* out, const mjModel* m) {
  mjtByte* simple = heap_take((size_t)m->nbody);
  derive_simple(simple, m);
  structure_count(&out->structure, m, simple);
  heap_free(simple);

  out->nJmom = derive_momentsize(m, out->structure.nv);
  out->nbvhbody = count_nodes(m);
  out->nemax = 0;
  for (int i = 0; i < m->neq; i++) {
    int type = m->eq_type[i];
    out->nemax += type == mjEQ_CONNECT ? 3 : (type == mjEQ_WELD ? 7 : 1);
  }
}

// Dofs of the vertices and nodes of flexes that don't collide with themselves. By later rules they
// don't count as rows: there are many, and few contacts.
static mjtSize flex_dofs(const mjModel* m) {
  mjtSize n = 0;
  mjtByte* counted = heap_zero((size_t)m->nbody, 1);
  for (int f = 0; behaves(m, cndBEHAVIOUR_flex) && f < m->nflex; f++) {
    int collides = m->flex_selfcollide[f] != mjFLEXSELF_NONE &&
                   (m->flex_contype[f] & m->flex_conaffinity[f]) != 0;
    int follows = m->flex_interp[f] != 0;
    const int* body =
        follows ? m->flex_nodebodyid + m->flex_nodeadr[f] : m->flex_vertbodyid + m->flex_vertadr[f];
    int count = follows ? m->flex_nodenum[f] : m->flex_vertnum[f];
    for (int i = 0; i < count && !collides; i++) {
      n += counted[body[i]] ? 0 : (mjtSize)m->body_dofnum[body[i]];
      counted[body[i]] = 1;
    }
  }
  heap_free(counted);
  return n;
}

// The arena has room for as many contacts and rows as the author expected (default 100 and 500),
// with dense Jacobians and a dense matrix over rows, plus a stack for the solver's copies.
mjtSize derive_arena(const mjModel* m, mjtSize memory, mjtSize nstack) {
  const mjtSize unset = (mjtSize)-1;
  const mjtSize megabyte = (mjtSize)1 << 20;
  if (memory != unset) {
    return memory;
  }
  mjtSize ncon = m->nconmax < 0 ? 100 : (mjtSize)m->nconmax;
  mjtSize nrow = m->njmax < 0 ? 500 : (mjtSize)m->njmax;
  mjtSize nv = (mjtSize)m->nv;

  if (nstack == unset) {
    mjtSize rows = nrow + (mjtSize)m->neq + nv - flex_dofs(m);
    mjtSize elements = (mjtSize)m->nq + nv + m->nu + m->nout + m->na +
                       (mjtSize)(m->nbody + m->njnt) + (mjtSize)(m->ngeom + m->nsite) +
                       (mjtSize)(m->neq + m->ntendon + m->nwrap);
    nstack = 5 * rows * rows + 20 * elements;
    if (nstack < 1000) {
      nstack = 1000;
    }
  }
  // more than any machine has, so mj_makeData will refuse it
  if (nrow > (mjtSize)1 << 29 || nstack > (mjtSize)1 << 59) {
    return PTRDIFF_MAX;
  }
  mjtSize size = 8 * nstack + ncon * sizeof(mjContact) + nrow * (8 * 4 + 14 * 8) + nv * 12 +
                 nrow * nv * (8 + 16) + nrow * nrow * 12;
  return (size + megabyte - 1) / megabyte * megabyte;
}
