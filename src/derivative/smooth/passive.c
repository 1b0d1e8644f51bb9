// Derivatives of fluids, gravity compensation, applied forces and tendon
// armature.                                        theory/time/exact-derivatives.md, Passive forces
// Symbols: tree/kinematics.h (D_j, S_j), tree/dynamics.h (rate_j, s_j).

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "derivative/constraint/constraint.h"
#include "derivative/smooth/flex.h"
#include "derivative/smooth/fluid_second.h"
#include "derivative/smooth/forces.h"
#include "derivative/smooth/second_order.h"
#include "derivative/smooth/springs.h"
#include "derivative/tree/tendon_length.h"
#include "smooth/fluid.h"
#include "smooth/jacobian.h"
#include "smooth/passive.h"
#include "smooth/tendon.h"

// G += derivative of qfrc_gravcomp of all dofs.
// Also gravity_compensation in smooth/passive.c.
static void gravcomp_derivative(mjtNum* G, const mjModel* m, mjData* d) {
  mj_markStack(d);
  Load* loads = loads_make(m, d);
  for (int b = 1; b < m->nbody; b++) {
    mjtNum F[3];
    v3_scl(F, m->opt.gravity, -m->body_mass[b] * m->body_gravcomp[b]);
    load_add_force(loads, m, d, b, d->xipos + 3 * b, F);
  }
  loads_derivative(G, m, d, loads, 1);
  mj_freeStack(d);
}

void gravcomp_add(ForceJacobian* F, const mjModel* m, mjData* d, int actuated) {
  size_t nv = (size_t)m->nv;
  mj_markStack(d);
  mjtNum* G = mj_stackAllocNum(d, nv * nv);
  mju_zero(G, m->nv * m->nv);
  gravcomp_derivative(G, m, d);
  for (int i = 0; i < m->nv; i++) {
    if (!m->jnt_actgravcomp[m->dof_jntid[i]] == !actuated) {
      mju_addTo(F->q + nv * i, G + nv * i, m->nv);
    }
  }
  mj_freeStack(d);
}

void applied_derivative(ForceJacobian* F, const mjModel* m, mjData* d) {
  int any = 0;
  for (int i = 6; i < 6 * m->nbody; i++) {
    any |= d->xfrc_applied[i] != 0;
  }
  if (!any) {
    return;
  }
  mj_markStack(d);
  Load* loads = loads_make(m, d);
  for (int b = 1; b < m->nbody; b++) {
    load_add_force(loads, m, d, b, d->xipos + 3 * b, d->xfrc_applied + 6 * b);
    load_add_torque(loads, b, d->xfrc_applied + 6 * b + 3);
  }
  loads_derivative(F->q, m, d, loads, 1);
  mj_freeStack(d);
}

// fluids

typedef struct {
  ForceJacobian* F;
  mjtNum* follower;    // 6 x nbody
  const mjtNum* rate;  // W_<j x S_j, 6 x nv
} Fluids;

