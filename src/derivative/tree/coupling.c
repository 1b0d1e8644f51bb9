// Sums over the tree of the derivatives of constraint wrenches. A block between two bodies is
// multiplied with all pairs of their dofs. Blocks of one body with itself are first summed over
// subtrees, and each dof is multiplied with the sum of its subtree.

#include "derivative/tree/coupling.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "smooth/jacobian.h"

// Sums of the blocks and wrenches of one body, then of its subtree.
typedef struct BodyBlock {
  mjtNum move[36], stiff[36], damp[36], wrench[6];
  int is_used;
} BodyBlock;

// S'_j = W_<j x S_j of all dofs
static mjtNum* axis_rates(const mjModel* m, mjData* d, const Twists* W) {
  mjtNum* rate = mj_stackAllocNum(d, 6 * (size_t)m->nv);
  for (int j = 0; j < m->nv; j++) {
    sp_crossmotion(rate + 6 * j, W->before + 6 * j, d->cdof + 6 * j);
  }
  return rate;
}

Couplings couplings_make(const mjModel* m, mjData* d, const mjtNum* x, mjtNum* F_q, mjtNum* F_v,
                         mjtNum* H) {
  Couplings of = {
      .m = m, .d = d, .nv = m->nv, .F_q = F_q, .F_v = F_v, .H = H, .x = x, .v = d->qvel};
  size_t bytes = (size_t)m->nbody * sizeof(BodyBlock);
  if (F_q || !H) {
    of.X = twists_make(m, d, x);
    of.V = twists_make(m, d, d->qvel);
    of.rate_x = axis_rates(m, d, &of.X);
    of.rate_v = axis_rates(m, d, &of.V);
  }
  of.body = mj_stackAllocByte(d, bytes, _Alignof(BodyBlock));
  memset(of.body, 0, bytes);
  return of;
}

void twist_at(mjtNum out[6], const mjModel* m, const mjData* d, int body, const mjtNum W[6],
              const mjtNum point[3]) {
  v3_copy(out, W);
  velocity_at(out + 3, m, d, body, W, point);
}

// 6 x 6

// Moves the reference point of wrenches (rows of A): torque += r x force, r from the new point to
// the old one.
static void shift_rows(mjtNum A[36], const mjtNum r[3]) {
  for (int c = 0; c < 6; c++) {
    const mjtNum force[3] = {A[18 + c], A[24 + c], A[30 + c]};
    A[c] += r[1] * force[2] - r[2] * force[1];
    A[6 + c] += r[2] * force[0] - r[0] * force[2];
    A[12 + c] += r[0] * force[1] - r[1] * force[0];
  }
}

// Moves the reference point of twists (columns of A). A twist (turn, shift) about the new point
// shifts the old point by shift + turn x r. So in each row, turn part += r x shift part.
static void shift_columns(mjtNum A[36], const mjtNum r[3]) {
  for (int i = 0; i < 6; i++) {
    mjtNum t[3];
    v3_cross(t, r, A + 6 * i + 3);
    v3_addto(A + 6 * i, t);
  }
}

INLINE void add_matrix(mjtNum A[36], const mjtNum B[36]) {
  for (int i = 0; i < 36; i++) {
    A[i] += B[i];
  }
}

// out = A s,  out = A' s
INLINE void mulv(mjtNum out[6], const mjtNum A[36], const mjtNum s[6]) {
  for (int i = 0; i < 6; i++) {
    out[i] = sp_dot(A + 6 * i, s);
  }
}

INLINE void tmulv(mjtNum out[6], const mjtNum A[36], const mjtNum s[6]) {
  sp_zero(out);
  for (int i = 0; i < 6; i++) {
    sp_addtoscl(out, A + 6 * i, s[i]);
  }
}

// couplings of different bodies

// Adds the block between two different bodies to all pairs of dofs of their chains.
static KERNEL void add_between(Couplings* of, const CouplingBlock* c, int on, int by) {
  int nrow, ncol, nv = of->nv;
  const int* row = jac_body_chain(&nrow, of->m, on);
  const int* col = jac_body_chain(&ncol, of->m, by);
  const mjtNum* cdof = of->d->cdof;
  for (int i = 0; i < ncol; i++) {
    int j = col[i];
    mjtNum moved[6], stiff[6], damp[6], t[6];
    mulv(moved, c->move, cdof + 6 * j);
    mulv(stiff, c->stiff, cdof + 6 * j);
    mulv(damp, c->damp, cdof + 6 * j);
    mulv(t, c->stiff, of->rate_x + 6 * j);
    sp_addtoscl(moved, t, -1);
    mulv(t, c->damp, of->rate_v + 6 * j);
    sp_addtoscl(moved, t, -1);
    for (int k = 0; k < nrow; k++) {
      const mjtNum* S = cdof + 6 * row[k];
      size_t at = (size_t)row[k] * (size_t)nv + (size_t)j;
      of->F_q[at] += sp_dot(S, moved);
      of->F_v[at] -= sp_dot(S, damp);
      of->H[at] += sp_dot(S, stiff);
    }
  }
}

