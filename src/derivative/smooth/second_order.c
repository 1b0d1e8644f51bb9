// Derivative of Q a, with the qDeriv Q of implicit integrators: a sum of terms g moment moment' on
// a sparsity pattern, of J' B J of fluids, and of the derivative of the bias.
// Symbols: discrete.c (Q, a), smooth/fluid.h (B).
//                                            theory/time/exact-derivatives.md, Implicit integrators

#include "derivative/smooth/second_order.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/muscle.h"
#include "derivative/smooth/fluid_second.h"
#include "derivative/smooth/springs.h"
#include "derivative/tree/flex_edge.h"
#include "derivative/tree/tendon_length.h"
#include "model/options.h"
#include "smooth/actuation.h"
#include "smooth/flex/flex.h"
#include "smooth/jacobian.h"
#include "smooth/tendon.h"

typedef struct {
  ForceJacobian* F;
  const mjModel* m;
  mjData* d;
  const mjtNum* a;
  const Twists* W;
  mjtNum *row, *part, *change;  // nv each: moment, partial sums of moment . a, dg/dq
  mjtNum* hessian;              // D moment, nv x nv
} ActuatorDerivatives;

// Whether entry i of qDeriv is in the pattern of the matrix: all entries, or those of M.
static inline int is_stored(const mjModel* m, int i, int only_M) {
  return !only_M || m->mapM2D[i] >= 0;
}

// implicitfast has the pattern of M, and so have fluids in discrete steps
static int takes_M(const mjModel* m) {
  return m->opt.integrator == mjINT_IMPLICITFAST || options_is_discrete(m);
}

// part_k = sum of moment_l a_l over the stored entries (k, l)
static void partial_sums(ActuatorDerivatives* s) {
  const mjModel* m = s->m;
  int only_M = takes_M(m);
  for (int k = 0; k < m->nv; k++) {
    s->part[k] = 0;
    for (int i = m->D_rowadr[k]; s->row[k] != 0 && i < m->D_rowadr[k] + m->D_rownnz[k]; i++) {
      if (is_stored(m, i, only_M)) {
        s->part[k] += s->row[m->D_colind[i]] * s->a[m->D_colind[i]];
      }
    }
  }
}

void pattern_derivative(mjtNum* G, const mjModel* m, const mjtNum* row, const mjtNum* hessian,
                        const mjtNum* a, mjtNum g, int only_M) {
  size_t nv = (size_t)m->nv;
  for (size_t k = 0; k < nv; k++) {
    mjtNum *out = G + k * nv, part = 0;
    for (int i = m->D_rowadr[k]; i < m->D_rowadr[k] + m->D_rownnz[k]; i++) {
      size_t l = (size_t)m->D_colind[i];
      if (!is_stored(m, i, only_M)) {
        continue;
      }
      part += row[l] * a[l];
      if (row[k] != 0) {
        mju_addToScl(out, hessian + l * nv, g * row[k] * a[l], m->nv);
      }
    }
    mju_addToScl(out, hessian + k * nv, g * part, m->nv);
  }
}

// actuators

static mjtNum muscle_second_derivative(const mjModel* m, const mjData* d, int i) {
  const mjtNum *prm = m->actuator_gainprm + mjNGAIN * i, *range = m->actuator_lengthrange + 2 * i;
  return muscle_gain_by_velocity_twice(d->actuator_length[i], d->actuator_velocity[i], range,
                                       m->actuator_acc0[i], prm);
}

// row = moment of an actuator
static void find_row(ActuatorDerivatives* s, int i) {
  const mjData* d = s->d;
  int adr = d->moment_rowadr[i];
  mju_zero(s->row, s->m->nv);
  for (int k = 0; k < d->moment_rownnz[i]; k++) {
    s->row[d->moment_colind[adr + k]] = d->actuator_moment[adr + k];
  }
}

// g d(moment moment') a, with row and part of the actuator
static void add_moment_change(ActuatorDerivatives* s, int i, mjtNum g) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  int nv = m->nv;
  mj_markStack(d);
  Load* loads = loads_make(m, d);
  mjtNum* follower = mj_stackAllocNum(d, 6 * (size_t)m->nbody);
  mju_zero(follower, 6 * m->nbody);
  mju_zero(s->hessian, nv * nv);
  s->F->kinks += transmission_derivative(s->hessian, loads, follower, m, d, i, 1);
  loads_derivative(s->hessian, m, d, loads, 1);
  followers_derivative(s->hessian, m, d, follower);
  pattern_derivative(s->F->q, m, s->row, s->hessian, s->a, g, takes_M(m));
  mj_freeStack(d);
}

