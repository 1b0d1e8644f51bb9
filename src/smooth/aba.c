// The articulated-body algorithm, dof by dof.
//                                            theory/smooth/articulated-body.md, Articulated inertia
//
// The articulated body of a dof is everything that moves with it. To give it an acceleration a
// takes the force f = IA a + pA, with the articulated inertia IA (6x6) and the bias force pA.
// Both are passed from the leaves to the root (inwards), accelerations from the root to the leaves
// (outwards). With s = cdof and the force tau of a dof:
//
//   U = IA s      D = s'U + armature + h damping      u = tau - s'pA
//   inwards       IA -= U U' / D      pA += U u / D
//   outwards      qacc = (u - U'a) / D      a += s qacc
//
// The dofs of a body are eliminated one by one. What then remains of IA and pA is added to the
// parent.

#include "smooth/aba.h"

#include <condyle/dynamics.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/spatial.h"
#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "model/checks/pair.h"
#include "smooth/bias.h"
#include "smooth/support.h"

// A symmetric 6x6 matrix, row-major.
typedef struct {
  Spatial row[6];
} Articulated;

// (torque, force) = I (w, u):  torque = J w + h x u,  force = mass u - h x w
INLINE Articulated articulated_rigid(const mjtNum I[10]) {
  mjtNum hx = I[6], hy = I[7], hz = I[8], mass = I[9];
  return (Articulated){{
      {{simd2(I[0], I[3]), simd2(I[4], 0), simd2(-hz, hy)}},
      {{simd2(I[3], I[1]), simd2(I[5], hz), simd2(0, -hx)}},
      {{simd2(I[4], I[5]), simd2(I[2], -hy), simd2(hx, 0)}},
      {{simd2(0, hz), simd2(-hy, mass), simd2(0, 0)}},
      {{simd2(-hz, 0), simd2(hx, 0), simd2(mass, 0)}},
      {{simd2(hy, -hx), simd2(0, 0), simd2(0, mass)}},
  }};
}

INLINE void articulated_add_to(mjtNum* sum, const Articulated* IA) {
  for (int r = 0; r < 6; r++) {
    spatial_store(sum + 6 * r, spatial_add(spatial_load(sum + 6 * r), IA->row[r]));
  }
}

INLINE void articulated_add_from(Articulated* IA, const mjtNum* sum) {
  for (int r = 0; r < 6; r++) {
    IA->row[r] = spatial_add(IA->row[r], spatial_load(sum + 6 * r));
  }
}

INLINE mjtNum spatial_at(Spatial s, int i) {
  return s.p[i / 2][i % 2];
}

INLINE Spatial articulated_mul(const Articulated* IA, Spatial s) {
  Spatial U = {
      {s.p[0][0] * IA->row[0].p[0], s.p[0][0] * IA->row[0].p[1], s.p[0][0] * IA->row[0].p[2]}};
  for (int r = 1; r < 6; r++) {
    U = spatial_addscl(U, IA->row[r], spatial_at(s, r));
  }
  return U;
}

// IA -= U U' / D
INLINE void articulated_eliminate(Articulated* IA, Spatial U, mjtNum Dinv) {
  for (int r = 0; r < 6; r++) {
    IA->row[r] = spatial_addscl(IA->row[r], U, -Dinv * spatial_at(U, r));
  }
}

INLINE int body_is_static(const mjModel* m, int body) {
  return m->body_weldid[body] == 0;
}

// Factor of n dofs that are not coupled to others (dof_simplenum).
INLINE void factor_simple(const AbaFactor* f, const mjModel* m, int first, int n, mjtNum h) {
  memset(f->U + 6 * first, 0, 6 * n * sizeof(mjtNum));
  for (int j = first; j < first + n; j++) {
    f->Dinv[j] = 1 / (m->dof_M0[j] + h * m->dof_damping[j]);
  }
}

// Factor of all dofs, from the leaves to the root. sum (nbody x 36), zero on entry: the sum of the
// articulated inertias that the children of each body pass to it.
static KERNEL void factor_bodies(const AbaFactor* f, const mjModel* m, const mjData* d, mjtNum h,
                                 mjtNum* sum) {
  for (int i = m->nbody - 1; i > 0; i--) {
    int first = m->body_dofadr[i], n = m->body_dofnum[i], parent = m->body_parentid[i];
    if (body_is_static(m, i)) {
      continue;
    }
    if (n && m->dof_simplenum[first]) {
      factor_simple(f, m, first, n, h);
      continue;
    }
    Articulated IA = articulated_rigid(d->cinert + 10 * i);
    articulated_add_from(&IA, sum + 36 * (size_t)i);
    for (int j = first + n - 1; j >= first && n; j--) {
      Spatial s = spatial_load(d->cdof + 6 * j), U = articulated_mul(&IA, s);
      mjtNum D = spatial_dot(s, U) + m->dof_armature[j] + h * m->dof_damping[j], Dinv = 1 / D;
      spatial_store(f->U + 6 * j, U);
      f->Dinv[j] = Dinv;
      if (j > first || !body_is_static(m, parent)) {
        articulated_eliminate(&IA, U, Dinv);
      }
    }
    if (!body_is_static(m, parent)) {
      articulated_add_to(sum + 36 * (size_t)parent, &IA);
    }
  }
}

