// Derivatives of smooth forces with respect to velocity: actuators, fluids, dampers, bias forces.
//                                                          theory/time/derivatives.md, Pattern of D

#include "step/derivative.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/actuator.h"
#include "base/algebra/simd.h"
#include "base/algebra/sparse_row.h"
#include "base/algebra/vec.h"
#include "base/joint.h"
#include "model/behaviour.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "model/terms.h"
#include "smooth/actuation.h"
#include "smooth/drive/drive.h"
#include "smooth/flex/flex.h"
#include "smooth/fluid.h"
#include "smooth/jacobian.h"
#include "smooth/slopes.h"
#include "smooth/tendon.h"
#include "step/free_body.h"

// sums of outer products

// Whether a row and the two after it are the dofs of a vertex that only slides. Then D has exactly
// these three columns in these rows.
static int is_block(const mjModel* m, int row) {
  int adr = m->D_rowadr[row];
  return m->D_rownnz[row] == 3 && m->D_rownnz[row + 1] == 3 && m->D_rownnz[row + 2] == 3 &&
         m->D_rowadr[row + 2] == adr + 6 && m->D_colind[adr] == row &&
         m->D_colind[adr + 2] == row + 2;
}

static void add_block(const mjModel* m, mjtNum* D, const mjtNum* val, int row, mjtNum scale) {
  mjtNum* to = D + m->D_rowadr[row];
  for (int a = 0; a < 3; a++, to += 3) {
    mjtNum s = scale * val[a];
    for (int b = 0; b < 3; b++) {
      to[b] += s * val[b];
    }
  }
}

// D += scale v v' on the pattern of D; v is sparse with ascending columns (col NULL: dense).
static void add_outer(const mjModel* m, mjtNum* D, const mjtNum* val, const int* col, int n,
                      mjtNum scale) {
  for (int a = 0; a < n; a++) {
    if (col && a + 2 < n && col[a + 2] == col[a] + 2 && is_block(m, col[a])) {
      add_block(m, D, val + a, col[a], scale);
      a += 2;
      continue;
    }
    mjtNum s = scale * val[a];
    int row = col ? col[a] : a;
    int k = m->D_rowadr[row], end = k + m->D_rownnz[row];
    for (int b = 0; b < n && k < end;) {
      int column = col ? col[b] : b;
      if (m->D_colind[k] < column) {
        k++;
      } else if (m->D_colind[k] > column) {
        b++;
      } else {
        D[k++] += s * val[b++];
      }
    }
  }
}

// actuators

static void add_rows(const mjModel* m, mjData* d, int i, mjtNum damping) {
  int first = m->actuator_outadr[i], end = first + m->actuator_outnum[i];
  for (int row = first; row < end && damping != 0; row++) {
    int adr = d->moment_rowadr[row];
    add_outer(m, d->qDeriv, d->actuator_moment + adr, d->moment_colind + adr, d->moment_rownnz[row],
              damping);
  }
}

static mjtNum law_damping(const mjModel* m, const mjData* d, int i, const mjtNum* u) {
  mjtNum force[3];
  law_forces(force, m, d, i, u);
  return law_by_velocity(m, d, i, u, actuator_is_saturated(m, d, i, force));
}

static void actuator_derivative(const mjModel* m, mjData* d) {
  size_t top = arena_top(d);
  const mjtNum* ctrl = NULL;
  int clamps = behaves(m, cndBEHAVIOUR_actclamp), early = behaves(m, cndBEHAVIOUR_actearly);
  int asleep = awake_some_sleep(m, d), as_given = !clamps && !m->nhistory;
  for (int i = 0; i < (int)m->nactuator; i++) {
    if (actuator_is_disabled(m, i) || (asleep && actuator_sleeps(m, d, i))) {
      continue;
    }
    int has_law = gain_has_law(m->actuator_gaintype[i]);
    if (!ctrl && (!as_given || has_law)) {
      mjtNum* copy = arena_num(d, m->nu);
      actuation_controls(copy, m, d);
      ctrl = copy;
    }
    if (has_law) {
      add_rows(m, d, i, law_damping(m, d, i, ctrl + m->actuator_ctrladr[i]));
      continue;
    }
    // before 4.0 controls of beyond their ranges count as they are
    int is_free =
        !clamps || !actuator_is_saturated(m, d, i, d->actuator_force + m->actuator_outadr[i]);
    const mjtNum* u = (as_given ? d->ctrl : ctrl) + m->actuator_ctrladr[i];
    mjtNum direct = m->actuator_dyntype[i] == mjDYN_NONE ? *u : 0;
    add_rows(m, d, i, is_free ? actuator_by_velocity(m, d, i, direct, early) : 0);
  }
  arena_pop(d, top);
}

