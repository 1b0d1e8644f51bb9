// The acceleration stage of constraints: the starting point, the choice of solver and of problems
// (whole or islands), and the results.                             theory/contact/solvers.md, Start

#include <limits.h>
#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/algebra/sparse_row.h"
#include "base/algebra/vec.h"
#include "base/parallel.h"
#include "constraint/hard/hard.h"
#include "constraint/law/cache.h"
#include "constraint/law/dense_rows.h"
#include "constraint/law/law.h"
#include "constraint/law/problem.h"
#include "constraint/metric/metric.h"
#include "constraint/rows/storage.h"
#include "constraint/solver/dual.h"
#include "constraint/solver/pattern.h"
#include "model/behaviour.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "model/data/jacobian.h"
#include "model/data/share.h"
#include "model/timer.h"

// out = J acc - aref
static void residual(mjtNum* out, const Matrix* J, const mjtNum* acc, const mjtNum* aref) {
  matrix_mulv(out, J, acc);
  for (int i = 0; i < J->nrow; i++) {
    out[i] -= aref[i];
  }
}

// Starts the dual solvers at the forces of the last step's solution. A solver starts at zero forces
// if those cost less.
static void start_dual(const mjModel* m, mjData* d) {
  size_t top = arena_top(d);
  mjtNum* jar = arena_num(d, d->nefc);
  Rows rows = rows_whole(m, d);
  Matrix J = matrix_whole_J(m, d);
  memcpy(d->qacc, d->qacc_warmstart, m->nv * sizeof(mjtNum));
  residual(jar, &J, d->qacc, d->efc_aref);
  law_cost(d->efc_force, d->efc_state, &rows, jar, 0);
  arena_pop(d, top);
}

INLINE uint64_t nonzero_blocks(const mjtNum* row, int n) {
  const Simd4 zero = {0};
  uint64_t bits = 0;
  for (int b = 0; b < n; b += DOF_BLOCK) {
    Simd4Mask any = SIMD_READ(Simd4, row + b) != zero;
    any |= SIMD4_ORDER(any, 2, 3, 0, 1);
    bits |= (uint64_t)((any[0] | any[1]) != 0) << b / DOF_BLOCK % 64;
  }
  return bits;
}

// Copies rows to padded ones. blocks: for each row, a bit for each block of dofs that isn't zero.
KERNEL
static void pad_rows(mjtNum* to, uint64_t* blocks, const mjtNum* from, int nrow, int n) {
  for (int i = 0; i < nrow; i++, from += n, to += SIMD_PADDED(n)) {
    dense_pad(to, from, n);
    blocks[i] = nonzero_blocks(to, n);
  }
}

// Runs of consecutive columns.
typedef struct Runs {
  int n, first[DENSE_UP_TO], length[DENSE_UP_TO];
} Runs;

static void find_runs(Runs* runs, const int* column, int n) {
  runs->n = 0;
  for (int k = 0, end; k < n; k = end) {
    for (end = k + 1; end < n && column[end] == column[k] + end - k; end++) {
    }
    runs->first[runs->n] = column[k];
    runs->length[runs->n++] = end - k;
  }
}

// The same for a J in compressed rows, of bodies mostly, whose dofs are runs.
KERNEL
static void unpack_rows(mjtNum* to, uint64_t* blocks, const Matrix* J) {
  ptrdiff_t ld = SIMD_PADDED(J->ncolumn);
  Runs runs;  // too large to be cleared each time
  for (int i = 0; i < J->nrow;) {
    int last = i + J->same[i];
    uint64_t bits = 0;
    find_runs(&runs, J->column + J->rowadr[i], J->rownnz[i]);
    for (int k = 0; k < runs.n; k++) {
      bits |= dof_blocks(runs.first[k] + runs.length[k] - 1, 1);
      bits |= dof_blocks(runs.first[k], runs.length[k]);
    }
    for (; i <= last; i++, to += ld) {
      const mjtNum* from = J->value + J->rowadr[i];
      for (int b = 0; b < ld; b += SIMD_N) {
        SIMD_AT(SimdN, to + b) = (SimdN){0};
      }
      for (int k = 0; k < runs.n; from += runs.length[k++]) {
        mjtNum* run = to + runs.first[k];
        int c = 0, n = runs.length[k];
        for (; c + 2 <= n; c += 2) {
          SIMD_AT(Simd2, run + c) = SIMD_READ(Simd2, from + c);
        }
        if (c < n) {
          run[c] = from[c];
        }
      }
      blocks[i] = bits;
    }
  }
}

