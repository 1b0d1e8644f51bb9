// The acceleration stage of constraints: the starting point, the choice of solver and of problems
// (whole or islands), and the results.                             theory/contact/solvers.md, Start

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "constraint/hard/hard.h"
#include "constraint/law/law.h"
#include "constraint/law/problem.h"
#include "constraint/rows/storage.h"
#include "constraint/solve_islands.h"
#include "constraint/solver/dual.h"
#include "constraint/solver/solve.h"
#include "constraint/whole.h"
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

// Copies results by dof (forces and accelerations) to the order of islands.
static void gather_dofs(mjData* d) {
  const int* dof = d->map_idof2dof;
  indexed_gather(d->ifrc_smooth, d->qfrc_smooth, dof, 0, d->nidof);
  indexed_gather(d->iacc_smooth, d->qacc_smooth, dof, 0, d->nidof);
  indexed_gather(d->iacc, d->qacc, dof, 0, d->nidof);
  indexed_gather(d->ifrc_constraint, d->qfrc_constraint, dof, 0, d->nidof);
}

// The scale of the whole system: by the present inertia, or by that of the reference configuration.
static mjtNum whole_scale(const mjModel* m, const mjData* d) {
  return behaves(m, cndBEHAVIOUR_solverexit)
             ? inertia_scale(d->M, tree_pattern(m))
             : 1 / (m->stat.meaninertia * (mjtNum)int_max(1, m->nv));
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

// Copies results to the order of islands, if the whole system was solved.
static void gather_results(const mjModel* m, mjData* d) {
  if (d->nisland && !(m->opt.disableflags & mjDSBL_ISLAND)) {
    const int* row = d->map_iefc2efc;
    gather_dofs(d);
    indexed_gather(d->iefc_aref, d->efc_aref, row, 0, d->nefc);
    indexed_gather(d->iefc_force, d->efc_force, row, 0, d->nefc);
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
