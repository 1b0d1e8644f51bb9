#include "derivative/dynamics.h"

#include <mujoco/api/model.h>
#include <string.h>

#include "derivative/kinematics.h"
#include "smooth/bias.h"
#include "step/derivative.h"

// Derivatives of recursive Newton-Euler, collected over subtrees.   theory/exact-derivatives.md, Dynamics

BodyMotion motion_make(const mjModel* m, mjData* d, const Motion* motion) {
  size_t nv = (size_t)m->nv, nbody = (size_t)m->nbody;
  const mjtNum *v = motion->velocity, *x = motion->acceleration;
  BodyMotion out;
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
    mjtNum V[6], a[6], before[6], under[6], sum[6];
    sp_copy(V, out.V + 6 * m->body_parentid[b]);
    sp_copy(a, out.a + 6 * m->body_parentid[b]);
    int end = m->body_dofadr[b] + m->body_dofnum[b];
    for (int dof = m->body_dofadr[b]; dof < end;) {
      DofStep step = dof_step(m, dof);
      sp_copy(before, V);
      sp_copy(under, a);
      for (int k = dof; k < step.end; k++) {
        const mjtNum* S = d->cdof + 6 * k;
        mjtNum* rate = out.rate + 6 * k;
        mjtNum* lift = out.lift + 6 * k;
        mjtNum t[6];
        sp_crossmotion(rate, before, S);
        sp_crossmotion(lift, under, S);
        sp_crossmotion(t, before, rate);
        sp_addto(lift, t);
        if (v) {
          sp_addtoscl(V, S, v[k]);
          sp_addtoscl(a, rate, v[k]);
        }
        if (x) {
          sp_addtoscl(a, S, x[k]);
        }
      }
      sp_add(sum, before, V);
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

// out = change of the acceleration of a point whose body's twist changes by `rate`, and whose body's
// acceleration changes by lift - V x rate, both as seen from the body
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

PointMotion motion_pointByPosition(const mjModel* m, const mjData* d, const BodyMotion* motion,
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

PointMotion motion_pointByVelocity(const mjModel* m, const mjData* d, const BodyMotion* motion,
                                   int body, const mjtNum p[3], int j) {
  PointMotion out;
  change_at(&out, m, d, motion->V + 6 * body, body, p, d->cdof + 6 * j, motion->drift + 6 * j);
  return out;
}

// subtrees

Subtree* motion_subtrees(const mjModel* m, mjData* d, const BodyMotion* motion) {
  Subtree* sub = mj_stackAllocByte(d, (size_t)m->nbody * sizeof(Subtree), _Alignof(mjtNum));
  for (int b = 1; b < m->nbody; b++) {
    const mjtNum *I = d->cinert + 10 * b, *V = motion->V + 6 * b;
    spatial_store(sub[b].force, body_force(I, spatial_load(motion->a + 6 * b), spatial_load(V)));
    derivative_coriolis(sub[b].B, I, V);
  }
  for (int b = m->nbody - 1; b > 0; b--) {
    int parent = m->body_parentid[b];
    if (parent) {
      mjtNum* to = sub[parent].force;
      const mjtNum* from = sub[b].force;
      for (int i = 0; i < 42; i++) {
        to[i] += from[i];
      }
    }
  }
  return sub;
}

// out = B s, B by columns; out = B' s
static void coriolis_mul(mjtNum out[6], const mjtNum B[36], const mjtNum s[6]) {
  for (int c = 0; c < 6; c++) {
    sp_addtoscl(out, B + 6 * c, s[c]);
  }
}

static void coriolis_tmul(mjtNum out[6], const mjtNum B[36], const mjtNum s[6]) {
  for (int c = 0; c < 6; c++) {
    out[c] = sp_dot(B + 6 * c, s);
  }
}

void subtree_derivative(mjtNum by_q[6], mjtNum by_v[6], mjtNum by_x[6], const mjModel* m,
                        const mjData* d, const BodyMotion* motion, const Subtree* subtrees,
                        int body, int j) {
  int below = int_max(body, m->dof_bodyid[j]);  // bodies come after their parents
  const mjtNum *S = d->cdof + 6 * j, *I = d->crb + 10 * below;
  mjtNum t[6];
  sp_crossforce(by_q, S, subtrees[below].force);
  sp_mulinertia(t, I, motion->lift + 6 * j);
  coriolis_mul(t, subtrees[below].B, motion->rate + 6 * j);
  sp_addto(by_q, t);
  sp_mulinertia(by_v, I, motion->drift + 6 * j);
  coriolis_mul(by_v, subtrees[below].B, S);
  sp_mulinertia(by_x, I, S);
}

// With the force on a body f = I a + V x* (I V),
//
//   D_j f = S_j x* f + I lift_j + B rate_j          df/dv_j = I drift_j + B S_j
//
// I and B don't depend on j: both, and f, are summed over subtrees. The force of dof k is S_k . f
// of its subtree. If j comes before k, or with it, what S_j turns turns as a whole and S_j x* f drops out:
//
//   D_j force_k = S_k . (I lift_j + B rate_j)                  I, B of the subtree of k
//   D_k force_j = S_j . (I lift_k + B rate_k + S_k x* f)       I, B, f of the subtree of k
void dynamics_derivative(mjtNum* dq, mjtNum* dv, const mjModel* m, mjData* d,
                         const BodyMotion* motion, mjtNum scale) {
  size_t nv = (size_t)m->nv;
  mj_markStack(d);
  const Subtree* sub = motion_subtrees(m, d, motion);
  for (int k = 0; k < m->nv; k++) {
    int body = m->dof_bodyid[k], n = m->D_diag[k], together = dof_step(m, k).first;
    const mjtNum *S = d->cdof + 6 * k, *I = d->crb + 10 * body, *B = sub[body].B;
    const int* chain = m->D_colind + m->D_rowadr[k];
    mjtNum momentum[6], BS[6], with[6], before[6], push[6];
    sp_mulinertia(momentum, I, S);
    coriolis_tmul(BS, B, S);
    sp_mulinertia(with, I, motion->lift + 6 * k);
    coriolis_mul(with, B, motion->rate + 6 * k);
    sp_crossforce(before, S, sub[body].force);
    sp_addto(before, with);
    sp_mulinertia(push, I, motion->drift + 6 * k);
    coriolis_mul(push, B, S);
    for (int i = 0; i <= n; i++) {
      size_t j = (size_t)chain[i], kj = (size_t)k * nv + j, jk = j * nv + (size_t)k;
      const mjtNum* axis = d->cdof + 6 * j;
      dq[kj] += scale * (sp_dot(momentum, motion->lift + 6 * j) + sp_dot(BS, motion->rate + 6 * j));
      if (dv) {
        dv[kj] += scale * (sp_dot(momentum, motion->drift + 6 * j) + sp_dot(BS, axis));
      }
      if (i < n) {
        dq[jk] += scale * sp_dot((int)j < together ? before : with, axis);
        if (dv) {
          dv[jk] += scale * sp_dot(push, axis);
        }
      }
    }
  }
  mj_freeStack(d);
}
