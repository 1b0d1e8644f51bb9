// Simulations as rows are a loop over mjData, bit for bit: states, outputs, warnings, errors, at
// any number of threads, whether each has its own mjData or not.

#include <mujoco/mjbatch.h>

#include "support/caught.h"
#include "support/models.h"
#include "support/starve.h"

enum {
  N = 7,
  MOST = 200
};

static const char* const kPaths[] = {
    MODELS "humanoid.xml",
    TEST_MODELS "hard_rod.xml",
    TEST_MODELS "body_mocap.xml",
    TEST_MODELS "equality_everything.xml",
    TEST_MODELS "flex_cloth.xml",
    TEST_MODELS "actuator_muscle.xml",
    TEST_MODELS "flexcomp_plugin.xml",
};

// A batch, and the same simulations in a loop.
typedef struct Pair_ {
  const mjModel* m;
  mjBatch* b;
  mjData* d[N];
  const char* name[MOST];  // of outputs
  char* rows[MOST];
  size_t bytes[MOST];
  int noutput;
} Pair;

static mjBatch* make_batch(const mjModel* m, int n, int nthread, int persistent) {
  char error[200] = "";
  mjBatchConfig config;
  mjb_defaultConfig(&config);
  config.nthread = nthread;
  config.persistent = (mjtByte)persistent;
  mjBatch* b = mjb_makeBatch(m, n, &config, error, sizeof(error));
  assert_string_equal(error, "");
  assert_non_null(b);
  return b;
}

static void make_pair(Pair* p, const mjModel* m, int nthread, int persistent) {
  *p = (Pair){.m = m, .b = make_batch(m, N, nthread, persistent)};
  for (int i = 0; i < N; i++) {
    p->d[i] = test_data(m);
  }
  for (int k = 0; k < cnd_dataFieldCount(); k++) {
    const char* name = cnd_dataField(k)->name;
    int size = 0, elemsize = 0;
    char* rows = mjb_output(p->b, name, &size, &elemsize);
    if (rows && size && strcmp(name, "plugin_data") != 0) {
      p->name[p->noutput] = name;
      p->bytes[p->noutput] = (size_t)size * (size_t)elemsize;
      p->rows[p->noutput++] = rows;
    }
  }
  assert_that(p->noutput, >, 40);
}

static void free_pair(Pair* p) {
  mjb_deleteBatch(p->b);
  for (int i = 0; i < N; i++) {
    test_release(p->d[i]);
  }
}

// Sets inputs, and velocities on the way, of both sides alike.
static void drive(Pair* p, uint64_t* seed) {
  mjtNum* ctrl = mjb_stateComponent(p->b, mjSTATE_CTRL, NULL);
  mjtNum* applied = mjb_stateComponent(p->b, mjSTATE_QFRC_APPLIED, NULL);
  mjtNum* force = mjb_stateComponent(p->b, mjSTATE_XFRC_APPLIED, NULL);
  int nstate = mjb_nstate(p->b), last = 6 * (p->m->nbody - 1) + 2;
  for (int i = 0; i < N; i++) {
    for (int u = 0; u < p->m->nu; u++) {
      ctrl[i * nstate + u] = p->d[i]->ctrl[u] = (mjtNum)uniform_random(seed);
    }
    for (int v = 0; v < p->m->nv; v++) {
      applied[i * nstate + v] = p->d[i]->qfrc_applied[v] = (mjtNum)(0.1 * uniform_random(seed));
    }
    force[i * nstate + last] = p->d[i]->xfrc_applied[last] = (mjtNum)(0.1 * uniform_random(seed));
  }
}

static void push(Pair* p, uint64_t* seed) {
  mjtNum* qvel = mjb_stateComponent(p->b, mjSTATE_QVEL, NULL);
  for (int i = 0; i < N; i++) {
    for (int v = 0; v < p->m->nv; v++) {
      qvel[i * mjb_nstate(p->b) + v] = p->d[i]->qvel[v] += (mjtNum)(0.1 * uniform_random(seed));
    }
  }
}

static void compare_bytes(const char* what, int sim, const void* a, const void* b, size_t bytes) {
  if (memcmp(a, b, bytes) != 0) {
    size_t at = 0;
    while (((const char*)a)[at] == ((const char*)b)[at]) {
      at++;
    }
    mjtNum x = 0, y = 0;
    at -= at % sizeof(mjtNum);
    size_t n = bytes - at < sizeof(x) ? bytes - at : sizeof(x);
    memcpy(&x, (const char*)a + at, n);
    memcpy(&y, (const char*)b + at, n);
    fail_msg("%s of simulation %d, byte %zu: %.17g, in a loop %.17g", what, sim, at, (double)x,
             (double)y);
  }
}

