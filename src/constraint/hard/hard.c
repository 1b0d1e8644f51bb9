// The problem of a step: its rows, matrix and velocities are gathered, its islands solved one by
// one, positions corrected, results written.

#include "constraint/hard/hard.h"

#include <float.h>
#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "constraint/hard/columns.h"
#include "constraint/hard/solver.h"
#include "constraint/hard/target.h"
#include "constraint/kept/memory.h"
#include "constraint/law/problem.h"
#include "constraint/metric/metric.h"
#include "constraint/rows/extent.h"
#include "constraint/rows/makers.h"
#include "model/options.h"
#include "smooth/ldl.h"

// The problem of one step, on the stack.
typedef struct {
  HardSystem system;
  HardMatrix K;
  HardProblem problem;
  mjtNum* shift;  // what is added to b: see target.h
} Step;

// the system

static HardLaw law_of(const mjData* d, int row) {
  return row < d->ne                                    ? HARD_FREE
         : row < d->ne + d->nf                          ? HARD_BOUND
         : d->efc_type[row] == mjCNSTR_CONTACT_ELLIPTIC ? HARD_CONE
                                                        : HARD_PUSH;
}

static int find_blocks(HardBlock* block, const mjModel* m, const mjData* d) {
  int n = 0;
  for (int row = 0; row < d->nefc; n++) {
    int dim = constraint_rows(m, d, row);
    if (block) {
      block[n] = (HardBlock){row, dim, law_of(d, row), d->efc_frictionloss[row]};
    }
    row += dim;
  }
  return n;
}

// Friction rows times their coefficients, so that the cone is round.
static void scale_rows(mjtNum* scale, const mjData* d, const HardBlock* block, int nblock) {
  for (int i = 0; i < nblock; i++) {
    const mjContact* contact =
        block[i].law == HARD_CONE ? d->contact + d->efc_id[block[i].first] : NULL;
    for (int r = 0; r < block[i].dim; r++) {
      scale[block[i].first + r] = contact && r ? contact->friction[r - 1] : 1;
    }
  }
}

// The integrator's matrix: its factor, and what it has besides M.
static void take_matrix(HardSystem* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  s->LD = d->qLD;
  s->diaginv = d->qLDiagInv;
  if (m->opt.integrator == mjINT_EULER && options_euler_damps(m)) {
    s->damping = options_euler_damping(mj_stackAllocNum(d, m->nv), m, d);
    ldl_factor(d->qH, d->qHDiagInv, tree_pattern(m), d->M, s->damping, m->opt.timestep);
  }
  if (s->damping || options_is_implicit(m)) {
    s->LD = d->qH;
    s->diaginv = d->qHDiagInv;
  }
  if (d->efm_active) {  // the metric of a discrete step, whose pattern is that of M here
    s->LD = d->cnd_efm_L;
    s->diaginv = metric_pivots(d);
  }
}

void hard_system(HardSystem* s, const mjModel* m, mjData* d) {
  int nblock = find_blocks(NULL, m, d);
  HardBlock* block = mj_stackAllocByte(d, (size_t)nblock * sizeof(HardBlock), _Alignof(HardBlock));
  mjtNum* scale = mj_stackAllocNum(d, d->nefc);
  find_blocks(block, m, d);
  scale_rows(scale, d, block, nblock);
  *s = (HardSystem){
      .m = m, .d = d, .row_scale = scale, .nrow = d->nefc, .nblock = nblock, .block = block};
  take_matrix(s);
  system_find_trees(s);
}

// v = h X^-1 qfrc
static void velocity_change(mjtNum* v, const HardSystem* s, const mjtNum* qfrc) {
  mj_markStack(s->d);
  int nv = s->m->nv;
  mjtNum* path = mj_stackAllocNum(s->d, nv);
  memmove(v, qfrc, nv * sizeof(mjtNum));
  ldl_solve(v, tree_pattern(s->m), s->LD, s->diaginv, path);
  mju_scl(v, v, s->m->opt.timestep, nv);
  mj_freeStack(s->d);
}

