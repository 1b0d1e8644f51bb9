// Jacobians of points and frames of bodies. All columns come from the dof axes cdof = (w, u),
// world-oriented and referred to the point c of the dof's tree:
//
//   jacr column = w        jacp column = u + w x (p - c)
//                                                            theory/smooth/kinematics.md, Jacobians

#pragma STDC FP_CONTRACT OFF  // what cancels must be exactly zero, or sparse rows get more entries

#include "smooth/jacobian.h"

#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/joint.h"
#include "base/memory/check.h"
#include "model/checks/pair.h"

// chains

const int* jac_body_chain(int n[1], const mjModel* m, int body) {
  int weld = m->body_weldid[body];
  int dofnum = m->body_dofnum[weld];
  if (!dofnum) {
    *n = 0;
    return NULL;
  }
  int last = m->body_dofadr[weld] + dofnum - 1;
  *n = m->D_diag[last] + 1;
  return m->D_colind + m->D_rowadr[last];
}

static int common_prefix(const BodyChain* a, const BodyChain* b) {
  int n = int_min(a->ndof, b->ndof), i = 0;
  while (i < n && a->dof[i] == b->dof[i]) {
    i++;
  }
  return i;
}

// Bodies are numbered depth first, so the bodies of a subtree are consecutive. If the chains are
// sorted by body, the dofs shared by two chains are shared by all chains between them, and the dofs
// that a chain adds come after those of the chains before it.
int jac_runs(ChainRun* run, BodyChain* chain, const mjModel* m, const int* body, int nbody) {
  for (int i = 0; i < nbody; i++) {
    int at = i;
    for (; at > 0 && body[chain[at - 1].place] > body[i]; at--) {
      chain[at] = chain[at - 1];
    }
    chain[at].place = i;
    chain[at].dof = jac_body_chain(&chain[at].ndof, m, body[i]);
  }
  for (int i = 0; i < nbody; i++) {
    chain[i].nshared = i ? common_prefix(chain + i - 1, chain + i) : 0;
  }

  int nrun = 0;
  for (int i = 0; i < nbody; i++) {
    for (int begin = chain[i].nshared, end; begin < chain[i].ndof; begin = end) {
      int last = i + 1;
      end = chain[i].ndof;
      for (; last < nbody && chain[last].nshared > begin; last++) {
        end = int_min(end, chain[last].nshared);
      }
      run[nrun++] = (ChainRun){chain[i].dof + begin, end - begin, i, last};
    }
  }
  return nrun;
}

// The common prefix of chain and row stays. Usually the other columns come after the last column of
// the row and are appended. Otherwise both lists are merged in place, from the end.
int jac_merge_chain(mjtNum* val, int* col, int n, const int* chain, int count) {
  int same = 0;
  while (same < n && same < count && col[same] == chain[same]) {
    same++;
  }
  if (same == count) {
    return n;
  }
  if (same == n || chain[same] > col[n - 1]) {
    int more = count - same;
    memcpy(col + n, chain + same, more * sizeof(int));
    memset(val + n, 0, more * sizeof(mjtNum));
    return n + more;
  }
  int total = n;
  for (int a = same, b = same; b < count; b++) {
    while (a < n && col[a] < chain[b]) {
      a++;
    }
    total += a == n || col[a] != chain[b];
  }
  for (int a = n - 1, b = count - 1, k = total - 1; b >= same && k > a; k--) {
    if (a >= same && col[a] >= chain[b]) {
      b -= col[a] == chain[b];
      col[k] = col[a];
      val[k] = val[a--];
    } else {
      col[k] = chain[b--];
      val[k] = 0;
    }
  }
  return total;
}

// relative Jacobian

// Writes one column of three rows: sign times the components of v in the frame.
static inline void put_column(mjtNum* out, int stride, const mjtNum v[3], mjtNum sign,
                              const mjtNum* frame) {
  if (frame) {
    out[0] = sign * v3_dot(frame, v);
    out[stride] = sign * v3_dot(frame + 3, v);
    out[2 * stride] = sign * v3_dot(frame + 6, v);
  } else {
    out[0] = sign * v[0];
    out[stride] = sign * v[1];
    out[2 * stride] = sign * v[2];
  }
}

