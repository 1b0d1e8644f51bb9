// Twists of bodies on the way out from the root, and derivatives of J' F of forces at points on the
// way back: loads are summed over subtrees, then each pair of dofs of a chain takes two dot
// products.
// Symbols: kinematics.h; S_k = (s_k, l_k), rotation and translation.

#include "derivative/tree/kinematics.h"

#include <mujoco/api/model.h>
#include <string.h>

// velocities

// W_b = sum of S_k z_k over the chain of b; W_<j: the sum before the joint of j
Twists twists_make(const mjModel* m, mjData* d, const mjtNum* z) {
  Twists W = {z, mj_stackAllocNum(d, 6 * (size_t)m->nbody), mj_stackAllocNum(d, 6 * (size_t)m->nv)};
  sp_zero(W.body);
  for (int b = 1; b < m->nbody; b++) {
    mjtNum* own = W.body + 6 * b;
    sp_copy(own, W.body + 6 * m->body_parentid[b]);
    int end = m->body_dofadr[b] + m->body_dofnum[b];
    for (int dof = m->body_dofadr[b]; dof < end;) {
      DofStep step = dof_step(m, dof);
      for (int k = dof; k < step.end; k++) {
        sp_copy(W.before + 6 * k, own);
      }
      for (; dof < step.end; dof++) {
        sp_addtoscl(own, d->cdof + 6 * dof, z[dof]);
      }
    }
  }
  return W;
}

// s_j x (v_b(p) - v_<j(p)) + w_<j x S_j(p)          w the angular velocity
void twists_point_derivative(mjtNum out[3], const mjModel* m, const mjData* d, const Twists* W,
                             int b, const mjtNum p[3], int j) {
  mjtNum since[6], v[3], moved[3], turn[3];
  const mjtNum *before = W->before + 6 * j, *S = d->cdof + 6 * j;
  for (int i = 0; i < 6; i++) {
    since[i] = W->body[6 * b + i] - before[i];
  }
  velocity_at(v, m, d, b, since, p);
  velocity_at(moved, m, d, b, S, p);
  v3_cross(out, S, v);
  v3_cross(turn, before, moved);
  v3_addto(out, turn);
}

// forces

Load* loads_make(const mjModel* m, mjData* d) {
  size_t bytes = (size_t)m->nbody * sizeof(Load);
  Load* loads = mj_stackAllocByte(d, bytes, _Alignof(mjtNum));
  memset(loads, 0, bytes);
  return loads;
}

void load_add_direction(Load* loads, int body, const mjtNum a[3], const mjtNum g[3]) {
  mjtNum along = v3_dot(a, g), *turn = loads[body].turn;
  for (int i = 0; i < 3; i++) {
    v3_addtoscl(turn + 3 * i, g, a[i]);
    turn[4 * i] -= along;
  }
}

void load_add_force(Load* loads, const mjModel* m, const mjData* d, int body, const mjtNum p[3],
                    const mjtNum F[3]) {
  mjtNum r[3];
  v3_sub(r, p, tree_point(m, d, body));
  v3_addto(loads[body].force, F);
  load_add_direction(loads, body, r, F);
}

void load_add_torque(Load* loads, int body, const mjtNum T[3]) {
  v3_addto(loads[body].torque, T);
}

// The generalized force on dof k of a force F at a point p is F . S_k(p), where S_k(p) = l_k + s_k
// x p is the velocity of p by dof k = (s_k, l_k). If j comes before k, dof j turns the point and
// the axis of k but not F; if it comes after k, it moves the point alone:
//
//   D_j = F . (s_j x S_k(p)) = s_j . ((l_k + s_k x p) x F) = s_j . (l_k x F + (p F' - F.p E) s_k)
//   D_j = F . (s_k x S_j(p)),   the same with j and k exchanged
//
// Both are linear in F and (p F' - F.p E), which are summed over the subtree of the later dof. A
// torque T has the generalized force s_k . T, which changes with s_k alone: D_j = T . (s_j x s_k)
// if j comes before k.
static KERNEL void add_loads(mjtNum* G, const mjModel* m, const mjData* d, const Load* loads,
                             mjtNum scale) {
  int nv = m->nv;
  for (int k = 0; k < nv; k++) {
    const Load* load = loads + m->dof_bodyid[k];
    const mjtNum *S = d->cdof + 6 * k, *force = load->force;
    const int* chain = m->D_colind + m->D_rowadr[k];
    int n = m->D_diag[k], together = dof_step(m, k).first;
    mjtNum arm[3], twist[3];
    m3_mulv(arm, load->turn, S);
    v3_cross(twist, S + 3, force);
    v3_addto(arm, twist);
    v3_cross(twist, S, load->torque);
    for (int i = 0; i <= n; i++) {
      int j = chain[i];
      const mjtNum* axis = d->cdof + 6 * j;
      mjtNum both = scale * v3_dot(axis, arm);
      G[(size_t)k * nv + j] += both + scale * v3_dot(axis, twist);
      if (j < together) {
        G[(size_t)j * nv + k] += both;
      }
    }

    // the other dofs of a quaternion turn each other's axes, whichever comes first
    for (int j = together; j < k; j++) {
      const mjtNum *axis = d->cdof + 6 * j, *own = d->cdof + 6 * k;
      mjtNum moment[3], t[3];
      m3_mulv(moment, load->turn, axis);
      v3_cross(t, axis + 3, force);
      v3_addto(moment, t);
      v3_cross(t, axis, load->torque);
      v3_addto(moment, t);
      G[(size_t)j * nv + k] += scale * v3_dot(own, moment);
    }
  }
}

// G += scale D (J' loads): the sums of add_loads over subtrees
void loads_derivative(mjtNum* G, const mjModel* m, mjData* d, Load* loads, mjtNum scale) {
  for (int b = m->nbody - 1; b > 0; b--) {
    int parent = m->body_parentid[b];
    if (parent) {
      const mjtNum* from = (const mjtNum*)(loads + b);
      mjtNum* to = (mjtNum*)(loads + parent);
      for (size_t i = 0; i < sizeof(Load) / sizeof(mjtNum); i++) {
        to[i] += from[i];
      }
    }
  }
  add_loads(G, m, d, loads, scale);
}

// matrices

void add_product(mjtNum* G, int nv, const mjtNum* u, const int* row, int nu, const mjtNum* v,
                 const int* col, int nvec, mjtNum scale) {
  for (int a = 0; a < nu; a++) {
    mjtNum s = scale * u[a];
    mjtNum* out = G + (size_t)(row ? row[a] : a) * nv;
    if (s == 0) {
      continue;
    }
    for (int b = 0; b < nvec; b++) {
      out[col ? col[b] : b] += s * v[b];
    }
  }
}