// Also actuator_forces in smooth/actuation.c.
static void add_actuator(ActuatorDerivatives* s, int i) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  const mjtNum *gain = m->actuator_gainprm + mjNGAIN * i, *range = m->actuator_lengthrange + 2 * i;
  int nv = m->nv, no_act = m->actuator_dyntype[i] == mjDYN_NONE;
  int last = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
  int muscle = m->actuator_gaintype[i] == mjGAIN_MUSCLE;
  mjtNum input = no_act ? d->ctrl[m->actuator_ctrladr[i]] : d->act[last];
  mjtNum l = d->actuator_length[i];
  mjtNum v = d->actuator_velocity[i], acc0 = m->actuator_acc0[i];
  mjtNum by_input = actuator_gain_by_velocity(m, d, i);
  mjtNum g = actuator_bias_by_velocity(m, i) + by_input * input;
  int is_joint = m->actuator_trntype[i] == mjTRN_JOINT;
  if (by_input == 0 && !muscle && (g == 0 || is_joint)) {
    return;
  }
  find_row(s, i);
  partial_sums(s);
  mju_zero(s->change, nv);
  if (muscle) {
    mjtNum by_length = muscle_gain_by_velocity_and_length(l, v, range, acc0, gain) * input;
    mjtNum by_velocity = muscle_second_derivative(m, d, i) * input;
    transmission_length_derivative(s->change, m, d, i, by_length);
    transmission_rate_derivative(s->change, m, d, i, s->W, by_velocity);
    for (int k = 0; k < nv; k++) {
      mju_addToScl(s->F->v + (size_t)k * nv, s->row, s->row[k] * s->part[k] * by_velocity, nv);
    }
  }
  for (int k = 0; k < nv; k++) {
    mjtNum both = s->row[k] * s->part[k];
    mju_addToScl(s->F->q + (size_t)k * nv, s->change, both, nv);
    if (no_act) {
      s->F->ctrl[(size_t)k * m->nu + m->actuator_ctrladr[i]] += both * by_input;
    } else {
      s->F->act[(size_t)k * m->na + last] += both * by_input;
    }
  }
  if (!is_joint && g != 0) {
    add_moment_change(s, i, g);
  }
}

// The damping of a motor changes with its resistance, that of a pid is constant.
static void add_drive(ActuatorDerivatives* s, int i) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  Drive drive;
  drive_make(&drive, m, d, i);
  mjtNum g = drive.by_velocity.x;
  find_row(s, i);
  partial_sums(s);
  for (int k = 0; k < drive.nact; k++) {
    mjtNum by = drive.by_velocity.by[DRIVE_BY_ACTIVATION + k];
    mjtNum* column = s->F->act + m->actuator_actadr[i] + k;
    for (size_t r = 0; by != 0 && r < (size_t)m->nv; r++) {
      column[r * (size_t)m->na] += s->row[r] * s->part[r] * by;
    }
  }
  if (m->actuator_trntype[i] != mjTRN_JOINT && g != 0) {
    add_moment_change(s, i, g);
  }
}

// d(- b(|l'|) J' (J a)) with l' = J v
static void add_tendon(ActuatorDerivatives* s, int t) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  int nv = m->nv, is_path = m->wrap_type[m->tendon_adr[t]] != mjWRAP_JOINT;
  Terms b = damper_of_tendon(m, t);
  mjtNum slope = terms_slope(b, d->ten_velocity[t]), bend = terms_bend(b, d->ten_velocity[t]);
  tendon_row(s->row, m, d, t);
  if (bend != 0) {
    partial_sums(s);
    mju_zero(s->change, nv);
    tendon_rate_derivative(s->change, m, d, t, s->W, -bend);
    for (int k = 0; k < nv; k++) {
      mjtNum both = s->row[k] * s->part[k];
      mju_addToScl(s->F->q + (size_t)k * (size_t)nv, s->change, both, nv);
      mju_addToScl(s->F->v + (size_t)k * (size_t)nv, s->row, -bend * both, nv);
    }
  }
  if (!is_path || slope == 0) {
    return;
  }
  mj_markStack(d);
  Load* loads = loads_make(m, d);
  mju_zero(s->hessian, nv * nv);
  s->F->kinks += tendon_derivative(s->hessian, loads, m, d, t, 1);
  loads_derivative(s->hessian, m, d, loads, 1);
  pattern_derivative(s->F->q, m, s->row, s->hessian, s->a, -slope, takes_M(m));
  mj_freeStack(d);
}

