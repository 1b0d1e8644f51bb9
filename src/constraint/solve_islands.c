// The islands of a system: which are solved side by side, which by themselves, and on which thread.

#include "constraint/solve_islands.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "base/parallel.h"
#include "constraint/metric/metric.h"
#include "constraint/rows/storage.h"
#include "constraint/solver/primal_lanes.h"
#include "constraint/solver/solve.h"
#include "constraint/whole.h"
#include "model/behaviour.h"
#include "model/data/arena.h"
#include "model/data/jacobian.h"
#include "model/data/share.h"

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
  const Problem* whole;
  const int *dof, *row;  // in the order of islands; NULL: that of all
  mjtNum *Ma, *jar;
  Trouble* trouble;      // one for each island
  MetricIslands metric;  // of discrete steps, else empty
  int* order;            // of solving, if by several threads
  size_t* peak;  // bytes that each island has pushed on a worker's stack; SIZE_MAX: too many

  // small islands side by side: sorted, where each group of them begins, and how each ended
  int *small, *group, ngroup;
  signed char* solved;  // 0: by itself, 1: in a group, -1: in a group that has left it
} Islands;

typedef struct {
  const Islands* islands;
  int island;
  int shared;  // by all threads, instead of other islands
  int begun;   // goes on from where an attempt has left it
} Piece;

// to[i] = from[index[i]] and to[index[i]] = from[i] for begin <= i < end; index NULL: the order is
// the same
INLINE void copy_range(mjtNum* to, const mjtNum* from, int begin, int end) {
  int i = begin;
  for (; i + 4 <= end; i += 4) {
    SIMD_AT(Simd4, to + i) = SIMD_READ(Simd4, from + i);
  }
  for (; i < end; i++) {
    to[i] = from[i];
  }
}

INLINE void gather_range(mjtNum* to, const mjtNum* from, const int* index, int begin, int end) {
  if (!index) {
    copy_range(to, from, begin, end);
    return;
  }
  for (int i = begin; i < end; i++) {
    to[i] = from[index[i]];
  }
}

INLINE void scatter_range(mjtNum* to, const mjtNum* from, const int* index, int begin, int end) {
  if (!index) {
    copy_range(to, from, begin, end);
    return;
  }
  for (int i = begin; i < end; i++) {
    to[index[i]] = from[i];
  }
}

// Takes what belongs to an island from the whole: forces, accelerations, residuals.
static void island_gather(const Islands* s, int island) {
  mjData* d = s->d;
  int dof = d->island_idofadr[island], dof_end = dof + d->island_nv[island];
  int row = d->island_iefcadr[island], row_end = row + d->island_nefc[island];
  gather_range(d->ifrc_smooth, s->whole->frc_smooth, s->dof, dof, dof_end);
  gather_range(d->iacc_smooth, d->qacc_smooth, s->dof, dof, dof_end);
  gather_range(d->iacc, d->qacc, s->dof, dof, dof_end);
  if (s->dof) {
    gather_range(s->Ma, s->whole->Ma, s->dof, dof, dof_end);
  }
  gather_range(d->iefc_aref, d->efc_aref, s->row, row, row_end);
  if (s->row) {
    gather_range(s->jar, s->whole->jar, s->row, row, row_end);
  }
}

// Gives the whole what was found.
static void island_scatter(const Islands* s, int island) {
  mjData* d = s->d;
  int dof = d->island_idofadr[island], dof_end = dof + d->island_nv[island];
  int row = d->island_iefcadr[island], row_end = row + d->island_nefc[island];
  scatter_range(d->qacc, d->iacc, s->dof, dof, dof_end);
  scatter_range(d->qfrc_constraint, d->ifrc_constraint, s->dof, dof, dof_end);
  scatter_range(d->efc_force, d->iefc_force, s->row, row, row_end);
}

// An island as a problem with its start.
static Problem started_problem(const Islands* s, int island) {
  mjData* d = s->d;
  int dof = d->island_idofadr[island], row = d->island_iefcadr[island];
  Problem p = island_problem(s->m, d, &s->metric, island);
  s->trouble[island] = (Trouble){0};
  p.trouble = s->trouble + island;
  p.acc = d->iacc + dof;
  p.Ma = s->Ma + dof;
  p.jar = s->jar + row;
  p.b = d->efc_b;
  p.b_row = d->map_iefc2efc + row;
  return p;
}

