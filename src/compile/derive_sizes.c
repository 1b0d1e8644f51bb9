#include <string.h>

#include "base/joint.h"
#include "base/vec.h"
#include "compile/derive.h"

// an axis component below this does not point anywhere
static const mjtNum AXIS_EPS = (mjtNum)1e-14;

// a joint anchor nearer than this to the body's origin is at the origin
static const mjtNum ANCHOR_EPS = (mjtNum)1e-6;

DeriveView derive_view(const mjModel* m) {
  DeriveView v = {
      .nbody = m->nbody,
      .body_parentid = m->body_parentid,
      .body_jntnum = m->body_jntnum,
      .body_sameframe = m->body_sameframe,
      .njnt = m->njnt,
      .jnt_type = m->jnt_type,
      .jnt_pos = m->jnt_pos,
      .jnt_axis = m->jnt_axis,
      .ngeom = m->ngeom,
      .geom_bodyid = m->geom_bodyid,
      .geom_contype = m->geom_contype,
      .geom_conaffinity = m->geom_conaffinity,
      .nsite = m->nsite,
      .site_bodyid = m->site_bodyid,
      .ntendon = m->ntendon,
      .tendon_armature = m->tendon_armature,
      .tendon_adr = m->tendon_adr,
      .tendon_num = m->tendon_num,
      .wrap_type = m->wrap_type,
      .wrap_objid = m->wrap_objid,
      .nu = m->nu,
      .actuator_trntype = m->actuator_trntype,
      .actuator_trnid = m->actuator_trnid,
      .neq = m->neq,
      .eq_type = m->eq_type,
  };
  return v;
}

// Do these joints, in a body whose frame is its inertial frame, leave M diagonal in any
// configuration? Each must act through the body's origin; a slide or hinge along one coordinate
// axis; and none may follow a joint that turns the body.
static int joints_are_simple(const int* type, const mjtNum* pos, const mjtNum* axis, int n) {
  int turned = 0;
  for (int j = 0; j < n; j++) {
    if (turned) {
      return 0;
    }
    for (int k = 0; k < 3; k++) {
      if (!(mju_abs(pos[3 * j + k]) < ANCHOR_EPS)) {
        return 0;
      }
    }
    if (type[j] == mjJNT_SLIDE || type[j] == mjJNT_HINGE) {
      int components = 0;
      for (int k = 0; k < 3; k++) {
        components += mju_abs(axis[3 * j + k]) > AXIS_EPS;
      }
      if (components != 1) {
        return 0;
      }
    }
    turned = type[j] == mjJNT_BALL || type[j] == mjJNT_HINGE;
  }
  return 1;
}

// Bodies that a tendon with armature pulls on are coupled to others. Joint wraps don't count: a
// fixed tendon's couplings outside the pattern of M are dropped.
static void demote_tendon_bodies(mjtByte* simple, const DeriveView* v) {
  for (int t = 0; t < v->ntendon; t++) {
    if (v->tendon_armature[t] == 0) {
      continue;
    }
    for (int w = v->tendon_adr[t]; w < v->tendon_adr[t] + v->tendon_num[t]; w++) {
      if (v->wrap_type[w] == mjWRAP_SITE) {
        simple[v->site_bodyid[v->wrap_objid[w]]] = 0;
      } else if (v->wrap_type[w] == mjWRAP_SPHERE || v->wrap_type[w] == mjWRAP_CYLINDER) {
        simple[v->geom_bodyid[v->wrap_objid[w]]] = 0;
      }
    }
  }
}

void derive_simple(mjtByte* out, const DeriveView* v) {
  int jnt = 0;
  for (int b = 0; b < v->nbody; b++) {
    int parent = v->body_parentid[b];
    int n = v->body_jntnum[b];
    int alone = parent == 0 || (v->body_parentid[parent] == 0 && v->body_jntnum[parent] == 0);
    const int* type = n ? v->jnt_type + jnt : NULL;

    out[b] = v->body_sameframe[b] == mjSAMEFRAME_BODY && alone;
    if (out[b] && n) {
      int sliders = 0;
      for (int j = 0; j < n; j++) {
        sliders += type[j] == mjJNT_SLIDE;
      }
      int simple = joints_are_simple(type, v->jnt_pos + 3 * jnt, v->jnt_axis + 3 * jnt, n);
      out[b] = (mjtByte)(simple ? 1 + (sliders == n) : 0);
    }
    jnt += n;
  }

  // children make a body part of a bigger one; bodies below the world are not coupled by it
  for (int b = 1; b < v->nbody; b++) {
    if (v->body_parentid[b] > 0) {
      out[v->body_parentid[b]] = 0;
    }
  }
  demote_tendon_bodies(out, v);
}

