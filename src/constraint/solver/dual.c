// Projected Gauss-Seidel (PGS) and noslip: the steps of a sweep for either, sweeps until they
// improve little, and their statistics.                              theory/contact/solvers.md, PGS

#include "constraint/solver/dual.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/algebra/dense.h"
#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "constraint/law/law.h"
#include "constraint/metric/metric.h"
#include "constraint/rows/row_blocks.h"
#include "constraint/solver/dual_sweep.h"
#include "constraint/solver/shuffle.h"
#include "model/behaviour.h"
#include "model/data/jacobian.h"

typedef struct {
  const mjModel* m;
  mjData* d;
  Rows rows;
  int noslip;
  int most;  // scalar rows of a step
  DualProblem problem;
  DualStep* step;
  QcqpAxes* axes;  // for the next contact that wants some
  mjtNum* zone;    // of scalar rows: any force in the row's zone, for a friction loss of 1;
                   // of the first row of a cone: its state
} Dual;

// runs

// The rows whose residual is kept up to date, as up to two intervals. PGS keeps all rows, noslip
// those of friction loss and of contacts.
typedef struct {
  int first, end;
} Interval;

// Adds the part of a run of columns that is in an interval.
static DualRun* add_run(DualRun* to, DualRun run, Interval kept) {
  int first = int_max(run.first, kept.first), end = int_min(run.first + run.n, kept.end);
  if (first < end) {
    *to++ = (DualRun){first, end - first, run.column + first - run.first};
  }
  return to;
}

// The runs of a block's columns; neighbours that follow each other are one run. Returns their end.
static DualRun* find_runs(DualRun* to, const RowBlocks* blocks, int b, int sparse,
                          const Interval kept[2]) {
  const RowBlock* block = blocks->block + b;
  for (int k = 0, column = 0; k < block->nneighbour;) {
    int first = blocks->block[block->neighbour[k]].row, n = 0;
    for (; k < block->nneighbour && blocks->block[block->neighbour[k]].row == first + n; k++) {
      n += blocks->block[block->neighbour[k]].n;
    }
    DualRun run = {first, n, sparse ? column : first};
    to = add_run(to, run, kept[0]);
    to = add_run(to, run, kept[1]);
    column += n;
  }
  return to;
}

// steps

// What noslip does with the rows of a type.
static DualKind noslip_kind(const Dual* s, int i) {
  int type = s->d->efc_type[i];
  return type == mjCNSTR_CONTACT_PYRAMIDAL                ? DUAL_EDGES
         : type == mjCNSTR_CONTACT_ELLIPTIC               ? DUAL_SLIDE
         : i >= s->rows.ne && i < s->rows.ne + s->rows.nf ? DUAL_SCALARS
                                                          : DUAL_KEEP;
}

// The next step, from row i on; `end` is that of its block.
static DualStep next_step(Dual* s, int i, int end) {
  int type = s->d->efc_type[i], cone = type == mjCNSTR_CONTACT_ELLIPTIC;
  DualStep step = {.row = i, .contact = cone ? s->d->contact + s->d->efc_id[i] : NULL};
  step.kind = s->noslip ? noslip_kind(s, i) : cone ? DUAL_CONE : DUAL_SCALARS;
  if (cone) {
    step.n = step.contact->dim;
    step.axes = step.n > QCQP_MOST ? s->axes++ : NULL;
    return step;
  }
  // a step takes rows of one kind, up to the next cone; rows of a pyramid stay in pairs
  while (i + step.n < end && step.n < s->most &&
         s->d->efc_type[i + step.n] != mjCNSTR_CONTACT_ELLIPTIC &&
         (!s->noslip || noslip_kind(s, i + step.n) == step.kind)) {
    step.n++;
  }
  return step;
}

