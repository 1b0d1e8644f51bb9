// Trajectories are those of a loop of mj_step, bit for bit, whoever computes them.

#include <condyle/error.h>
#include <condyle/rollout.h>
#include <stdatomic.h>

#include "support/caught.h"
#include "support/models.h"
#include "support/near.h"
#include "support/starve.h"

enum {
  NBATCH = 13,
  NSTEP = 20,
  MOST_THREADS = 7
};

// A rollout with all its arrays, which the test's end frees.
typedef struct Case_ {
  cndRollout r;
  const mjModel* m;
  mjData* data[MOST_THREADS];
  int nstate, ncontrol;
  mjtNum *state0, *warmstart, *control, *state, *sensordata;
} Case;

static mjtNum* numbers(size_t n) {
  return calloc(n + 1, sizeof(mjtNum));
}

static void fill(mjtNum* x, size_t n, double size, uint64_t* seed) {
  for (size_t i = 0; i < n; i++) {
    x[i] = (mjtNum)(size * uniform_random(seed));
  }
}

static Case make_case(const mjModel* m, unsigned int spec) {
  Case c = {.m = m};
  for (int k = 0; k < MOST_THREADS; k++) {
    c.data[k] = test_data(m);
  }
  uint64_t seed = 7;
  c.nstate = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  c.ncontrol = mj_stateSize(m, spec);
  c.state0 = numbers((size_t)(NBATCH * c.nstate));
  c.warmstart = numbers((size_t)(NBATCH * m->nv));
  c.control = numbers((size_t)(NBATCH * NSTEP * c.ncontrol));
  c.state = numbers((size_t)(NBATCH * NSTEP * c.nstate));
  c.sensordata = numbers((size_t)(NBATCH * NSTEP * m->nsensordata));
  for (int i = 0; i < NBATCH; i++) {
    mjData* d = c.data[0];
    if (m->nkey) {
      mj_resetDataKeyframe(m, d, i % m->nkey);
    }
    fill(d->qvel, (size_t)m->nv, 1, &seed);
    mj_getState(m, d, c.state0 + i * c.nstate, mjSTATE_FULLPHYSICS);
  }
  mj_resetData(m, c.data[0]);
  fill(c.warmstart, (size_t)(NBATCH * m->nv), 1, &seed);
  fill(c.control, (size_t)(NBATCH * NSTEP * c.ncontrol), 1, &seed);
  cnd_defaultRollout(&c.r);
  c.r.nbatch = NBATCH;
  c.r.nstep = NSTEP;
  c.r.nmodel = 1;
  c.r.ndata = MOST_THREADS;
  c.r.initial_state = c.state0;
  c.r.control_spec = spec;
  c.r.control = c.control;
  c.r.state = c.state;
  c.r.sensordata = c.sensordata;
  return c;
}

static void free_case(Case* c) {
  free(c->state0);
  free(c->warmstart);
  free(c->control);
  free(c->state);
  free(c->sensordata);
}

// The pointers to a case that has moved to where it stays.
static void point(Case* c) {
  c->r.model = &c->m;
  c->r.data = c->data;
}

static void clear_outputs(Case* c) {
  memset(c->state, 0xff, (size_t)(NBATCH * NSTEP * c->nstate) * sizeof(mjtNum));
  memset(c->sensordata, 0xff, (size_t)(NBATCH * NSTEP * c->m->nsensordata) * sizeof(mjtNum));
}

// Compares with a new mjData for each trajectory.
static void assert_is_loop(const Case* c) {
  const mjModel* m = c->m;
  mjtNum* state = numbers((size_t)c->nstate);
  int first = test_owned();
  for (int i = 0; i < NBATCH; i++) {
    mjData* d = test_data(m);
    mj_setState(m, d, c->state0 + i * c->nstate, mjSTATE_FULLPHYSICS);
    if (c->r.initial_warmstart) {
      mju_copy(d->qacc_warmstart, c->r.initial_warmstart + i * m->nv, m->nv);
    }
    for (int t = 0; t < NSTEP; t++) {
      int step = i * NSTEP + t;
      if (c->r.control) {
        mj_setState(m, d, c->control + step * c->ncontrol, c->r.control_spec);
      }
      mj_step(m, d);
      mj_getState(m, d, state, mjSTATE_FULLPHYSICS);
      assert_memory_equal(state, c->state + step * c->nstate, (size_t)c->nstate * sizeof(mjtNum));
      assert_memory_equal(d->sensordata, c->sensordata + step * m->nsensordata,
                          (size_t)m->nsensordata * sizeof(mjtNum));
      for (int w = 0; w < mjNWARNING; w++) {
        assert_int_equal(d->warning[w].number, 0);
      }
    }
  }
  test_release_down_to(first);
  free(state);
}

