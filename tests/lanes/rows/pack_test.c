// Contacts of one body on one plane share slots, whichever ends of it touch in which world. That
// changes no bit: beside a sensor that asks which geoms touch every contact has a slot of its own.

#include <math.h>

#include "lanes/alike.h"

// A board of four capsules.
#define BOARD(option, sensor)                                                          \
  "<mujoco><option " option                                                            \
  "/>"                                                                                 \
  "<default><geom type='capsule' size='.01' contype='0' conaffinity='1'/></default>"   \
  "<worldbody><geom type='plane' size='5 5 1' contype='1'/>"                           \
  "<body name='board' pos='0 0 .04'><freejoint/><geom fromto='-.1 -.06 0 .1 -.06 0'/>" \
  "<geom fromto='-.1 -.02 0 .1 -.02 0'/><geom fromto='-.1 .02 0 .1 .02 0'/>"           \
  "<geom fromto='-.1 .06 0 .1 .06 0'/></body></worldbody><sensor>" sensor              \
  "</sensor>"                                                                          \
  "</mujoco>"
#define ASKS "<contact body1='board' num='1' data='found'/>"

enum {
  N = 16,
  STEPS = 60
};

// Steps worlds whose boards lean to all sides. Returns the share of slots that are used, when they
// have landed; how many worlds stand side by side comes out.
static double fall(mjtNum* state, int* beside, const char* model) {
  const mjModel* m = test_model(model);
  mjData* d = test_data(m);
  cndBatch* batch = cnd_makeBatch(m, N, 0);
  size_t size = (size_t)mj_stateSize(m, mjSTATE_PHYSICS);
  *beside = cnd_batchLanes(batch, cndLANES_DOUBLE);
  assert_that(*beside, >, 0);
  for (int i = 0; i < N; i++) {
    mj_resetData(m, d);
    double side = 6.28 * i / N;
    d->qpos[3] = (mjtNum)cos(0.1);
    d->qpos[4] = (mjtNum)(sin(0.1) * cos(side));
    d->qpos[5] = (mjtNum)(sin(0.1) * sin(side));
    mj_getState(m, d, state + (size_t)i * size, mjSTATE_PHYSICS);
  }
  cnd_batchSetState(batch, NULL, state, mjSTATE_PHYSICS);
  double touching = 0;
  for (int k = 0; k < STEPS; k++) {
    cndBatchStats stats;
    cnd_batchStep(batch, NULL, NULL, 1);
    cnd_batchStats(&stats, batch);
    assert_int_equal(stats.left, 0);
    touching += k < STEPS / 2 ? 0 : stats.touching / (STEPS / 2);
  }
  cnd_batchGetState(batch, NULL, state, mjSTATE_PHYSICS);
  cnd_deleteBatch(batch);
  test_release(d);
  return touching;
}

static void pack(const char* plain, const char* asks) {
  DOUBLE_ONLY();
  size_t bytes = N * (size_t)mj_stateSize(test_model(plain), mjSTATE_PHYSICS) * sizeof(mjtNum);
  mjtNum *one = malloc(bytes), *two = malloc(bytes);
  int beside;
  double packed = fall(one, &beside, plain), apart = fall(two, &beside, asks);
  // two boards that lean to neighbouring sides touch with the same ends
  if (beside > 2) {
    assert_that(packed, >, 1.05 * apart);
  }
  assert_memory_equal(one, two, bytes);
  free(one);
  free(two);
}

TEST(no_bit_changes) {
  pack(BOARD("", ""), BOARD("", ASKS));
  pack(BOARD("cone='elliptic' integrator='implicitfast'", ""),
       BOARD("cone='elliptic' integrator='implicitfast'", ASKS));
}

TEST(steps_are_those_of_mj_step) {
  steps_alike(test_model(BOARD("tolerance='1e-12'", "")), 0.05, 0.5, 40, 2, 1e-9);
  steps_alike(test_model(BOARD("tolerance='1e-12' cone='elliptic'", "")), 0.05, 0.5, 40, 2, 1e-9);
}