// fluids

// out_r = sum_k A_rk rows_k for six rows of whole vectors
KERNEL
static void combine_rows(mjtNum* out, int nout, const mjtNum* A, const mjtNum* rows, int ld) {
  for (int r = 0; r < nout; r++, out += ld, A += 6) {
    for (int b = 0; b < ld; b += SIMD_N) {
      SimdN sum = {0};
      for (int k = 0; k < 6; k++) {
        sum += A[k] * SIMD_READ(SimdN, rows + k * ld + b);
      }
      SIMD_AT(SimdN, out + b) = sum;
    }
  }
}

// D += J' B J for the inertia box of a body that only slides. B is diagonal; J has the axes of the
// body's three dofs in the frame of the box. These dofs are the only columns in their rows of D.
KERNEL static void add_slide(mjtNum* const D[3], const mjtNum B[36], const mjtNum J[3][3]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      mjtNum sum = 0;
      for (int r = 0; r < 3; r++) {
        mjtNum BJ = B[7 * (3 + r)] * J[j][r];
        sum += J[i][r] * BJ;
      }
      D[i][j] += sum;
    }
  }
}

// What of the derivative of a fluid's forces goes into D.
typedef enum FluidKind_ {
  FLUID_ALL,
  FLUID_SYMMETRIC,  // lift and drag of ellipsoids symmetrised
  FLUID_DRAG        // drag alone, symmetrised
} FluidKind;

static void add_slide_fluid(const mjModel* m, mjData* d, const FluidPart* part) {
  int first = m->body_dofadr[part->body];
  mjtNum B[36], J[3][3];
  mjtNum* rows[3];
  fluid_derivative(B, m, part);
  for (int k = 0; k < 3; k++) {
    m3_tmulv(J[k], part->mat, d->cdof + 6 * (first + k) + 3);
    rows[k] = d->qDeriv + m->D_rowadr[first + k];
  }
  add_slide(rows, B, J);
}

// D += J' B J, with J = the rotation and translation of the piece in its own frame (6
// rows), B of an ellipsoid symmetrised or not: those of free bodies that are solved apart aren't
static void add_fluid(const mjModel* m, mjData* d, const FluidPart* part, void* arg) {
  int n;
  FluidKind kind = *(const FluidKind*)arg;
  const int* chain = jac_body_chain(&n, m, part->body);
  if (part->geom < 0 && n == 3 && m->body_simple[part->body] == 2 && is_block(m, chain[0])) {
    add_slide_fluid(m, d, part);
    return;
  }
  mjtNum B[36], frame[9], zero[3] = {0, 0, 0};
  if (kind == FLUID_DRAG) {
    fluid_drag_derivative(B, m, part);
  } else {
    fluid_derivative(B, m, part);
  }
  if (kind != FLUID_ALL && part->geom >= 0 && !free_body_is(m, part->body)) {
    for (int r = 0; r < 6; r++) {
      for (int c = 0; c < r; c++) {
        B[6 * r + c] = B[6 * c + r] = (B[6 * r + c] + B[6 * c + r]) / 2;
      }
    }
  }
  for (int r = 0; r < 3; r++) {
    m3_column(frame + 3 * r, part->mat, r);
  }

  mj_markStack(d);
  int ld = SIMD_PADDED(n);
  mjtNum* Jn = mj_stackAllocNum(d, 6 * n);
  mjtNum* J = mj_stackAllocNum(d, 12 * ld);
  mjtNum *BJ = J + 6 * ld, *out = mj_stackAllocNum(d, ld);
  jac_difference(Jn + 3 * n, Jn, n, 1, m, d, 0, zero, part->body, part->pos, frame);
  for (int r = 0; r < 6; r++) {
    memcpy(J + r * ld, Jn + r * n, n * sizeof(mjtNum));
    memset(J + r * ld + n, 0, (ld - n) * sizeof(mjtNum));
  }
  combine_rows(BJ, 6, B, J, ld);
  for (int i = 0; i < n; i++) {
    mjtNum column[6];
    for (int r = 0; r < 6; r++) {
      column[r] = J[r * ld + i];
    }
    combine_rows(out, 1, column, BJ, ld);
    int k = m->D_rowadr[chain[i]];
    for (int j = 0; j < n; j++) {
      while (m->D_colind[k] != chain[j]) {
        k++;
      }
      d->qDeriv[k] += out[j];
    }
  }
  mj_freeStack(d);
}

// dampers