// A row whose K_rr is at most this part of what its bodies' inverse weights and sizes let expect
// can't be moved by its force: what its Jacobian holds is rounding.
#define IMMOBILE num_square(1000 * (sizeof(mjtNum) == sizeof(double) ? DBL_EPSILON : FLT_EPSILON))

// What K_rr of the first row of a constraint may be expected to be, by the model's own measures.
static mjtNum expected_diagonal(const mjModel* m, const mjData* d, int row) {
  if (d->efc_type[row] < mjCNSTR_CONTACT_FRICTIONLESS) {
    return m->opt.timestep * d->efc_diagApprox[row];
  }
  const mjContact* contact = d->contact + d->efc_id[row];
  mjtNum weight[2], arm = 0;
  contact_weight(weight, m, d, contact);
  for (int k = 0; k < 2; k++) {
    arm = contact->geom[k] >= 0 ? num_max(arm, m->geom_rbound[contact->geom[k]]) : arm;
  }
  return m->opt.timestep * (weight[0] + weight[1] * arm * arm);
}

// sqrt(K_rr), 0 for rows that can't be moved.
static void weigh_rows(mjtNum* weight, const Step* step) {
  const HardSystem* s = &step->system;
  for (int i = 0; i < s->nblock; i++) {
    const HardBlock* block = s->block + i;
    const mjtNum* scale = s->row_scale + block->first;
    mjtNum most = expected_diagonal(s->m, s->d, block->first);
    for (int r = 0; r < block->dim; r++) {
      most = num_max(most, matrix_diagonal(&step->K, i, r, r) / (scale[r] * scale[r]));
    }
    for (int r = 0; r < block->dim; r++) {
      mjtNum diagonal = matrix_diagonal(&step->K, i, r, r);
      int moves = diagonal > IMMOBILE * most * scale[r] * scale[r];
      weight[block->first + r] = moves ? mju_sqrt(diagonal) : 0;
    }
  }
}

// sum |J| (|qvel| + |v|), scaled
static void size_rows(mjtNum* size, const HardSystem* s, const mjtNum* v) {
  Matrix J = matrix_whole_J(s->m, s->d);
  const mjtNum* before = s->d->qvel;
  for (int i = 0; i < s->nrow; i++) {
    int n = J.rownnz ? J.rownnz[i] : J.ncolumn;
    const mjtNum* value = J.value + (J.rownnz ? J.rowadr[i] : (ptrdiff_t)i * J.ld);
    mjtNum sum = 0;
    for (int k = 0; k < n; k++) {
      int dof = J.rownnz ? J.column[J.rowadr[i] + k] : k;
      sum += mju_abs(value[k]) * (mju_abs(v[dof]) + mju_abs(before[dof]));
    }
    size[i] = s->row_scale[i] * sum;
  }
}

// w = K f + b,  K = h J X^-1 J',  b = J (v0 + h X^-1 qfrc_smooth),
// of discrete steps with their shift
static void make_step(Step* step, const mjModel* m, mjData* d) {
  HardSystem* s = &step->system;
  int n = d->nefc;
  hard_system(s, m, d);
  matrix_pattern(&step->K, s);
  columns_fill(&step->K, s);

  mjtNum* b = mj_stackAllocNum(d, n);
  mjtNum* v = mj_stackAllocNum(d, m->nv);
  mjtNum* weight = mj_stackAllocNum(d, n);
  mjtNum* size = mj_stackAllocNum(d, n);
  step->shift = mj_stackAllocNum(d, n);
  if (d->efm_active) {
    metric_shifted(v, m, d);
  }
  velocity_change(v, s, d->efm_active ? v : d->qfrc_smooth);
  mju_addTo(v, d->qvel, m->nv);
  mj_mulJacVec(m, d, b, v);
  weigh_rows(weight, step);
  size_rows(size, s, v);
  target_shift(step->shift, m, d, b);
  for (int i = 0; i < n; i++) {
    b[i] = s->row_scale[i] * (b[i] + step->shift[i]);
  }
  step->problem = (HardProblem){.d = d,
                                .nrow = n,
                                .nblock = s->nblock,
                                .block = s->block,
                                .K = &step->K,
                                .system = s,
                                .weight = weight,
                                .size = size,
                                .b = b,
                                .f = mj_stackAllocNum(d, n),
                                .w = mj_stackAllocNum(d, n)};
}