// Where the columns of a block begin in its own rows.
static int own_column(const RowBlocks* blocks, int b, int sparse) {
  const RowBlock* block = blocks->block + b;
  int column = 0;
  for (int k = 0; sparse && block->neighbour[k] < b; k++) {
    column += blocks->block[block->neighbour[k]].n;
  }
  return sparse ? column : block->row;
}

// Adds the steps of a block to those before `to`. Returns their end.
static DualStep* add_steps(DualStep* to, Dual* s, const RowBlocks* blocks, int b,
                           const DualRun* run, int nrun) {
  const RowBlock* block = blocks->block + b;
  const mjData* d = s->d;
  int sparse = rows_are_sparse(s->m, d), own = own_column(blocks, b, sparse);
  ptrdiff_t ld = sparse ? block->width : d->nefc;
  for (int i = block->row, end = block->row + block->n; i < end;) {
    DualStep step = next_step(s, i, end);
    step.run = run;
    step.nrun = nrun;
    step.ld = ld;
    step.AR = d->efc_AR + d->efc_AR_rowadr[i];
    step.own = step.AR + own + i - block->row;
    i += step.n;
    if (step.kind == DUAL_SLIDE) {
      // a frictionless contact keeps its normal force
      *to = step;
      to->kind = DUAL_KEEP;
      to->n = 1;
      to++;
      step.row++;
      step.n--;
      step.AR += ld;
      step.own += ld + 1;
    }
    *to++ = step;
  }
  return to;
}

// Makes room for the axes of contacts with the most friction directions (QCQP_MOST).
static void make_axes(Dual* s) {
  int n = 0;
  for (int i = 0; s->rows.elliptic && i < s->d->ncon; i++) {
    n += s->d->contact[i].dim > QCQP_MOST;
  }
  if (n) {
    s->axes = mj_stackAllocByte(s->d, n * sizeof(QcqpAxes), _Alignof(QcqpAxes));
    memset(s->axes, 0, n * sizeof(QcqpAxes));
  }
}

static void find_steps(Dual* s) {
  mjData* d = s->d;
  int sparse = rows_are_sparse(s->m, d), nefc = d->nefc, limit = s->rows.ne + s->rows.nf;
  RowBlocks blocks = row_blocks(s->m, d);
  Interval kept[2] = {{0, nefc}, {0, 0}};
  if (s->noslip) {
    kept[0] = (Interval){s->rows.ne, limit};
    kept[1] = (Interval){limit + d->nl, nefc};
  }
  int most = 0;
  for (int b = 0; b < blocks.n; b++) {
    most += 2 * blocks.block[b].nneighbour;
  }
  DualRun* run = mj_stackAllocByte(d, most * sizeof(DualRun), _Alignof(DualRun));
  s->step = mj_stackAllocByte(d, nefc * sizeof(DualStep), _Alignof(DualStep));
  make_axes(s);
  DualStep* step = s->step;
  for (int b = 0; b < blocks.n; b++) {
    DualRun* end = find_runs(run, &blocks, b, sparse, kept);
    step = add_steps(step, s, &blocks, b, run, (int)(end - run));
    run = end;
  }
  s->problem.step = s->step;
  s->problem.nstep = (int)(step - s->step);
}