// Makes dense, padded copies of J and M for a small problem.
static void problem_densify(Problem* p) {
  int n = p->n, nefc = p->rows.nefc;
  size_t ld = SIMD_PADDED(n);
  mjtNum* J;
  if (p->cache) {
    J = p->cache->J;
    p->blocks = p->cache->blocks;
    p->M_dense = p->cache->M;
  } else {
    J = arena_take(p->d, sizeof(mjtNum) * int_max(1, nefc) * ld, 64);
    p->blocks = arena_take(p->d, sizeof(uint64_t) * nefc, _Alignof(uint64_t));
    p->M_dense = arena_take(p->d, sizeof(mjtNum) * n * ld, 64);
  }
  const Matrix rows = p->J;
  p->J = (Matrix){.nrow = nefc, .ncolumn = n, .ld = ld, .value = J};
  if (p->cache && p->cache->dense) {
    return;
  }
  if (rows.rownnz) {
    unpack_rows(J, p->blocks, &rows);
  } else {
    pad_rows(J, p->blocks, rows.value, nefc, n);
  }

  memset(p->M_dense, 0, sizeof(mjtNum) * n * ld);
  for (int i = 0; i < n; i++) {
    const mjtNum* value = p->M + p->tree.rowadr[i];
    const int* column = p->tree.colind + p->tree.rowadr[i];
    for (int k = 0; k < p->tree.rownnz[i]; k++) {
      p->M_dense[i * ld + column[k]] = p->M_dense[column[k] * ld + i] = value[k];
    }
  }
  if (p->cache) {
    p->cache->dense = 1;
  }
}

// Room for n numbers, with zeros to the end of the last vector.
static mjtNum* padded_room(mjData* d, int n) {
  mjtNum* room = arena_take(d, sizeof(mjtNum) * SIMD_PADDED(n), 64);
  for (int i = n; i < SIMD_PADDED(n); i++) {
    room[i] = 0;
  }
  return room;
}

// Copies vectors of n numbers to rows that are padded.
KERNEL
static void pad_vectors(mjtNum* to, const mjtNum* const* from, int count, int n) {
  for (int i = 0; i < count; i++, to += SIMD_PADDED(n)) {
    dense_pad(to, from[i], n);
  }
}

// Makes padded copies of the vectors of a problem. If the solver still has to find its start, Ma
// and frc_constraint are copies of acc, only to get zeros behind their n numbers.
static void problem_pad(mjData* d, Problem* p) {
  const mjtNum* Ma = p->start ? p->acc : p->Ma;
  const mjtNum* const vector[5] = {p->acc, p->acc_smooth, p->frc_smooth, Ma, p->acc};
  size_t ld = SIMD_PADDED(p->n);
  mjtNum* room = arena_take(d, sizeof(mjtNum) * 5 * ld, 64);
  mjtNum* jar = padded_room(d, p->rows.nefc);
  pad_vectors(room, vector, 5, p->n);
  if (!p->start) {
    memcpy(jar, p->jar, p->rows.nefc * sizeof(mjtNum));
  }
  p->acc = room;
  p->acc_smooth = room + ld;
  p->frc_smooth = room + 2 * ld;
  p->Ma = room + 3 * ld;
  p->frc_constraint = room + 4 * ld;
  p->jar = jar;
}