// block[dof]: whether D has a block of three from that dof on, as it has for both ends of most
// edges.
static void edge_derivative(const mjModel* m, mjData* d, const mjtByte* block, int flex) {
  int first = m->flex_edgeadr[flex];
  mjtNum scale = -m->flex_edgedamping[flex];
  for (int e = first; e < first + m->flex_edgenum[flex]; e++) {
    if (m->flexedge_rigid[e]) {
      continue;
    }
    TendonRow row = flex_row(m, d, e);
    const int* col = row.colind;
    if (col && row_is_edge(col, row.n) && block[col[0]] && block[col[3]]) {
      add_block(m, d->qDeriv, row.val, col[0], scale);
      add_block(m, d->qDeriv, row.val + 3, col[3], scale);
    } else {
      add_outer(m, d->qDeriv, row.val, col, row.n, scale);
    }
  }
}

// With the behaviour flex dampers of edges are explicit.
static void edges_derivative(const mjModel* m, mjData* d) {
  mjtByte* block = NULL;
  if (!m->nflex || behaves(m, cndBEHAVIOUR_flex)) {
    return;
  }
  mj_markStack(d);
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_rigid[f] || m->flex_interp[f] || m->flex_edgedamping[f] == 0 ||
        flex_sleeps(m, d, f)) {
      continue;
    }
    if (!block) {
      block = mj_stackAllocByte(d, (size_t)m->nv, 1);
      for (int i = 0; i < m->nv; i++) {
        block[i] = i + 2 < m->nv && is_block(m, i);
      }
    }
    edge_derivative(m, d, block, f);
  }
  mj_freeStack(d);
}

// Also tendon_forces in smooth/passive.c.
static void damper_derivative(const mjModel* m, mjData* d) {
  int terms = m->cnd_has_terms, asleep = awake_some_sleep(m, d);
  for (int k = 0; k < d->cnd_nrun; k++) {
    const AwakeRun* run = awake_run(d, k);
    for (int i = run->dof; i < run->dof_end; i++) {
      d->qDeriv[m->D_rowadr[i] + m->D_diag[i]] -=
          terms ? terms_slope(terms_dof_damper(m, i), d->qvel[i]) : m->dof_damping[i];
    }
  }
  edges_derivative(m, d);
  for (int t = 0; t < m->ntendon; t++) {
    if (asleep && tendon_sleeps(m, d, t)) {
      continue;
    }
    mjtNum slope =
        terms ? terms_slope(terms_tendon_damper(m, t), d->ten_velocity[t]) : m->tendon_damping[t];
    if (slope != 0) {
      TendonRow row = tendon_view(m, d, t);
      add_outer(m, d->qDeriv, row.val, row.colind, row.n, -slope);
    }
  }
}

// bias forces

// S_j: axis of dof j. c_j, e_j: velocity of the body before and after joint motion j is added. V,
// A: velocity and acceleration of a body below j at zero qacc.
//
//   dV/dqvel_j = S_j        dA/dqvel_j = w_j - V x S_j,     w_j = (c_j + e_j) x S_j
//
// because A is the sum of c_k x S_k qvel_k and S_j adds to every later c_k. For the body's
// force f = I A + V x* (I V):
//
//   df/dqvel_j = I w_j + B S_j,     B S = - I (V x S) + S x* (I V) + V x* (I S)
//
// which is linear in two quantities that don't depend on the body, so I and B are
// summed over subtrees once, and
//
//   d tau_k / dqvel_j = S_k . (I w_j + B S_j)         I, B of the deeper of the two subtrees
//
// B is stored by columns: column c is B applied to the c-th unit vector.
// Also body_force in smooth/bias.h and lane_body_coriolis in lanes/dynamics/implicit.h.
static void body_coriolis(mjtNum B[36], const mjtNum inertia[10], const mjtNum V[6]) {
  mjtNum momentum[6];
  sp_mulinertia(momentum, inertia, V);
  for (int c = 0; c < 6; c++) {
    mjtNum unit[6] = {0}, t[6], u[6];
    mjtNum* out = B + 6 * c;
    unit[c] = 1;
    sp_crossforce(out, unit, momentum);
    sp_mulinertia(t, inertia, unit);
    sp_crossforce(u, V, t);
    sp_addto(out, u);
    sp_crossmotion(t, V, unit);
    sp_mulinertia(u, inertia, t);
    sp_addtoscl(out, u, -1);
  }
}

