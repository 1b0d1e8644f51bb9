// The spatial inertia of a body (cinert) is (I, mass d, mass), 10 numbers about the com of its
// tree. The principal axes r_k are the columns of R, E is the identity, and d leads from the com of
// the tree to that of the body:                           theory/smooth/inertia.md, Spatial inertia
//
//   I = mass (|d|^2 E - d d') + sum_k I_k r_k r_k'
//
// The outer product of the third axis follows from the others, r_z r_z' = E - r_x r_x' - r_y r_y':
//
//   I = mass (|d|^2 E - d d') + I_z E + (I_x - I_z) r_x r_x' + (I_y - I_z) r_y r_y'

#include "smooth/inertia.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/sparse_row.h"
#include "base/algebra/spatial.h"
#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "model/data/tree_runs.h"
#include "model/terms.h"
#include "model/timer.h"
#include "smooth/alike/alike.h"
#include "smooth/jacobian.h"
#include "smooth/tendon.h"

// (a_0 + a_1, b_0 + b_1)
INLINE Simd2 lane_sums(Simd2 a, Simd2 b) {
  return simd2(a[0], b[0]) + simd2(a[1], b[1]);
}

// Differences from 0 rather than negative numbers, so that products that vanish are +0.
// Also lane_body_inertia in lanes/dynamics/inertia.h.
INLINE void body_inertia(mjtNum out[10], const mjtNum R[9], const mjtNum inertia[3], mjtNum mass,
                         const mjtNum com[3], const mjtNum tree_com[3]) {
  // d, mass d and mass d_k^2, split in (x, y) and z; zz includes I_z, which each diagonal entry has
  Simd2 d = SIMD_READ(Simd2, com) - SIMD_READ(Simd2, tree_com), md = mass * d, square = md * d;
  mjtNum dz = com[2] - tree_com[2], mdz = mass * dz, Iz = inertia[2], zz = mdz * dz + Iz;

  // rows of R, so that lanes are r_x and r_y, and their weights (I_x - I_z, I_y - I_z)
  Simd2 x = SIMD_READ(Simd2, R), y = SIMD_READ(Simd2, R + 3), z = SIMD_READ(Simd2, R + 6);
  Simd2 weight = SIMD_READ(Simd2, inertia) - simd2(Iz, Iz), wx = weight * x, wy = weight * y;

  SIMD_AT(Simd2, out) = lane_sums(wx * x, wy * y) + simd2(square[1], square[0]) + simd2(zz, zz);
  SIMD_AT(Simd2, out + 2) =
      lane_sums(weight * z * z, wx * y) + simd2(square[0] + square[1] + Iz, 0 - md[0] * d[1]);
  SIMD_AT(Simd2, out + 4) = lane_sums(wx * z, wy * z) + (simd2(0, 0) - md * simd2(dz, dz));
  SIMD_AT(Simd2, out + 6) = md;
  SIMD_AT(Simd2, out + 8) = simd2(mdz, mass);
}

KERNEL void inertia_bodies(const mjModel* m, mjData* d, const AwakeRun* run) {
  const mjtNum* mass = m->body_mass;
  const mjtNum* inertia = m->body_inertia;
  const int* root = m->body_rootid;
  const mjtNum* xipos = d->xipos;
  const mjtNum* ximat = d->ximat;
  const mjtNum* com = d->subtree_com;
  mjtNum* cinert = d->cinert;
  for (int i = int_max(1, run->body), n = run->body_end; i < n; i++) {
    body_inertia(cinert + 10 * i, ximat + 9 * i, inertia + 3 * i, mass[i], xipos + 3 * i,
                 com + 3 * root[i]);
  }
}

// composite rigid bodies: M(i,j) = cdof_j . (inertia of everything moved by i) cdof_i
//                                                       theory/smooth/inertia.md, Composite inertia

// inertia of each subtree about the com of its tree; the world's stays zero
static KERNEL void composite_inertias(const mjModel* m, mjData* d, const AwakeRun* run) {
  for (int i = run->body_end - 1; i >= int_max(1, run->body); i--) {
    int parent = m->body_parentid[i];
    if (parent) {
      mjtNum* sum = d->crb + 10 * parent;
      const mjtNum* part = d->crb + 10 * i;
      SIMD_AT(Simd4, sum) += SIMD_READ(Simd4, part);
      SIMD_AT(Simd4, sum + 4) += SIMD_READ(Simd4, part + 4);
      SIMD_AT(Simd2, sum + 8) += SIMD_READ(Simd2, part + 8);
    }
  }
}