static void assert_rows(const Pair* p) {
  int nstate = mjb_nstate(p->b);
  mjtNum* state = calloc((size_t)nstate, sizeof(mjtNum));
  for (int i = 0; i < N; i++) {
    mj_getState(p->m, p->d[i], state, mjSTATE_INTEGRATION);
    compare_bytes("state", i, mjb_state(p->b) + (size_t)i * (size_t)nstate, state,
                  (size_t)nstate * sizeof(mjtNum));
    compare_bytes("warning", i, mjb_warning(p->b) + (size_t)i * mjNWARNING, p->d[i]->warning,
                  sizeof(p->d[i]->warning));
  }
  free(state);
}

static void assert_outputs(const Pair* p) {
  for (int k = 0; k < p->noutput; k++) {
    for (int i = 0; i < N; i++) {
      cndArray array;
      cnd_dataArray(&array, p->m, p->d[i], p->name[k]);
      compare_bytes(p->name[k], i, p->rows[k] + (size_t)i * p->bytes[k], array.data, p->bytes[k]);
    }
  }
}

// Each stage as functions of the interface compute it.
static void evaluate(const mjModel* m, mjData* d, int stage) {
  if (stage == mjSTAGE_ACC) {
    mj_forward(m, d);
  }
  if (stage == mjSTAGE_POS) {
    mj_fwdPosition(m, d);
    mj_sensorPos(m, d);
    mj_energyPos(m, d);
  }
  if (stage == mjSTAGE_VEL) {
    mj_step1(m, d);
  }
}

static void check_loop(const mjModel* m, int nthread, int persistent) {
  Pair p;
  make_pair(&p, m, nthread, persistent);
  uint64_t seed = 5;
  for (int round = 0; round < 8; round++) {
    int stage = round % 4;
    drive(&p, &seed);
    if (round % 3 == 0) {
      push(&p, &seed);
    }
    assert_that(mjb_step(p.b, NULL, 0, 1 + round % 2, stage), ==, 0);
    for (int i = 0; i < N; i++) {
      for (int t = 0; t < 1 + round % 2; t++) {
        mj_step(m, p.d[i]);
      }
      if (stage != mjSTAGE_POS) {
        evaluate(m, p.d[i], stage);
      }
    }
    assert_rows(&p);
    if (stage != mjSTAGE_POS) {
      assert_outputs(&p);
    }
  }
  free_pair(&p);
}

TEST_EACH(rows_are_those_of_a_loop, kPaths) {
  const mjModel* m = our_model(text);
  static const int threads[] = {1, 2, 5};
  for (int k = 0; k < 3; k++) {
    check_loop(m, threads[k], 0);
    check_loop(m, threads[k], 1);
  }
}

static const int kIntegrators[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST};

// A persistent simulation goes on from the velocity stage, with all integrators and with energy.
TEST(going_on_from_a_stage_changes_no_bit) {
  mjModel* m = test_own_model(mj_copyModel(NULL, our_model(kHumanoid)));
  m->opt.enableflags |= mjENBL_ENERGY | mjENBL_FWDINV;
  for (int k = 0; k < 4; k++) {
    m->opt.integrator = kIntegrators[k];
    for (int stage = mjSTAGE_VEL; stage <= mjSTAGE_ACC; stage++) {
      Pair p;
      make_pair(&p, m, 2, 1);
      uint64_t seed = 3;
      push(&p, &seed);
      for (int t = 0; t < 60; t++) {
        drive(&p, &seed);
        mjb_step(p.b, NULL, 0, 1, stage);
        for (int i = 0; i < N; i++) {
          mj_step(m, p.d[i]);
          evaluate(m, p.d[i], stage);
        }
      }
      assert_rows(&p);
      assert_outputs(&p);
      free_pair(&p);
    }
  }
}

static int evaluations;

static void count_evaluation(const mjModel* m, mjData* d, int stage) {
  (void)m;
  (void)d;
  evaluations += stage == mjSTAGE_POS;
}

// Position stages show in the clock of a simulation's own data.
static int position_stages(mjBatch* b, const mjModel* m) {
  mjData* d = test_data(m);
  mjb_getData(b, 0, d);
  int n = (int)d->timer[mjTIMER_POSITION].number;
  test_release(d);
  return n;
}

