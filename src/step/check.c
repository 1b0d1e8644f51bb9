#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>

#include "base/check.h"

// A number that can't be right (NaN, infinite, huge) ends the simulation it came from: the
// state is reset and the event counted, so that one diverging run among thousands neither
// crashes nor goes unnoticed.                                                  spec 04, section 1.3

// Index of the first bad number, -1 if there is none.
static int first_bad(const mjtNum* x, int n) {
  for (int i = 0; i < n; i++) {
    if (mju_isBad(x[i])) {
      return i;
    }
  }
  return -1;
}

// Warns, resets unless told not to, and counts once more, because the reset has cleared the
// counters. Returns whether it reset.
static int handle_bad(const mjModel* m, mjData* d, int warning, int index) {
  int reset = !(m->opt.disableflags & mjDSBL_AUTORESET);
  mj_warning(d, warning, index);
  if (reset) {
    mj_resetData(m, d);
  }
  d->warning[warning].number++;
  d->warning[warning].lastinfo = index;
  return reset;
}

void mj_checkPos(const mjModel* m, mjData* d) {
  check_given(m, d);
  int bad = first_bad(d->qpos, m->nq);
  if (bad >= 0) {
    handle_bad(m, d, mjWARN_BADQPOS, bad);
  }
}

void mj_checkVel(const mjModel* m, mjData* d) {
  check_given(m, d);
  int bad = first_bad(d->qvel, m->nv);
  if (bad >= 0) {
    handle_bad(m, d, mjWARN_BADQVEL, bad);
  }
}

// the integrator wants the accelerations of the state it starts from
void mj_checkAcc(const mjModel* m, mjData* d) {
  check_given(m, d);
  int bad = first_bad(d->qacc, m->nv);
  if (bad >= 0 && handle_bad(m, d, mjWARN_BADQACC, bad)) {
    mj_forward(m, d);
  }
}