static void solve_island(void* argument) {
  const Piece* piece = argument;
  const Islands* s = piece->islands;
  mjData* d = s->d;
  int dof = d->island_idofadr[piece->island];
  if (!piece->begun) {
    island_gather(s, piece->island);
  }
  Problem p = started_problem(s, piece->island);
  p.shared = piece->shared;
  problem_solve(d->iacc + dof, d->ifrc_constraint + dof, s->m, d, &p);
  island_scatter(s, piece->island);
}

// small islands side by side

static int islands_in_lanes(const Islands* s, int island) {
  const mjData* d = s->d;
  int row = d->island_iefcadr[island], rows = d->island_nefc[island];
  return primal_lanes_take(s->m, d->island_nv[island], rows, d->iefc_type + row);
}

static void solve_groups(void* argument, int begin, int end) {
  const Islands* s = argument;
  mjData* d = s->d;
  for (int g = begin; g < end; g++) {
    const int* island = s->small + s->group[g];
    int count = s->group[g + 1] - s->group[g], niter[SIMD_N];
    Problem problem[SIMD_N], *p[SIMD_N];
    for (int i = 0; i < count; i++) {
      Pattern pattern;
      p[i] = problem + i;
      island_gather(s, island[i]);
      problem[i] = started_problem(s, island[i]);
      problem[i].frc_constraint = d->ifrc_constraint + d->island_idofadr[island[i]];
      problem_count(s->m, d, p[i], &pattern, 1);
    }
    primal_lanes(niter, s->m, p, count);
    for (int i = 0; i < count; i++) {
      s->solved[island[i]] = niter[i] < 0 ? -1 : 1;
      if (niter[i] >= 0) {
        island_scatter(s, island[i]);
      }
      if (niter[i] >= 0 && island[i] < mjNISLAND) {
        d->solver_niter[island[i]] = niter[i];
      }
    }
  }
}

// Marks the islands that are solved side by side: those that primal_lanes takes, where enough of
// them have as many dofs. Returns their number. counts[n * (LANE_ROWS + 1) + k]: of those with n
// dofs and k rows.
static int mark_islands(const Islands* s, int* counts) {
  const int enough = 8;  // fewer take longer than one by one, with much left empty
  const mjData* d = s->d;
  int alike[LANE_DOFS + 1] = {0}, n = 0;
  for (int b = 0; b < d->nisland; b++) {
    s->solved[b] = d->nisland >= enough && islands_in_lanes(s, b);
    alike[s->solved[b] ? d->island_nv[b] : 0]++;
  }
  for (int b = 0; b < d->nisland; b++) {
    if (s->solved[b] && alike[d->island_nv[b]] >= enough) {
      counts[d->island_nv[b] * (LANE_ROWS + 1) + d->island_nefc[b]]++;
      n++;
    } else {
      s->solved[b] = 0;
    }
  }
  return n;
}

// Sorts the marked islands by their numbers of dofs and rows, and groups those of as many dofs.
// Returns their number.
static int group_islands(Islands* s) {
  enum {
    SIZES = (LANE_DOFS + 1) * (LANE_ROWS + 1)
  };
  const mjData* d = s->d;
  int first[SIZES + 1] = {0};
  int n = mark_islands(s, first + 1);
  s->ngroup = s->group[0] = 0;
  if (!n) {
    return 0;
  }
  for (int i = 0; i < SIZES; i++) {
    first[i + 1] += first[i];
  }
  for (int b = 0; b < d->nisland; b++) {
    if (s->solved[b]) {
      s->small[first[d->island_nv[b] * (LANE_ROWS + 1) + d->island_nefc[b]]++] = b;
    }
  }
  for (int i = 0; i < n; i++) {
    int begins = !i || i - s->group[s->ngroup - 1] == SIMD_N ||
                 d->island_nv[s->small[i]] != d->island_nv[s->small[i - 1]];
    s->group[s->ngroup] = i;
    s->ngroup += begins;
  }
  s->group[s->ngroup] = n;
  return n;
}