static mjtNum tick(void) {
  static mjtNum now;
  return now += 1;
}

TEST(a_stage_is_computed_once_unless_something_has_changed) {
  const mjModel* m = our_model(kHumanoid);
  mjcb_time = tick;
  mjBatch* b = make_batch(m, 1, 1, 1);
  mjtNum* ctrl = mjb_stateComponent(b, mjSTATE_CTRL, NULL);
  mjtNum* qpos = mjb_stateComponent(b, mjSTATE_QPOS, NULL);
  mjtNum* friction = mjb_expand(b, "geom_friction", NULL, NULL);
  mjb_step(b, NULL, 0, 1, mjSTAGE_VEL);
  assert_that(position_stages(b, m), ==, 2);
  ctrl[0] = 1;
  mjb_step(b, NULL, 0, 1, mjSTAGE_VEL);
  assert_that(position_stages(b, m), ==, 3);
  qpos[0] += 1;
  mjb_step(b, NULL, 0, 1, mjSTAGE_VEL);
  assert_that(position_stages(b, m), ==, 5);
  friction[0] += 1;
  mjb_step(b, NULL, 0, 1, mjSTAGE_VEL);
  assert_that(position_stages(b, m), ==, 7);
  mjb_warning(b)->number++;
  mjb_step(b, NULL, 0, 1, mjSTAGE_VEL);
  assert_that(position_stages(b, m), ==, 9);
  mjcb_sensor = count_evaluation;
  mjb_step(b, NULL, 0, 1, mjSTAGE_VEL);
  mjcb_sensor = NULL;
  assert_that(position_stages(b, m), ==, 11);
  mjb_forward(b, NULL, 0, mjSTAGE_POS);
  mjb_step(b, NULL, 0, 1, mjSTAGE_NONE);
  assert_that(position_stages(b, m), ==, 13);
  mjcb_time = NULL;
  mjb_deleteBatch(b);
}

TEST(resets_are_those_of_data) {
  const mjModel* m = our_model(kHumanoid);
  for (int persistent = 0; persistent < 2; persistent++) {
    Pair p;
    make_pair(&p, m, 3, persistent);
    uint64_t seed = 6;
    drive(&p, &seed);
    mjb_step(p.b, NULL, 0, 3, mjSTAGE_NONE);
    for (int i = 0; i < N; i++) {
      for (int t = 0; t < 3; t++) {
        mj_step(m, p.d[i]);
      }
    }
    static const int ids[] = {1, 2, 6}, keys[] = {0, -1, 1};
    assert_that(mjb_reset(p.b, ids, 3, keys, mjSTAGE_ACC), ==, 0);
    for (int k = 0; k < 3; k++) {
      mj_resetDataKeyframe(m, p.d[ids[k]], keys[k]);
      mj_forward(m, p.d[ids[k]]);
    }
    assert_rows(&p);
    assert_outputs(&p);
    assert_that(mjb_reset(p.b, NULL, 0, NULL, mjSTAGE_NONE), ==, 0);
    for (int i = 0; i < N; i++) {
      mj_resetData(m, p.d[i]);
    }
    assert_rows(&p);
    free_pair(&p);
  }
}

TEST(only_the_selected_run) {
  const mjModel* m = our_model(kHumanoid);
  mjBatch* b = make_batch(m, N, 2, 0);
  mjtNum *time = mjb_state(b), *xpos = mjb_output(b, "xpos", NULL, NULL);
  static const int ids[] = {1, 4, 5};
  assert_that(mjb_step(b, ids, 3, 2, mjSTAGE_NONE), ==, 0);
  assert_that(mjb_step(b, ids, 0, 2, mjSTAGE_NONE), ==, 0);
  for (int i = 0; i < N; i++) {
    int ran = i == 1 || i == 4 || i == 5;
    assert_that(time[i * mjb_nstate(b)], ==, ran ? 2 * m->opt.timestep : 0);
    assert_that(xpos[(i * m->nbody + 1) * 3 + 2] > 0, ==, ran);
  }
  mjb_deleteBatch(b);
}

// Ends in an error in one simulation of three, in the second step.
static void fail_some(const mjModel* m, mjData* d, int sim, void* arg) {
  (void)arg;
  mj_step(m, d);
  if (sim % 3 == 1) {
    mju_error("fail_some: simulation %d", sim);
  }
}

