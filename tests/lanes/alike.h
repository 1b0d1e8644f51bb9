// alike.h: worlds stepped in lanes beside mj_step.

#pragma once

#include <condyle/batch.h>

#include "lanes/models.h"
#include "support/near.h"

enum {
  ALIKE_WORLDS = 9
};

// Steps random worlds of a model in lanes, some steps in a call, and compares them with mj_step:
// qpos and qvel to a tolerance of the largest.
static inline void steps_alike(const mjModel* m, double reach, double speed, int calls, int steps,
                               double tolerance) {
  DOUBLE_ONLY();
  mjData* d[ALIKE_WORLDS];
  cndBatch* batch = cnd_makeBatch(m, ALIKE_WORLDS, 0);
  const unsigned spec = mjSTATE_INTEGRATION;
  size_t size = (size_t)mj_stateSize(m, spec), where;
  mjtNum* state = mju_malloc(ALIKE_WORLDS * size * sizeof(mjtNum));
  assert_null(cnd_batchWhy(batch));
  uint64_t seed = 11;
  for (int i = 0; i < ALIKE_WORLDS; i++) {
    d[i] = test_data(m);
    lane_state(d[i], m, &seed, reach, speed);
    mju_zero(d[i]->xfrc_applied, 6 * m->nbody);
  }
  for (int t = 0; t < calls; t++) {
    for (int i = 0; i < ALIKE_WORLDS; i++) {
      mj_getState(m, d[i], state + (size_t)i * size, spec);
    }
    cnd_batchSetState(batch, NULL, state, spec);
    assert_int_equal(cnd_batchStep(batch, NULL, NULL, steps), cndRUN_DONE);
    assert_int_equal(cnd_batchLeft(batch), 0);
    cnd_batchGetState(batch, NULL, state, mjSTATE_QPOS | mjSTATE_QVEL);
    for (int i = 0; i < ALIKE_WORLDS; i++) {
      for (int k = 0; k < steps; k++) {
        mj_step(m, d[i]);
      }
      const mjtNum* qpos = state + i * (m->nq + m->nv);
      double q = relative_error(&where, qpos, d[i]->qpos, m->nq, 1.0);
      double v = relative_error(&where, qpos + m->nq, d[i]->qvel, m->nv, 1.0);
      if (!(q <= tolerance && v <= tolerance)) {
        fail_msg("call %d, world %d: qpos %g, qvel %g", t, i, q, v);
      }
    }
  }
  for (int i = 0; i < ALIKE_WORLDS; i++) {
    test_release(d[i]);
  }
  cnd_deleteBatch(batch);
  mju_free(state);
}