static const char* const kPaths[] = {
    MODELS "humanoid.xml",      MODELS "chain.xml",           MODELS "hand.xml",
    TEST_MODELS "hard_rod.xml", TEST_MODELS "body_mocap.xml", TEST_MODELS "equality_everything.xml",
};

// Dirty data, different chunks, and more threads than the machine has.
TEST_EACH(trajectories_are_those_of_a_loop, kPaths) {
  const mjModel* m = our_model(text);
  unsigned int specs[] = {mjSTATE_CTRL, mjSTATE_CTRL | mjSTATE_QFRC_APPLIED | mjSTATE_XFRC_APPLIED};
  for (int s = 0; s < 2; s++) {
    Case c = make_case(m, specs[s]);
    point(&c);
    c.r.initial_warmstart = s ? c.warmstart : NULL;
    static const int threads[] = {0, 1, 2, 3, 7};
    for (int k = 0; k < 5; k++) {
      cndPool* pool = threads[k] ? cnd_makePool(threads[k]) : NULL;
      for (c.r.chunk_size = 0; c.r.chunk_size < 6; c.r.chunk_size += 5) {
        clear_outputs(&c);
        assert_int_equal(cnd_rollout(pool, &c.r, NULL, 0), cndRUN_DONE);
        assert_is_loop(&c);
      }
      cnd_deletePool(pool);
    }
    free_case(&c);
  }
}

TEST(inputs_that_are_not_given_are_those_of_a_reset) {
  const mjModel* m = our_model(TEST_MODELS "equality_everything.xml");
  Case c = make_case(m, mjSTATE_CTRL);
  point(&c);
  c.r.control = NULL;
  uint64_t seed = 3;
  for (int k = 0; k < MOST_THREADS; k++) {
    mjData* d = c.data[k];
    fill(d->ctrl, (size_t)m->nu, 1, &seed);
    fill(d->qfrc_applied, (size_t)m->nv, 1, &seed);
    fill(d->xfrc_applied, (size_t)(6 * m->nbody), 1, &seed);
    fill(d->mocap_pos, (size_t)(3 * m->nmocap), 1, &seed);
    fill(d->mocap_quat, (size_t)(4 * m->nmocap), 1, &seed);
    for (int e = 0; e < m->neq; e++) {
      d->eq_active[e] = !d->eq_active[e];
    }
  }
  cndPool* pool = cnd_makePool(3);
  assert_int_equal(cnd_rollout(pool, &c.r, NULL, 0), cndRUN_DONE);
  assert_is_loop(&c);
  cnd_deletePool(pool);
  free_case(&c);
}

static const char kSlider[] =
    "<mujoco><size nuserdata='2'/><option gravity='0 0 0'/><worldbody><body><joint name='x' "
    "type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body></worldbody>"
    "<actuator><motor joint='x'/></actuator><sensor><jointpos joint='x'/></sensor></mujoco>";

static void push_by_userdata(const mjModel* m, mjData* d) {
  (void)m;
  d->qfrc_applied[0] = d->userdata[0];
  d->userdata[0] += 1;
}

// The reference keeps userdata, too; here a callback that counts there changes no other trajectory.
TEST(userdata_start_as_the_first_data_has_them) {
  const mjModel* m = test_model(kSlider);
  Case c = make_case(m, mjSTATE_CTRL);
  point(&c);
  memset(c.state0, 0, (size_t)(NBATCH * c.nstate) * sizeof(mjtNum));
  c.r.control = NULL;
  c.data[0]->userdata[0] = 5;
  mjcb_control = push_by_userdata;
  cndPool* pool = cnd_makePool(3);
  assert_int_equal(cnd_rollout(pool, &c.r, NULL, 0), cndRUN_DONE);
  mjcb_control = NULL;
  mjtNum h = m->opt.timestep, v = 0;
  for (int t = 0; t < NSTEP; t++) {
    v += (5 + t) * h;
    for (int i = 0; i < NBATCH; i++) {
      assert_that(fabs(c.state[(i * NSTEP + t) * 3 + 2] - v), <, 1e-12);
    }
  }
  cnd_deletePool(pool);
  free_case(&c);
}

