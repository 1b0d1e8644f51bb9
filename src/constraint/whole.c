// The whole system as a problem.

#include "constraint/whole.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "constraint/metric/metric.h"
#include "model/behaviour.h"
#include "model/data/arena.h"
#include "smooth/ldl.h"

mjtNum inertia_scale(const mjtNum* M, TreePattern tree) {
  mjtNum trace = 0;
  for (int i = 0; i < tree.n; i++) {
    trace += M[tree.rowadr[i] + tree.rownnz[i] - 1];
  }
  return 1 / trace;
}

ProblemStart start_of(const mjModel* m, mjData* d) {
  return (ProblemStart){d->efc_aref, d->efc_b, d->efc_state,
                        !(m->opt.disableflags & mjDSBL_WARMSTART), 1};
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

Problem whole_problem(const mjModel* m, mjData* d, int own_states) {
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
