// States of rows and rollouts hold all that later releases added: buffers of delays and what
// plastic springs remember. If one were left out, the motion would differ from that of mj_step.

#include <condyle/batch.h>
#include <condyle/rollout.h>
#include <condyle/state.h>
#include <mujoco/mjbatch.h>

#include "support/load.h"
#include "support/test.h"

enum {
  N = 5,
  NSTEP = 12
};

// A spring that soon yields, a motor and a sensor with delays.
static const char kText[] =
    "<mujoco><option timestep='.01'/><worldbody><body><joint name='j' axis='0 1 0' stiffness='20' "
    "springyield='2'/><geom type='capsule' fromto='0 0 0 0 0 .5' size='.05'/></body></worldbody>"
    "<actuator><motor joint='j' nsample='5' delay='.034' interp='linear'/></actuator><sensor>"
    "<jointpos joint='j' nsample='4' delay='.02'/></sensor></mujoco>";

static mjtNum control(int sim, int step) {
  return 3 * mju_sin((mjtNum)(sim + step));
}

static void start(const mjModel* m, mjData* d, int sim) {
  mj_resetData(m, d);
  d->qpos[0] = (mjtNum)0.1 * (mjtNum)sim;
  // a past of its own
  for (int i = 0; i < 5; i++) {
    d->history[2 + 5 + i] = (mjtNum)(sim - i);
  }
}

static void assert_same(const char* what, int sim, const mjtNum* a, const mjtNum* b, size_t n) {
  if (memcmp(a, b, n * sizeof(mjtNum)) != 0) {
    fail_msg("%s of simulation %d differs from that of a loop", what, sim);
  }
}

TEST(rows_of_simulations_have_them) {
  mjModel* m = test_model(kText);
  mjData* d = test_data(m);
  char error[200];
  mjBatch* b = mjb_makeBatch(m, N, NULL, error, sizeof(error));
  assert_non_null(b);
  int nstate = mjb_nstate(b), size;
  assert_int_equal(nstate, mj_stateSize(m, cndSTATE_INTEGRATION));
  assert_that(nstate, >, mj_stateSize(m, mjSTATE_INTEGRATION));
  mjtNum* plastic = mjb_stateComponent(b, mjSTATE_PLASTIC, &size);
  assert_int_equal(size, m->nplastic);
  assert_ptr_equal(plastic, mjb_state(b) + nstate - m->nplastic);
  mjtNum* history = mjb_stateComponent(b, mjSTATE_HISTORY, &size);
  assert_int_equal(size, m->nhistory);
  assert_ptr_equal(history, mjb_state(b) + 1 + m->nq + m->nv + m->na);
  mjtNum* ctrl = mjb_stateComponent(b, mjSTATE_CTRL, NULL);

  mjtNum* row = calloc((size_t)nstate, sizeof(mjtNum));
  for (int i = 0; i < N; i++) {
    start(m, d, i);
    cnd_getState(m, d, mjb_state(b) + i * nstate);
  }
  for (int t = 0; t < NSTEP; t++) {
    for (int i = 0; i < N; i++) {
      ctrl[i * nstate] = control(i, t);
    }
    mjb_step(b, NULL, 0, 1, mjSTAGE_NONE);
  }
  int yielded = 0;
  for (int i = 0; i < N; i++) {
    start(m, d, i);
    for (int t = 0; t < NSTEP; t++) {
      d->ctrl[0] = control(i, t);
      mj_step(m, d);
    }
    cnd_getState(m, d, row);
    assert_same("state", i, mjb_state(b) + i * nstate, row, (size_t)nstate);
    yielded += d->plastic[0] != 0;
  }
  assert_that(yielded, >, 0);
  free(row);
  mjb_deleteBatch(b);
}

TEST(rollouts_have_them) {
  mjModel* m = test_model(kText);
  mjData* d = test_data(m);
  size_t nstate = (size_t)mj_stateSize(m, cndSTATE_FULLPHYSICS);
  mjtNum* state0 = calloc(N * nstate, sizeof(mjtNum));
  mjtNum* state = calloc(N * NSTEP * nstate, sizeof(mjtNum));
  mjtNum* controls = calloc(N * NSTEP, sizeof(mjtNum));
  mjtNum* row = calloc(nstate, sizeof(mjtNum));
  for (int i = 0; i < N; i++) {
    start(m, d, i);
    mj_getState(m, d, state0 + (size_t)i * nstate, cndSTATE_FULLPHYSICS);
    for (int t = 0; t < NSTEP; t++) {
      controls[i * NSTEP + t] = control(i, t);
    }
  }
  cndRollout r;
  cnd_defaultRollout(&r);
  const mjModel* model = m;
  mjData* own = test_data(m);
  r.nbatch = N;
  r.nstep = NSTEP;
  r.model = &model;
  r.nmodel = 1;
  r.data = &own;
  r.ndata = 1;
  r.initial_state = state0;
  r.control = controls;
  r.state = state;
  char error[200];
  assert_int_equal(cnd_rollout(NULL, &r, error, sizeof(error)), cndRUN_DONE);
  for (int i = 0; i < N; i++) {
    start(m, d, i);
    for (int t = 0; t < NSTEP; t++) {
      d->ctrl[0] = control(i, t);
      mj_step(m, d);
      mj_getState(m, d, row, cndSTATE_FULLPHYSICS);
      assert_same("state", i, state + (size_t)(i * NSTEP + t) * nstate, row, nstate);
    }
  }
  free(state0);
  free(state);
  free(controls);
  free(row);
}