// Adds the stiffness of a block between two different bodies to H alone.
static KERNEL void add_stiffness(Couplings* of, const CouplingBlock* c, int on, int by) {
  int nrow, ncol, nv = of->nv;
  const int* row = jac_body_chain(&nrow, of->m, on);
  const int* col = jac_body_chain(&ncol, of->m, by);
  const mjtNum* cdof = of->d->cdof;
  for (int i = 0; i < ncol; i++) {
    mjtNum stiff[6];
    mulv(stiff, c->stiff, cdof + 6 * col[i]);
    for (int k = 0; k < nrow; k++) {
      of->H[(size_t)row[k] * (size_t)nv + (size_t)col[i]] += sp_dot(cdof + 6 * row[k], stiff);
    }
  }
}

// Adds to the watched total the change of the wrench on one of its bodies, for each dof that moves
// body `by`.
static void add_watched(WrenchRows* out, const Couplings* of, const CouplingBlock* c, int by) {
  int n, nv = of->nv;
  const int* chain = jac_body_chain(&n, of->m, by);
  for (int i = 0; i < n; i++) {
    int j = chain[i];
    const mjtNum* S = of->d->cdof + 6 * j;
    mjtNum moved[6], stiff[6], damp[6], t[6];
    mulv(moved, c->move, S);
    mulv(stiff, c->stiff, S);
    mulv(damp, c->damp, S);
    mulv(t, c->stiff, of->rate_x + 6 * j);
    sp_addtoscl(moved, t, -1);
    mulv(t, c->damp, of->rate_v + 6 * j);
    sp_addtoscl(moved, t, -1);
    for (int k = 0; k < 6; k++) {
      out->q[k * nv + j] += moved[k];
      out->v[k * nv + j] -= damp[k];
      out->x[k * nv + j] -= stiff[k];
    }
  }
}

static void arm_of(mjtNum arm[3], const Couplings* of, int body, const mjtNum point[3]) {
  v3_sub(arm, point, tree_point(of->m, of->d, body));
}

// Adds a block of a body with itself to the sums of the body.
static void add_within(Couplings* of, const CouplingBlock* block, int body) {
  BodyBlock* sum = of->body + body;
  sum->is_used = 1;
  add_matrix(sum->stiff, block->stiff);
  if (of->F_q) {
    add_matrix(sum->move, block->move);
    add_matrix(sum->damp, block->damp);
  }
}

void couplings_add_block(Couplings* of, int on, int by, CouplingBlock* block,
                         const mjtNum point[3]) {
  int moves = of->m->body_weldid[on] != 0, is_watched = of->wrench && of->wrench->inside[on];
  if (of->m->body_weldid[by] == 0 || !(moves || is_watched)) {
    return;
  }
  mjtNum row[3], column[3], *part[3] = {block->stiff, block->move, block->damp};
  arm_of(row, of, on, point);
  arm_of(column, of, by, point);
  for (int i = 0; i < (of->F_q ? 3 : 1); i++) {
    shift_rows(part[i], row);
    shift_columns(part[i], column);
  }
  if (is_watched) {
    add_watched(of->wrench, of, block, by);
  }
  if (moves && on == by) {
    add_within(of, block, on);
  } else if (moves) {
    (of->F_q ? add_between : add_stiffness)(of, block, on, by);
  }
}

void couplings_add_wrench(Couplings* of, int body, const mjtNum wrench[6], const mjtNum point[3]) {
  if (of->m->body_weldid[body] == 0) {
    return;
  }
  mjtNum arm[3], torque[3];
  mjtNum* sum = of->body[body].wrench;
  arm_of(arm, of, body, point);
  v3_cross(torque, arm, wrench + 3);
  v3_addto(sum, torque);
  sp_addto(sum, wrench);
}

void couplings_add(Couplings* of, Coupling* c, const mjtNum point[3]) {
  for (int a = 0; a < 2; a++) {
    for (int b = 0; b < 2; b++) {
      couplings_add_block(of, c->body[a], c->body[b], &c->block[a][b], point);
    }
    if (of->F_q) {
      couplings_add_wrench(of, c->body[a], c->wrench[a], point);
    }
  }
}

// couplings of one body with the world

static void sum_subtrees(Couplings* of) {
  const mjModel* m = of->m;
  for (int i = m->nbody - 1; i > 0; i--) {
    const BodyBlock* from = of->body + i;
    BodyBlock* to = of->body + m->body_parentid[i];
    if (from->is_used && m->body_parentid[i]) {
      to->is_used = 1;
      add_matrix(to->stiff, from->stiff);
      if (of->F_q) {
        add_matrix(to->move, from->move);
        add_matrix(to->damp, from->damp);
        sp_addto(to->wrench, from->wrench);
      }
    }
  }
}