static Dual dual_make(const mjModel* m, mjData* d, int noslip, int most) {
  Dual s = {.m = m, .d = d, .rows = rows_whole(m, d), .noslip = noslip, .most = most};
  DualProblem* p = &s.problem;
  int n = d->nefc;
  DualRow* row = mj_stackAllocByte(d, n * sizeof(DualRow), 32);
  find_steps(&s);
  *p = (DualProblem){.nstep = p->nstep,
                     .step = p->step,
                     .increase = noslip ? (mjtNum)INFINITY : DUAL_MAXINCREASE,
                     .R = noslip ? d->efc_R : NULL,
                     .row = row,
                     .f = d->efc_force,
                     .res = mj_stackAllocNum(d, n)};
  for (const DualStep* step = p->step; step < p->step + p->nstep; step++) {
    for (int r = 0; r < step->n; r++) {
      int i = step->row + r;
      LawKind kind = law_kind(&s.rows, i);
      mjtNum A = step->own[r * (step->ld + 1)], eta = d->efc_frictionloss[i];
      A -= noslip ? d->efc_R[i] : 0;
      row[i].half = A / 2;
      row[i].inverse = 1 / (noslip ? num_max(mjMINVAL, A) : A);
      row[i].low = kind == LAW_EQUALITY ? -(mjtNum)INFINITY : kind == LAW_FRICTIONLOSS ? -eta : 0;
      row[i].high = kind == LAW_FRICTIONLOSS ? eta : (mjtNum)INFINITY;
    }
  }
  s.zone = mj_stackAllocNum(d, n);
  for (int i = 0; i < n; i++) {
    int state = d->efc_state[i], is_friction = i >= s.rows.ne && i < s.rows.ne + s.rows.nf;
    int zone = state != mjCNSTRSTATE_SATISFIED;
    if (is_friction) {
      zone = (state == mjCNSTRSTATE_LINEARNEG) - (state == mjCNSTRSTATE_LINEARPOS);
    } else if (d->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
      zone = state;
    }
    s.zone[i] = (mjtNum)zone;
  }
  return s;
}

// res = b + A f, for the rows that the sweep visits
static void make_residual(Dual* s) {
  memcpy(s->problem.res, s->d->efc_b, s->d->nefc * sizeof(mjtNum));
  dual_add_forces(&s->problem);
}

// states

// Zones of n one-sided rows; returns how many are active, and adds to *nchange how many changed.
static KERNEL int count_pushes(mjtNum* zone, int* nchange, const mjtNum* f, int n) {
  const SimdN one = (SimdN){0} + 1;
  SimdN active = {0}, changed = {0};
  int i = 0;
  for (; i + SIMD_N <= n; i += SIMD_N) {
    SimdN now = (SimdN)(~(SIMD_READ(SimdN, f + i) <= 0) & (MaskN)one);
    SimdN change = now - SIMD_READ(SimdN, zone + i);
    active += now;
    changed += change * change;
    SIMD_AT(SimdN, zone + i) = now;
  }
  int count = (int)simdn_sum(&active);
  *nchange += (int)simdn_sum(&changed);
  for (; i < n; i++) {
    mjtNum now = (mjtNum) !(f[i] <= 0);
    count += now != 0;
    *nchange += now != zone[i];
    zone[i] = now;
  }
  return count;
}

// Updates the zones of n friction-loss rows: -1 or 1 if the force is at -eta or eta (slipping),
// else 0 (sticking). Returns how many changed.
static KERNEL int count_slips(mjtNum* zone, const mjtNum* f, const mjtNum* eta, int n) {
  const SimdN one = (SimdN){0} + 1;
  SimdN changed = {0};
  int i = 0;
  for (; i + SIMD_N <= n; i += SIMD_N) {
    SimdN force = SIMD_READ(SimdN, f + i), most = SIMD_READ(SimdN, eta + i);
    MaskN below = force <= -most, above = ~below & (force >= most);
    SimdN now = (SimdN)(above & (MaskN)one) - (SimdN)(below & (MaskN)one);
    changed += (SimdN)((now != SIMD_READ(SimdN, zone + i)) & (MaskN)one);
    SIMD_AT(SimdN, zone + i) = now;
  }
  int count = (int)simdn_sum(&changed);
  for (; i < n; i++) {
    mjtNum now = f[i] <= -eta[i] ? -1 : f[i] >= eta[i] ? 1 : 0;
    count += now != zone[i];
    zone[i] = now;
  }
  return count;
}

