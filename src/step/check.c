// Checks of the state. NaN, infinite and huge numbers reset the simulation and are counted, so that
// one diverging run among thousands neither crashes nor goes unnoticed.
//                                                   theory/time/integration.md, Checks of the state

#include "step/check.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>

#include "base/algebra/simd.h"
#include "model/checks/pair.h"

KERNEL int check_count(const mjtNum* x, int n) {
  int good = 0;
  for (int i = 0; i < n; i++) {
    good += (x[i] <= mjMAXVAL) & (x[i] >= -mjMAXVAL);
  }
  return good;
}

// Checks n numbers. If one is bad it warns, resets unless that is switched off, and counts the
// warning again, because the reset has cleared the counters. Returns whether it reset.
static int reset_if_bad(const mjModel* m, mjData* d, int warning, const mjtNum* x, int n) {
  int reset = !(m->opt.disableflags & mjDSBL_AUTORESET), i = 0;
  if (check_good(x, n)) {
    return 0;
  }
  while (!mju_isBad(x[i])) {
    i++;
  }
  mj_warning(d, warning, i);
  if (reset) {
    mj_resetData(m, d);
  }
  d->warning[warning].number++;
  d->warning[warning].lastinfo = i;
  return reset;
}

void mj_checkPos(const mjModel* m, mjData* d) {
  check_pair(m, d);
  reset_if_bad(m, d, mjWARN_BADQPOS, d->qpos, m->nq);
}

void mj_checkVel(const mjModel* m, mjData* d) {
  check_pair(m, d);
  reset_if_bad(m, d, mjWARN_BADQVEL, d->qvel, m->nv);
}

// After a reset, forward dynamics runs again: the integrator needs accelerations of the new state.
void mj_checkAcc(const mjModel* m, mjData* d) {
  check_pair(m, d);
  if (reset_if_bad(m, d, mjWARN_BADQACC, d->qacc, m->nv)) {
    mj_forward(m, d);
  }
}