static void clear_rows(mjtNum* jac, int stride, int nv) {
  for (int row = 0; jac && row < 3; row++) {
    memset(jac + row * stride, 0, nv * sizeof(mjtNum));
  }
}

// Makes -0 +0 in three rows without gaps, as in a sum that starts at zero.
static void unsign_zeros(mjtNum* jac, int nv) {
  for (int i = 0; jac && i < 3 * nv; i++) {
    jac[i] += 0;
  }
}

// Shared dofs: (u + w x (p2 - c)) - (u + w x (p1 - c)) = w x (p2 - p1), without relative rotation.
// The other dofs of a body: the column of that body alone.
int jac_difference(mjtNum* jacp, mjtNum* jacr, int stride, int packed, const mjModel* m,
                   const mjData* d, int body1, const mjtNum point1[3], int body2,
                   const mjtNum point2[3], const mjtNum* frame) {
  const int body[2] = {body1, body2};
  BodyChain chain[2];
  ChainRun run[3];
  int nrun = jac_runs(run, chain, m, body, 2), column = 0;
  mjtNum between[3];
  const mjtNum zero[3] = {0, 0, 0};
  v3_sub(between, point2, point1);

  if (!packed) {
    clear_rows(jacp, stride, m->nv);
    clear_rows(jacr, stride, m->nv);
  }

  for (int k = 0; k < nrun; k++) {
    int shared = run[k].end - run[k].first == 2, side = chain[run[k].first].place;
    mjtNum sign = side || shared ? 1 : -1, r[3];
    v3_sub(r, side ? point2 : point1, d->subtree_com + 3 * m->body_rootid[body[side]]);
    for (int i = 0; i < run[k].ndof; i++, column++) {
      int dof = run[k].dof[i], to = packed ? column : dof;
      const mjtNum* cdof = d->cdof + 6 * dof;
      if (jacp) {
        mjtNum v[3];
        v3_cross(v, cdof, shared ? between : r);
        if (!shared) {
          v3_addto(v, cdof + 3);
        }
        put_column(jacp + to, stride, v, sign, frame);
      }
      if (jacr) {
        put_column(jacr + to, stride, shared ? zero : cdof, sign, shared ? NULL : frame);
      }
    }
  }
  return packed ? column : m->nv;
}

// forces and velocities

// qfrc_j += w_j . (torque + (p - c) x force) + u_j . force
void jac_add_force(mjtNum* qfrc, const mjModel* m, const mjData* d, const mjtNum force[3],
                   const mjtNum torque[3], const mjtNum point[3], int body) {
  int n;
  const int* chain = jac_body_chain(&n, m, body);
  if (!n) {
    return;
  }
  mjtNum r[3], wrench[6];
  v3_sub(r, point, d->subtree_com + 3 * m->body_rootid[body]);
  v3_crossadd(wrench, r, force, torque);
  v3_copy(wrench + 3, force);
  for (int i = 0; i < n; i++) {
    qfrc[chain[i]] += sp_dot(d->cdof + 6 * chain[i], wrench);
  }
}

void jac_point_velocity(mjtNum out[3], const mjModel* m, const mjData* d, const mjtNum point[3],
                        int body) {
  const mjtNum* cvel = d->cvel + 6 * body;
  mjtNum r[3];
  v3_sub(r, point, d->subtree_com + 3 * m->body_rootid[body]);
  v3_crossadd(out, cvel, r, cvel + 3);
}

// With A the sum of the rates of all axes above, V the point's velocity,
//
//   a = A_v + A_w x r + w x V        dw/dt = A_w
// Also point_motion in lanes/dynamics/levers.h.
void jac_point_acceleration(mjtNum out[3], mjtNum* angular, const mjModel* m, const mjData* d,
                            const mjtNum point[3], int body) {
  int n;
  const int* chain = jac_body_chain(&n, m, body);
  mjtNum rate[6] = {0}, velocity[3], r[3];
  for (int i = 0; i < n; i++) {
    sp_addtoscl(rate, d->cdof_dot + 6 * chain[i], d->qvel[chain[i]]);
  }
  v3_sub(r, point, d->subtree_com + 3 * m->body_rootid[body]);
  v3_crossadd(out, rate, r, rate + 3);
  jac_point_velocity(velocity, m, d, point, body);
  v3_crossadd(out, d->cvel + 6 * body, velocity, out);
  if (angular) {
    v3_copy(angular, rate);
  }
}