TEST(an_error_leaves_the_row_and_the_others_finish) {
  const mjModel* m = our_model(kHumanoid);
  for (int persistent = 0; persistent < 2; persistent++) {
    mjBatch* b = make_batch(m, N, 3, persistent);
    mjtNum* time = mjb_state(b);
    int nstate = mjb_nstate(b);
    assert_that(mjb_apply(b, NULL, 0, fail_some, NULL, 1), ==, 2);
    for (int i = 0; i < N; i++) {
      assert_that(time[i * nstate], ==, i % 3 == 1 ? 0 : m->opt.timestep);
      assert_that(mjb_status(b)[i], ==, i % 3 == 1);
    }
    assert_string_equal(mjb_error(b, 4), "fail_some: simulation 4");
    assert_string_equal(mjb_error(b, 0), "");
    assert_string_equal(mjb_error(b, -1), "");
    assert_string_equal(mjb_error(b, N), "");

    // a call tells of those it ran
    static const int one[] = {4};
    assert_that(mjb_step(b, one, 1, 1, mjSTAGE_NONE), ==, 0);
    assert_that(mjb_status(b)[4], ==, 0);
    assert_string_equal(mjb_error(b, 4), "");
    assert_string_equal(mjb_error(b, 1), "fail_some: simulation 1");
    assert_that(time[4 * nstate], ==, m->opt.timestep);
    mjb_deleteBatch(b);
  }
}

TEST(an_integrator_that_is_none_fails_where_it_is) {
  const mjModel* m = our_model(kHumanoid);
  mjBatch* b = make_batch(m, 3, 2, 0);
  int* integrator = mjb_expand(b, "opt.integrator", NULL, NULL);
  integrator[1] = 99;
  assert_that(mjb_step(b, NULL, 0, 5, mjSTAGE_NONE), ==, 1);
  assert_string_equal(mjb_error(b, 1), "mj_step: invalid integrator");
  assert_that(mjb_state(b)[mjb_nstate(b)], ==, 0);
  mjb_deleteBatch(b);
}

// Bad numbers are counted and reset, as by mj_step.
TEST(divergence_is_a_warning_of_its_simulation) {
  const mjModel* m = our_model(kHumanoid);
  mju_user_warning = silent;
  Pair p;
  make_pair(&p, m, 2, 0);
  mjtNum* qvel = mjb_stateComponent(p.b, mjSTATE_QVEL, NULL);
  qvel[3 * mjb_nstate(p.b)] = p.d[3]->qvel[0] = (mjtNum)NAN;
  assert_that(mjb_step(p.b, NULL, 0, 4, mjSTAGE_NONE), ==, 0);
  for (int i = 0; i < N; i++) {
    for (int t = 0; t < 4; t++) {
      mj_step(m, p.d[i]);
    }
  }
  assert_rows(&p);
  assert_that(mjb_warning(p.b)[3 * mjNWARNING + mjWARN_BADQVEL].number, ==, 1);
  assert_that(mjb_warning(p.b)[2 * mjNWARNING + mjWARN_BADQVEL].number, ==, 0);
  mju_user_warning = NULL;
  free_pair(&p);
}

TEST(numbers_but_zero_make_an_equality_active) {
  const mjModel* m = test_model(
      "<mujoco><worldbody><body><joint name='j' damping='1'/><geom size='.1'/></body></worldbody>"
      "<equality><joint joint1='j'/></equality></mujoco>");
  mjBatch* b = make_batch(m, 3, 1, 0);
  mjtNum* active = mjb_stateComponent(b, mjSTATE_EQ_ACTIVE, NULL);
  int *ne = mjb_output(b, "ne", NULL, NULL), n = mjb_nstate(b);
  active[0] = 0;
  active[n] = (mjtNum)0.5;
  active[2 * n] = 2;
  mjb_step(b, NULL, 0, 1, mjSTAGE_NONE);
  for (int i = 0; i < 3; i++) {
    assert_that(active[i * n], ==, i > 0);
    assert_that(ne[i], ==, i > 0);
  }
  mjb_deleteBatch(b);
}

// calls from within

static mjBatch* others[2];

static void call_batch(const mjModel* m, mjData* d, int sim, void* arg) {
  (void)m;
  (void)d;
  (void)sim;
  mjb_step(arg, NULL, 0, 1, mjSTAGE_NONE);
}

