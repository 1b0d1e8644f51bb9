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
#include "constraint/solver/lane_copies.h"
#include "constraint/solver/primal_lanes.h"
#include "constraint/solver/solve.h"
#include "constraint/whole.h"
#include "model/behaviour.h"
#include "model/data/arena.h"
#include "model/data/jacobian.h"
#include "model/data/share.h"

// The islands of d, solved in any order on any thread: each has its own parts of all arrays.
typedef struct {
  const mjModel* m;
  mjData* d;
  const Problem* whole;
  const int *dof, *row;  // in the order of islands; NULL: that of all
  mjtNum *Ma, *jar;
  int from_whole;        // whether islands start where the whole does, else each at its own place:
  mjtNum* b;             // J acc_smooth - aref, in the order of islands
  int* cold_state;       // states at acc_smooth
  Trouble* trouble;      // one for each island
  MetricIslands metric;  // of discrete steps, else empty
  Problem common;        // what all islands have as problems
  int* order;            // of solving, if by several threads; scratch before
  size_t* peak;  // bytes that each island has pushed on a worker's stack; SIZE_MAX: too many

  // small islands side by side: sorted, where each group of them begins, the room of a group, and
  // how each ended
  int *small, *group, ngroup;
  size_t room;
  signed char* solved;  // by itself, or in a group: one of Ended
} Islands;

// Whether an island is solved in a group, and how it has ended there; LEFT: without its solution.
enum Ended {
  ALONE,
  WAITS,
  SOLVED,
  LEFT
};

typedef struct {
  const Islands* islands;
  int island;
  int shared;  // by all threads, instead of other islands
  int begun;   // goes on from where an attempt has left it, if the start is that of the whole
} Piece;

// Takes what belongs to the islands from `first` to `last` from the whole: forces, accelerations,
// residuals.
static void islands_gather(const Islands* s, int first, int last) {
  mjData* d = s->d;
  int dof = d->island_idofadr[first], dof_end = d->island_idofadr[last] + d->island_nv[last];
  int row = d->island_iefcadr[first], row_end = d->island_iefcadr[last] + d->island_nefc[last];
  indexed_gather(d->ifrc_smooth, s->whole->frc_smooth, s->dof, dof, dof_end);
  indexed_gather(d->iacc_smooth, d->qacc_smooth, s->dof, dof, dof_end);
  // a repeated island that has its own start begins anew: qacc may be its solution already
  const mjtNum* acc = s->from_whole ? d->qacc : d->qacc_warmstart;
  indexed_gather(d->iacc, acc, s->dof, dof, dof_end);
  if (s->dof && s->from_whole) {
    indexed_gather(s->Ma, s->whole->Ma, s->dof, dof, dof_end);
  }
  indexed_gather(d->iefc_aref, d->efc_aref, s->row, row, row_end);
  if (s->row && s->from_whole) {
    indexed_gather(s->jar, s->whole->jar, s->row, row, row_end);
  }
}

// Gives the whole what was found.
static void islands_scatter(const Islands* s, int first, int last) {
  mjData* d = s->d;
  int dof = d->island_idofadr[first], dof_end = d->island_idofadr[last] + d->island_nv[last];
  int row = d->island_iefcadr[first], row_end = d->island_iefcadr[last] + d->island_nefc[last];
  indexed_scatter(d->qacc, d->iacc, s->dof, dof, dof_end);
  indexed_scatter(d->qfrc_constraint, d->ifrc_constraint, s->dof, dof, dof_end);
  indexed_scatter(d->efc_force, d->iefc_force, s->row, row, row_end);
  if (s->row && !s->from_whole) {
    indexed_scatter(d->efc_b, s->b, s->row, row, row_end);
    for (int i = row; s->whole->start->warm && i < row_end; i++) {
      d->efc_state[s->row[i]] = s->cold_state[i];
    }
  }
}

// What all islands have: matrices begin where those of the first island do.
static void common_problem(Islands* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  Problem* p = &s->common;
  *p = (Problem){.d = d, .by_decrement = behaves(m, cndBEHAVIOUR_solverexit)};
  p->rows.contact = d->contact;
  p->rows.elliptic = !mj_isPyramidal(m);
  p->J.value = d->iefc_J;
  if (rows_are_sparse(m, d)) {
    p->J.rownnz = d->iefc_J_rownnz;
    p->J.rowadr = d->iefc_J_rowadr;
    p->J.column = d->iefc_J_colind;
    p->J.same = d->iefc_J_rowsuper;
  }
  p->tree = (TreePattern){0, d->iM_rownnz, d->iM_rowadr, d->iM_colind, 0, 0};
  p->M = d->iM;
  p->LD = d->iLD;
  p->DInv = d->iLDiagInv;
  if (s->metric.value) {
    const MetricIslands* metric = &s->metric;
    p->tree = (TreePattern){0, metric->rownnz,          metric->rowadr, metric->colind,
                            0, metric_tree(m, d).is_cut};
    p->M = metric->value;
    p->LD = metric->LD;
    p->DInv = metric->DInv;
  }
  p->b = d->efc_b;
}