// d(- b(|v|) a) of each dof
static void add_dampers(ForceJacobian* F, const mjModel* m, const mjData* d, const mjtNum* a) {
  for (size_t i = 0; i < (size_t)m->nv; i++) {
    F->v[i * (size_t)m->nv + i] -= damper_dof_bend(m, d, (int)i, 0) * a[i];
  }
}

// Damping of a flex edge.
static void add_edge(ActuatorDerivatives* s, int flex, int e) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  FlexEdge edge = flex_edge(m, d, flex, e);
  mj_markStack(d);
  Load* loads = loads_make(m, d);
  TendonRow row = flex_row(m, d, e);
  mju_zero(s->row, m->nv);
  tendon_add_to(s->row, &row, 1);
  mju_zero(s->hessian, m->nv * m->nv);
  flex_edge_derivative(s->hessian, loads, m, d, &edge, 1);
  loads_derivative(s->hessian, m, d, loads, 1);
  pattern_derivative(s->F->q, m, s->row, s->hessian, s->a, -m->flex_edgedamping[flex], takes_M(m));
  mj_freeStack(d);
}

static void add_edges(ActuatorDerivatives* s, int flex) {
  const mjModel* m = s->m;
  int first = m->flex_edgeadr[flex];
  if (m->flex_rigid[flex] || m->flex_interp[flex] || m->flex_edgedamping[flex] == 0) {
    return;
  }
  for (int e = first; e < first + m->flex_edgenum[flex]; e++) {
    if (!m->flexedge_rigid[e]) {
      add_edge(s, flex, e);
    }
  }
}

// fluids

typedef struct {
  ForceJacobian* F;
  const mjtNum* rate;  // W_<j x S_j of the velocities
  const mjtNum* a;
} FluidDerivatives;

// A spatial vector as (rotation, translation at the piece), in the axes of the piece.
static void to_piece(mjtNum out[6], const mjModel* m, const mjData* d, const FluidPart* part,
                     const mjtNum s[6]) {
  mjtNum v[3];
  velocity_at(v, m, d, part->body, s, part->pos);
  m3_tmulv(out, part->mat, s);
  m3_tmulv(out + 3, part->mat, v);
}

// Adds the derivative of J_k' B y for a range of rows k, with y = sum of J_l a_l over those dofs l
// of the chain that are taken. The wrench B y turns with the piece, and changes with the local
// velocity V and with y:
//
//   d(B y) = (dB/dV y) dV + B dy      dy = R' (A_<j x S_j),  A the twist of the taken a_l
typedef struct {
  int n, first, end;  // number of dofs of the chain; range of rows
  const int* chain;
  const char* taken;  // which dofs l are taken
} PieceRows;