// Counts the entries of MuJoCo's Newton matrix, for the statistics. If J is in compressed rows and
// stays so, this makes the pattern of the matrix too.
static void problem_count(const mjModel* m, mjData* d, Problem* p, Pattern* pattern, int newton) {
  int64_t nnz = newton ? (int64_t)p->n * p->n : 0;
  if (newton && p->J.rownnz) {
    if (p->n > DENSE_UP_TO) {
      *pattern = pattern_make(d, p);
      p->pattern = pattern;
    } else if (p->island >= mjNISLAND) {
      return;
    } else if (p->n > COUNT_UP_TO) {
      *pattern = pattern_make(d, p);
    } else {
      pattern_count(&pattern->nnzL, &pattern->nnzJ, p);
    }
    // as in MuJoCo, the entries of M are counted up to the end of the island in iM, earlier islands
    // included
    int endM = p->tree.rowadr[p->n - 1] + p->tree.rownnz[p->n - 1];
    nnz = (mj_isPyramidal(m) ? 1 : 2) * pattern->nnzL + pattern->nnzJ + endM;
  }
  if (p->island < mjNISLAND) {
    d->solver_nnz[p->island] = (int)(nnz < INT_MAX ? nnz : INT_MAX);
  }
}

// Solves a problem by padded vectors, and dense matrices if it is small.
static int solve_by_dofs(mjtNum* acc, mjtNum* frc, const mjModel* m, mjData* d, Problem* p,
                         int newton) {
  problem_pad(d, p);
  if (p->n <= DENSE_UP_TO || !p->J.rownnz) {
    p->cache = solver_cache_find(d, p->island, p->n, p->rows.nefc);
    p->cache = p->cache && p->cache->J ? p->cache : NULL;
    problem_densify(p);
  }
  if (p->start) {
    primal_start(p, newton);
  }
  int niter = primal_solve(m, d, p, newton);
  memcpy(acc, p->acc, p->n * sizeof(mjtNum));
  memcpy(frc, p->frc_constraint, p->n * sizeof(mjtNum));
  return niter;
}

// Solves a problem by the first method that fits: in the space of constraint rows (few rows), by
// the solver of small problems, or by dofs (also if the solver by rows gives up). Stores the
// accelerations, forces and statistics.
static void problem_solve(mjtNum* acc, mjtNum* frc, const mjModel* m, mjData* d, Problem* p) {
  int newton = m->opt.solver == mjSOL_NEWTON, niter = -1;
  size_t top = arena_top(d);
  Pattern pattern;
  problem_count(m, d, p, &pattern, newton);
  // a tolerance of 0 asks for the last digits, which stiff rows lose in solves with M's factor
  int by_rows = newton && m->opt.tolerance > 0 && !problem_is_cut_short(&m->opt) && !p->tree.is_cut;
  if (by_rows && problem_has_few_rows(p->n, p->rows.nefc)) {
    niter = primal_rows(acc, frc, m, d, p);
  }
  if (niter < 0) {
    niter = problem_is_small(p, newton) ? primal_small(acc, frc, m, p)
                                        : solve_by_dofs(acc, frc, m, d, p, newton);
  }
  arena_pop(d, top);
  if (p->island < mjNISLAND) {
    d->solver_niter[p->island] = niter;
  }
}

// index NULL: n numbers in their order
static void gather(mjtNum* to, const mjtNum* from, const int* index, int n) {
  if (!index) {
    memcpy(to, from, (size_t)n * sizeof(mjtNum));
    return;
  }
  for (int i = 0; i < n; i++) {
    to[i] = from[index[i]];
  }
}

static void scatter(mjtNum* to, const mjtNum* from, const int* index, int n) {
  if (!index) {
    memcpy(to, from, (size_t)n * sizeof(mjtNum));
    return;
  }
  for (int i = 0; i < n; i++) {
    to[index[i]] = from[i];
  }
}

// The same on the threads of a pool.
typedef struct {
  mjtNum* to;
  const mjtNum* from;
  const int* index;
} Moved;