// w of every dof: joint by joint, as velocities are built up
// Also com_velocities in smooth/velocity.c and lane_dof_rates in lanes/dynamics/implicit.h.
static void dof_rates(mjtNum* w, const mjModel* m, const mjData* d, const AwakeRun* run) {
  for (int i = int_max(1, run->body); i < run->body_end; i++) {
    mjtNum before[6], after[6], sum[6];
    sp_copy(after, d->cvel + 6 * m->body_parentid[i]);
    int end = m->body_dofadr[i] + m->body_dofnum[i];
    for (int dof = m->body_dofadr[i]; dof < end;) {
      // a step: dofs that start from the same velocity, one scalar or the three of a rotation
      int end_step = dof_step(m, dof).end;
      sp_copy(before, after);
      for (int k = dof; k < end_step; k++) {
        sp_addtoscl(after, d->cdof + 6 * k, d->qvel[k]);
      }
      sp_add(sum, before, after);
      for (; dof < end_step; dof++) {
        sp_crossmotion(w + 6 * dof, sum, d->cdof + 6 * dof);
      }
    }
  }
}

// Also mj_rne in smooth/bias.c and lane_bias_matrix in lanes/dynamics/implicit.h.
static void bias_derivative(const mjModel* m, mjData* d, const AwakeRun* run) {
  int first = int_max(1, run->body), end = run->body_end;
  mj_markStack(d);
  mjtNum* w = mj_stackAllocNum(d, 6 * m->nv);
  mjtNum(*B)[36] = mj_stackAllocByte(d, m->nbody * sizeof(*B), _Alignof(mjtNum));

  dof_rates(w, m, d, run);
  for (int i = first; i < end; i++) {
    body_coriolis(B[i], d->cinert + 10 * i, d->cvel + 6 * i);
  }
  for (int i = end - 1; i >= first; i--) {
    int parent = m->body_parentid[i];
    if (parent >= first) {
      for (int k = 0; k < 36; k++) {
        B[parent][k] += B[i][k];
      }
    }
  }

  for (int i = run->dof; i < run->dof_end; i++) {
    int body = m->dof_bodyid[i];
    const mjtNum* S = d->cdof + 6 * i;
    const mjtNum* Bi = B[body];
    mjtNum momentum[6], force[6], BS[6];
    sp_mulinertia(momentum, d->crb + 10 * body, S);
    sp_mulinertia(force, d->crb + 10 * body, w + 6 * i);
    for (int c = 0; c < 6; c++) {
      sp_addtoscl(force, Bi + 6 * c, S[c]);
      BS[c] = sp_dot(Bi + 6 * c, S);
    }

    // row i and column i, up to the diagonal; an ancestor's row k holds i among its descendants
    int adr = m->D_rowadr[i], diag = m->D_diag[i];
    for (int p = 0; p <= diag; p++) {
      int k = m->D_colind[adr + p];
      d->qDeriv[adr + p] -= sp_dot(momentum, w + 6 * k) + sp_dot(BS, d->cdof + 6 * k);
      if (p < diag) {
        int q = m->D_rowadr[k] + m->D_diag[k] + 1;
        while (m->D_colind[q] != i) {
          q++;
        }
        d->qDeriv[q] -= sp_dot(force, d->cdof + 6 * k);
      }
    }
  }
  mj_freeStack(d);
}

static void clear(const mjModel* m, mjData* d) {
  for (int i = 0; i < d->cnd_nrun; i++) {
    const AwakeRun* run = awake_run(d, i);
    int begin = derivative_row(m, run->dof), end = derivative_row(m, run->dof_end);
    memset(d->qDeriv + begin, 0, (size_t)(end - begin) * sizeof(mjtNum));
  }
}

static int fluid_acts(const mjModel* m) {
  int passive = mjDSBL_SPRING | mjDSBL_DAMPER;
  return fluid_is_active(m) && (m->opt.disableflags & passive) != passive;
}

int derivative_drag(const mjModel* m, mjData* d) {
  FluidKind kind = FLUID_DRAG;
  if (!fluid_acts(m)) {
    return 0;
  }
  clear(m, d);
  fluid_visit(m, d, add_fluid, &kind);
  return 1;
}

// qDeriv D = d(tau - c)/dv on its pattern: actuators, fluids, dampers, and - dc/dv
// Also in lanes/integrate.h, lanes/dynamics/fluid.h, lanes/dynamics/implicit.h and
// derivative/smooth/second_order.c.
void derivative_smooth(const mjModel* m, mjData* d, int without_bias) {
  int disabled = m->opt.disableflags;
  clear(m, d);
  if (!(disabled & mjDSBL_ACTUATION)) {
    actuator_derivative(m, d);
  }
  if (fluid_acts(m)) {
    FluidKind kind = without_bias ? FLUID_SYMMETRIC : FLUID_ALL;
    fluid_visit(m, d, add_fluid, &kind);
  }
  if (!(disabled & mjDSBL_DAMPER)) {
    damper_derivative(m, d);
  }
  for (int i = 0; i < d->cnd_nrun && !without_bias; i++) {
    bias_derivative(m, d, awake_run(d, i));
  }
}