// row[k] = p . cdof of ancestor k, k < n; path[c * stride + k] is component c of that cdof
INLINE void inertia_row(mjtNum* row, const mjtNum p[6], const mjtNum* path, int stride, int n) {
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    Simd4 sum = p[0] * SIMD_READ(Simd4, path + k);
    for (int c = 1; c < 6; c++) {
      sum += p[c] * SIMD_READ(Simd4, path + (size_t)c * stride + k);
    }
    SIMD_AT(Simd4, row + k) = sum;
  }
  if (n & 2) {
    Simd2 sum = p[0] * SIMD_READ(Simd2, path + k);
    for (int c = 1; c < 6; c++) {
      sum += p[c] * SIMD_READ(Simd2, path + (size_t)c * stride + k);
    }
    SIMD_AT(Simd2, row + k) = sum;
    k += 2;
  }
  if (n & 1) {
    mjtNum sum = p[0] * path[k];
    for (int c = 1; c < 6; c++) {
      sum += p[c] * path[(size_t)c * stride + k];
    }
    row[k] = sum;
  }
}

// path: scratch, cdof of the current dof's ancestors by component and depth (6 x nv)
static KERNEL void inertia_rows(const mjModel* m, mjData* d, mjtNum* path, const AwakeRun* run) {
  int nv = run->dof_end - run->dof;
  for (int i = run->dof; i < run->dof_end; i++) {
    int ancestors = m->M_rownnz[i] - 1;
    mjtNum* row = d->M + m->M_rowadr[i];
    if (m->dof_simplenum[i]) {
      row[ancestors] = m->dof_M0[i];
      continue;
    }
    const mjtNum* cdof = d->cdof + 6 * i;
    mjtNum momentum[6];
    sp_mulinertia(momentum, d->crb + 10 * m->dof_bodyid[i], cdof);
    // two independent sums of three terms have a shorter latency than one sum of six
    row[ancestors] = m->dof_armature[i] + (v3_dot(momentum, cdof) + v3_dot(momentum + 3, cdof + 3));
    inertia_row(row, momentum, path, nv, ancestors);
    for (int c = 0; c < 6; c++) {
      path[(size_t)c * nv + ancestors] = cdof[c];
    }
  }
}

// Adds the armature of joints' actuators to the diagonal. dof_M0 of simple dofs has it already.
static void add_armature(const mjModel* m, mjData* d, const AwakeRun* run) {
  for (int i = run->dof; i < run->dof_end; i++) {
    if (!m->dof_simplenum[i]) {
      d->M[m->M_rowadr[i] + m->M_rownnz[i] - 1] += terms_joint_armature(m, m->dof_jntid[i]);
    }
  }
}

typedef struct MatrixRows_ {
  RunData of;
  mjtNum* path;  // 6 x nv
  int legacy;    // whether qM of groups is written, too
} MatrixRows;

static void run_composites(void* argument, const AwakeRun* run) {
  const MatrixRows* s = argument;
  composite_inertias(s->of.m, s->of.d, run);
}

static void run_rows(void* argument, const AwakeRun* run) {
  const MatrixRows* s = argument;
  inertia_rows(s->of.m, s->of.d, s->path + 6 * (size_t)run->dof, run);
}

static void groups_inertia(void* argument, const TreeGroups* groups, int begin, int end) {
  const MatrixRows* s = argument;
  alike_inertia(s->of.m, s->of.d, groups, begin, end, s->legacy);
}

static void run_armature(void* argument, const AwakeRun* run) {
  const MatrixRows* s = argument;
  add_armature(s->of.m, s->of.d, run);
}

// M_ij = S_j . (I_composite of the body of i) S_i for i and its ancestors j; armature is added to
// the diagonal
static void composite_matrix(const mjModel* m, mjData* d, int legacy) {
  size_t top = arena_top(d);
  MatrixRows s = {{m, d}, arena_num(d, 6 * m->nv), legacy};
  TreeGroups groups = tree_groups(m, d);
  for (int i = 0; i < groups.nplain; i++) {
    const AwakeRun* run = groups.plain + i;
    memcpy(d->crb + 10 * run->body, d->cinert + 10 * run->body,
           10 * (size_t)(run->body_end - run->body) * sizeof(mjtNum));
  }
  for (int i = groups.nplain - 1; i >= 0; i--) {
    run_share(m, d, groups.plain + i, run_composites, &s);
  }
  trees_share(m, d, run_rows, groups_inertia, &s);
  if (m->cnd_has_terms) {
    runs_share(m, d, run_armature, &s);
  }
  arena_pop(d, top);
}