// Gives a problem, which has what all islands have, what is an island's own. start: where it begins
// by itself.
static void place_problem(Problem* p, ProblemStart* start, const Islands* s, int island) {
  const Problem* common = &s->common;
  mjData* d = s->d;
  int dof = d->island_idofadr[island], row = d->island_iefcadr[island];
  int n = d->island_nv[island], nefc = d->island_nefc[island];
  p->n = p->tree.n = n;
  p->island = island;
  p->rows.nefc = nefc;
  p->rows.ne = d->island_ne[island];
  p->rows.nf = d->island_nf[island];
  p->rows.type = d->iefc_type + row;
  p->rows.id = d->iefc_id + row;
  p->rows.D = d->iefc_D + row;
  p->rows.R = d->iefc_R + row;
  p->rows.frictionloss = d->iefc_frictionloss + row;
  p->J.nrow = nefc;
  p->J.ncolumn = n;
  p->J.ld = n;
  if (common->J.rownnz) {
    p->J.rownnz = common->J.rownnz + row;
    p->J.rowadr = common->J.rowadr + row;
    p->J.same = common->J.same + row;
  } else {
    p->J.value = common->J.value + (size_t)d->nidof * row;
  }
  p->tree.rownnz = common->tree.rownnz + dof;
  p->tree.rowadr = common->tree.rowadr + dof;
  p->DInv = common->DInv + dof;
  p->frc_smooth = d->ifrc_smooth + dof;
  p->acc_smooth = d->iacc_smooth + dof;
  p->force = d->iefc_force + row;
  p->state = d->iefc_state + row;
  p->scale = inertia_scale(p->M, p->tree);
  s->trouble[island] = (Trouble){0};
  p->trouble = s->trouble + island;
  p->acc = d->iacc + dof;
  p->Ma = s->Ma + dof;
  p->jar = s->jar + row;
  p->b_row = d->map_iefc2efc + row;
  if (!s->from_whole) {
    *start = (ProblemStart){d->iefc_aref + row, s->b + row, s->cold_state + row,
                            s->whole->start->warm, 0};
    p->start = start;
    p->b = start->b;
    p->b_row = NULL;
  }
}

// Finds the start of an island's own here if solving makes J dense, by whose zeros the products
// would take longer.
static void start_island(Problem* p) {
  if (p->start && p->J.rownnz && !problem_is_small(p, 1)) {
    primal_start(p, 1);
    p->start = NULL;
  }
}

static void solve_island(void* argument) {
  const Piece* piece = argument;
  const Islands* s = piece->islands;
  mjData* d = s->d;
  int dof = d->island_idofadr[piece->island];
  if (!piece->begun || !s->from_whole) {
    islands_gather(s, piece->island, piece->island);
  }
  Problem p = s->common;
  ProblemStart start;
  place_problem(&p, &start, s, piece->island);
  p.shared = piece->shared;
  start_island(&p);
  problem_solve(d->iacc + dof, d->ifrc_constraint + dof, s->m, d, &p);
  islands_scatter(s, piece->island, piece->island);
}

// small islands side by side

enum {
  ROOM_ALIGN = 64,
  LANE_SIZES = (LANE_ROWS > LANE_DOFS ? LANE_ROWS : LANE_DOFS) + 1
};

// The rows of an island as far as row_shape asks.
static Rows island_kinds(const Islands* s, int island) {
  const mjData* d = s->d;
  int row = d->island_iefcadr[island];
  return (Rows){.nefc = d->island_nefc[island],
                .type = d->iefc_type + row,
                .id = d->iefc_id + row,
                .contact = d->contact,
                .elliptic = s->common.rows.elliptic};
}

// Gathers or scatters the islands of a group: those that follow each other at once.
static void move_group(const Islands* s, const int* island, int count,
                       void (*move)(const Islands* s, int first, int last)) {
  for (int i = 0, end; i < count; i = end) {
    end = i + 1;
    while (end < count && island[end] == island[end - 1] + 1) {
      end++;
    }
    move(s, island[i], island[end - 1]);
  }
}