static void gather_some(void* argument, int begin, int end) {
  const Moved* s = argument;
  const int* index = s->index ? s->index + begin : NULL;
  gather(s->to + begin, index ? s->from : s->from + begin, index, end - begin);
}

static void scatter_some(void* argument, int begin, int end) {
  const Moved* s = argument;
  const int* index = s->index ? s->index + begin : NULL;
  scatter(index ? s->to : s->to + begin, s->from + begin, index, end - begin);
}

static void move_shared(SharedCall call, mjData* d, mjtNum* to, const mjtNum* from,
                        const int* index, int n) {
  const int least = 8192, piece = 2048;
  Moved s = {to, from, index};
  if (share_pays(d, n, least)) {
    share_for(d, n, piece, call, &s);
  } else {
    call(&s, 0, n);
  }
}

// Copies results by dof (forces and accelerations) to the order of islands.
static void gather_dofs(mjData* d) {
  const int* dof = d->map_idof2dof;
  gather(d->ifrc_smooth, d->qfrc_smooth, dof, d->nidof);
  gather(d->iacc_smooth, d->qacc_smooth, dof, d->nidof);
  gather(d->iacc, d->qacc, dof, d->nidof);
  gather(d->ifrc_constraint, d->qfrc_constraint, dof, d->nidof);
}

// The scale that makes an island's costs dimensionless, from its present inertia, not from that of
// the reference configuration.
static mjtNum inertia_scale(const mjtNum* M, TreePattern tree) {
  mjtNum trace = 0;
  for (int i = 0; i < tree.n; i++) {
    trace += M[tree.rowadr[i] + tree.rownnz[i] - 1];
  }
  return 1 / trace;
}

// The scale of the whole system: by the present inertia, or by that of the reference configuration.
static mjtNum whole_scale(const mjModel* m, const mjData* d) {
  return behaves(m, cndBEHAVIOUR_solverexit)
             ? inertia_scale(d->M, tree_pattern(m))
             : 1 / (m->stat.meaninertia * (mjtNum)int_max(1, m->nv));
}

static ProblemStart start_of(const mjModel* m, mjData* d) {
  return (ProblemStart){d->efc_aref, d->efc_b, d->efc_state,
                        !(m->opt.disableflags & mjDSBL_WARMSTART)};
}

// Discrete steps minimise in their own metric; the caller pops the stack.
static void take_metric(Problem* p, const mjModel* m, mjData* d) {
  mjtNum *M = arena_num(d, d->nefmK), *frc = arena_num(d, m->nv);
  metric_matrix(M, m, d);
  metric_shifted(frc, m, d);
  p->tree = metric_tree(m, d);
  p->M = M;
  p->LD = d->cnd_efm_L;
  p->DInv = metric_pivots(d);
  p->frc_smooth = frc;
}

// The whole system as a problem, starting at the last step's solution. own_states: the solver
// stores its states apart from efc_state.
static Problem whole_problem(const mjModel* m, mjData* d, int own_states) {
  Problem p = {.d = d, .n = m->nv, .rows = rows_whole(m, d)};
  p.J = matrix_whole_J(m, d);
  p.tree = tree_pattern(m);
  p.M = d->M;
  p.LD = d->qLD;
  p.DInv = d->qLDiagInv;
  p.frc_smooth = d->qfrc_smooth;
  if (d->efm_active) {
    take_metric(&p, m, d);
  }
  p.acc_smooth = d->qacc_smooth;
  p.acc = d->qacc_warmstart;
  p.force = d->efc_force;
  p.state = own_states ? d->iefc_state : d->efc_state;
  p.by_decrement = behaves(m, cndBEHAVIOUR_solverexit);
  return p;
}