// public functions: dense, 3 x nv each

// The Jacobian of a point: its difference to a point of the world, which no dof moves.
static void point_jacobian(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr,
                           const mjtNum point[3], int body) {
  jac_difference(jacp, jacr, m->nv, 0, m, d, 0, point, body, point, NULL);
}

// For each dof that moves the body, with cdof = (w, u) about the tree's com c: its column of jacr
// is w, that of jacp is u + w x (point - c).
void mj_jac(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3],
            int body) {
  check_pair(m, d);
  check_given(point);
  check_index("mj_jac", "body", body, m->nbody);
  point_jacobian(m, d, jacp, jacr, point, body);
}

void mj_jacBody(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  check_pair(m, d);
  check_index("mj_jacBody", "body", body, m->nbody);
  point_jacobian(m, d, jacp, jacr, d->xpos + 3 * body, body);
}

void mj_jacBodyCom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  check_pair(m, d);
  check_index("mj_jacBodyCom", "body", body, m->nbody);
  point_jacobian(m, d, jacp, jacr, d->xipos + 3 * body, body);
}

void mj_jacGeom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int geom) {
  check_pair(m, d);
  check_index("mj_jacGeom", "geom", geom, m->ngeom);
  point_jacobian(m, d, jacp, jacr, d->geom_xpos + 3 * geom, m->geom_bodyid[geom]);
}

void mj_jacSite(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int site) {
  check_pair(m, d);
  check_index("mj_jacSite", "site", site, m->nsite);
  point_jacobian(m, d, jacp, jacr, d->site_xpos + 3 * site, m->site_bodyid[site]);
}

void mj_jacPointAxis(const mjModel* m, mjData* d, mjtNum* jacPoint, mjtNum* jacAxis,
                     const mjtNum point[3], const mjtNum axis[3], int body) {
  check_pair(m, d);
  check_given(point);
  check_index("mj_jacPointAxis", "body", body, m->nbody);
  if (jacAxis) {
    check_given(axis);
  }
  if (jacPoint) {
    point_jacobian(m, d, jacPoint, NULL, point, body);
  }
  if (jacAxis) {
    // an axis fixed in the body changes at the rate w x axis
    int n;
    clear_rows(jacAxis, m->nv, m->nv);
    const int* chain = jac_body_chain(&n, m, body);
    for (int i = 0; i < n; i++) {
      mjtNum v[3];
      v3_cross(v, d->cdof + 6 * chain[i], axis);
      put_column(jacAxis + chain[i], m->nv, v, 1, NULL);
    }
  }
}

// One past the last body of the subtree of a body: subtrees are contiguous.
static int subtree_end(const mjModel* m, int body) {
  int end = body + 1;
  while (end < m->nbody && m->body_parentid[end] >= body) {
    end++;
  }
  return end;
}

// The com of subtree(b) moves as a point of b with the dofs above or at b; a dof of a body k below
// moves only the part subtree(k), whose share of the mass is subtreemass_k / subtreemass_b and
// whose com is subtree_com_k.
void mj_jacSubtreeCom(const mjModel* m, mjData* d, mjtNum* jacp, int body) {
  check_pair(m, d);
  check_arrays(m->nv, jacp);
  check_index("mj_jacSubtreeCom", "body", body, m->nbody);
  point_jacobian(m, d, jacp, NULL, d->subtree_com + 3 * body, body);
  int end = subtree_end(m, body);
  for (int k = body + 1; k < end; k++) {
    mjtNum share = m->body_subtreemass[k] / m->body_subtreemass[body];
    mjtNum r[3];
    v3_sub(r, d->subtree_com + 3 * k, d->subtree_com + 3 * m->body_rootid[k]);
    for (int i = 0; i < m->body_dofnum[k]; i++) {
      int dof = m->body_dofadr[k] + i;
      const mjtNum* cdof = d->cdof + 6 * dof;
      mjtNum v[3];
      v3_crossadd(v, cdof, r, cdof + 3);
      put_column(jacp + dof, m->nv, v, share, NULL);
    }
  }
  unsign_zeros(jacp, m->nv);
}