int aba_applies(const mjModel* m) {
  if (m->cnd_has_terms) {
    return 0;
  }
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_armature[i] != 0) {
      return 0;
    }
  }
  return 1;
}

AbaFactor aba_factor(const mjModel* m, mjData* d, mjtNum h) {
  AbaFactor factor = {mj_stackAllocNum(d, 6 * (size_t)m->nv), mj_stackAllocNum(d, m->nv)};
  mj_markStack(d);
  size_t n = 36 * (size_t)m->nbody;
  mjtNum* sum = mj_stackAllocNum(d, n);
  memset(sum, 0, n * sizeof(mjtNum));
  factor_bodies(&factor, m, d, h, sum);
  mj_freeStack(d);
  return factor;
}

// Solves for accelerations: inwards, then outwards. x (nv) is tau on entry, qacc on return. p
// (nbody x 6) is the bias force of each body alone on entry, and is overwritten. acc (nbody x 6) is
// scratch.
static KERNEL void sweep(mjtNum* x, mjtNum* p, mjtNum* acc, const mjModel* m, const mjData* d,
                         const AbaFactor* f) {
  for (int i = m->nbody - 1; i > 0; i--) {
    int first = m->body_dofadr[i], n = m->body_dofnum[i], parent = m->body_parentid[i];
    Spatial pA = spatial_load(p + 6 * i);
    for (int j = first + n - 1; j >= first && n; j--) {
      x[j] = (x[j] - spatial_dot(spatial_load(d->cdof + 6 * j), pA)) * f->Dinv[j];
      pA = spatial_addscl(pA, spatial_load(f->U + 6 * j), x[j]);
    }
    if (parent) {
      spatial_store(p + 6 * parent, spatial_add(spatial_load(p + 6 * parent), pA));
    }
  }
  sp_zero(acc);
  for (int i = 1; i < m->nbody; i++) {
    int first = m->body_dofadr[i], end = first + m->body_dofnum[i];
    Spatial a = spatial_load(acc + 6 * m->body_parentid[i]);
    for (int j = first; j < end; j++) {
      x[j] -= spatial_dot(spatial_load(f->U + 6 * j), a) * f->Dinv[j];
      a = spatial_addscl(a, spatial_load(d->cdof + 6 * j), x[j]);
    }
    spatial_store(acc + 6 * i, a);
  }
}

// forward dynamics

// Bias force of each body alone:
//
//   p_i = I_i a_i + v_i x* (I_i v_i) - xfrc_i
//
// a_i is the acceleration of body i for qacc = 0 minus gravity, xfrc_i the wrench of xfrc_applied
// about the com of the tree.
static KERNEL void bias_forces(mjtNum* p, mjtNum* acc, const mjModel* m, const mjData* d) {
  world_acceleration(acc, m);
  sp_zero(p);
  for (int i = 1; i < m->nbody; i++) {
    Spatial a = spatial_load(acc + 6 * m->body_parentid[i]);
    a = body_acceleration(a, m, d, i, 0);
    spatial_store(acc + 6 * i, a);
    spatial_store(p + 6 * i, body_force(d->cinert + 10 * i, a, spatial_load(d->cvel + 6 * i)));

    const mjtNum* xfrc = d->xfrc_applied + 6 * i;
    mjtNum arm[3], torque[3];
    v3_sub(arm, d->xipos + 3 * i, d->subtree_com + 3 * m->body_rootid[i]);
    v3_crossadd(torque, arm, xfrc, xfrc + 3);
    v3_subfrom(p + 6 * i, torque);
    v3_subfrom(p + 6 * i + 3, xfrc);
  }
}

// Forces that act on dofs directly, without a body: applied, passive and actuator forces.
static void joint_forces(mjtNum* tau, const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nv; i++) {
    tau[i] = d->qfrc_passive[i] + d->qfrc_applied[i] + d->qfrc_actuator[i];
  }
}