// Copies what the whole solve has read and found to the island arrays, where a program looks for
// it.
static void copy_to_island(const mjModel* m, mjData* d) {
  size_t dofs = m->nv * sizeof(mjtNum), rows = d->nefc * sizeof(mjtNum);
  if (d->nidof < m->nv) {
    gather_dofs(d);
  } else {
    memcpy(d->ifrc_smooth, d->qfrc_smooth, dofs);
    memcpy(d->iacc_smooth, d->qacc_smooth, dofs);
    memcpy(d->iacc, d->qacc, dofs);
    memcpy(d->ifrc_constraint, d->qfrc_constraint, dofs);
  }
  memcpy(d->iefc_aref, d->efc_aref, rows);
  memcpy(d->iefc_force, d->efc_force, rows);
}

// Solves the whole system. island: it stands for the only island, and other dofs are free.
static void solve_whole(const mjModel* m, mjData* d, int island) {
  Trouble trouble = {0};
  size_t top = arena_top(d);
  ProblemStart start = start_of(m, d);
  Problem p = whole_problem(m, d, island);
  TreePattern dofs = {d->nidof, d->iM_rownnz, d->iM_rowadr, NULL, 0, 0};
  p.trouble = &trouble;
  p.start = &start;
  p.shared = 1;
  p.has_AR = mj_isDual(m) && !d->efm_active;
  p.scale = island ? inertia_scale(d->iM, dofs) : whole_scale(m, d);
  problem_solve(d->qacc, d->qfrc_constraint, m, d, &p);
  if (island) {
    copy_to_island(m, d);
    if (m->opt.solver == mjSOL_NEWTON && d->nidof < p.n) {
      d->solver_nnz[0] = d->nidof * d->nidof;
    }
  }
  problem_warn(d, &trouble);
  arena_pop(d, top);
}

static Problem island_problem(const mjModel* m, mjData* d, const MetricIslands* metric,
                              int island) {
  int dof = d->island_idofadr[island], row = d->island_iefcadr[island];
  int n = d->island_nv[island], nefc = d->island_nefc[island];
  Problem p = {.d = d, .n = n, .island = island};
  p.rows = (Rows){.nefc = nefc,
                  .ne = d->island_ne[island],
                  .nf = d->island_nf[island],
                  .type = d->iefc_type + row,
                  .id = d->iefc_id + row,
                  .D = d->iefc_D + row,
                  .R = d->iefc_R + row,
                  .frictionloss = d->iefc_frictionloss + row,
                  .contact = d->contact,
                  .elliptic = !mj_isPyramidal(m)};
  p.J = (Matrix){.nrow = nefc, .ncolumn = n, .ld = n, .value = d->iefc_J};
  if (rows_are_sparse(m, d)) {
    p.J.rownnz = d->iefc_J_rownnz + row;
    p.J.rowadr = d->iefc_J_rowadr + row;
    p.J.column = d->iefc_J_colind;
    p.J.same = d->iefc_J_rowsuper + row;
  } else {
    p.J.value += (size_t)d->nidof * row;
  }
  p.tree = (TreePattern){n, d->iM_rownnz + dof, d->iM_rowadr + dof, d->iM_colind, 0, 0};
  p.M = d->iM;
  p.LD = d->iLD;
  p.DInv = d->iLDiagInv + dof;
  if (metric->value) {
    p.tree = (TreePattern){n, metric->rownnz + dof,    metric->rowadr + dof, metric->colind,
                           0, metric_tree(m, d).is_cut};
    p.M = metric->value;
    p.LD = metric->LD;
    p.DInv = metric->DInv + dof;
  }
  p.frc_smooth = d->ifrc_smooth + dof;
  p.acc_smooth = d->iacc_smooth + dof;
  p.force = d->iefc_force + row;
  p.state = d->iefc_state + row;
  p.scale = inertia_scale(p.M, p.tree);
  p.by_decrement = behaves(m, cndBEHAVIOUR_solverexit);
  return p;
}

// The islands of d, solved in any order on any thread: each has its own parts of all arrays.
typedef struct {
  const mjModel* m;
  mjData* d;
  mjtNum *Ma, *jar;
  Trouble* trouble;      // one for each island
  MetricIslands metric;  // of discrete steps, else empty
  int* order;            // of solving, if by several threads
  size_t* peak;  // bytes that each island has pushed on a worker's stack; SIZE_MAX: too many
} Islands;