// Forces to start from, in the scale of the problem and within their laws.
static void set_forces(Step* step, const mjtNum* force) {
  HardProblem* p = &step->problem;
  for (int i = 0; i < p->nrow; i++) {
    mjtNum f = force[i] / step->system.row_scale[i];
    p->f[i] = isfinite(f) ? f : 0;
  }
  for (int i = 0; i < p->nblock; i++) {
    hard_project(p->f + p->block[i].first, p->block + i);
  }
  hard_multiply(p);
}

// solving

// The blocks of each island, ascending; all in one if islands are not known.
static int* list_islands(int** start, int count[1], const HardBlock* block, int nblock, mjData* d) {
  int n = d->nisland ? d->nisland : 1;
  int* list = mj_stackAllocInt(d, nblock);
  int* adr = mj_stackAllocInt(d, (size_t)n + 2);
  memset(adr, 0, ((size_t)n + 2) * sizeof(int));
  for (int i = 0; i < nblock; i++) {
    adr[(d->nisland ? d->efc_island[block[i].first] : 0) + 2]++;
  }
  for (int k = 0; k < n; k++) {
    adr[k + 2] += adr[k + 1];
  }
  for (int i = 0; i < nblock; i++) {
    list[adr[(d->nisland ? d->efc_island[block[i].first] : 0) + 1]++] = i;
  }
  *start = adr;
  *count = n;
  return list;
}

static void solve_islands(HardProblem* p, const mjModel* m, int report) {
  mjData* d = p->d;
  const cndContactOption* option = &m->cnd_contact;
  mj_markStack(d);
  int n, *start, *list = list_islands(&start, &n, p->block, p->nblock, d);
  for (int k = 0; k < n; k++) {
    mjSolverStat* stat = report && k < mjNISLAND ? d->solver + k * mjNSOLVER : NULL;
    HardEnd end = hard_solve(p, list + start[k], start[k + 1] - start[k], option->iterations,
                             option->tolerance, stat, stat ? mjNSOLVER : 0);
    if (stat) {
      d->solver_niter[k] = end.sweeps;
    }
    if (report && end.failed) {
      mj_warning(d, end.contradicts ? cndWARN_CONTRADICTION : cndWARN_UNSOLVED, k);
    }
  }
  mj_freeStack(d);
}

// positions

// Overlaps on both sides of a body contradict each other, and what comes of that can be fast. A
// part of a correction asks for nothing that is forbidden, so it may be slowed down as a whole.
static void slow_down(mjtNum* velocity, mjtNum* speed, const mjModel* m, const mjData* d) {
  mjtNum most = 2 * m->cnd_contact.correction_velocity, fastest = 0;
  mj_mulJacVec(m, d, speed, velocity);
  for (int i = 0; i < d->nefc; i++) {
    fastest = num_max(fastest, mju_abs(speed[i]));
  }
  if (fastest > most) {
    mju_scl(velocity, velocity, most / fastest, m->nv);
  }
}

// The velocity that corrects positions, from a problem of normals, limits and equalities alone.
static void correct(Step* step, const mjModel* m, mjData* d) {
  int nv = m->nv, n = d->nefc;
  mju_zero(d->cnd_correction, nv);
  mj_markStack(d);
  mjtNum* b = mj_stackAllocNum(d, n);
  for (int i = 0; i < n; i++) {
    b[i] = step->problem.w[i] / step->system.row_scale[i] - step->shift[i];
  }
  if (target_correction(b, m, d, b)) {
    HardBlock* block =
        mj_stackAllocByte(d, (size_t)step->problem.nblock * sizeof(HardBlock), _Alignof(HardBlock));
    HardProblem p = step->problem;
    for (int i = 0; i < step->problem.nblock; i++) {
      HardBlock of = step->problem.block[i];
      block[i] = of;
      if (of.law == HARD_CONE) {
        block[i].law = HARD_PUSH;
        block[i].dim = 1;
      } else if (of.law == HARD_BOUND) {
        block[i].bound = 0;
      }
    }
    p.block = block;
    p.b = b;
    p.f = mj_stackAllocNum(d, n);
    p.w = mj_stackAllocNum(d, n);
    mju_zero(p.f, n);
    memcpy(p.w, b, n * sizeof(mjtNum));
    solve_islands(&p, m, 0);
    mjtNum* qfrc = mj_stackAllocNum(d, nv);
    mju_zero(qfrc, nv);
    mj_mulJacTVec(m, d, qfrc, p.f);
    velocity_change(d->cnd_correction, &step->system, qfrc);
    slow_down(d->cnd_correction, b, m, d);
  }
  mj_freeStack(d);
}

