// The acceleration stage of constraints: the starting point, the choice of solver and of problems
// (whole or islands), and the results.                                     theory/solvers.md, Start

#include <limits.h>
#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/parallel.h"
#include "base/sparse_row.h"
#include "base/vec.h"
#include "constraint/hard/hard.h"
#include "constraint/law.h"
#include "constraint/rows/storage.h"
#include "constraint/solver/cache.h"
#include "constraint/solver/dual.h"
#include "constraint/solver/pattern.h"
#include "constraint/solver/problem.h"
#include "model/arena.h"
#include "model/pair.h"
#include "model/timer.h"

// J qacc - aref and M qacc at the starting point.
typedef struct {
  mjtNum *jar, *Ma;
} Start;

// out = J acc - aref
static void residual(mjtNum* out, const mjModel* m, const mjData* d, const mjtNum* acc) {
  mj_mulJacVec(m, d, out, acc);
  for (int i = 0; i < d->nefc; i++) {
    out[i] -= d->efc_aref[i];
  }
}

static void start_cold(const mjModel* m, mjData* d, Start* start) {
  memcpy(d->qacc, d->qacc_smooth, m->nv * sizeof(mjtNum));
  memcpy(start->Ma, d->qfrc_smooth, m->nv * sizeof(mjtNum));
  memcpy(start->jar, d->efc_b, d->nefc * sizeof(mjtNum));
  memset(d->efc_force, 0, d->nefc * sizeof(mjtNum));
}

// jar and M qacc at the last step's solution.
static void start_warm(const mjModel* m, mjData* d, Start* start) {
  SolverCacheStart* cache = solver_cache_start(d);
  size_t bytes = m->nv * sizeof(mjtNum);
  if (!cache) {
    residual(start->jar, m, d, d->qacc_warmstart);
    mj_mulM(m, d, start->Ma, d->qacc_warmstart);
    return;
  }
  if (!cache->filled || memcmp(cache->x, d->qacc_warmstart, bytes) != 0) {
    memcpy(cache->x, d->qacc_warmstart, bytes);
    mj_mulJacVec(m, d, cache->Jx, cache->x);
    mj_mulM(m, d, cache->Mx, cache->x);
    cache->filled = 1;
  }
  mju_sub(start->jar, cache->Jx, d->efc_aref, d->nefc);
  memcpy(start->Ma, cache->Mx, bytes);
}

// The start of primal solvers: the last step's solution or the unconstrained one, whichever costs
// less.
static void start_primal(const mjModel* m, mjData* d, Start* start) {
  int nv = m->nv;
  Rows rows = rows_whole(m, d);
  start_warm(m, d, start);
  mjtNum gauss = 0;
  for (int i = 0; i < nv; i++) {
    gauss += (start->Ma[i] - d->qfrc_smooth[i]) * (d->qacc_warmstart[i] - d->qacc_smooth[i]);
  }
  mjtNum warm = law_cost(d->efc_force, d->efc_state, &rows, start->jar, 0) + gauss / 2;
  mjtNum cold = law_cost(d->efc_force, d->efc_state, &rows, d->efc_b, 0);
  if (warm > cold) {
    start_cold(m, d, start);
  } else {
    memcpy(d->qacc, d->qacc_warmstart, nv * sizeof(mjtNum));
  }
}

// The start of dual solvers: forces of the last step's solution, or zero if that costs less.
static void start_dual(const mjModel* m, mjData* d, Start* start) {
  Rows rows = rows_whole(m, d);
  memcpy(d->qacc, d->qacc_warmstart, m->nv * sizeof(mjtNum));
  residual(start->jar, m, d, d->qacc);
  law_cost(d->efc_force, d->efc_state, &rows, start->jar, 0);
  if (dual_cost(m, d) > 0) {
    memset(d->efc_force, 0, d->nefc * sizeof(mjtNum));
  }
}

// Copies rows of n numbers, with zeros to the end of the vector.
KERNEL
static void pad_rows(mjtNum* to, const mjtNum* from, int nrow, int n) {
  int whole = n / SIMD_N * SIMD_N;
  for (int i = 0; i < nrow; i++, from += n, to += SIMD_PADDED(n)) {
    for (int b = 0; b < whole; b += SIMD_N) {
      SIMD_AT(SimdN, to + b) = SIMD_READ(SimdN, from + b);
    }
    if (whole < n) {
      SIMD_AT(SimdN, to + whole) = (SimdN){0};
    }
    int k = whole;
    for (; k + 4 <= n; k += 4) {
      SIMD_AT(Simd4, to + k) = SIMD_READ(Simd4, from + k);
    }
    for (; k < n; k++) {
      to[k] = from[k];
    }
  }
}