// An actuator's row of moments: the dofs of its joint; anything but a joint is
// given room for all dofs.
static int moment_size(const DeriveView* v, int actuator, int nv) {
  int type = v->actuator_trntype[actuator];
  if (type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT) {
    return joint_nv(v->jnt_type[v->actuator_trnid[2 * actuator]]);
  }
  return nv;
}

void derive_sizes(DeriveSizes* out, const DeriveView* v) {
  memset(out, 0, sizeof(*out));
  int nbody = v->nbody;

  // per body: own dofs, dofs of proper ancestors, dofs of the subtree, colliding geoms
  int* count = mju_malloc((size_t)nbody * (4 * sizeof(int) + sizeof(mjtByte)));
  int *own = count, *above = count + nbody, *below = count + 2 * nbody, *leaf = count + 3 * nbody;
  mjtByte* simple = (mjtByte*)(count + 4 * nbody);
  derive_simple(simple, v);
  memset(leaf, 0, (size_t)nbody * sizeof(int));

  for (int b = 0, jnt = 0; b < nbody; b++) {
    int parent = v->body_parentid[b];
    own[b] = 0;
    for (int end = jnt + v->body_jntnum[b]; jnt < end; jnt++) {
      own[b] += joint_nv(v->jnt_type[jnt]);
      out->nq += joint_nq(v->jnt_type[jnt]);
    }
    above[b] = b ? above[parent] + own[parent] : 0;
    below[b] = own[b];
    out->nv += own[b];
    out->ntree += own[b] > 0 && above[b] == 0;
  }
  for (int b = nbody - 1; b > 0; b--) {
    below[v->body_parentid[b]] += below[b];
  }
  for (int g = 0; g < v->ngeom; g++) {
    leaf[v->geom_bodyid[g]] += v->geom_contype[g] || v->geom_conaffinity[g];
  }

  // dof k of a body (from 0) has above + k ancestors
  for (int b = 0; b < nbody; b++) {
    int ancestors = own[b] * above[b] + own[b] * (own[b] - 1) / 2;
    out->nM += own[b] + ancestors;
    out->nC += own[b] + (simple[b] ? 0 : ancestors);
    out->nB += out->nv ? above[b] + below[b] : 0;
    out->nbvhbody += leaf[b] ? 2 * leaf[b] - 1 : 0;
  }
  out->nD = 2 * out->nM - out->nv;
  for (int i = 0; i < v->nu; i++) {
    out->nJmom += moment_size(v, i, out->nv);
  }
  for (int i = 0; i < v->neq; i++) {
    out->nemax += v->eq_type[i] == mjEQ_CONNECT ? 3 : (v->eq_type[i] == mjEQ_WELD ? 7 : 1);
  }
  mju_free(count);
}

// Room for contacts and rows as if as many came as the author foresaw (100 and 500 if nothing is
// said), with dense Jacobians and a dense row-by-row matrix, plus a stack for the solver's copies.
//                                                                             spec 03, section 12.4
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
    mjtSize rows = nrow + (mjtSize)m->neq + nv;
    mjtSize elements = (mjtSize)m->nq + nv + (mjtSize)(m->nu + m->na) +
                       (mjtSize)(m->nbody + m->njnt) + (mjtSize)(m->ngeom + m->nsite) +
                       (mjtSize)(m->neq + m->ntendon + m->nwrap);
    nstack = 5 * rows * rows + 20 * elements;
    if (nstack < 1000) {
      nstack = 1000;
    }
  }
  mjtSize size = 8 * nstack + ncon * sizeof(mjContact) + nrow * (8 * 4 + 14 * 8) + nv * 12 +
                 nrow * nv * (8 + 16) + nrow * nrow * 12;
  return (size + megabyte - 1) / megabyte * megabyte;
}
