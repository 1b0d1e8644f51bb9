// Models of many pairs and of many dofs: the list of near pairs misses no contact while things
// move fast.

#include <condyle/batch.h>

#include "lanes/models.h"
#include "support/near.h"

enum {
  N = 9,
  STEPS = 60
};

// A model in which n balls and capsules fly through each other's way above a floor.
static mjModel* flock(int n, const char* floor) {
  char *text = mju_malloc((size_t)n * 400 + 1000), *at = text;
  at += sprintf(at, "<mujoco><option gravity='0 0 -3'/><worldbody>%s", floor);
  for (int i = 0; i < n; i++) {
    at += sprintf(at, "<body pos='%g %g %g'><freejoint/><geom type='%s' size='.05 .06'/></body>",
                  0.25 * (i % 4), 0.25 * (i / 4 % 4), 0.2 + 0.25 * (i / 16),
                  i % 3 ? "sphere" : "capsule");
  }
  sprintf(at, "</worldbody></mujoco>");
  mjModel* m = mj_copyModel(NULL, test_model(text));
  mju_free(text);
  return m;
}

static void fly(const mjModel* m) {
  DOUBLE_ONLY();
  mjData* d[N];
  cndBatch* batch = cnd_makeBatch(m, N, 0);
  const unsigned spec = mjSTATE_INTEGRATION;
  size_t size = (size_t)mj_stateSize(m, spec), where;
  mjtNum* state = mju_malloc(N * size * sizeof(mjtNum));
  assert_null(cnd_batchWhy(batch));
  uint64_t seed = 7;
  int contacts = 0;
  for (int i = 0; i < N; i++) {
    d[i] = test_data(m);
    for (int k = 0; k < m->nv; k++) {
      d[i]->qvel[k] = (mjtNum)(3 * uniform_random(&seed));
    }
  }
  // several steps in one call, through which the list is kept
  for (int t = 0; t < STEPS; t += 5) {
    for (int i = 0; i < N; i++) {
      mj_getState(m, d[i], state + (size_t)i * size, spec);
    }
    cnd_batchSetState(batch, NULL, state, spec);
    assert_int_equal(cnd_batchStep(batch, NULL, NULL, 5), cndRUN_DONE);
    assert_int_equal(cnd_batchLeft(batch), 0);
    cnd_batchGetState(batch, NULL, state, mjSTATE_QPOS);
    for (int i = 0; i < N; i++) {
      for (int k = 0; k < 5; k++) {
        mj_step(m, d[i]);
        contacts += d[i]->ncon;
      }
      const mjtNum* qpos = state + (size_t)i * (size_t)m->nq;
      assert_true(relative_error(&where, qpos, d[i]->qpos, m->nq, 1.0) <= 1e-8);
    }
  }
  assert_true(contacts > 100);
  for (int i = 0; i < N; i++) {
    test_release(d[i]);
  }
  cnd_deleteBatch(batch);
  mju_free(state);
}

TEST(many_pairs) {
  mjModel* m = flock(20, "<geom type='plane' size='5 5 1'/><geom type='box' size='.4 .4 .05'/>");
  fly(m);
  mj_deleteModel(m);
}

TEST(many_dofs) {
  mjModel* m = flock(32, "<geom type='plane' size='5 5 1'/>");
  assert_true(m->nv > 128);
  fly(m);
  mj_deleteModel(m);
}