// Copies compressed rows to padded dense ones. blocks: the bits of the blocks that are not zero.
static void unpack_rows(mjtNum* to, uint64_t* blocks, const Matrix* J) {
  size_t ld = SIMD_PADDED(J->ncolumn);
  memset(to, 0, sizeof(mjtNum) * J->nrow * ld);
  for (int i = 0; i < J->nrow;) {
    int n = J->rownnz[i], last = i + J->same[i];
    const int* column = J->column + J->rowadr[i];
    uint64_t bits = 0;
    for (int k = 0; k < n; k++) {
      bits |= dof_blocks(column[k], 1);
    }
    for (; i <= last; i++, to += ld) {
      row_add_to(to, J->value + J->rowadr[i], column, n, 1);
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
    memset(p->blocks, 255, sizeof(uint64_t) * nefc);
    pad_rows(J, rows.value, nefc, n);
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
  memset(room + n, 0, sizeof(mjtNum) * (SIMD_PADDED(n) - n));
  return room;
}

static mjtNum* padded_copy(mjData* d, const mjtNum* from, int n) {
  return memcpy(padded_room(d, n), from, n * sizeof(mjtNum));
}

// Solves on padded copies of the start; stores the results and their statistics.
static void problem_solve(const mjModel* m, mjData* d, Problem* p) {
  size_t top = arena_top(d);
  mjtNum *acc = p->acc, *frc = p->frc_constraint;
  p->acc = padded_copy(d, acc, p->n);
  p->acc_smooth = padded_copy(d, p->acc_smooth, p->n);
  p->frc_smooth = padded_copy(d, p->frc_smooth, p->n);
  p->frc_constraint = padded_room(d, p->n);
  p->Ma = padded_copy(d, p->Ma, p->n);
  p->jar = padded_copy(d, p->jar, p->rows.nefc);

  int newton = m->opt.solver == mjSOL_NEWTON;
  int64_t nnz = newton ? (int64_t)p->n * p->n : 0;
  Pattern pattern;
  if (newton && p->J.rownnz) {
    pattern = pattern_make(d, p);
    p->pattern = &pattern;
    // the entries of M are those up to the end of the island in iM, earlier islands included, as in
    // the reference
    int endM = p->tree.rowadr[p->n - 1] + p->tree.rownnz[p->n - 1];
    nnz = (mj_isPyramidal(m) ? 1 : 2) * pattern.nnzL + pattern.nnzJ + endM;
  }
  if (p->n <= DENSE_UP_TO || !p->J.rownnz) {
    p->cache = solver_cache_find(d, p->island, p->n, p->rows.nefc);
    problem_densify(p);
  }
  int niter = primal_solve(m, d, p, newton);
  if (p->island < mjNISLAND) {
    d->solver_niter[p->island] = niter;
    d->solver_nnz[p->island] = (int)(nnz < INT_MAX ? nnz : INT_MAX);
  }
  memcpy(acc, p->acc, p->n * sizeof(mjtNum));
  memcpy(frc, p->frc_constraint, p->n * sizeof(mjtNum));
  arena_pop(d, top);
}

static void solve_whole(const mjModel* m, mjData* d, const Start* start) {
  Trouble trouble = {0};
  Problem p = {.d = d, .trouble = &trouble, .n = m->nv, .rows = rows_whole(m, d)};
  p.J = matrix_whole_J(m, d);
  p.tree = tree_pattern(m);
  p.M = d->M;
  p.LD = d->qLD;
  p.DInv = d->qLDiagInv;
  p.scale = 1 / (m->stat.meaninertia * (mjtNum)int_max(1, m->nv));
  p.frc_smooth = d->qfrc_smooth;
  p.acc_smooth = d->qacc_smooth;
  p.acc = d->qacc;
  p.Ma = start->Ma;
  p.jar = start->jar;
  p.force = d->efc_force;
  p.state = d->efc_state;
  p.frc_constraint = d->qfrc_constraint;
  problem_solve(m, d, &p);
  problem_warn(d, &trouble);
}

static void gather(mjtNum* to, const mjtNum* from, const int* index, int n) {
  for (int i = 0; i < n; i++) {
    to[i] = from[index[i]];
  }
}

static void scatter(mjtNum* to, const mjtNum* from, const int* index, int n) {
  for (int i = 0; i < n; i++) {
    to[index[i]] = from[i];
  }
}

static Problem island_problem(const mjModel* m, mjData* d, int island, mjtNum* iMa, mjtNum* ijar) {
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
  if (mj_isSparse(m)) {
    p.J.rownnz = d->iefc_J_rownnz + row;
    p.J.rowadr = d->iefc_J_rowadr + row;
    p.J.column = d->iefc_J_colind;
    p.J.same = d->iefc_J_rowsuper + row;
  } else {
    p.J.value += (size_t)d->nidof * row;
  }
  p.tree = (TreePattern){n, d->iM_rownnz + dof, d->iM_rowadr + dof, d->iM_colind};
  p.M = d->iM;
  p.LD = d->iLD;
  p.DInv = d->iLDiagInv + dof;
  p.frc_smooth = d->ifrc_smooth + dof;
  p.acc_smooth = d->iacc_smooth + dof;
  p.acc = d->iacc + dof;
  p.Ma = iMa + dof;
  p.jar = ijar + row;
  p.force = d->iefc_force + row;
  p.state = d->iefc_state + row;
  p.frc_constraint = d->ifrc_constraint + dof;

  // scale from the present inertia, not that of the reference configuration
  mjtNum trace = 0;
  for (int i = 0; i < n; i++) {
    trace += p.M[p.tree.rowadr[i] + p.tree.rownnz[i] - 1];
  }
  p.scale = 1 / trace;
  return p;
}

// The islands of d, solved in any order on any thread: each has its own parts of all arrays.
typedef struct {
  const mjModel* m;
  mjData* d;
  mjtNum *Ma, *jar;
  Trouble* trouble;  // of each island
  size_t* peak;      // bytes that each island has pushed on a worker's stack; SIZE_MAX: too many
} Islands;

typedef struct {
  const Islands* islands;
  int island;
} Piece;

static void solve_island(void* argument) {
  const Piece* piece = argument;
  const Islands* s = piece->islands;
  Problem p = island_problem(s->m, s->d, piece->island, s->Ma, s->jar);
  s->trouble[piece->island] = (Trouble){0};
  p.trouble = s->trouble + piece->island;
  problem_solve(s->m, s->d, &p);
}

static void try_island(void* argument, int island) {
  const Islands* s = argument;
  Piece piece = {s, island};
  arena_peak(s->d);
  s->peak[island] = arena_try(solve_island, &piece, s->d) ? arena_peak(s->d) : SIZE_MAX;
}

// Whether there is enough work to wake other threads.
static int is_worth(const mjData* d) {
  const int64_t least = 2000;  // entries of all islands' Jacobians
  int64_t entries = 0;
  for (int b = 0; b < d->nisland; b++) {
    entries += (int64_t)d->island_nefc[b] * d->island_nv[b];
  }
  return d->nisland > 1 && entries >= least;
}

// Solves islands on the threads of the pool, if there is one. An island that lacked room on a
// worker's stack, or would have on this thread's, is solved again here, so that a pool changes no
// result.
static void solve_each(Islands* s) {
  mjData* d = s->d;
  const size_t slack = 4096;  // alignment
  int pooled = d->threadpool && !pool_worker((mjThreadPool*)d->threadpool) && is_worth(d);
  if (pooled) {
    pool_for((mjThreadPool*)d->threadpool, d->nisland, try_island, s);
  }
  for (int b = 0; b < d->nisland; b++) {
    if (!pooled ||
        (s->peak[b] && (s->peak[b] > SIZE_MAX - slack || s->peak[b] + slack > arena_room(d)))) {
      solve_island(&(Piece){s, b});
    }
  }
  for (int b = 0; b < d->nisland; b++) {
    problem_warn(d, s->trouble + b);
  }
}

static void solve_islands(const mjModel* m, mjData* d, const Start* start) {
  int nidof = d->nidof, nefc = d->nefc;
  const int *dof = d->map_idof2dof, *row = d->map_iefc2efc;
  size_t top = arena_top(d);
  mjtNum* iMa = arena_num(d, nidof);
  mjtNum* ijar = arena_num(d, nefc);
  gather(d->ifrc_smooth, d->qfrc_smooth, dof, nidof);
  gather(d->iacc_smooth, d->qacc_smooth, dof, nidof);
  gather(d->iacc, d->qacc, dof, nidof);
  gather(iMa, start->Ma, dof, nidof);
  gather(d->iefc_aref, d->efc_aref, row, nefc);
  gather(ijar, start->jar, row, nefc);
  size_t islands = (size_t)d->nisland;
  Islands s = {.m = m, .d = d, .Ma = iMa, .jar = ijar};
  s.trouble = arena_take(d, islands * sizeof(Trouble), _Alignof(Trouble));
  s.peak = arena_take(d, islands * sizeof(size_t), _Alignof(size_t));
  solve_each(&s);
  scatter(d->qacc, d->iacc, dof, nidof);
  scatter(d->qfrc_constraint, d->ifrc_constraint, dof, nidof);
  scatter(d->efc_force, d->iefc_force, row, nefc);
  arena_pop(d, top);
}

// Copies results to the order of islands, if they were computed for the whole.
static void gather_results(const mjModel* m, mjData* d) {
  if (d->nisland && !(m->opt.disableflags & mjDSBL_ISLAND)) {
    const int *dof = d->map_idof2dof, *row = d->map_iefc2efc;
    gather(d->ifrc_smooth, d->qfrc_smooth, dof, d->nidof);
    gather(d->iacc_smooth, d->qacc_smooth, dof, d->nidof);
    gather(d->iacc, d->qacc, dof, d->nidof);
    gather(d->ifrc_constraint, d->qfrc_constraint, dof, d->nidof);
    gather(d->iefc_aref, d->efc_aref, row, d->nefc);
    gather(d->iefc_force, d->efc_force, row, d->nefc);
    for (int i = 0; i < d->nefc; i++) {
      d->iefc_state[i] = d->efc_state[row[i]];
    }
  }
}

static void constrain(const mjModel* m, mjData* d) {
  int nv = m->nv, nefc = d->nefc, solver = m->opt.solver;
  memset(d->qfrc_constraint, 0, nv * sizeof(mjtNum));
  residual(d->efc_b, m, d, d->qacc_smooth);
  if (hard_is_on(m)) {
    hard_forward(m, d);
    gather_results(m, d);
    return;
  }

  size_t top = arena_top(d);
  Start start = {arena_num(d, nefc), arena_num(d, nv)};
  if (m->opt.disableflags & mjDSBL_WARMSTART) {
    start_cold(m, d, &start);
  } else if (solver == mjSOL_PGS) {
    start_dual(m, d, &start);
  } else {
    start_primal(m, d, &start);
  }

  // dofs without constraints move freely
  for (int i = d->nidof; d->nisland && i < nv; i++) {
    int dof = d->map_idof2dof[i];
    d->qacc[dof] = d->qacc_smooth[dof];
    start.Ma[dof] = d->qfrc_smooth[dof];
  }

  memset(d->solver_niter, 0, sizeof(d->solver_niter));
  int noslip = m->opt.noslip_iterations > 0;
  switch (solver) {
    case mjSOL_PGS:
      dual_pgs(m, d);
      break;
    case mjSOL_CG:
    case mjSOL_NEWTON:
      if (d->nisland && !noslip && !(m->opt.disableflags & mjDSBL_ISLAND)) {
        solve_islands(m, d, &start);
      } else {
        solve_whole(m, d, &start);
      }
      break;
    default:
      mju_error("mj_fwdConstraint: unknown solver type %d", solver);
  }
  if (noslip) {
    dual_noslip(m, d);
  }
  arena_pop(d, top);
}

// M qacc = tau - c + J' f, with the forces f of the constraint solver
void mj_fwdConstraint(const mjModel* m, mjData* d) {
  check_pair(m, d);
  mjtNum start = timer_start();
  if (d->nefc && !arena_attempt(constrain, m, d)) {
    storage_full(d);
  }
  if (!d->nefc) {
    memset(d->qfrc_constraint, 0, m->nv * sizeof(mjtNum));
    memcpy(d->qacc, d->qacc_smooth, m->nv * sizeof(mjtNum));
    memset(d->cnd_correction, 0, m->nv * sizeof(mjtNum));
    memset(d->solver_niter, 0, sizeof(d->solver_niter));
  }
  timer_stop(d, mjTIMER_CONSTRAINT, start);
}

// The force law at the given acceleration.                               theory/solvers.md, Inverse
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
    residual(jar, m, d, d->qacc);
    mj_constraintUpdate(m, d, jar, NULL, 0);
  } else {
    memset(d->qfrc_constraint, 0, m->nv * sizeof(mjtNum));
  }
  arena_pop(d, top);
  timer_stop(d, mjTIMER_CONSTRAINT, start);
}