// Updates the zones of all rows but equalities, whose states never change; counts the active rows
// and those that changed.
static void update_zones(const Dual* s, mjSolverStat* stat) {
  const mjData* d = s->d;
  mjtNum* zone = s->zone;
  int i = d->ne + d->nf;
  stat->nchange =
      count_slips(zone + d->ne, d->efc_force + d->ne, d->efc_frictionloss + d->ne, d->nf);
  stat->nactive = i;
  while (i < d->nefc) {
    int end = s->rows.elliptic ? i : d->nefc;
    while (end < d->nefc && d->efc_type[end] != mjCNSTR_CONTACT_ELLIPTIC) {
      end++;
    }
    stat->nactive += count_pushes(zone + i, &stat->nchange, d->efc_force + i, end - i);
    for (i = end; i < d->nefc && d->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC;) {
      const mjContact* contact = d->contact + d->efc_id[i];
      mjtNum state = (mjtNum)cone_force_zone(contact, d->efc_force + i);
      stat->nactive += state == mjCNSTRSTATE_SATISFIED ? 0 : contact->dim;
      stat->nchange += state == zone[i] ? 0 : contact->dim;
      zone[i] = state;
      i += contact->dim;
    }
  }
}

// What makes costs of the whole system dimensionless.
static mjtNum whole_inertia(const mjModel* m, const mjData* d) {
  mjtNum trace = 0;
  if (!behaves(m, cndBEHAVIOUR_solverexit)) {
    return m->stat.meaninertia * (mjtNum)int_max(1, m->nv);
  }
  for (int i = 0; i < m->nv; i++) {
    trace += d->M[m->M_rowadr[i] + m->M_rownnz[i] - 1];
  }
  return trace;
}

// Updates zones and statistics after a sweep. Returns the scaled improvement.
static mjtNum finish_sweep(const Dual* s, mjtNum improvement, int iter) {
  mjData* d = s->d;
  mjSolverStat stat = {0};
  stat.improvement = improvement / whole_inertia(s->m, d);
  update_zones(s, &stat);
  if (iter < mjNSOLVER) {
    d->solver[iter] = stat;
  }
  return stat.improvement;
}

static void write_states(const Dual* s) {
  mjData* d = s->d;
  for (int i = 0, n; i < d->nefc; i += n) {
    int is_cone = d->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC;
    int state = is_cone ? (int)s->zone[i] : law_force_zone(law_kind(&s->rows, i), 1, s->zone[i]);
    n = is_cone ? d->contact[d->efc_id[i]].dim : 1;
    for (int r = 0; r < n; r++) {
      d->efc_state[i + r] = state;
    }
  }
}

// solvers

// Makes sweeps over all rows, in their order. Returns how many.
static int sweep_in_order(Dual* s) {
  const mjOption* opt = &s->m->opt;
  int iter = 0;
  while (iter < opt->iterations &&
         !(finish_sweep(s, -dual_sweep(&s->problem), iter++) < opt->tolerance)) {
  }
  return iter;
}

// shuffled sweeps

// The steps of an island, or of all rows.
typedef struct {
  int island, nstep;
  int* order;       // of steps
  mjtNum inertia;   // makes costs dimensionless
  mjtNum *f, *was;  // forces at the start of the last sweep, with and without momentum
} Part;

// Zones after a sweep of a part, and their counts.
static void update_part(const Dual* s, const Part* part, mjSolverStat* stat) {
  const mjData* d = s->d;
  for (int k = 0; k < part->nstep; k++) {
    const DualStep* step = s->step + part->order[k];
    int i = step->row, is_fixed = i < s->rows.ne, count = 0;
    const mjtNum *f = d->efc_force + i, before = s->zone[i];
    if (step->kind == DUAL_CONE) {
      s->zone[i] = (mjtNum)cone_force_zone(step->contact, f);
      stat->nactive += s->zone[i] == mjCNSTRSTATE_SATISFIED ? 0 : step->n;
      stat->nchange += s->zone[i] == before ? 0 : step->n;
    } else if (i < s->rows.ne + s->rows.nf) {
      stat->nactive++;
      stat->nchange += is_fixed ? 0 : count_slips(s->zone + i, f, d->efc_frictionloss + i, 1);
    } else {
      stat->nactive += count_pushes(s->zone + i, &count, f, 1);
      stat->nchange += count;
    }
  }
}