static void call_back(const mjModel* m, mjData* d, int sim, void* arg) {
  (void)m;
  (void)d;
  (void)arg;
  if (!sim) {
    mjb_apply(others[1], NULL, 0, call_batch, others[0], 0);
    assert_that(mjb_status(others[1])[0], ==, 1);
  }
}

TEST(a_function_may_call_other_batches_but_not_its_own) {
  const mjModel* m = our_model(kHumanoid);
  others[0] = make_batch(m, 2, 2, 0);
  others[1] = make_batch(m, 1, 1, 0);
  static const char own[] = "mjb_step: a function run by mjb_apply called its own batch";
  assert_that(mjb_apply(others[0], NULL, 0, call_batch, others[0], 0), ==, 2);
  assert_string_equal(mjb_error(others[0], 1), own);
  static const int first[] = {0};
  assert_that(mjb_apply(others[0], first, 1, call_batch, others[1], 0), ==, 0);
  assert_that(mjb_state(others[1])[0], ==, m->opt.timestep);
  assert_that(mjb_apply(others[0], first, 1, call_back, NULL, 0), ==, 0);
  assert_string_equal(mjb_error(others[1], 0), own);
  mjb_deleteBatch(others[0]);
  mjb_deleteBatch(others[1]);
}

TEST(wrong_arguments_are_named_before_anything_runs) {
  const mjModel* m = our_model(kHumanoid);
  mjBatch* b = make_batch(m, 3, 1, 0);
  static const int down[] = {2, 1}, outside[] = {0, 3}, keys[] = {0, 99, 0};
  assert_error(mjb_step(b, down, 2, 1, 0),
               "mjb_step: simulation ids must be sorted, unique and in [0, 3); ids[1] is 1");
  assert_error(mjb_forward(b, outside, 2, 0), "in [0, 3); ids[1] is 3");
  assert_error(mjb_setConst(b, down, -1), "mjb_setConst: nid must be non-negative, got -1");
  assert_error(mjb_step(b, NULL, 0, 0, 0), "mjb_step: nstep must be positive");
  assert_error(mjb_step(b, NULL, 0, 1, 4),
               "mjb_step: stage must be in [mjSTAGE_NONE, mjSTAGE_ACC] = [0, 3], got 4");
  assert_error(mjb_reset(b, NULL, 0, keys, 0), "mjb_reset: keyframes must be in [-1, ");
  assert_error(mjb_apply(b, NULL, 0, NULL, NULL, 0), "mjb_apply: func is NULL");
  assert_error(mjb_stateComponent(b, 3, NULL),
               "mjb_stateComponent: component must be one mjtState component");
  assert_error(mjb_stateComponent(b, 1 << 30, NULL), "component must be one mjtState component");
  assert_that(mjb_state(b)[0], ==, 0);
  mjb_deleteBatch(b);
}

TEST(a_batch_says_why_it_cannot_be_made) {
  char error[100] = "";
  assert_null(mjb_makeBatch(our_model(kHumanoid), 0, NULL, error, sizeof(error)));
  assert_string_equal(error, "nsim must be positive");
  assert_null(mjb_makeBatch(our_model(kHumanoid), -3, NULL, error, 5));
  assert_string_equal(error, "nsim");
  assert_null(mjb_makeBatch(our_model(kHumanoid), 0, NULL, NULL, 0));
  assert_null(mjb_makeBatch(our_model(kHumanoid), 2147483647, NULL, error, sizeof(error)));
  assert_string_equal(error, "out of memory");
  mjb_deleteBatch(NULL);
}

TEST(threads_are_no_more_than_simulations) {
  static const struct {
    int nsim, wanted, got;
  } cases[] = {{1, 0, 1}, {1, 100, 1}, {1000, 3, 3}, {4, 9, 4}, {1, -5, 1}};
  for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
    mjBatch* b = make_batch(our_model(kHumanoid), cases[k].nsim, cases[k].wanted, 0);
    assert_that(mjb_nthread(b), ==, cases[k].got);
    assert_that(mjb_nsim(b), ==, cases[k].nsim);
    mjb_deleteBatch(b);
  }
}