void mj_crb(const mjModel* m, mjData* d) {
  check_pair(m, d);
  composite_matrix(m, d, 0);
}

// The energy 1/2 armature (J qvel)^2 of a tendon adds armature J_i J_j to M(i,j). Entries outside
// the pattern of M are dropped.
// Also lane_tendon_armature in lanes/dynamics/levers.h.
static void tendon_armature(const mjModel* m, mjData* d) {
  int nv = m->nv;
  size_t top = arena_top(d);
  mjtNum* row = NULL;
  for (int t = 0; t < m->ntendon; t++) {
    mjtNum armature = terms_tendon_armature(m, t);
    if (armature == 0 || tendon_sleeps(m, d, t)) {
      continue;
    }
    if (!row) {
      row = arena_num(d, nv);
    }
    tendon_row(row, m, d, t);
    for (int i = 0; i < nv; i++) {
      if (row[i] != 0 && !tree_sleeps(d, m->dof_treeid[i])) {
        int adr = m->M_rowadr[i], end = adr + m->M_rownnz[i];
        for (int k = adr; k < end; k++) {
          d->M[k] += armature * row[i] * row[m->M_colind[k]];
        }
      }
    }
  }
  arena_pop(d, top);
}

INLINE void copy_swapped(mjtNum out[2], const mjtNum in[2]) {
  Simd2 v = SIMD_READ(Simd2, in);
  SIMD_AT(Simd2, out) = __builtin_shufflevector(v, v, 1, 0);
}

// qM, the legacy format: each row of M in reverse order. qM also stores the off-diagonal entries of
// simple dofs, all zero, which M leaves out.
static KERNEL void write_qM(const mjModel* m, mjData* d, const AwakeRun* run) {
  int begin = run->dof, end = run->dof_end;
  if (m->nM != m->nC && begin < end) {
    int adr = m->dof_Madr[begin], last = end < m->nv ? m->dof_Madr[end] : m->nM;
    memset(d->qM + adr, 0, (size_t)(last - adr) * sizeof(mjtNum));
  }
  for (int i = begin; i < end; i++) {
    mjtNum* out = d->qM + m->dof_Madr[i];
    const mjtNum* in = d->M + m->M_rowadr[i];
    int n = m->M_rownnz[i];
    for (; n >= 4; n -= 4, out += 4) {
      copy_swapped(out, in + n - 2);
      copy_swapped(out + 2, in + n - 4);
    }
    if (n & 2) {
      copy_swapped(out, in + n - 2);
      out += 2;
    }
    if (n & 1) {
      *out = *in;
    }
  }
}

static void run_qM(void* argument, const AwakeRun* run) {
  const RunData* s = argument;
  write_qM(s->m, s->d, run);
}

// Whether tendons or actuators add to M.
static int has_more_armature(const mjModel* m) {
  int more = m->cnd_has_terms;
  for (int t = 0; t < m->ntendon && !more; t++) {
    more = terms_tendon_armature(m, t) != 0;
  }
  return more;
}

// M_ij = S_j . (I_composite S_i) + armature of dofs + sum over tendons of armature J_i J_j
// Also inertia_matrix in lanes/dynamics/inertia.h, alike_inertia in smooth/alike/inertia.c and
// lane_tendon_armature in lanes/dynamics/levers.h.
void mj_makeM(const mjModel* m, mjData* d) {
  check_pair(m, d);
  mjtNum start = timer_start();
  TreeGroups groups = tree_groups(m, d);
  int legacy = groups.n && !has_more_armature(m);
  composite_matrix(m, d, legacy);
  if (m->ntendon) {
    tendon_armature(m, d);
  }
  if (legacy) {
    plain_share(m, d, &groups, run_qM, &(RunData){m, d});
  } else {
    runs_share(m, d, run_qM, &(RunData){m, d});
  }
  timer_stop(d, mjTIMER_POS_INERTIA, start);
}

// factor and solve

