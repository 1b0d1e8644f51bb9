// The residual of a step: how far its forces and accelerations are from satisfying the equations
// that define them.

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <stdint.h>

#include "base/algebra/vec.h"
#include "constraint/hard/hard.h"
#include "constraint/law/law.h"
#include "constraint/law/problem.h"
#include "model/checks/pair.h"

// |M qacc - qfrc_smooth - J' f(J qacc - aref)|, in the scale of mjSolverStat.gradient
static mjtNum gradient_norm(const mjModel* m, mjData* d) {
  int nv = m->nv, nefc = d->nefc;
  mj_markStack(d);
  mjtNum* gradient = mj_stackAllocNum(d, nv);
  mjtNum* qfrc = mj_stackAllocNum(d, nv);
  mju_zero(qfrc, nv);
  if (nefc) {
    mjtNum* jar = mj_stackAllocNum(d, nefc);
    mjtNum* force = mj_stackAllocNum(d, nefc);
    int* state = mj_stackAllocInt(d, nefc);
    mj_mulJacVec(m, d, jar, d->qacc);
    mju_subFrom(jar, d->efc_aref, nefc);
    Rows rows = rows_whole(m, d);
    law_cost(force, state, &rows, jar, 0);
    mj_mulJacTVec(m, d, qfrc, force);
  }
  mj_mulM(m, d, gradient, d->qacc);
  mju_subFrom(gradient, d->qfrc_smooth, nv);
  mju_subFrom(gradient, qfrc, nv);
  mjtNum norm = mju_norm(gradient, nv) / (m->stat.meaninertia * (mjtNum)int_max(1, nv));
  mj_freeStack(d);
  return norm;
}

// The data are const for callers: only the stack is used, and restored.
mjtNum cnd_solverResidual(const mjModel* m, const mjData* d) {
  check_pair(m, d);
  mjData* work = (mjData*)(uintptr_t)d;
  return hard_is_on(m) ? hard_check(m, work) : gradient_norm(m, work);
}