// qacc = M^-1 (tau - c), by articulated bodies
void cnd_forwardAba(const mjModel* m, mjData* d, mjtNum* qacc) {
  check_pair(m, d);
  check_arrays(m->nv, qacc);
  joint_forces(qacc, m, d);
  if (!aba_applies(m)) {
    for (int i = 0; i < m->nv; i++) {
      qacc[i] -= d->qfrc_bias[i];
    }
    xfrc_accumulate(qacc, m, d);
    mj_solveM(m, d, qacc, qacc, 1);
    return;
  }
  mj_markStack(d);
  AbaFactor factor = aba_factor(m, d, 0);
  mjtNum* p = mj_stackAllocNum(d, 6 * (size_t)m->nbody);
  mjtNum* acc = mj_stackAllocNum(d, 6 * (size_t)m->nbody);
  bias_forces(p, acc, m, d);
  sweep(qacc, p, acc, m, d, &factor);
  mj_freeStack(d);
}

// columns                                              theory/smooth/articulated-body.md, Columns

AbaResponse aba_response_make(const mjModel* m, mjData* d, const AbaFactor* factor) {
  size_t nv = m->nv;
  AbaResponse response = {.m = m, .d = d, .factor = factor};
  response.impulse = mj_stackAllocNum(d, nv);
  response.rate = mj_stackAllocNum(d, nv);
  response.acc = mj_stackAllocNum(d, 6 * nv);
  if (nv) {
    memset(response.impulse, 0, nv * sizeof(mjtNum));
  }
  return response;
}

int aba_tip(const mjModel* m, int body) {
  int weld = m->body_weldid[body];
  return m->body_dofadr[weld] + m->body_dofnum[weld] - 1;
}

// Passes pA inwards, from a dof to the root.
static KERNEL void walk_inwards(const AbaResponse* response, int dof, Spatial pA) {
  const AbaFactor* f = response->factor;
  const mjtNum* cdof = response->d->cdof;
  const int* parent = response->m->dof_parentid;
  for (int i = dof; i >= 0; i = parent[i]) {
    mjtNum impulse = -spatial_dot(spatial_load(cdof + 6 * i), pA) * f->Dinv[i];
    response->impulse[i] += impulse;
    pA = spatial_addscl(pA, spatial_load(f->U + 6 * i), impulse);
  }
}

void aba_push(AbaResponse* response, int body, const mjtNum wrench[6], mjtNum scale) {
  if (response->m->body_weldid[body]) {
    const Spatial none = {{{0}}};
    walk_inwards(response, aba_tip(response->m, body),
                 spatial_addscl(none, spatial_load(wrench), -scale));
  }
}

// Passes forces on dofs inwards. acc[i] accumulates the pA that dof i receives from its child dofs.
static KERNEL void gather_inwards(const AbaResponse* response, const mjtNum* tau, const int* list,
                                  int n) {
  const AbaFactor* f = response->factor;
  const mjtNum* cdof = response->d->cdof;
  for (int k = 0; k < n; k++) {
    memset(response->acc + 6 * (size_t)list[k], 0, 6 * sizeof(mjtNum));
  }
  for (int k = n - 1; k >= 0; k--) {
    int i = list[k], parent = response->m->dof_parentid[i];
    Spatial pA = spatial_load(response->acc + 6 * i);
    mjtNum impulse = (tau[i] - spatial_dot(spatial_load(cdof + 6 * i), pA)) * f->Dinv[i];
    response->impulse[i] += impulse;
    if (parent >= 0) {
      pA = spatial_addscl(pA, spatial_load(f->U + 6 * i), impulse);
      spatial_store(response->acc + 6 * parent,
                    spatial_add(spatial_load(response->acc + 6 * parent), pA));
    }
  }
}

void aba_push_dofs(AbaResponse* response, const mjtNum* tau, const int* list, int n) {
  gather_inwards(response, tau, list, n);
}

// Accelerations of dofs and bodies, from the root outwards. Clears the impulses.
static KERNEL void walk_outwards(const AbaResponse* response, const int* list, int n) {
  const AbaFactor* f = response->factor;
  const mjtNum* cdof = response->d->cdof;
  const int* parent = response->m->dof_parentid;
  for (int k = 0; k < n; k++) {
    int i = list[k];
    Spatial a = {{{0}}};
    mjtNum rate = response->impulse[i];
    response->impulse[i] = 0;
    if (parent[i] >= 0) {
      a = spatial_load(response->acc + 6 * parent[i]);
      rate -= spatial_dot(spatial_load(f->U + 6 * i), a) * f->Dinv[i];
    }
    response->rate[i] = rate;
    spatial_store(response->acc + 6 * i, spatial_addscl(a, spatial_load(cdof + 6 * i), rate));
  }
}

void aba_response_solve(AbaResponse* response, const int* list, int n) {
  walk_outwards(response, list, n);
}