// V is the velocity of the point, cd the rate of the dof axis. The axes of a ball, or of a free
// joint's rotation, are fixed in the body of the joint and move with its velocity.
//
//   d/dt jacr = cd_w        d/dt jacp = cd_u + cd_w x (p - c) + w x V
void mj_jacDot(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3],
               int body) {
  check_pair(m, d);
  check_given(point);
  check_index("mj_jacDot", "body", body, m->nbody);
  int nv = m->nv, n;
  clear_rows(jacp, nv, nv);
  clear_rows(jacr, nv, nv);
  const int* chain = jac_body_chain(&n, m, body);
  mjtNum r[3], velocity[3];
  v3_sub(r, point, d->subtree_com + 3 * m->body_rootid[body]);
  jac_point_velocity(velocity, m, d, point, body);

  for (int i = 0; i < n; i++) {
    int dof = chain[i];
    const mjtNum* cdof = d->cdof + 6 * dof;
    mjtNum rate[6];
    if (dof_in_quat(m, dof)) {
      sp_crossmotion(rate, d->cvel + 6 * m->dof_bodyid[dof], cdof);
    } else {
      sp_copy(rate, d->cdof_dot + 6 * dof);
    }
    if (jacp) {
      mjtNum v[3];
      v3_crossadd(v, rate, r, rate + 3);
      v3_crossadd(v, cdof, velocity, v);
      put_column(jacp + dof, nv, v, 1, NULL);
    }
    if (jacr) {
      put_column(jacr + dof, nv, rate, 1, NULL);
    }
  }
  unsign_zeros(jacr, nv);
}

// Momentum of the moving part of the subtree for a unit velocity of each dof: (composite inertia)
// cdof = (l about c, p); about the subtree's com: l + (c - com) x p.
static void angmom_column(mjtNum* mat, int nv, const mjtNum inertia[10], const mjtNum cdof[6],
                          const mjtNum shift[3]) {
  mjtNum momentum[6], t[3];
  sp_mulinertia(momentum, inertia, cdof);
  v3_crossadd(t, shift, momentum + 3, momentum);
  put_column(mat, nv, t, 1, NULL);
}

void mj_angmomMat(const mjModel* m, mjData* d, mjtNum* mat, int body) {
  check_pair(m, d);
  check_arrays(m->nv, mat);
  check_index("mj_angmomMat", "body", body, m->nbody);
  clear_rows(mat, m->nv, m->nv);
  mj_markStack(d);

  // composite inertias of the body and of those below, also of the world
  int end = subtree_end(m, body), count = end - body;
  mjtNum* inertia = mj_stackAllocNum(d, 10 * count);
  memcpy(inertia, d->cinert + 10 * body, 10 * count * sizeof(mjtNum));
  for (int k = end - 1; k > body; k--) {
    mjtNum* parent = inertia + 10 * (m->body_parentid[k] - body);
    for (int i = 0; i < 10; i++) {
      parent[i] += inertia[10 * (k - body) + i];
    }
  }

  // dofs above or at the body move all of it, dofs below only their own subtree
  int n;
  const int* chain = jac_body_chain(&n, m, body);
  mjtNum shift[3];
  const mjtNum* com = d->subtree_com + 3 * body;
  v3_sub(shift, d->subtree_com + 3 * m->body_rootid[body], com);
  for (int i = 0; i < n; i++) {
    angmom_column(mat + chain[i], m->nv, inertia, d->cdof + 6 * chain[i], shift);
  }
  for (int k = body + 1; k < end; k++) {
    v3_sub(shift, d->subtree_com + 3 * m->body_rootid[k], com);
    for (int i = 0; i < m->body_dofnum[k]; i++) {
      int dof = m->body_dofadr[k] + i;
      angmom_column(mat + dof, m->nv, inertia + 10 * (k - body), d->cdof + 6 * dof, shift);
    }
  }
  mj_freeStack(d);
}