static void add_rows(const FluidDerivatives* s, const mjModel* m, mjData* d, const FluidPart* part,
                     const mjtNum B[36], const mjtNum T[216], const PieceRows* rows) {
  int n = rows->n, body = part->body, symmetric = takes_M(m) && part->geom >= 0;
  size_t nv = (size_t)m->nv;
  const int* chain = rows->chain;
  mjtNum twist[6] = {0}, C[36] = {0}, y[6], wrench[6], torque[3], force[3], r[3], t[3];
  for (int l = 0; l < n; l++) {
    if (rows->taken[l]) {
      sp_addtoscl(twist, d->cdof + 6 * chain[l], s->a[chain[l]]);
    }
  }
  to_piece(y, m, d, part, twist);
  for (int i = 0; i < 36; i++) {
    for (int k = 0; k < 6; k++) {
      mjtNum own = T[36 * (i / 6) + 6 * k + i % 6], other = T[36 * k + 6 * (i / 6) + i % 6];
      C[i] += y[k] * (symmetric ? (own + other) / 2 : own);
    }
  }
  mju_mulMatVec(wrench, B, y, 6, 6);
  m3_mulv(torque, part->mat, wrench);
  m3_mulv(force, part->mat, wrench + 3);
  v3_sub(r, part->pos, tree_point(m, d, body));
  v3_crossadd(wrench, r, force, torque);
  v3_copy(wrench + 3, force);

  sp_zero(twist);
  for (int j = 0, added = 0; j < n; j++) {
    mjtNum J[6], moved[6], by_q[6], by_v[6], more[6], turned[6];
    const mjtNum* S = d->cdof + 6 * chain[j];
    for (int first = dof_step(m, chain[j]).first; chain[added] < first; added++) {
      if (rows->taken[added]) {
        sp_addtoscl(twist, d->cdof + 6 * chain[added], s->a[chain[added]]);
      }
    }
    to_piece(J, m, d, part, S);
    to_piece(moved, m, d, part, s->rate + 6 * chain[j]);
    v3_cross(t, S, m->opt.wind);
    m3_tmulv(t, part->mat, t);
    v3_addto(moved + 3, t);
    mju_mulMatVec(by_v, C, J, 6, 6);
    mju_mulMatVec(by_q, C, moved, 6, 6);
    sp_crossmotion(turned, twist, S);
    to_piece(moved, m, d, part, turned);
    mju_mulMatVec(more, B, moved, 6, 6);
    sp_addto(by_q, more);
    sp_crossforce(turned, S, wrench);
    for (int k = rows->first; k < rows->end; k++) {
      size_t at = nv * (size_t)chain[k] + (size_t)chain[j];
      to_piece(J, m, d, part, d->cdof + 6 * chain[k]);
      s->F->q[at] += sp_dot(J, by_q);
      s->F->v[at] += sp_dot(J, by_v);
      if (!dof_turns(m, chain[j], chain[k])) {
        s->F->q[at] += sp_dot(d->cdof + 6 * chain[k], turned);
      }
    }
  }
}

// B of a piece as it is in the matrix of the integrator, and its derivative.
static void find_fluid(mjtNum B[36], mjtNum T[216], const mjModel* m, const FluidPart* part) {
  if (options_is_discrete(m)) {
    fluid_drag_derivative(B, m, part);
    fluid_drag_second_derivative(T, m, part);
  } else {
    fluid_derivative(B, m, part);
    fluid_second_derivative(T, m, part);
  }
  for (int i = 0; takes_M(m) && part->geom >= 0 && i < 6; i++) {
    for (int k = 0; k < i; k++) {
      B[6 * i + k] = B[6 * k + i] = (B[6 * i + k] + B[6 * k + i]) / 2;
    }
  }
}

static void add_piece(const mjModel* m, mjData* d, const FluidPart* part, void* arg) {
  int n, whole = 1;
  const int* chain = jac_body_chain(&n, m, part->body);
  mjtNum B[36], T[216];
  find_fluid(B, T, m, part);
  mj_markStack(d);
  char* taken = mj_stackAllocByte(d, (size_t)n, 1);
  memset(taken, 1, (size_t)n);
  for (int k = 0; k < n; k++) {
    whole &= !takes_M(m) || m->M_rownnz[chain[k]] == k + 1;
  }
  PieceRows rows = {n, 0, n, chain, taken};
  for (int k = 0; !whole && k < n; k++) {
    rows.first = k;
    rows.end = k + 1;
    for (int l = 0, i = m->D_rowadr[chain[k]]; l < n; l++, i++) {
      while (m->D_colind[i] != chain[l]) {
        i++;
      }
      taken[l] = (char)is_stored(m, i, 1);
    }
    add_rows(arg, m, d, part, B, T, &rows);
  }
  if (whole) {
    add_rows(arg, m, d, part, B, T, &rows);
  }
  mj_freeStack(d);
}

void fluid_products_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const mjtNum* a) {
  mj_markStack(d);
  BodyMotion velocity = motion_make(m, d, &(JointMotion){d->qvel, NULL, 0});
  FluidDerivatives s = {F, velocity.rate, a};
  fluid_visit(m, d, add_piece, &s);
  mj_freeStack(d);
}

