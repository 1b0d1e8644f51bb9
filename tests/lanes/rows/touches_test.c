// What a world keeps of meshes that touch changes no result: after many steps of one batch a step
// is still that of mj_step from the same state, also where a number of the model has changed.

#include <condyle/batch.h>

#include "lanes/models.h"
#include "support/near.h"

enum {
  N = 21,
  STEPS = 80
};

// Makes a step of all worlds in lanes and by mj_step, and compares.
static void step(cndBatch* batch, const mjModel* m, mjData* d, mjtNum* state, int k) {
  const unsigned int sig = mjSTATE_INTEGRATION;
  size_t size = (size_t)mj_stateSize(m, sig), where;
  cnd_batchGetState(batch, NULL, state, sig);
  mjtNum* after = malloc(N * size * sizeof(mjtNum));
  assert_int_equal(cnd_batchStep(batch, NULL, NULL, 1), cndRUN_DONE);
  cnd_batchGetState(batch, NULL, after, sig);
  for (int i = 0; i < N; i++) {
    mj_resetData(m, d);
    mj_setState(m, d, state + (size_t)i * size, sig);
    mj_step(m, d);
    const mjtNum *qpos = after + (size_t)i * size + 1, *qvel = qpos + m->nq;
    double error = relative_error(&where, qvel, d->qvel, m->nv, 1.0);
    if (!(error <= 1e-9) || !(relative_error(&where, qpos, d->qpos, m->nq, 1.0) <= 1e-9)) {
      fail_msg("step %d, world %d differs by %g", k, i, error);
    }
  }
  free(after);
}

TEST(steps_are_those_of_mj_step) {
  mjModel* m = test_model(LANE_LINKAGE);
  mjData* d = test_data(m);
  cndBatch* batch = cnd_makeBatch(m, N, 1);
  size_t size = (size_t)mj_stateSize(m, mjSTATE_INTEGRATION);
  mjtNum* state = malloc(N * size * sizeof(mjtNum));
  uint64_t seed = 5;
  assert_that(cnd_batchLanes(batch, cndLANES_DOUBLE), >, 0);
  for (int i = 0; i < N; i++) {
    lane_state(d, m, &seed, 0.05, 0.3);
    mj_getState(m, d, state + (size_t)i * size, mjSTATE_INTEGRATION);
  }
  cnd_batchSetState(batch, NULL, state, mjSTATE_INTEGRATION);
  cndBatchStats stats;
  double asked = 0, left = 0;
  for (int k = 0; k < STEPS; k++) {
    if (k == STEPS / 2) {
      m->geom_pos[3 * (m->ngeom - 3)] += (mjtNum)0.01;
    }
    step(batch, m, d, state, k);
    cnd_batchStats(&stats, batch);
    asked += stats.colliders;
    left += stats.left;
  }
  // colliders were at work, and lanes
  assert_that(asked, >, 1.5 * STEPS);
  assert_that(left, <, 0.1 * STEPS * N);
  free(state);
  cnd_deleteBatch(batch);
  test_release(d);
}