// results

static int state_of(const HardBlock* block, const mjtNum* f) {
  mjtNum slide = 0;
  for (int r = 1; r < block->dim; r++) {
    slide += f[r] * f[r];
  }
  switch (block->law) {
    case HARD_BOUND:
      return f[0] >= block->bound    ? mjCNSTRSTATE_LINEARNEG
             : f[0] <= -block->bound ? mjCNSTRSTATE_LINEARPOS
                                     : mjCNSTRSTATE_QUADRATIC;
    case HARD_PUSH:
      return f[0] > 0 ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_SATISFIED;
    case HARD_CONE:
      return !(f[0] > 0)                                 ? mjCNSTRSTATE_SATISFIED
             : slide < num_square(f[0]) * (1 - mjMINVAL) ? mjCNSTRSTATE_QUADRATIC
                                                         : mjCNSTRSTATE_CONE;
    default:
      return mjCNSTRSTATE_QUADRATIC;
  }
}

static void write_results(const Step* step, const mjModel* m, mjData* d) {
  const HardProblem* p = &step->problem;
  int nv = m->nv;
  for (int i = 0; i < p->nblock; i++) {
    const HardBlock* block = p->block + i;
    int state = state_of(block, p->f + block->first);
    for (int r = block->first; r < block->first + block->dim; r++) {
      d->efc_force[r] = step->system.row_scale[r] * p->f[r];
      d->efc_state[r] = state;
    }
  }
  mj_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
  if (d->efm_active) {
    mju_copy(d->qacc, d->qfrc_constraint, nv);
    metric_solve(d->qacc, m, d);
  } else {
    mj_solveM(m, d, d->qacc, d->qfrc_constraint, 1);
  }
  for (int i = 0; i < nv; i++) {
    d->qacc[i] += d->qacc_smooth[i];
  }
}

void hard_forward(const mjModel* m, mjData* d) {
  Step step;
  mj_markStack(d);
  make_step(&step, m, d);
  mjtNum* start = mj_stackAllocNum(d, d->nefc);
  memory_recall(start, m, d);
  if (m->opt.disableflags & mjDSBL_WARMSTART) {
    mju_zero(start, d->nefc);
  }
  set_forces(&step, start);
  memset(d->solver_niter, 0, sizeof(d->solver_niter));
  solve_islands(&step.problem, m, 1);
  correct(&step, m, d);
  write_results(&step, m, d);
  mj_freeStack(d);
}

mjtNum hard_check(const mjModel* m, mjData* d) {
  Step step;
  mj_markStack(d);
  make_step(&step, m, d);
  int n, *start, *list;
  mjtNum worst = 0;
  for (int i = 0; i < d->nefc; i++) {
    step.problem.f[i] = d->efc_force[i] / step.system.row_scale[i];
  }
  hard_multiply(&step.problem);
  list = list_islands(&start, &n, step.problem.block, step.problem.nblock, d);
  for (int k = 0; k < n; k++) {
    const int *blocks = list + start[k], nblock = start[k + 1] - start[k];
    mjtNum need = hard_need(&step.problem, blocks, nblock);
    worst = num_max(worst, hard_residual(&step.problem, blocks, nblock, need));
  }
  mj_freeStack(d);
  return worst;
}

void hard_refuse_inverse(const mjModel* m, const char* function) {
  if (hard_is_on(m)) {
    mju_error(
        "%s: undefined for hard contacts, whose forces do not follow from accelerations; "
        "set condyle.contact to soft",
        function);
  }
}