// Adds the derivatives of the diagonal J_k' B J_k of each dof k of the chain.
static void add_diagonal(const mjModel* m, mjData* d, const FluidPart* part, void* arg) {
  int n;
  const int* chain = jac_body_chain(&n, m, part->body);
  mjtNum B[36], T[216];
  find_fluid(B, T, m, part);
  mj_markStack(d);
  char* taken = mj_stackAllocByte(d, (size_t)n, 1);
  memset(taken, 0, (size_t)n);
  for (int k = 0; k < n; k++) {
    PieceRows rows = {n, k, k + 1, chain, taken};
    taken[k] = 1;
    add_rows(arg, m, d, part, B, T, &rows);
    taken[k] = 0;
  }
  mj_freeStack(d);
}

void fluid_diagonal_derivative(ForceJacobian* F, const mjModel* m, mjData* d) {
  mj_markStack(d);
  BodyMotion velocity = motion_make(m, d, &(JointMotion){d->qvel, NULL, 0});
  mjtNum* ones = mj_stackAllocNum(d, (size_t)m->nv);
  mju_fill(ones, 1, m->nv);
  FluidDerivatives s = {F, velocity.rate, ones};
  fluid_visit(m, d, add_diagonal, &s);
  mj_freeStack(d);
}

// bias

// The bias c is quadratic in v, so for any s
//
//   dc/dv a = (c(v + s a) - c(v - s a)) / (2 s)         d(dc/dv a)/dv = dc/dv at v = a
//
// The factor s scales a to the size of v, so that the difference keeps most of its digits.
void bias_products_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const mjtNum* qvel,
                              const mjtNum* a) {
  mj_markStack(d);
  mjtNum* v = mj_stackAllocNum(d, (size_t)m->nv);
  mjtNum* unused = mj_stackAllocNum(d, (size_t)m->nv * (size_t)m->nv);
  mjtNum size_a = mju_norm(a, m->nv), size_v = mju_norm(qvel, m->nv);
  mjtNum s = size_a > 0 && size_v > 0 ? size_v / size_a : 1;
  for (int side = -1; side <= 1; side += 2) {
    mju_addScl(v, qvel, a, (mjtNum)side * s, m->nv);
    BodyMotion motion = motion_make(m, d, &(JointMotion){v, NULL, 0});
    dynamics_derivative(F->q, NULL, m, d, &motion, -(mjtNum)side / (2 * s));
  }
  BodyMotion motion = motion_make(m, d, &(JointMotion){a, NULL, 0});
  dynamics_derivative(unused, F->v, m, d, &motion, -1);
  mj_freeStack(d);
}

// d(Q a) = sum of d(g moment moment' a) + d(J' B J a) - d(dc/dv a)
// Also derivative_smooth in step/derivative.c.
void smooth_second_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const mjtNum* a) {
  int disabled = m->opt.disableflags, passive = mjDSBL_SPRING | mjDSBL_DAMPER;
  size_t nv = (size_t)m->nv;
  mj_markStack(d);
  Twists W = twists_make(m, d, d->qvel);
  ActuatorDerivatives s = {F,
                           m,
                           d,
                           a,
                           &W,
                           mj_stackAllocNum(d, nv),
                           mj_stackAllocNum(d, nv),
                           mj_stackAllocNum(d, nv),
                           mj_stackAllocNum(d, nv * nv)};
  for (int i = 0; !(disabled & mjDSBL_ACTUATION) && i < (int)m->nactuator; i++) {
    if (!actuator_is_disabled(m, i)) {
      (actuator_is_drive(m, i) ? add_drive : add_actuator)(&s, i);
    }
  }
  add_dampers(F, m, d, a);
  for (int t = 0; t < m->ntendon; t++) {
    if (terms_any(damper_of_tendon(m, t))) {
      add_tendon(&s, t);
    }
  }
  for (int f = 0; !(disabled & mjDSBL_DAMPER) && f < m->nflex; f++) {
    add_edges(&s, f);
  }
  if (fluid_is_active(m) && (disabled & passive) != passive) {
    fluid_products_derivative(F, m, d, a);
  }
  if (m->opt.integrator == mjINT_IMPLICIT) {
    bias_products_derivative(F, m, d, d->qvel, a);
  }
  mj_freeStack(d);
}