// each by itself

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
    Piece piece = {s, island, 0, 0};
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
  for (int b = 0; b < d->nisland && entries < least; b++) {
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
  int first[65] = {0}, large = 0, count = 0;  // first: of those with so many digits
  int64_t all = 0, threads = share_threads(d);
  for (int b = 0; b < d->nisland; b++) {
    all += island_entries(d, b);
    first[island_digits(d, b)] += !s->solved[b];
  }
  for (int digits = 64; digits >= 0; digits--) {
    int n = first[digits];
    first[digits] = count;
    count += n;
  }
  for (int b = 0; b < d->nisland; b++) {
    if (!s->solved[b]) {
      s->order[first[island_digits(d, b)]++] = b;
    }
  }
  for (int i = 0; i < count; i++) {
    int b = s->order[i];
    if (island_entries(d, b) * threads > all && d->island_nv[b] > DENSE_UP_TO) {
      s->peak[b] = 0;
      solve_island(&(Piece){s, b, 1, 0});
    } else {
      s->order[large++] = b;
    }
  }
  return large;
}

// Solves small islands in groups and all others one by one, on the threads of the pool if there is
// one. An island that lacked room on a worker's stack, or would lack it on this thread's, is solved
// again here: a pool must not change results.
static void solve_each(Islands* s) {
  mjData* d = s->d;
  const size_t slack = 4096;  // alignment
  const int pieces = 64;
  int pooled = d->threadpool && !pool_worker((mjThreadPool*)d->threadpool) && is_worth(d);
  int grouped = group_islands(s);
  if (pooled) {
    int n = grouped < d->nisland ? order_islands(s) : 0;
    // large ones one by one, and many small ones together
    int piece = n && is_small(s, s->order[0]) ? int_max(1, n / pieces) : 1;
    if (n) {
      share_for(d, n, piece, try_islands, s);
    }
    share_for(d, s->ngroup, int_max(1, s->ngroup / pieces), solve_groups, s);
  } else {
    solve_groups(s, 0, s->ngroup);
  }
  for (int b = 0; b < d->nisland; b++) {
    size_t peak = pooled && !s->solved[b] ? s->peak[b] : 0;
    int again = peak && (peak > SIZE_MAX - slack || peak + slack > arena_room(d));
    int begun = again || s->solved[b] < 0;
    if (begun || (!s->solved[b] && !pooled)) {
      solve_island(&(Piece){s, b, 0, begun});
    }
  }
  for (int b = 0; b < d->nisland; b++) {
    problem_warn(d, s->trouble + b);
  }
}

void solve_islands(const mjModel* m, mjData* d) {
  int nefc = d->nefc, newton = m->opt.solver == mjSOL_NEWTON;
  size_t top = arena_top(d);
  ProblemStart start = start_of(m, d);
  Problem whole = whole_problem(m, d, 1);
  memcpy(d->qacc, d->qacc_warmstart, m->nv * sizeof(mjtNum));
  whole.acc = d->qacc;
  whole.Ma = arena_num(d, m->nv);
  whole.jar = arena_num(d, nefc);
  whole.start = &start;
  primal_start(&whole, newton);

  size_t islands = (size_t)d->nisland;
  Islands s = {.m = m, .d = d, .whole = &whole};
  s.dof = storage_shares_dofs(d) ? NULL : d->map_idof2dof;
  s.row = storage_shares_rows(d) ? NULL : d->map_iefc2efc;
  s.Ma = s.dof ? arena_num(d, d->nidof) : whole.Ma;
  s.jar = s.row ? arena_num(d, nefc) : whole.jar;
  if (d->efm_active) {
    s.metric = metric_islands(m, d);
  }
  s.trouble = arena_take(d, islands * sizeof(Trouble), _Alignof(Trouble));
  s.peak = arena_take(d, islands * sizeof(size_t), _Alignof(size_t));
  s.order = arena_int(d, islands);
  s.small = arena_int(d, islands);
  s.group = arena_int(d, islands + 1);
  s.solved = arena_take(d, islands, 1);
  solve_each(&s);
  arena_pop(d, top);
}