// problem: as many as a group has islands at most, with what all islands have.
static void solve_group(const Islands* s, Problem* problem, void* room, int g) {
  mjData* d = s->d;
  const int* island = s->small + s->group[g];
  int count = s->group[g + 1] - s->group[g], niter[SIMD_N], solved[SIMD_N], nsolved = 0;
  Problem* p[SIMD_N] = {problem};
  ProblemStart start[SIMD_N];
  move_group(s, island, count, islands_gather);
  for (int i = 0; i < count; i++) {
    Pattern pattern;
    p[i] = problem + i;
    place_problem(p[i], start + i, s, island[i]);
    problem[i].frc_constraint = d->ifrc_constraint + d->island_idofadr[island[i]];
    problem_count(s->m, d, p[i], &pattern, 1);
  }
  primal_lanes(niter, s->m, room, p, count);
  for (int i = 0; i < count; i++) {
    s->solved[island[i]] = niter[i] < 0 ? LEFT : SOLVED;
    if (niter[i] < 0) {
      continue;
    }
    solved[nsolved++] = island[i];
    if (island[i] < mjNISLAND) {
      d->solver_niter[island[i]] = niter[i];
    }
  }
  move_group(s, solved, nsolved, islands_scatter);
}

// Groups wait on if this thread has no room for one.
static void solve_groups(void* argument, int begin, int end) {
  const Islands* s = argument;
  size_t top = arena_top(s->d);
  void* room = begin < end ? arena_push(s->d, s->room, ROOM_ALIGN) : NULL;
  Problem problem[SIMD_N];
  for (int i = 0; i < SIMD_N; i++) {
    problem[i] = s->common;
  }
  for (int g = begin; room && g < end; g++) {
    solve_group(s, problem, room, g);
  }
  arena_pop(s->d, top);
}

// Marks the islands that are solved side by side: those that primal_lanes takes, where enough of
// them have as many dofs. Returns their number.
static int mark_islands(const Islands* s) {
  const int enough = 8;  // fewer take longer than one by one, with much left empty
  const mjData* d = s->d;
  int alike[LANE_DOFS + 1] = {0}, n = 0;
  for (int b = 0; b < d->nisland; b++) {
    int takes = primal_lanes_take(s->m, d->island_nv[b], d->island_nefc[b]);
    s->solved[b] = d->nisland >= enough && takes ? WAITS : ALONE;
    alike[s->solved[b] == WAITS ? d->island_nv[b] : 0]++;
  }
  for (int b = 0; b < d->nisland; b++) {
    int waits = s->solved[b] == WAITS && alike[d->island_nv[b]] >= enough;
    s->solved[b] = waits ? WAITS : ALONE;
    n += waits;
  }
  return n;
}

// Sorts islands by a size below LANE_SIZES, those of the same size as they are.
static void sort_by(int* to, const int* from, int n, const int* size) {
  int first[LANE_SIZES] = {0};
  for (int i = 0; i < n; i++) {
    first[size[from[i]]]++;
  }
  for (int k = 0, begin = 0; k < LANE_SIZES; k++) {
    int count = first[k];
    first[k] = begin;
    begin += count;
  }
  for (int i = 0; i < n; i++) {
    to[first[size[from[i]]]++] = from[i];
  }
}

// Sorts the n marked islands by their numbers of dofs, and of rows where these are the same.
static void sort_marked(const Islands* s, int n) {
  const mjData* d = s->d;
  for (int b = 0, i = 0; i < n; b++) {
    s->small[i] = b;
    i += s->solved[b] == WAITS;
  }
  sort_by(s->order, s->small, n, d->island_nefc);
  sort_by(s->small, s->order, n, d->island_nv);
}

// Groups the n sorted islands: those of as many dofs whose rows in lanes are not too many.
static void divide_islands(Islands* s, int n) {
  RowShape shape = {{0}};
  int most = 0;  // rows of one, if all are scalar
  s->ngroup = 0;
  s->room = 0;
  for (int i = 0; i < n; i++) {
    int b = s->small[i], dofs = s->d->island_nv[b];
    const Rows kinds = island_kinds(s, b);
    RowShape own = {{0}}, joined = shape;
    int rows = int_max(most, kinds.nefc);
    if (kinds.elliptic) {
      own = row_shape(&kinds);
      rows = row_shape_join(&joined, &own);
    }
    if (!i || i - s->group[s->ngroup - 1] == SIMD_N || rows > LANE_ROWS ||
        dofs != s->d->island_nv[s->small[i - 1]]) {
      s->group[s->ngroup++] = i;
      joined = own;
      rows = kinds.nefc;
    }
    shape = joined;
    most = rows;
    size_t bytes = lanes_bytes(dofs, rows, joined.count[1]);
    s->room = bytes > s->room ? bytes : s->room;
  }
  s->group[s->ngroup] = n;
}