// Brings the forces of a step back to where they may be.
static void project_step(const Dual* s, const DualStep* step) {
  mjtNum* f = s->problem.f + step->row;
  if (step->kind != DUAL_CONE) {
    const DualRow* row = s->problem.row + step->row;
    *f = num_clamp(*f, row->low, row->high);
    return;
  }
  mjtNum square = 0;
  for (int j = 1; j < step->n; j++) {
    mjtNum part = f[j] / step->contact->friction[j - 1];
    square += part * part;
  }
  if (f[0] < 0) {
    memset(f, 0, step->n * sizeof(mjtNum));
  } else if (square > f[0] * f[0]) {
    cone_to_surface(f + 1, step->contact->friction, f[0], step->n - 1);
  }
}

// Moves the forces of a part on in the direction of the last sweep, by a factor. Remembers them
// before and after.
static void extrapolate(Dual* s, Part* part, mjtNum factor) {
  DualProblem* p = &s->problem;
  for (int k = 0; k < part->nstep; k++) {
    const DualStep* step = s->step + part->order[k];
    for (int i = step->row; i < step->row + step->n; i++) {
      mjtNum now = p->f[i];
      p->f[i] += factor > 0 ? factor * (now - part->was[i]) : 0;
      part->was[i] = now;
    }
    if (factor > 0) {
      project_step(s, step);
      memcpy(p->res + step->row, s->d->efc_b + step->row, step->n * sizeof(mjtNum));
    }
    memcpy(part->f + step->row, p->f + step->row, step->n * sizeof(mjtNum));
  }
  if (factor > 0) {
    dual_add_forces(p);
  }
}

// Has the last sweep gone against its momentum?
static int turns_back(const Dual* s, const Part* part) {
  mjtNum sum = 0;
  for (int k = 0; k < part->nstep; k++) {
    const DualStep* step = s->step + part->order[k];
    for (int i = step->row; i < step->row + step->n; i++) {
      sum += (s->problem.f[i] - part->f[i]) * (part->f[i] - part->was[i]);
    }
  }
  return sum < 0;
}

// Makes sweeps over a part, each in another order, with momentum that grows until a sweep goes
// against it.
static int sweep_shuffled(Dual* s, Part* part) {
  const mjOption* opt = &s->m->opt;
  Shuffle shuffling = shuffle_make();
  int iter = 0, streak = 0, done = 0;
  s->problem.nstep = part->nstep;
  s->problem.order = part->order;
  while (iter < opt->iterations && !done) {
    extrapolate(s, part, iter ? (mjtNum)(streak - 1) / (mjtNum)(streak + 2) : 0);
    shuffle(&shuffling, part->order, part->nstep);
    mjSolverStat stat = {.improvement = -dual_sweep(&s->problem) / part->inertia};
    streak = iter && turns_back(s, part) ? 0 : streak + 1;
    update_part(s, part, &stat);
    if (iter < mjNSOLVER && part->island < mjNISLAND) {
      s->d->solver[part->island * mjNSOLVER + iter] = stat;
    }
    done = stat.improvement < opt->tolerance;
    iter++;
  }
  return iter;
}

// The trace of M over the dofs of an island, or over all.
static mjtNum island_inertia(const mjModel* m, const mjData* d, int island) {
  mjtNum trace = 0;
  if (island < 0) {
    return whole_inertia(m, d);
  }
  for (int k = 0; k < d->island_nv[island]; k++) {
    int i = d->map_idof2dof[d->island_idofadr[island] + k];
    trace += d->M[m->M_rowadr[i] + m->M_rownnz[i] - 1];
  }
  return trace;
}

