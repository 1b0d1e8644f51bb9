// What a block knows of geoms that are apart changes no result: many steps in one call, in which it
// is kept, give the bits of as many calls, in each of which it is found anew.

#include <condyle/batch.h>

#include "lanes/models.h"

enum {
  N = 21,
  STEPS = 120
};

static const char tumbling[] =
    "<mujoco><option timestep='0.004'/><asset><mesh name='m' vertex='.1 0 0 -.1 .1 0 -.1 -.1 0 "
    "0 0 .2 .1 .1 .1 -.1 0 .15 .05 -.1 .1'/></asset><worldbody><geom type='plane' size='5 5 1'/>"
    "<geom type='box' size='.2 .1 .05' euler='5 3 0'/>"
    "<body pos='0 0 .3'><freejoint/><geom type='box' size='.1 .06 .04'/></body>"
    "<body pos='.1 .05 .55'><freejoint/><geom type='mesh' mesh='m'/>"
    "<body pos='0 0 .2'><joint axis='1 1 0' damping='.01'/>"
    "<geom type='mesh' mesh='m' euler='30 0 9'/></body></body>"
    "<body pos='-.1 0 .9'><freejoint/><geom type='cylinder' size='.07 .1'/></body>"
    "<body pos='.1 -.1 1.2'><freejoint/><geom type='ellipsoid' size='.1 .05 .08'/></body>"
    "</worldbody></mujoco>";

static mjtNum* stepped(const mjModel* m, const mjtNum* start, int calls, double* colliders) {
  const unsigned int sig = mjSTATE_INTEGRATION;
  mjtNum* state = malloc(N * (size_t)mj_stateSize(m, sig) * sizeof(mjtNum));
  cndBatch* batch = cnd_makeBatch(m, N, 1);
  assert_that(cnd_batchLanes(batch, cndLANES_DOUBLE), >, 0);
  cnd_batchSetState(batch, NULL, start, sig);
  cndBatchStats stats;
  for (int k = 0; k < calls; k++) {
    assert_int_equal(cnd_batchStep(batch, NULL, NULL, STEPS / calls), cndRUN_DONE);
    cnd_batchStats(&stats, batch);
    assert_int_equal(stats.left, 0);
  }
  *colliders = stats.colliders;
  cnd_batchGetState(batch, NULL, state, sig);
  cnd_deleteBatch(batch);
  return state;
}

TEST(many_steps_in_a_call_are_those_of_many_calls) {
  const unsigned int sig = mjSTATE_INTEGRATION;
  mjModel* m = test_model(tumbling);
  mjData* d = test_data(m);
  size_t size = (size_t)mj_stateSize(m, sig);
  mjtNum* start = malloc(N * size * sizeof(mjtNum));
  uint64_t seed = 4;
  for (int i = 0; i < N; i++) {
    lane_state(d, m, &seed, 0.05, 1);
    mju_zero(d->qfrc_applied, m->nv);
    mj_getState(m, d, start + (size_t)i * size, sig);
  }
  double colliders;
  mjtNum* one = stepped(m, start, 1, &colliders);
  assert_that(colliders, >, 0.5);
  mjtNum* many = stepped(m, start, STEPS, &colliders);
  for (int i = 0; i < N; i++) {
    const mjtNum *x = one + (size_t)i * size, *y = many + (size_t)i * size;
    for (int k = 0; k < 1 + m->nq + m->nv; k++) {
      if (x[k] != y[k]) {
        fail_msg("world %d, number %d: %.17g is not %.17g", i, k, (double)x[k], (double)y[k]);
      }
    }
  }
  free(start);
  free(one);
  free(many);
  test_release(d);
}