TEST(outputs_are_fields_of_fixed_size) {
  static const char* const refused[] = {
      "qpos", "time", "efc_force", "contact",    "warning",   "timer",   "solver", "narena",
      "foo",  "",     "parena",    "maxuse_con", "cnd_stage", "nplugin", "efm_c",  "history"};
  mjBatch* b = make_batch(our_model(kHumanoid), 2, 1, 0);
  for (size_t k = 0; k < sizeof(refused) / sizeof(refused[0]); k++) {
    int size = -5;
    if (mjb_output(b, refused[k], &size, NULL)) {
      fail_msg("%s can be an output", refused[k]);
    }
    assert_that(size, ==, -5);
  }
  int size, elemsize;
  void* rows = mjb_output(b, "ncon", &size, &elemsize);
  assert_non_null(rows);
  assert_that(size, ==, 1);
  assert_that(elemsize, ==, (int)sizeof(int));
  assert_ptr_equal(mjb_output(b, "ncon", NULL, NULL), rows);
  mjb_deleteBatch(b);
}

// What a call doesn't compute keeps the simulation's value, though the data serve all.
TEST(an_output_that_a_call_leaves_out_stays) {
  const mjModel* m = our_model(kHumanoid);
  mjBatch* b = make_batch(m, 2, 1, 0);
  mjtNum* qvel = mjb_stateComponent(b, mjSTATE_QVEL, NULL);
  mjtNum* cvel = mjb_output(b, "cvel", NULL, NULL);
  mjtNum* quat = mjb_output(b, "geom_xquat", NULL, NULL);
  assert_non_null(quat);
  qvel[0] = 1;
  mjb_forward(b, NULL, 0, mjSTAGE_VEL);
  mjtNum moving = cvel[6 + 3], resting = cvel[6 * m->nbody + 6 + 3];
  assert_that(moving, ==, 1);
  assert_that(resting, ==, 0);
  mjb_forward(b, NULL, 0, mjSTAGE_POS);
  assert_that(cvel[6 + 3], ==, moving);
  assert_that(cvel[6 * m->nbody + 6 + 3], ==, resting);
  assert_that(mju_norm(quat, 4), >, 0.99);
  mjb_deleteBatch(b);
}

TEST(calls_allocate_nothing) {
  STARVE_OR_SKIP();
  const mjModel* m = our_model(kHumanoid);
  for (int persistent = 0; persistent < 2; persistent++) {
    mjBatch* b = make_batch(m, 5, 2, persistent);
    mjb_output(b, "xpos", NULL, NULL);
    mjb_expand(b, "geom_friction", NULL, NULL);
    mjb_expand(b, "opt.gravity", NULL, NULL);
    mjb_step(b, NULL, 0, 1, mjSTAGE_VEL);
    starve_after(0, 0);
    int failed = mjb_step(b, NULL, 0, 10, mjSTAGE_VEL) + mjb_step(b, NULL, 0, 1, mjSTAGE_NONE);
    failed += mjb_reset(b, NULL, 0, NULL, mjSTAGE_ACC) + mjb_forward(b, NULL, 0, mjSTAGE_ACC);
    starve_end();
    assert_that(failed, ==, 0);
    mjb_deleteBatch(b);
  }
}

static int make_and_step(void* model) {
  char error[200] = "";
  mjBatchConfig config = {2, 1};
  mjBatch* b = mjb_makeBatch(model, 3, &config, error, sizeof(error));
  int made = b && mjb_step(b, NULL, 0, 1, mjSTAGE_VEL) == 0;
  mjb_deleteBatch(b);
  return starve_outcome(made, error);
}

TEST(a_batch_without_memory_is_told) {
  STARVE_OR_SKIP();
  starve_each(make_and_step, (void*)(uintptr_t)our_model(kChain));
}

// Rows that find no memory are an error, and the batch goes on.
TEST(rows_without_memory_are_an_error) {
  STARVE_OR_SKIP();
  const mjModel* m = our_model(kHumanoid);
  mjBatch* b = make_batch(m, 3, 2, 1);
  starve_after(0, 0);
  assert_error(mjb_output(b, "xpos", NULL, NULL), "mjb_output: xpos of 3 simulations: out of");
  assert_error(mjb_expand(b, "body_mass", NULL, NULL), "mjb_expand: body_mass of 3 simulations");
  starve_end();
  mjtNum* mass = mjb_expand(b, "body_mass", NULL, NULL);
  mass[1] *= 2;
  starve_after(0, 0);
  mju_user_warning = silent;
  assert_error(mjb_setConst(b, NULL, 0), "mjb_setConst: out of memory");
  mju_user_warning = NULL;
  starve_end();
  assert_that(mjb_setConst(b, NULL, 0), ==, 0);
  assert_that(mjb_step(b, NULL, 0, 1, mjSTAGE_ACC), ==, 0);
  mjb_deleteBatch(b);
}