TEST(models_may_differ_by_trajectory) {
  const mjModel* models[NBATCH];
  for (int i = 0; i < NBATCH; i++) {
    mjModel* own = test_model(kSlider);
    own->body_mass[1] = 1 + i;
    own->dof_M0[0] = 1 + i;
    models[i] = own;
  }
  Case c = make_case(models[0], mjSTATE_CTRL);
  point(&c);
  memset(c.state0, 0, (size_t)(NBATCH * c.nstate) * sizeof(mjtNum));
  for (int i = 0; i < NBATCH * NSTEP; i++) {
    c.control[i] = 1;
  }
  c.r.model = models;
  c.r.nmodel = NBATCH;
  cndPool* pool = cnd_makePool(2);
  assert_int_equal(cnd_rollout(pool, &c.r, NULL, 0), cndRUN_DONE);
  for (int i = 0; i < NBATCH; i++) {
    mjtNum speed = c.state[(i * NSTEP + NSTEP - 1) * 3 + 2];
    assert_near(speed, NSTEP * models[0]->opt.timestep / (mjtNum)(1 + i), 1e-12);
  }
  cnd_deletePool(pool);
  free_case(&c);
}

static void be_silent(const char* text) {
  (void)text;
}

TEST(trajectory_that_diverges_stays_where_it_is) {
  const mjModel* m = test_model(kSlider);
  Case c = make_case(m, mjSTATE_CTRL);
  point(&c);
  enum {
    BAD = 4,
    WHEN = 9
  };
  c.control[BAD * NSTEP + WHEN] = (mjtNum)NAN;
  mju_user_warning = be_silent;
  assert_int_equal(cnd_rollout(NULL, &c.r, NULL, 0), cndRUN_DONE);
  mju_user_warning = NULL;
  for (int i = 0; i < NBATCH; i++) {
    for (int t = 0; t < NSTEP; t++) {
      int steps = i == BAD && t > WHEN ? WHEN + 1 : t + 1;
      const mjtNum* state = c.state + (i * NSTEP + t) * 3;
      assert_near(state[0], (mjtNum)steps * m->opt.timestep, 1e-9);
      if (steps != t + 1) {
        assert_memory_equal(state, state - 3, 3 * sizeof(mjtNum));
        assert_that(c.sensordata[i * NSTEP + t], ==, c.sensordata[i * NSTEP + t - 1]);
      }
    }
  }
  free_case(&c);
}

static atomic_int steps_done;

static void fail_beyond(const mjModel* m, mjData* d) {
  (void)m;
  atomic_fetch_add(&steps_done, 1);
  if (d->ctrl[0] > 5) {
    mju_error("push of %g", (double)d->ctrl[0]);
  }
}

// Later ones would fail, too, and may do so first.
TEST(error_of_the_first_that_fails_is_told) {
  const mjModel* m = test_model(kSlider);
  for (int nthread = 0; nthread < 8; nthread++) {
    Case c = make_case(m, mjSTATE_CTRL);
    point(&c);
    for (int i = 5; i < NBATCH; i++) {
      c.control[i * NSTEP + NSTEP - 1 - i] = 10 + i;
    }
    clear_outputs(&c);
    mjcb_control = fail_beyond;
    cndPool* pool = cnd_makePool(nthread);
    char error[100] = "";
    assert_int_equal(cnd_rollout(pool, &c.r, error, sizeof(error)), cndRUN_FAILED);
    assert_string_equal(error, "push of 15");
    assert_int_equal(cnd_rollout(pool, &c.r, error, 5), cndRUN_FAILED);
    assert_string_equal(error, "push");
    assert_int_equal(cnd_rollout(pool, &c.r, NULL, 0), cndRUN_FAILED);
    mjcb_control = NULL;

    // those before it are finished, and the pool and the datas are as good as new
    for (int i = 0; i < 5; i++) {
      assert_near(c.state[(i * NSTEP + NSTEP - 1) * 3], NSTEP * m->opt.timestep, 1e-9);
    }
    memset(c.control, 0, NBATCH * NSTEP * sizeof(mjtNum));
    assert_int_equal(cnd_rollout(pool, &c.r, error, sizeof(error)), cndRUN_DONE);
    assert_string_equal(error, "");
    assert_is_loop(&c);
    cnd_deletePool(pool);
    free_case(&c);
  }
}

typedef struct Cancel_ {
  int calls, most;
} Cancel;

static int cancel_after(void* argument) {
  Cancel* cancel = argument;
  return ++cancel->calls > cancel->most;
}

static void count_steps(const mjModel* m, mjData* d) {
  (void)m;
  (void)d;
  atomic_fetch_add(&steps_done, 1);
}