// Products of the axis S of a dof with the sums of its subtree. Columns are wrenches as the dof
// moves; rows, times a twist, are the generalized force on the dof.
typedef struct {
  mjtNum column[6], stiff[6], damp[6];  // move S - stiff S'_x - damp S'_v,  stiff S,  damp S
  mjtNum row[6], row_stiff[6], row_damp[6];
  mjtNum turn[6];  // S x* w: turn . S_j = (D_j S) . w
} DofProducts;

static void dof_products(DofProducts* p, const Couplings* of, const BodyBlock* block, int k) {
  const mjtNum* S = of->d->cdof + 6 * k;
  mjtNum t[6];
  mulv(p->column, block->move, S);
  mulv(p->stiff, block->stiff, S);
  mulv(p->damp, block->damp, S);
  mulv(t, block->stiff, of->rate_x + 6 * k);
  sp_addtoscl(p->column, t, -1);
  mulv(t, block->damp, of->rate_v + 6 * k);
  sp_addtoscl(p->column, t, -1);
  tmulv(p->row, block->move, S);
  tmulv(p->row_stiff, block->stiff, S);
  tmulv(p->row_damp, block->damp, S);
  sp_crossforce(p->turn, S, block->wrench);
}

// Products of DofProducts with the axis of another dof, one lane each.
enum {
  COLUMN,
  STIFF,
  DAMP,
  ROW,
  ROW_DAMP,
  TURN,
  NPRODUCT
};

enum {
  LANES = SIMD_PADDED(NPRODUCT)
};

// out[i] = vector_i . S for all products; lanes[c][i] is component c of vector i
INLINE void products(mjtNum out[LANES], const mjtNum lanes[6][LANES], const mjtNum S[6]) {
  for (int i = 0; i < LANES; i++) {
    out[i] = lanes[0][i] * S[0] + lanes[1][i] * S[1] + lanes[2][i] * S[2] + lanes[3][i] * S[3] +
             lanes[4][i] * S[4] + lanes[5][i] * S[5];
  }
}

// Adds the entries (k, j) and (j, k) for all dofs j above dof k, and (k, k).
static KERNEL void add_dof(Couplings* of, const DofProducts* p, int k) {
  const mjModel* m = of->m;
  const mjtNum* const vector[NPRODUCT] = {p->column, p->stiff,    p->damp,
                                          p->row,    p->row_damp, p->turn};
  mjtNum lanes[6][LANES] = {{0}};
  for (int i = 0; i < NPRODUCT; i++) {
    for (int c = 0; c < 6; c++) {
      lanes[c][i] = vector[i][c];
    }
  }
  int nv = of->nv, first = dof_step(m, k).first;
  const int* chain = m->D_colind + m->D_rowadr[k];
  for (int i = 0; i <= m->D_diag[k]; i++) {
    int j = chain[i];
    const mjtNum* S = of->d->cdof + 6 * j;
    size_t kj = (size_t)k * (size_t)nv + (size_t)j, jk = (size_t)j * (size_t)nv + (size_t)k;
    mjtNum with[LANES];
    products(with, lanes, S);
    of->F_q[jk] += with[COLUMN];
    of->F_v[jk] -= with[DAMP];
    of->H[jk] += with[STIFF];
    if (j == k) {
      continue;
    }
    mjtNum turned = with[TURN];
    of->F_q[kj] += with[ROW] - sp_dot(of->rate_x + 6 * j, p->row_stiff) -
                   sp_dot(of->rate_v + 6 * j, p->row_damp) + turned;
    of->F_v[kj] -= with[ROW_DAMP];
    of->H[kj] += with[STIFF];
    if (j >= first) {
      // axes of one quaternion turn each other: (S_k x S_j) . w = -(S_j x S_k) . w
      of->F_q[jk] -= turned;
    }
  }
}

// Adds these entries of the stiffness to H alone.
static void add_dof_stiffness(Couplings* of, const BodyBlock* block, int k) {
  const mjModel* m = of->m;
  size_t nv = (size_t)of->nv;
  const int* chain = m->D_colind + m->D_rowadr[k];
  mjtNum stiff[6];
  mulv(stiff, block->stiff, of->d->cdof + 6 * k);
  for (int i = 0; i <= m->D_diag[k]; i++) {
    size_t j = (size_t)chain[i];
    mjtNum both = sp_dot(of->d->cdof + 6 * j, stiff);
    of->H[j * nv + (size_t)k] += both;
    if (j != (size_t)k) {
      of->H[(size_t)k * nv + j] += both;
    }
  }
}

void couplings_finish(Couplings* of) {
  sum_subtrees(of);
  for (int k = 0; k < of->nv; k++) {
    const BodyBlock* block = of->body + of->m->dof_bodyid[k];
    if (block->is_used && !of->F_q) {
      add_dof_stiffness(of, block, k);
    } else if (block->is_used) {
      DofProducts p;
      dof_products(&p, of, block, k);
      add_dof(of, &p, k);
    }
  }
}