typedef struct Factoring_ {
  const mjModel* m;
  mjtNum *LD, *diaginv;
  const mjtNum *M, *shift;
  mjtNum scale;
  mjtNum* scaled;  // scale shift, rounded; NULL without a shift
  mjtNum* x;       // what groups solve at once; or NULL
} Factoring;

static void run_factor(void* argument, const AwakeRun* run) {
  const Factoring* s = argument;
  TreePattern tree = tree_part(s->m, run->dof, run->dof_end);
  ldl_factor(s->LD, s->diaginv, tree, s->M, s->shift, s->scale);
}

static void groups_factor(void* argument, const TreeGroups* groups, int begin, int end) {
  const Factoring* s = argument;
  alike_factor(s->x, s->LD, s->diaginv, s->m, groups, begin, end, s->M, s->scaled);
}

static void solve_plain(mjtNum* x, const mjModel* m, mjData* d, const TreeGroups* groups,
                        const mjtNum* LD, const mjtNum* diaginv) {
  size_t top = arena_top(d);
  mjtNum* path = arena_num(d, m->nv);
  for (int i = 0; i < groups->nplain; i++) {
    const AwakeRun* run = groups->plain + i;
    ldl_solve(x, tree_part(m, run->dof, run->dof_end), LD, diaginv, path);
  }
  arena_pop(d, top);
}

void inertia_factor_shifted(mjtNum* x, mjtNum* LD, mjtNum* diaginv, const mjModel* m, mjData* d,
                            const mjtNum* M, const mjtNum* shift, mjtNum scale) {
  size_t top = arena_top(d);
  Factoring s = {m, LD, diaginv, M, shift, scale, NULL, x};
  if (shift && m->cnd_ngroup) {
    s.scaled = arena_num(d, m->nv);
    for (int i = 0; i < m->nv; i++) {
      s.scaled[i] = scale * shift[i];
    }
  }
  trees_share(m, d, run_factor, groups_factor, &s);
  if (x) {
    TreeGroups groups = tree_groups(m, d);
    solve_plain(x, m, d, &groups, LD, diaginv);
  }
  arena_pop(d, top);
}

void mj_factorM(const mjModel* m, mjData* d) {
  check_pair(m, d);
  mjtNum start = timer_start();
  inertia_factor_shifted(NULL, d->qLD, d->qLDiagInv, m, d, d->M, NULL, 0);
  timer_add(d, mjTIMER_POS_INERTIA, start);
}

typedef struct Solving_ {
  const mjModel* m;
  mjtNum* x;
  const mjtNum *LD, *diaginv;
} Solving;

static void groups_solve(void* argument, const TreeGroups* groups, int begin, int end) {
  const Solving* s = argument;
  alike_solve(s->x, s->m, groups, begin, end, s->LD, s->diaginv);
}

void inertia_solve_by(mjtNum* x, const mjModel* m, mjData* d, const mjtNum* LD,
                      const mjtNum* diaginv) {
  TreeGroups groups = tree_groups(m, d);
  solve_plain(x, m, d, &groups, LD, diaginv);
  groups_share(m, d, &groups, groups_solve, &(Solving){m, x, LD, diaginv});
}

void inertia_solve(mjtNum* x, const mjModel* m, mjData* d) {
  inertia_solve_by(x, m, d, d->qLD, d->qLDiagInv);
}

// Solves for n right-hand sides: M x = y if sqrtInvD is NULL, else the half solve of mj_solveM2.
static void solve(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, const mjtNum* sqrtInvD,
                  int n) {
  size_t nv = m->nv;
  size_t top = arena_top(d);
  mjtNum* path = arena_num(d, nv);
  // a model without dofs may have x = NULL, which memcpy forbids
  if (x != y && nv && n > 0) {
    memcpy(x, y, n * nv * sizeof(mjtNum));
  }
  for (int i = 0; i < n; i++, x += nv) {
    if (!sqrtInvD) {
      ldl_solve(x, tree_pattern(m), d->qLD, d->qLDiagInv, path);
      continue;
    }
    ldl_solve_upper(x, tree_pattern(m), d->qLD, path);
    for (size_t k = 0; k < nv; k++) {
      x[k] *= sqrtInvD[k];
    }
  }
  arena_pop(d, top);
}

void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n) {
  check_pair(m, d);
  check_arrays(n > 0 ? m->nv : 0, x, y);
  solve(m, d, x, y, NULL, n);
}

