// Derivatives of recursive Newton-Euler: forces on bodies are summed over subtrees once, then each
// pair of dofs of a chain takes two dot products.        theory/time/exact-derivatives.md, Dynamics
// Symbols: dynamics.h, kinematics.h.

#include "derivative/tree/dynamics.h"

#include <mujoco/api/model.h>
#include <string.h>

#include "derivative/tree/kinematics.h"
#include "smooth/bias.h"

BodyMotion motion_make(const mjModel* m, mjData* d, const JointMotion* motion) {
  size_t nv = (size_t)m->nv, nbody = (size_t)m->nbody;
  const mjtNum *v = motion->velocity, *x = motion->acceleration;
  BodyMotion out = {.is_moving = v != NULL};
  out.V = mj_stackAllocNum(d, 6 * nbody);
  out.a = mj_stackAllocNum(d, 6 * nbody);
  out.rate = mj_stackAllocNum(d, 6 * nv);
  out.lift = mj_stackAllocNum(d, 6 * nv);
  out.drift = mj_stackAllocNum(d, 6 * nv);
  sp_zero(out.V);
  sp_zero(out.a);
  if (motion->gravity) {
    world_acceleration(out.a, m);
  }
  for (int b = 1; b < m->nbody; b++) {
    mjtNum V[6], a[6], V_before[6], a_before[6], sum[6];
    sp_copy(V, out.V + 6 * m->body_parentid[b]);
    sp_copy(a, out.a + 6 * m->body_parentid[b]);
    int end = m->body_dofadr[b] + m->body_dofnum[b];
    for (int dof = m->body_dofadr[b]; dof < end;) {
      DofStep step = dof_step(m, dof);
      sp_copy(V_before, V);
      sp_copy(a_before, a);
      for (int k = dof; k < step.end; k++) {
        const mjtNum* S = d->cdof + 6 * k;
        mjtNum* rate = out.rate + 6 * k;
        mjtNum* lift = out.lift + 6 * k;
        mjtNum t[6];
        sp_crossmotion(rate, V_before, S);
        sp_crossmotion(lift, a_before, S);
        sp_crossmotion(t, V_before, rate);
        sp_addto(lift, t);
        if (v) {
          sp_addtoscl(V, S, v[k]);
          sp_addtoscl(a, rate, v[k]);
        }
        if (x) {
          sp_addtoscl(a, S, x[k]);
        }
      }
      sp_add(sum, V_before, V);
      for (; dof < step.end; dof++) {
        sp_crossmotion(out.drift + 6 * dof, sum, d->cdof + 6 * dof);
      }
    }
    sp_copy(out.V + 6 * b, V);
    sp_copy(out.a + 6 * b, a);
  }
  return out;
}

// points

PointMotion motion_point(const mjModel* m, const mjData* d, const BodyMotion* motion, int body,
                         const mjtNum p[3]) {
  PointMotion out;
  const mjtNum* V = motion->V + 6 * body;
  mjtNum t[3];
  velocity_at(out.v, m, d, body, V, p);
  velocity_at(out.a, m, d, body, motion->a + 6 * body, p);
  v3_cross(t, V, out.v);
  v3_addto(out.a, t);
  return out;
}

// Change of the velocity and acceleration of a point fixed to a body with twist V. In the frame of
// the body, the twist changes by `rate` and the spatial acceleration by lift - V x rate.
static void change_at(PointMotion* out, const mjModel* m, const mjData* d, const mjtNum* V,
                      int body, const mjtNum p[3], const mjtNum rate[6], const mjtNum lift[6]) {
  mjtNum spatial[6], v[3], t[3];
  sp_crossmotion(spatial, rate, V);
  sp_addto(spatial, lift);
  velocity_at(out->v, m, d, body, rate, p);
  velocity_at(out->a, m, d, body, spatial, p);
  velocity_at(v, m, d, body, V, p);
  v3_cross(t, rate, v);
  v3_addto(out->a, t);
  v3_cross(t, V, out->v);
  v3_addto(out->a, t);
}

PointMotion motion_point_by_position(const mjModel* m, const mjData* d, const BodyMotion* motion,
                                     int body, const mjtNum p[3], int j) {
  PointMotion at = motion_point(m, d, motion, body, p), out;
  const mjtNum* S = d->cdof + 6 * j;
  mjtNum t[3];
  change_at(&out, m, d, motion->V + 6 * body, body, p, motion->rate + 6 * j, motion->lift + 6 * j);
  v3_cross(t, S, at.v);
  v3_addto(out.v, t);
  v3_cross(t, S, at.a);
  v3_addto(out.a, t);
  return out;
}

PointMotion motion_point_by_velocity(const mjModel* m, const mjData* d, const BodyMotion* motion,
                                     int body, const mjtNum p[3], int j) {
  PointMotion out;
  change_at(&out, m, d, motion->V + 6 * body, body, p, d->cdof + 6 * j, motion->drift + 6 * j);
  return out;
}