// The wrench on a piece turns with it, and changes with the local velocity, which has the
// derivatives
//
//   by q_j:  R' (rate_j at the piece + s_j x wind)         by v_j:  R' (S_j at the piece)
static void add_piece(const mjModel* m, mjData* d, const FluidPart* part, void* arg) {
  const Fluids* fluids = arg;
  int n, body = part->body;
  size_t nv = (size_t)m->nv;
  const int* chain = jac_body_chain(&n, m, body);
  mjtNum B[36], wrench[6], torque[3], force[3], r[3], t[3], v[3];
  fluid_wrench_derivative(B, m, part);
  fluid_wrench(wrench, m, part);
  m3_mulv(torque, part->mat, wrench);
  m3_mulv(force, part->mat, wrench + 3);
  v3_sub(r, part->pos, tree_point(m, d, body));
  v3_crossadd(torque, r, force, torque);
  v3_addto(fluids->follower + 6 * body, torque);
  v3_addto(fluids->follower + 6 * body + 3, force);

  mj_markStack(d);
  mjtNum* J = mj_stackAllocNum(d, 6 * (size_t)n);
  mjtNum* moved = mj_stackAllocNum(d, 6 * (size_t)n);
  for (int k = 0; k < n; k++) {
    const mjtNum *S = d->cdof + 6 * chain[k], *rate = fluids->rate + 6 * chain[k];
    velocity_at(v, m, d, body, S, part->pos);
    m3_tmulv(J + 6 * k, part->mat, S);
    m3_tmulv(J + 6 * k + 3, part->mat, v);
    velocity_at(v, m, d, body, rate, part->pos);
    v3_cross(t, S, m->opt.wind);
    v3_addto(v, t);
    m3_tmulv(moved + 6 * k, part->mat, rate);
    m3_tmulv(moved + 6 * k + 3, part->mat, v);
  }
  for (int k = 0; k < n; k++) {
    mjtNum by[6], *q = fluids->F->q + nv * (size_t)chain[k],
                  *dv = fluids->F->v + nv * (size_t)chain[k];
    mju_mulMatTVec(by, B, J + 6 * k, 6, 6);
    for (int j = 0; j < n; j++) {
      q[chain[j]] += sp_dot(by, moved + 6 * j);
      dv[chain[j]] += sp_dot(by, J + 6 * j);
    }
  }
  mj_freeStack(d);
}

static void fluid_forces_derivative(ForceJacobian* F, const mjModel* m, mjData* d,
                                    const BodyMotion* motion) {
  mj_markStack(d);
  mjtNum* follower = mj_stackAllocNum(d, 6 * (size_t)m->nbody);
  mju_zero(follower, 6 * m->nbody);
  Fluids fluids = {F, follower, motion->rate};
  fluid_visit(m, d, add_piece, &fluids);
  followers_derivative(F->q, m, d, follower);
  mj_freeStack(d);
}

// inertia of tendons

typedef struct {
  const mjModel* m;
  mjData* d;
  const BodyMotion* motion;
  const mjtNum* x[2];
  int body[2];
} Leg;

// Writes the second derivative of the length of a straight piece with direction n and length L,
// whose ends have relative velocity w and acceleration a, l'' = n . a + (w^2 - (n . w)^2) / L, and
// adds its derivatives by position and velocity.
static mjtNum leg_acceleration(mjtNum* by_q, mjtNum* by_v, const Leg* leg, mjtNum scale) {
  const mjModel* m = leg->m;
  const mjData* d = leg->d;
  mjtNum n[3], w[3], a[3];
  v3_sub(n, leg->x[1], leg->x[0]);
  mjtNum length = v3_normalize(n);
  if (leg->body[0] == leg->body[1] || length < mjMINVAL) {
    return 0;
  }
  PointMotion end[2];
  for (int e = 0; e < 2; e++) {
    end[e] = motion_point(m, d, leg->motion, leg->body[e], leg->x[e]);
  }
  v3_sub(w, end[1].v, end[0].v);
  v3_sub(a, end[1].a, end[0].a);
  mjtNum along = v3_dot(n, w), across = v3_dot(w, w) - along * along;
  for (int e = 0; e < 2; e++) {
    int num;
    const int* chain = jac_body_chain(&num, m, leg->body[e]);
    mjtNum s = e ? scale : -scale;
    for (int i = 0; i < num; i++) {
      int j = chain[i];
      mjtNum u[3], dn[3];
      velocity_at(u, m, d, leg->body[e], d->cdof + 6 * j, leg->x[e]);
      mjtNum dL = v3_dot(n, u);
      v3_scl(dn, u, 1 / length);
      v3_addtoscl(dn, n, -dL / length);
      PointMotion q = motion_point_by_position(m, d, leg->motion, leg->body[e], leg->x[e], j);
      PointMotion v = motion_point_by_velocity(m, d, leg->motion, leg->body[e], leg->x[e], j);
      by_q[j] += s * (v3_dot(dn, a) + v3_dot(n, q.a) - across * dL / (length * length) +
                      2 * (v3_dot(w, q.v) - along * (v3_dot(dn, w) + v3_dot(n, q.v))) / length);
      by_v[j] += s * (v3_dot(n, v.a) + 2 * (v3_dot(w, v.v) - along * v3_dot(n, v.v)) / length);
    }
  }
  return scale * (v3_dot(n, a) + across / length);
}