// Solves island by island. Rows of no island (none of their bodies can move) are solved on their
// own.
static void sweep_islands(Dual* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  int has_islands = d->nisland && !(m->opt.disableflags & mjDSBL_ISLAND), nstep = s->problem.nstep;
  Part part = {.order = mj_stackAllocInt(d, nstep),
               .f = mj_stackAllocNum(d, d->nefc),
               .was = mj_stackAllocNum(d, d->nefc)};
  for (int island = has_islands ? -1 : 0; island < (has_islands ? d->nisland : 1); island++) {
    part.nstep = 0;
    part.island = island < 0 ? mjNISLAND : island;
    for (int k = 0; k < nstep; k++) {
      if (!has_islands || d->efc_island[s->step[k].row] == island) {
        part.order[part.nstep++] = k;
      }
    }
    part.inertia = island_inertia(m, d, has_islands ? island : -1);
    int iter = part.nstep ? sweep_shuffled(s, &part) : 0;
    if (part.island < mjNISLAND) {
      d->solver_niter[island] = iter;
      d->solver_nnz[island] = d->nA;
    }
  }
}

// min over allowed f of 1/2 f' (A + R) f + f' (J a0 - aref), row by row
// Also pgs in lanes/solvers/dual_cone.h and dual_warm in lanes/solvers/pgs.h.
void dual_pgs(const mjModel* m, mjData* d) {
  mj_markStack(d);
  int shuffles = behaves(m, cndBEHAVIOUR_solverexit);
  Dual s = dual_make(m, d, 0, shuffles ? 1 : DUAL_SCALAR_MOST);
  make_residual(&s);

  // the cost of a start is 1/2 f' (AR f + b) + 1/2 f' b; that of no force is 0
  mjtNum cost =
      dot_n(d->efc_force, s.problem.res, d->nefc) + dot_n(d->efc_force, d->efc_b, d->nefc);
  if (cost > 0) {
    memset(d->efc_force, 0, d->nefc * sizeof(mjtNum));
    memcpy(s.problem.res, d->efc_b, d->nefc * sizeof(mjtNum));
  }
  if (shuffles) {
    sweep_islands(&s);
  } else {
    d->solver_niter[0] = sweep_in_order(&s);
    d->solver_nnz[0] = d->nA;
  }
  write_states(&s);
  mj_freeStack(d);
}

// min over allowed friction of 1/2 f' A f + f' (J a0 - aref), normal forces fixed
// Also noslip_sweeps in lanes/solvers/dual_cone.h, lane_dual_finish in lanes/solvers/pgs.h.
void dual_noslip(const mjModel* m, mjData* d) {
  mj_markStack(d);
  Dual s = dual_make(m, d, 1, DUAL_SCALAR_MOST);
  make_residual(&s);

  // the first improvement includes the regularization cost, which noslip drops
  mjtNum decrease = 0;
  for (int i = 0; i < d->nefc; i++) {
    decrease += d->efc_R[i] * d->efc_force[i] * d->efc_force[i] / 2;
  }
  int iter = 0, before = d->solver_niter[0];
  while (iter < m->opt.noslip_iterations) {
    decrease -= dual_sweep(&s.problem);
    if (finish_sweep(&s, decrease, before + iter++) < m->opt.noslip_tolerance) {
      break;
    }
    decrease = 0;
  }
  write_states(&s);
  d->solver_niter[0] += iter;
  mj_freeStack(d);
}

// qfrc_constraint = J' f, qacc = a0 + M^-1 J' f
// Also lane_dual_finish in lanes/solvers/pgs.h.
void dual_finish(const mjModel* m, mjData* d) {
  mj_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
  if (d->efm_active) {
    mju_copy(d->qacc, d->qfrc_constraint, m->nv);
    metric_solve(d->qacc, m, d);
  } else {
    mj_solveM(m, d, d->qacc, d->qfrc_constraint, 1);
  }
  axpy_n(d->qacc, d->qacc_smooth, 1, m->nv);
}