// subtrees

// Adds a body's matrix A. The body has the rotational inertia J about the origin, the first moment
// h (mass times com), the twist V = (w, u) and the momentum (k, p) = I V. [x] is the matrix of the
// cross product with x, and E the identity.
//
//   B S = - I (V x S) + S x* (I V) + V x* (I S)
//
// B S does not depend on the translation of S, and A is the block of B for its rotation:
//
//   A = [w] J - J [w] - [u][h] - [h][u] - [k]       [u][h] + [h][u] = h u' + u h' - 2 (u.h) E
// Also body_force in smooth/bias.h.
static void add_coriolis(Subtree* out, const mjtNum I[10], const mjtNum V[6]) {
  const mjtNum *w = V, *u = V + 3, *h = I + 6;
  const mjtNum J[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
  mjtNum momentum[6], wJ[3][3], uh2 = 2 * v3_dot(u, h);
  sp_mulinertia(momentum, I, V);
  for (int c = 0; c < 3; c++) {
    v3_cross(wJ[c], w, J[c]);  // column c of [w] J; -J [w] is the transpose
  }
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      out->A[3 * r + c] += wJ[c][r] + wJ[r][c] - h[r] * u[c] - u[r] * h[c];
    }
    out->A[4 * r] += uh2;
  }
  const mjtNum* k = momentum;
  out->A[1] += k[2];
  out->A[2] -= k[1];
  out->A[3] -= k[2];
  out->A[5] += k[0];
  out->A[6] += k[1];
  out->A[7] -= k[0];
  v3_addtoscl(out->p2, momentum + 3, 2);
}

Subtree* motion_subtrees(const mjModel* m, mjData* d, const BodyMotion* motion) {
  size_t bytes = (size_t)m->nbody * sizeof(Subtree);
  Subtree* sub = mj_stackAllocByte(d, bytes, _Alignof(mjtNum));
  memset(sub, 0, bytes);
  for (int b = 1; b < m->nbody; b++) {
    const mjtNum *I = d->cinert + 10 * b, *V = motion->V + 6 * b;
    if (motion->is_moving) {
      spatial_store(sub[b].force, body_force(I, spatial_load(motion->a + 6 * b), spatial_load(V)));
      add_coriolis(sub + b, I, V);
    } else {
      sp_mulinertia(sub[b].force, I, motion->a + 6 * b);
    }
  }
  for (int b = m->nbody - 1; b > 0; b--) {
    int parent = m->body_parentid[b];
    if (parent) {
      mjtNum* to = sub[parent].force;
      const mjtNum* from = sub[b].force;
      for (size_t i = 0; i < sizeof(Subtree) / sizeof(mjtNum); i++) {
        to[i] += from[i];
      }
    }
  }
  return sub;
}

// out += B S, of which only the rotation s of S matters
static void add_B(mjtNum out[6], const Subtree* sub, const mjtNum s[3]) {
  mjtNum t[3];
  m3_mulv(t, sub->A, s);
  v3_addto(out, t);
  v3_cross(t, s, sub->p2);
  v3_addto(out + 3, t);
}

// out = rotational part of B' F, whose translational part is zero
static void mul_B_transposed(mjtNum out[3], const Subtree* sub, const mjtNum F[6]) {
  mjtNum t[3];
  m3_tmulv(t, sub->A, F);
  v3_cross(out, sub->p2, F + 3);
  v3_addto(out, t);
}

void subtree_derivative(mjtNum by_q[6], mjtNum by_v[6], mjtNum by_x[6], const mjModel* m,
                        const mjData* d, const BodyMotion* motion, const Subtree* subtrees,
                        int body, int j) {
  int below = int_max(body, m->dof_bodyid[j]);  // bodies come after their parents
  const mjtNum *S = d->cdof + 6 * j, *I = d->crb + 10 * below;
  mjtNum t[6];
  sp_crossforce(by_q, S, subtrees[below].force);
  sp_mulinertia(t, I, motion->lift + 6 * j);
  add_B(t, subtrees + below, motion->rate + 6 * j);
  sp_addto(by_q, t);
  sp_mulinertia(by_v, I, motion->drift + 6 * j);
  add_B(by_v, subtrees + below, S);
  sp_mulinertia(by_x, I, S);
}