// For every spatial tendon with armature A, length l and Jacobian J: adds the derivatives, by
// position and velocity, of weight J' A (J x + l''), the inertial force at accelerations x;
// l'': length acceleration at x = 0. Fixed tendons add nothing, since their J is constant.
// Also tendon_add_bias in smooth/tendon.c.
void tendon_inertia_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const mjtNum* v,
                               const mjtNum* x, mjtNum weight) {
  size_t nv = (size_t)m->nv;
  mj_markStack(d);
  BodyMotion motion = motion_make(m, d, &(JointMotion){v, NULL, 0});
  Load* loads = loads_make(m, d);
  mjtNum* hessian = mj_stackAllocNum(d, nv * nv);
  mjtNum* row = mj_stackAllocNum(d, nv);
  mjtNum* by_q = mj_stackAllocNum(d, nv);
  mjtNum* by_v = mj_stackAllocNum(d, nv);
  for (int t = 0; t < m->ntendon; t++) {
    int adr = m->tendon_adr[t], end = adr + m->tendon_num[t];
    mjtNum mass = weight * terms_tendon_armature(m, t), scale = 1, acceleration = 0;
    if (mass == 0 || m->wrap_type[adr] == mjWRAP_JOINT) {
      continue;
    }
    mju_zero(by_q, m->nv);
    mju_zero(by_v, m->nv);
    mju_zero(hessian, m->nv * m->nv);
    memset(loads, 0, (size_t)m->nbody * sizeof(Load));
    for (int w = adr; v && w < end; w++) {
      if (m->wrap_type[w] == mjWRAP_PULLEY) {
        scale = 1 / m->wrap_prm[w];
      } else if (w + 1 < end && m->wrap_type[w + 1] == mjWRAP_SITE) {
        int site[2] = {m->wrap_objid[w], m->wrap_objid[w + 1]};
        Leg leg = {m,
                   d,
                   &motion,
                   {d->site_xpos + 3 * site[0], d->site_xpos + 3 * site[1]},
                   {m->site_bodyid[site[0]], m->site_bodyid[site[1]]}};
        acceleration += leg_acceleration(by_q, by_v, &leg, scale);
      }
    }
    tendon_row(row, m, d, t);
    F->kinks += tendon_derivative(hessian, loads, m, d, t, 1);
    loads_derivative(hessian, m, d, loads, 1);
    pattern_derivative(F->q, m, row, hessian, x, mass, 1);
    mju_addToScl(F->q, hessian, mass * acceleration, m->nv * m->nv);
    add_product(F->q, m->nv, row, NULL, m->nv, by_q, NULL, m->nv, mass);
    add_product(F->v, m->nv, row, NULL, m->nv, by_v, NULL, m->nv, mass);
  }
  mj_freeStack(d);
}

int tendon_any_inertia(const mjModel* m) {
  for (int t = 0; t < m->ntendon; t++) {
    if (terms_tendon_armature(m, t) != 0 && m->wrap_type[m->tendon_adr[t]] != mjWRAP_JOINT) {
      return 1;
    }
  }
  return 0;
}

void passive_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const BodyMotion* motion,
                        const Twists* W, const mjtNum* x) {
  int spring = !(m->opt.disableflags & mjDSBL_SPRING);
  int damper = !(m->opt.disableflags & mjDSBL_DAMPER);
  springs_derivative(F, m, d, W);
  if (tendon_any_inertia(m)) {
    tendon_inertia_derivative(F, m, d, d->qvel, x, -1);
  }
  if (!spring && !damper) {
    return;
  }
  if (m->nflex) {
    flex_derivative(F, m, d, W, spring, damper);
    F->kinks += flex_pushes_derivative(F->q, m, d);
  }
  if (fluid_is_active(m)) {
    fluid_forces_derivative(F, m, d, motion);
  }
  if (passive_has_gravcomp(m)) {
    gravcomp_add(F, m, d, 0);
  }
}