typedef struct {
  const Islands* islands;
  int island;
  int shared;  // by all threads, instead of other islands
} Piece;

static void solve_island(void* argument) {
  const Piece* piece = argument;
  const Islands* s = piece->islands;
  mjData* d = s->d;
  int island = piece->island, dof = d->island_idofadr[island], row = d->island_iefcadr[island];
  Problem p = island_problem(s->m, d, &s->metric, island);
  s->trouble[island] = (Trouble){0};
  p.trouble = s->trouble + island;
  p.shared = piece->shared;
  p.acc = d->iacc + dof;
  p.Ma = s->Ma + dof;
  p.jar = s->jar + row;
  p.b = d->efc_b;
  p.b_row = d->map_iefc2efc + row;
  problem_solve(d->iacc + dof, d->ifrc_constraint + dof, s->m, d, &p);
}

static int is_small(const Islands* s, int island) {
  const mjData* d = s->d;
  return sizes_are_small(d->island_nv[island], d->island_nefc[island],
                         s->m->opt.solver == mjSOL_NEWTON);
}

// The largest come first, so that no thread begins one when all others are done. Small ones take
// nothing from the stack.
static void try_islands(void* argument, int begin, int end) {
  const Islands* s = argument;
  for (int i = begin; i < end; i++) {
    int island = s->order[i];
    Piece piece = {s, island, 0};
    s->peak[island] = 0;
    if (is_small(s, island)) {
      solve_island(&piece);
      continue;
    }
    arena_peak(s->d);
    s->peak[island] = arena_try(solve_island, &piece, s->d) ? arena_peak(s->d) : SIZE_MAX;
  }
}

// Whether the islands are enough work to wake other threads for.
static int is_worth(const mjData* d) {
  const int64_t least = 2000;  // entries of all islands' Jacobians
  int64_t entries = 0;
  for (int b = 0; b < d->nisland; b++) {
    entries += (int64_t)d->island_nefc[b] * d->island_nv[b];
  }
  return d->nisland > 1 && entries >= least;
}

static int64_t island_entries(const mjData* d, int island) {
  return (int64_t)d->island_nefc[island] * d->island_nv[island];
}

// The number of binary digits of an island's Jacobian entries.
static int island_digits(const mjData* d, int island) {
  return 64 - __builtin_clzll((uint64_t)island_entries(d, island) | 1);
}

// Sorts islands by size, the largest first. Sizes of as many digits count as the same. Those that
// alone would take longer than all others on a thread each come before, and are solved at once: one
// after the other, by all threads.
static int order_islands(Islands* s) {
  const mjData* d = s->d;
  int first[65] = {0}, large = 0;  // of those with so many digits
  int64_t all = 0, threads = share_threads(d);
  for (int b = 0; b < d->nisland; b++) {
    all += island_entries(d, b);
    first[island_digits(d, b)]++;
  }
  for (int digits = 64, at = 0; digits >= 0; digits--) {
    int n = first[digits];
    first[digits] = at;
    at += n;
  }
  for (int b = 0; b < d->nisland; b++) {
    s->order[first[island_digits(d, b)]++] = b;
  }
  for (int i = 0; i < d->nisland; i++) {
    int b = s->order[i];
    if (island_entries(d, b) * threads > all && d->island_nv[b] > DENSE_UP_TO) {
      s->peak[b] = 0;
      solve_island(&(Piece){s, b, 1});
    } else {
      s->order[large++] = b;
    }
  }
  return large;
}