// The force on a body is f = I a + V x* (I V), and
//
//   D_j f = S_j x* f + I lift_j + B rate_j          df/dv_j = I drift_j + B S_j
//
// I and B don't depend on j, so I, B and f are summed over subtrees. The force on dof k is S_k . f,
// with f of the subtree of k. If j comes before k or belongs to the same quaternion, dof j rotates
// f and S_k together, and the term S_j x* f cancels:
//
//   D_j force_k = S_k . (I lift_j + B rate_j)                  I, B of the subtree of k
//   D_k force_j = S_j . (I lift_k + B rate_k + S_k x* f)       I, B, f of the subtree of k
//
// Bodies at rest have B = rate = drift = 0 (add_resting).
static KERNEL void add_moving(mjtNum* dq, mjtNum* dv, const mjModel* m, const mjData* d,
                              const BodyMotion* motion, const Subtree* subtrees, mjtNum scale) {
  size_t nv = (size_t)m->nv;
  for (int k = 0; k < m->nv; k++) {
    int body = m->dof_bodyid[k], n = m->D_diag[k], first = dof_step(m, k).first;
    const mjtNum *S = d->cdof + 6 * k, *I = d->crb + 10 * body;
    const Subtree* sub = subtrees + body;
    const int* chain = m->D_colind + m->D_rowadr[k];
    mjtNum momentum[6], BtS[3], df_dq[6], df_dq_above[6], df_dv[6];
    sp_mulinertia(momentum, I, S);
    mul_B_transposed(BtS, sub, S);
    sp_mulinertia(df_dq, I, motion->lift + 6 * k);
    add_B(df_dq, sub, motion->rate + 6 * k);
    sp_crossforce(df_dq_above, S, sub->force);
    sp_addto(df_dq_above, df_dq);
    sp_mulinertia(df_dv, I, motion->drift + 6 * k);
    add_B(df_dv, sub, S);
    for (int i = 0; i <= n; i++) {
      size_t j = (size_t)chain[i], kj = (size_t)k * nv + j, jk = j * nv + (size_t)k;
      const mjtNum* axis = d->cdof + 6 * j;
      dq[kj] +=
          scale * (sp_dot(momentum, motion->lift + 6 * j) + v3_dot(BtS, motion->rate + 6 * j));
      if (i < n) {
        dq[jk] += scale * sp_dot((int)j < first ? df_dq_above : df_dq, axis);
      }
      if (dv) {
        dv[kj] += scale * (sp_dot(momentum, motion->drift + 6 * j) + v3_dot(BtS, axis));
        dv[jk] += i < n ? scale * sp_dot(df_dv, axis) : 0;
      }
    }
  }
}

static KERNEL void add_resting(mjtNum* dq, const mjModel* m, const mjData* d,
                               const BodyMotion* motion, const Subtree* subtrees, mjtNum scale) {
  size_t nv = (size_t)m->nv;
  for (int k = 0; k < m->nv; k++) {
    int body = m->dof_bodyid[k], n = m->D_diag[k], first = dof_step(m, k).first;
    const mjtNum *S = d->cdof + 6 * k, *I = d->crb + 10 * body;
    const int* chain = m->D_colind + m->D_rowadr[k];
    mjtNum momentum[6], df_dq[6], df_dq_above[6];
    sp_mulinertia(momentum, I, S);
    sp_mulinertia(df_dq, I, motion->lift + 6 * k);
    sp_crossforce(df_dq_above, S, subtrees[body].force);
    sp_addto(df_dq_above, df_dq);
    for (int i = 0; i <= n; i++) {
      size_t j = (size_t)chain[i];
      const mjtNum* axis = d->cdof + 6 * j;
      dq[(size_t)k * nv + j] += scale * sp_dot(momentum, motion->lift + 6 * j);
      if (i < n) {
        dq[j * nv + (size_t)k] += scale * sp_dot((int)j < first ? df_dq_above : df_dq, axis);
      }
    }
  }
}

// Adds d(M x + c)/dq to dq and d(M x + c)/dv to dv.
// Also mj_rne in smooth/bias.c.
void dynamics_derivative(mjtNum* dq, mjtNum* dv, const mjModel* m, mjData* d,
                         const BodyMotion* motion, mjtNum scale) {
  mj_markStack(d);
  const Subtree* subtrees = motion_subtrees(m, d, motion);
  if (motion->is_moving) {
    add_moving(dq, dv, m, d, motion, subtrees, scale);
  } else {
    add_resting(dq, m, d, motion, subtrees, scale);
  }
  mj_freeStack(d);
}

// What is before k turns its axis and all it moves alike, so M_kk depends on what is behind it:
//
//   D_j M_kk = 2 (S_k x S_j) . I S_k        I: below j
void inertia_diagonal_derivative(mjtNum* out, const mjModel* m, const mjData* d) {
  for (int j = 0; j < m->nv; j++) {
    const mjtNum *S = d->cdof + 6 * j, *I = d->crb + 10 * m->dof_bodyid[j];
    for (int k = m->dof_parentid[dof_step(m, j).first]; k >= 0; k = m->dof_parentid[k]) {
      mjtNum momentum[6], turned[6];
      sp_mulinertia(momentum, I, d->cdof + 6 * k);
      sp_crossmotion(turned, d->cdof + 6 * k, S);
      out[(size_t)k * (size_t)m->nv + (size_t)j] += 2 * sp_dot(turned, momentum);
    }
  }
}