// x = diag(sqrtInvD) L'^-1 y, so that |x|^2 = y' M^-1 y
// Also dual_halve in lanes/solvers/pgs.h and half_rows in constraint/hard/matrix.c.
void mj_solveM2(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, const mjtNum* sqrtInvD,
                int n) {
  check_pair(m, d);
  check_arrays(n > 0 ? m->nv : 0, x, y, sqrtInvD);
  solve(m, d, x, y, sqrtInvD, n);
}

// products and copies

void inertia_mul(mjtNum* out, TreePattern tree, const mjtNum* M, const mjtNum* v) {
  for (int i = 0; i < tree.n; i++) {
    int adr = tree.rowadr[i], ancestors = tree.rownnz[i] - 1;
    const mjtNum* row = M + adr;
    if (tree_is_diagonal(tree, i)) {
      SIMD_AT(SimdN, out + i) = SIMD_READ(SimdN, row) * SIMD_READ(SimdN, v + i);
      i += TREE_RUN - 1;
      continue;
    }
    if (!ancestors) {
      out[i] = row[0] * v[i];
      continue;
    }
    const int* col = tree.colind + adr;
    mjtNum vi = v[i];
    mjtNum sum = row[ancestors] * vi;
    for (int p = 0; p < ancestors; p++) {
      sum += row[p] * v[col[p]];
      out[col[p]] += row[p] * vi;
    }
    out[i] = sum;
  }
}

// v'M v = sum over i of v_i (M_ii v_i + 2 sum over ancestors j of M_ij v_j)
KERNEL mjtNum inertia_square(const mjModel* m, const mjtNum* M, const mjtNum* v) {
  mjtNum diagonal = 0, below = 0;
  for (int i = 0; i < m->nv; i++) {
    int adr = m->M_rowadr[i], ancestors = m->M_rownnz[i] - 1;
    diagonal += M[adr + ancestors] * v[i] * v[i];
    below += row_dot(M + adr, m->M_colind + adr, ancestors, v) * v[i];
  }
  return diagonal + 2 * below;
}

void mj_mulM(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  check_pair(m, d);
  check_arrays(m->nv, res, vec);
  inertia_mul(res, tree_pattern(m), d->M, vec);
}

// res = sqrt(D) L vec, so that |res|^2 = vec' M vec
void mj_mulM2(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  check_pair(m, d);
  check_arrays(m->nv, res, vec);
  for (int i = 0; i < m->nv; i++) {
    int adr = m->M_rowadr[i], ancestors = m->M_rownnz[i] - 1;
    mjtNum sum = vec[i];
    for (int k = adr; k < adr + ancestors; k++) {
      sum += d->qLD[k] * vec[m->M_colind[k]];
    }
    res[i] = sum * mju_sqrt(d->qLD[adr + ancestors]);
  }
}

void mj_fullM(const mjModel* m, mjtNum* dst, const mjtNum* M) {
  check_given(m);
  check_arrays(m->nv, dst, M);
  int nv = m->nv;
  memset(dst, 0, (size_t)nv * nv * sizeof(mjtNum));
  for (int i = 0; i < nv; i++) {
    int adr = m->dof_Madr[i];
    for (int j = i; j >= 0; j = m->dof_parentid[j]) {
      dst[(size_t)i * nv + j] = dst[(size_t)j * nv + i] = M[adr++];
    }
  }
}

void mj_addM(const mjModel* m, mjData* d, mjtNum* dst, int* rownnz, int* rowadr, int* colind) {
  check_pair(m, d);
  check_arrays(m->nv, dst);
  int sparse = rownnz && rowadr && colind;
  for (int i = 0; i < m->nv; i++) {
    const int* colM = m->M_colind + m->M_rowadr[i];
    const mjtNum* M = d->M + m->M_rowadr[i];
    mjtNum* row = dst + (sparse ? (size_t)rowadr[i] : (size_t)i * m->nv);
    const int* col = sparse ? colind + rowadr[i] : NULL;
    if (sparse) {
      rownnz[i] = jac_merge_chain(row, colind + rowadr[i], rownnz[i], colM, m->M_rownnz[i]);
    }
    for (int k = 0, to = 0; k < m->M_rownnz[i]; k++) {
      while (sparse && col[to] != colM[k]) {
        to++;
      }
      row[sparse ? to : colM[k]] += M[k];
    }
  }
}