// Solves islands on the threads of the pool, if there is one. An island that lacked room on a
// worker's stack, or would lack it on this thread's, is solved again here: a pool must not change
// results.
static void solve_each(Islands* s) {
  mjData* d = s->d;
  const size_t slack = 4096;  // alignment
  const int pieces = 64;
  int pooled = d->threadpool && !pool_worker((mjThreadPool*)d->threadpool) && is_worth(d);
  if (pooled) {
    int n = order_islands(s);
    // large ones one by one, and many small ones together
    int piece = n && is_small(s, s->order[0]) ? int_max(1, n / pieces) : 1;
    share_for(d, n, piece, try_islands, s);
  }
  for (int b = 0; b < d->nisland; b++) {
    if (!pooled ||
        (s->peak[b] && (s->peak[b] > SIZE_MAX - slack || s->peak[b] + slack > arena_room(d)))) {
      solve_island(&(Piece){s, b, 0});
    }
  }
  for (int b = 0; b < d->nisland; b++) {
    problem_warn(d, s->trouble + b);
  }
}

static void solve_islands(const mjModel* m, mjData* d) {
  int nidof = d->nidof, nefc = d->nefc, newton = m->opt.solver == mjSOL_NEWTON;
  const int* dof = storage_shares_dofs(d) ? NULL : d->map_idof2dof;
  const int* row = storage_shares_rows(d) ? NULL : d->map_iefc2efc;
  size_t top = arena_top(d);
  ProblemStart start = start_of(m, d);
  Problem whole = whole_problem(m, d, 1);
  memcpy(d->qacc, d->qacc_warmstart, m->nv * sizeof(mjtNum));
  whole.acc = d->qacc;
  whole.Ma = arena_num(d, m->nv);
  whole.jar = arena_num(d, nefc);
  whole.start = &start;
  primal_start(&whole, newton);

  mjtNum* iMa = dof ? arena_num(d, nidof) : whole.Ma;
  mjtNum* ijar = row ? arena_num(d, nefc) : whole.jar;
  gather(d->ifrc_smooth, whole.frc_smooth, dof, nidof);
  gather(d->iacc_smooth, d->qacc_smooth, dof, nidof);
  gather(d->iacc, d->qacc, dof, nidof);
  if (dof) {
    gather(iMa, whole.Ma, dof, nidof);
  }
  move_shared(gather_some, d, d->iefc_aref, d->efc_aref, row, nefc);
  if (row) {
    move_shared(gather_some, d, ijar, whole.jar, row, nefc);
  }
  size_t islands = (size_t)d->nisland;
  Islands s = {.m = m, .d = d, .Ma = iMa, .jar = ijar};
  if (d->efm_active) {
    s.metric = metric_islands(m, d);
  }
  s.trouble = arena_take(d, islands * sizeof(Trouble), _Alignof(Trouble));
  s.peak = arena_take(d, islands * sizeof(size_t), _Alignof(size_t));
  s.order = arena_int(d, islands);
  solve_each(&s);
  scatter(d->qacc, d->iacc, dof, nidof);
  scatter(d->qfrc_constraint, d->ifrc_constraint, dof, nidof);
  move_shared(scatter_some, d, d->efc_force, d->iefc_force, row, nefc);
  arena_pop(d, top);
}

// Copies results to the order of islands, if the whole system was solved.
static void gather_results(const mjModel* m, mjData* d) {
  if (d->nisland && !(m->opt.disableflags & mjDSBL_ISLAND)) {
    const int* row = d->map_iefc2efc;
    gather_dofs(d);
    gather(d->iefc_aref, d->efc_aref, row, d->nefc);
    gather(d->iefc_force, d->efc_force, row, d->nefc);
    for (int i = 0; i < d->nefc; i++) {
      d->iefc_state[i] = d->efc_state[row[i]];
    }
  }
}

// Newton's method or conjugate gradients, on the whole or on each island. Before noslip, which asks
// for states, 3.3.7 takes the whole.
static void constrain_primal(const mjModel* m, mjData* d, int noslip) {
  int is_whole = noslip && !behaves(m, cndBEHAVIOUR_solverexit);
  if (!d->nisland || is_whole || m->opt.disableflags & mjDSBL_ISLAND) {
    solve_whole(m, d, 0);
    return;
  }
  if (problem_is_whole(m, d)) {
    solve_whole(m, d, 1);
  } else {
    solve_islands(m, d);
  }
  for (int i = 0; noslip && i < d->nefc; i++) {
    d->efc_state[d->map_iefc2efc[i]] = d->iefc_state[i];
  }
}