// Finds the groups. There are none if the stack of d has no room for the largest.
static void group_islands(Islands* s) {
  size_t top = arena_top(s->d);
  int n = mark_islands(s);
  if (n) {
    sort_marked(s, n);
  }
  divide_islands(s, n);
  if (n && !arena_push(s->d, s->room, ROOM_ALIGN)) {
    s->ngroup = 0;
    memset(s->solved, ALONE, (size_t)s->d->nisland);
  }
  arena_pop(s->d, top);
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
// one. Those that lacked room on a worker's stack, or would lack it on this thread's, are solved
// again here: a pool must not change results.
static void solve_each(Islands* s) {
  mjData* d = s->d;
  const size_t slack = 4096;  // alignment
  const int pieces = 64;
  int pooled = d->threadpool && !pool_worker((mjThreadPool*)d->threadpool) && is_worth(d);
  if (pooled) {
    int n = order_islands(s);
    // large ones one by one, and many small ones together
    int piece = n && is_small(s, s->order[0]) ? int_max(1, n / pieces) : 1;
    if (n) {
      share_for(d, n, piece, try_islands, s);
    }
    share_for(d, s->ngroup, int_max(1, s->ngroup / pieces), solve_groups, s);
  } else {
    solve_groups(s, 0, s->ngroup);
  }
  for (int g = 0; g < s->ngroup; g++) {
    if (s->solved[s->small[s->group[g]]] == WAITS) {
      solve_groups(s, g, g + 1);
    }
  }
  for (int b = 0; b < d->nisland; b++) {
    size_t peak = pooled && !s->solved[b] ? s->peak[b] : 0;
    int again = peak && (peak > SIZE_MAX - slack || peak + slack > arena_room(d));
    int begun = again || s->solved[b] == LEFT;
    if (begun || (!s->solved[b] && !pooled)) {
      solve_island(&(Piece){s, b, 0, begun});
    }
  }
  for (int b = 0; b < d->nisland; b++) {
    problem_warn(d, s->trouble + b);
  }
}

// Where the islands start: where some are solved side by side each at its own place, else at the
// cheaper one of two points for all of them together.
static void start_islands(Islands* s, Problem* whole) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  s->from_whole = !s->ngroup;
  if (s->from_whole) {
    primal_start(whole, m->opt.solver == mjSOL_NEWTON);
    return;
  }
  for (int i = d->nidof; i < m->nv; i++) {  // dofs without rows move freely
    int dof = d->map_idof2dof[i];
    d->qacc[dof] = d->qacc_smooth[dof];
  }
}

void solve_islands(const mjModel* m, mjData* d) {
  int nefc = d->nefc;
  size_t top = arena_top(d);
  ProblemStart start = start_of(m, d);
  Problem whole = whole_problem(m, d, 1);
  memcpy(d->qacc, d->qacc_warmstart, m->nv * sizeof(mjtNum));
  whole.acc = d->qacc;
  whole.Ma = arena_num(d, m->nv);
  whole.jar = arena_num(d, nefc);
  whole.start = &start;

  size_t islands = (size_t)d->nisland;
  Islands s = {.m = m, .d = d, .whole = &whole};
  s.dof = storage_shares_dofs(d) ? NULL : d->map_idof2dof;
  s.row = storage_shares_rows(d) ? NULL : d->map_iefc2efc;
  s.Ma = s.dof ? arena_num(d, d->nidof) : whole.Ma;
  s.jar = s.row ? arena_num(d, nefc) : whole.jar;
  if (d->efm_active) {
    s.metric = metric_islands(m, d);
  }
  s.b = s.row ? arena_num(d, nefc) : d->efc_b;
  s.cold_state = s.row ? arena_int(d, nefc) : d->efc_state;
  common_problem(&s);
  s.trouble = arena_take(d, islands * sizeof(Trouble), _Alignof(Trouble));
  s.peak = arena_take(d, islands * sizeof(size_t), _Alignof(size_t));
  s.order = arena_int(d, islands);
  s.small = arena_int(d, islands);
  s.group = arena_int(d, islands + 1);
  s.solved = arena_take(d, islands, 1);
  group_islands(&s);
  start_islands(&s, &whole);
  solve_each(&s);
  arena_pop(d, top);
}