// It would take years.
TEST(call_ends_when_it_is_cancelled) {
  const mjModel* m = test_model(kSlider);
  for (int nthread = 0; nthread < 4; nthread++) {
    Case c = make_case(m, mjSTATE_CTRL);
    point(&c);
    Cancel cancel = {0, 2};
    c.r.control = NULL;
    c.r.state = c.r.sensordata = NULL;
    c.r.nstep = INT32_MAX;
    c.r.cancel = cancel_after;
    c.r.cancel_argument = &cancel;
    cndPool* pool = cnd_makePool(nthread);
    mjcb_control = count_steps;
    atomic_store(&steps_done, 0);
    assert_int_equal(cnd_rollout(pool, &c.r, NULL, 0), cndRUN_CANCELLED);
    mjcb_control = NULL;
    assert_int_equal(cancel.calls, 3);
    assert_that(steps_done, >, 0);

    // and works again
    c.r.nstep = 3;
    c.r.cancel = NULL;
    assert_int_equal(cnd_rollout(pool, &c.r, NULL, 0), cndRUN_DONE);
    cnd_deletePool(pool);
    free_case(&c);
  }
}

TEST(outputs_may_be_missing) {
  const mjModel* m = test_model(kSlider);
  Case c = make_case(m, mjSTATE_CTRL);
  point(&c);
  c.r.state = c.r.sensordata = NULL;
  assert_int_equal(cnd_rollout(NULL, &c.r, NULL, 0), cndRUN_DONE);
  assert_near(c.data[0]->time, NSTEP * m->opt.timestep, 1e-9);
  c.r.nbatch = 0;
  assert_int_equal(cnd_rollout(NULL, &c.r, NULL, 0), cndRUN_DONE);
  c.r.nbatch = NBATCH;
  c.r.nstep = 0;
  assert_int_equal(cnd_rollout(NULL, &c.r, NULL, 0), cndRUN_DONE);
  free_case(&c);
}

TEST(wrong_arguments_are_told) {
  const mjModel* m = test_model(kSlider);
  const mjModel* other = our_model(kChain);
  Case c = make_case(m, mjSTATE_CTRL);
  point(&c);
  const cndRollout good = c.r;
#define BREAK(change, text)                               \
  do {                                                    \
    change;                                               \
    assert_error(cnd_rollout(NULL, &c.r, NULL, 0), text); \
    c.r = good;                                           \
    point(&c);                                            \
  } while (0)
  assert_error(cnd_rollout(NULL, NULL, NULL, 0), "cnd_rollout: rollout is NULL");
  BREAK(c.r.nbatch = -1, "nbatch is -1");
  BREAK(c.r.nstep = -1, "nstep is -1");
  BREAK(c.r.nmodel = 2, "nmodel is 2, must be 1 or nbatch, which is 13");
  BREAK(c.r.ndata = 0, "ndata is 0, must be >= 1");
  BREAK(c.r.chunk_size = -1, "chunk_size is -1");
  BREAK(c.r.control_spec = mjSTATE_QPOS, "can only contain bits in mjSTATE_USER");
  BREAK(c.r.control_spec = 1u << 20, "can only contain bits in mjSTATE_USER");
  BREAK(c.r.model = NULL, "r->model is NULL");
  BREAK(c.r.data = NULL, "r->data is NULL");
  BREAK(c.r.initial_state = NULL, "r->initial_state is NULL");
  BREAK(c.r.nbatch = c.r.nstep = INT32_MAX, "too many numbers");
  BREAK(c.r.model = &other, "was made for another model");
  mjData* twice[] = {c.data[0], c.data[1], c.data[0]};
  BREAK((c.r.data = twice, c.r.ndata = 3), "data[0] and data[2] are the same");
  mjData* missing[] = {c.data[0], NULL};
  BREAK((c.r.data = missing, c.r.ndata = 2), "data[1] is NULL");
  assert_error(cnd_makePool(-1), "cnd_makePool: nthread is -1, must be 0 to 128");
  assert_error(cnd_makePool(129), "cnd_makePool: nthread is 129, must be 0 to 128");
  assert_error(cnd_poolThreads(NULL), "cnd_poolThreads: pool is NULL");
  cnd_deletePool(NULL);
  free_case(&c);
}

TEST(stepping_touches_no_heap) {
  STARVE_OR_SKIP();
  const mjModel* m = our_model(kHumanoid);
  Case c = make_case(m, mjSTATE_CTRL);
  point(&c);
  cndPool* pool = cnd_makePool(3);
  assert_int_equal(cnd_rollout(pool, &c.r, NULL, 0), cndRUN_DONE);
  starve_after(0, 0);
  cndtRun run = cnd_rollout(pool, &c.r, NULL, 0);
  starve_end();
  assert_int_equal(run, cndRUN_DONE);
  assert_is_loop(&c);
  cnd_deletePool(pool);
  free_case(&c);
}

static int make_pool(void* unused) {
  (void)unused;
  cndPool* pool = cnd_makePool(3);
  int made = pool != NULL;
  cnd_deletePool(pool);
  return starve_outcome(made, "");
}

TEST(pool_without_memory_is_told) {
  STARVE_OR_SKIP();
  starve_each(make_pool, NULL);
}