// Runs the solvers that first need the residual of the whole system at qacc_smooth.
static void constrain_dual(const mjModel* m, mjData* d) {
  Matrix J = matrix_whole_J(m, d);
  residual(d->efc_b, &J, d->qacc_smooth, d->efc_aref);
  if (hard_is_on(m)) {
    hard_forward(m, d);
    gather_results(m, d);
    return;
  }
  if (m->opt.disableflags & mjDSBL_WARMSTART) {
    memcpy(d->qacc, d->qacc_smooth, m->nv * sizeof(mjtNum));
    memset(d->efc_force, 0, d->nefc * sizeof(mjtNum));
  } else {
    start_dual(m, d);
  }
  for (int i = d->nidof; d->nisland && i < m->nv; i++) {
    int dof = d->map_idof2dof[i];
    d->qacc[dof] = d->qacc_smooth[dof];
  }
  dual_pgs(m, d);
}

static void constrain(const mjModel* m, mjData* d) {
  int solver = m->opt.solver, noslip = m->opt.noslip_iterations > 0 && !hard_is_on(m);
  memset(d->qfrc_constraint, 0, m->nv * sizeof(mjtNum));
  memset(d->solver_niter, 0, sizeof(d->solver_niter));
  if (hard_is_on(m) || solver == mjSOL_PGS) {
    constrain_dual(m, d);
  } else if (solver == mjSOL_CG || solver == mjSOL_NEWTON) {
    constrain_primal(m, d, noslip);
  } else {
    mju_error("mj_fwdConstraint: unknown solver type %d", solver);
  }
  if (noslip) {
    dual_noslip(m, d);
  }
  if (noslip || (solver == mjSOL_PGS && !hard_is_on(m))) {
    dual_finish(m, d);
  }
}

// M qacc = tau - c + J' f, with the forces f of the constraint solver
// Also lane_constrain in lanes/forward.h.
void mj_fwdConstraint(const mjModel* m, mjData* d) {
  check_pair(m, d);
  mjtNum start = timer_start();
  // chosen after the stage of positions, a solver of forces finds no matrix of theirs
  if (d->nefc && mj_isDual(m) && !d->nA) {
    mj_projectConstraint(m, d);
  }
  if (d->nefc && !arena_attempt(constrain, m, d)) {
    storage_full(d);
  }
  if (!d->nefc) {
    memset(d->qfrc_constraint, 0, m->nv * sizeof(mjtNum));
    awake_copy(d, d->qacc, d->qacc_smooth);
    memset(d->cnd_correction, 0, m->nv * sizeof(mjtNum));
    memset(d->solver_niter, 0, sizeof(d->solver_niter));
  }
  timer_stop(d, mjTIMER_CONSTRAINT, start);
}

// The force law at the given acceleration.                       theory/contact/solvers.md, Inverse
void mj_invConstraint(const mjModel* m, mjData* d) {
  check_pair(m, d);
  hard_refuse_inverse(m, "mj_invConstraint");
  mjtNum start = timer_start();
  size_t top = d->pstack;
  mjtNum* jar = arena_push(d, d->nefc * sizeof(mjtNum), _Alignof(mjtNum));
  if (d->nefc && !jar) {
    storage_full(d);
  }
  if (d->nefc) {
    Matrix J = matrix_whole_J(m, d);
    residual(jar, &J, d->qacc, d->efc_aref);
    mj_constraintUpdate(m, d, jar, NULL, 0);
  } else {
    memset(d->qfrc_constraint, 0, m->nv * sizeof(mjtNum));
  }
  arena_pop(d, top);
  timer_stop(d, mjTIMER_CONSTRAINT, start);
}
