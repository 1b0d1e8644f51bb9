// Worlds of a batch that are stepped side by side give the results of mj_step. What lanes can't
// compute is computed by mj_step itself.

#include <condyle/batch.h>

#include "batch/blocks.h"
#include "lanes/choice.h"
#include "lanes/models.h"
#include "support/caught.h"
#include "support/near.h"

enum {
  N = 19,
  STEPS = 3
};

// A batch with worlds in random states, and each world's data beside it.
typedef struct Worlds {
  const mjModel* m;
  cndBatch* batch;
  mjData* d[N];
} Worlds;

// Lanes compute in double, whatever the scalar engine does.
static Worlds make_worlds(const mjModel* m, int nthread) {
  DOUBLE_ONLY();
  Worlds w = {.m = m, .batch = cnd_makeBatch(m, N, nthread)};
  uint64_t seed = 5;
  for (int i = 0; i < N; i++) {
    w.d[i] = test_data(m);
    lane_state(w.d[i], m, &seed, 0.2 * (i % 4), 0.5 * (i % 3));
    cnd_batchSetData(w.batch, i, w.d[i]);
  }
  return w;
}

static void free_worlds(Worlds* w) {
  cnd_deleteBatch(w->batch);
  for (int i = 0; i < N; i++) {
    test_release(w->d[i]);
  }
}

static const mjtNum* row(Worlds* w, const char* name, int world) {
  cndArray array;
  cnd_batchExpose(&array, w->batch, name);
  return (const mjtNum*)array.data + (size_t)world * array.rows * array.columns;
}

// Results that lanes compute, of the step before the last integration, and the state.
static void assert_world(Worlds* w, const char* const* names, int n, int world, double tolerance) {
  for (int k = 0; k < n; k++) {
    cndArray array;
    cnd_dataArray(&array, w->m, w->d[world], names[k]);
    if (numbers_differ(names[k], row(w, names[k], world), (const mjtNum*)array.data,
                       array.rows * array.columns, tolerance, 1.0)) {
      fail_msg("world %d", world);
    }
  }
}

static const char* const kNames[] = {"time",           "qpos",     "qvel",     "act",
                                     "qacc_warmstart", "xpos",     "xquat",    "cvel",
                                     "qfrc_actuator",  "cfrc_ext", "cfrc_int", "cacc"};

enum {
  NNAMES = sizeof(kNames) / sizeof(kNames[0])
};

static void steps_alike(const mjModel* m, int nthread) {
  Worlds w = make_worlds(m, nthread);
  for (int k = 0; k < NNAMES; k++) {
    row(&w, kNames[k], 0);
  }
  cnd_batchBodyForces(w.batch, 1);
  if (m->neq) {
    // their forces are no part of what lanes know of forces on bodies
    assert_string_equal(cnd_batchWhy(w.batch), "a result is kept that lanes don't compute");
  } else {
    assert_null(cnd_batchWhy(w.batch));
  }
  assert_int_equal(cnd_batchStep(w.batch, NULL, NULL, STEPS), cndRUN_DONE);
  for (int i = 0; i < N; i++) {
    for (int t = 0; t < STEPS; t++) {
      mj_step(m, w.d[i]);
    }
    mj_rnePostConstraint(m, w.d[i]);
    assert_world(&w, kNames, NNAMES, i, 1e-7);
  }
  free_worlds(&w);
}

TEST(steps_of_a_tree) {
  steps_alike(test_model(LANE_TREE), 0);
}

TEST(steps_of_a_walker) {
  steps_alike(test_model(LANE_WALKER("tolerance='0'", "contype='1' conaffinity='1'")), 3);
}

TEST(steps_with_ties) {
  steps_alike(test_model(LANE_TIES), 2);
}

static void assert_steps(Worlds* w, const char* const* names, int n) {
  cnd_batchStep(w->batch, NULL, NULL, STEPS);
  for (int i = 0; i < N; i++) {
    for (int t = 0; t < STEPS; t++) {
      mj_step(w->m, w->d[i]);
    }
    assert_world(w, names, n, i, 1e-7);
  }
}

// Fields that lanes don't compute come from a last step of the scalar engine.
TEST(other_results) {
  const mjModel* m = test_model(LANE_WALKER("tolerance='0'", LANE_FLOOR));
  static const char* const names[] = {"qpos", "qvel", "geom_xpos", "subtree_com", "qLD"};
  Worlds w = make_worlds(m, 0);
  for (int k = 0; k < 5; k++) {
    row(&w, names[k], 0);
  }
  assert_steps(&w, names, 5);
  free_worlds(&w);
}

// Energies and the comparison with the inverse change no motion.
TEST(energies) {
  static const char* const names[] = {"qpos", "qvel", "energy", "solver_fwdinv"};
  mjModel* m = test_model(LANE_TREE);
  m->opt.enableflags |= mjENBL_ENERGY | mjENBL_FWDINV;
  Worlds w = make_worlds(m, 0);
  assert_null(cnd_batchWhy(w.batch));
  cnd_batchStep(w.batch, NULL, NULL, 1);
  for (int i = 0; i < N; i++) {
    mj_step(m, w.d[i]);
    assert_world(&w, names, 2, i, 1e-9);
  }
  row(&w, "energy", 0);
  row(&w, "solver_fwdinv", 0);
  assert_steps(&w, names, 4);
  free_worlds(&w);
}

TEST(masks_leave_worlds_alone) {
  const mjModel* m = test_model(LANE_TREE);
  Worlds w = make_worlds(m, 2);
  mjtByte mask[N];
  for (int i = 0; i < N; i++) {
    mask[i] = i % 3 == 1;
  }
  cnd_batchStep(w.batch, mask, NULL, 1);
  for (int i = 0; i < N; i++) {
    if (mask[i]) {
      mj_step(m, w.d[i]);
    }
    assert_world(&w, kNames, 4, i, mask[i] ? 1e-9 : 0);
  }
  free_worlds(&w);
}

// Bad numbers and controls are counted and reset as by mj_step, in their worlds alone.
TEST(bad_worlds_are_reset) {
  const mjModel* m = test_model(LANE_TREE);
  Worlds w = make_worlds(m, 0);
  mju_user_warning = silent;
  for (int i = 0; i < N; i++) {
    if (i % 4 == 1) {
      w.d[i]->qvel[2] = NAN;
    } else if (i % 4 == 2) {
      w.d[i]->ctrl[0] = i % 8 == 2 ? 1e300 : NAN;
    }
    cnd_batchSetData(w.batch, i, w.d[i]);
  }
  cnd_batchStep(w.batch, NULL, NULL, STEPS);
  cndArray warning;
  cnd_batchExpose(&warning, w.batch, "warning");
  for (int i = 0; i < N; i++) {
    for (int t = 0; t < STEPS; t++) {
      mj_step(m, w.d[i]);
    }
    assert_world(&w, kNames, 4, i, i % 4 == 1 || i % 4 == 2 ? 0 : 1e-8);
    assert_memory_equal((mjWarningStat*)warning.data + (size_t)i * mjNWARNING, w.d[i]->warning,
                        sizeof(w.d[i]->warning));
  }
  assert_int_equal(cnd_batchLeft(w.batch), 10);
  mju_user_warning = NULL;
  free_worlds(&w);
}

TEST(rollouts_record_every_step) {
  const mjModel* m = test_model(LANE_WALKER("tolerance='0'", LANE_FLOOR));
  Worlds w = make_worlds(m, 2);
  size_t nstate = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  mjtNum* state = malloc(N * STEPS * nstate * sizeof(mjtNum));
  mjtNum* control = malloc((size_t)(N * STEPS * m->nu) * sizeof(mjtNum));
  mjtNum* want = malloc(nstate * sizeof(mjtNum));
  uint64_t seed = 9;
  for (int i = 0; i < N * STEPS * m->nu; i++) {
    control[i] = (mjtNum)uniform_random(&seed);
  }
  cnd_batchRollout(w.batch, STEPS, control, state, NULL);
  for (int i = 0; i < N; i++) {
    for (int t = 0; t < STEPS; t++) {
      mju_copy(w.d[i]->ctrl, control + (i * STEPS + t) * m->nu, m->nu);
      mj_step(m, w.d[i]);
      mj_getState(m, w.d[i], want, mjSTATE_FULLPHYSICS);
      assert_numbers(state + ((size_t)i * STEPS + (size_t)t) * nstate, want, nstate, 1e-7, 1.0);
    }
    assert_world(&w, (const char* const[]){"qpos", "qvel", "ctrl"}, 3, i, 1e-7);
  }
  free(state);
  free(control);
  free(want);
  free_worlds(&w);
}

static int give_up(void* argument) {
  int* calls = argument;
  return (*calls)++ > 2;
}

// A cancelled call leaves each world as it was or done, also where the last step is another's.
TEST(cancelled_worlds_are_as_before_or_done) {
  const mjModel* m = test_model(LANE_TREE);
  Worlds w = make_worlds(m, 0);
  int calls = 0, steps = 20000;
  row(&w, "geom_xpos", 0);
  cnd_batchCancel(w.batch, give_up, &calls);
  assert_int_equal(cnd_batchStep(w.batch, NULL, NULL, steps), cndRUN_CANCELLED);
  for (int i = 0; i < N; i++) {
    double done = (double)(*row(&w, "time", i) / m->opt.timestep);
    assert_true(fabs(done) < 0.5 || fabs(done - steps) < 0.5);
  }
  free_worlds(&w);
}

static void assert_rollout(const mjModel* m, Worlds* w) {
  int size = m->nsensordata;
  mjtNum* got = malloc((size_t)(N * STEPS * size) * sizeof(mjtNum));
  assert_int_equal(cnd_batchRollout(w->batch, STEPS, NULL, NULL, got), cndRUN_DONE);
  for (int i = 0; i < N; i++) {
    for (int t = 0; t < STEPS; t++) {
      mj_step(m, w->d[i]);
      assert_numbers(got + (i * STEPS + t) * size, w->d[i]->sensordata, size, 1e-7, 1.0);
    }
  }
  free(got);
}

// Readings of every step, and of the last one.
TEST(sensors) {
  DOUBLE_ONLY();
  static const char* const names[] = {"qpos", "qvel", "sensordata"};
  const mjModel* m = test_model(LANE_SENSES(""));
  Worlds w = make_worlds(m, 2);
  assert_rollout(m, &w);
  row(&w, "sensordata", 0);
  assert_null(cnd_batchWhy(w.batch));
  assert_steps(&w, names, 3);
  free_worlds(&w);
}

TEST(sensors_that_lanes_do_not_read) {
  static const char* const names[] = {"qpos", "qvel", "sensordata"};
  const mjModel* m = test_model(
      "<mujoco><worldbody><body><joint name='j' range='-1 1' limited='true'/>"
      "<geom size='.1' pos='.1 0 0'/></body></worldbody><sensor>"
      "<jointlimitpos name='r' joint='j'/></sensor></mujoco>");
  Worlds w = make_worlds(m, 0);
  assert_null(cnd_batchWhy(w.batch));
  assert_rollout(m, &w);
  row(&w, "sensordata", 0);
  assert_string_equal(cnd_batchWhy(w.batch),
                      "the sensor 'r' is of a kind that lanes don't compute");
  assert_that(cnd_batchLanes(w.batch, cndLANES_DOUBLE), >, 0);
  assert_steps(&w, names, 3);
  free_worlds(&w);
}

// One step of each world is that of mj_step with the world's own model. The data are reset.
static void assert_own_steps(Worlds* w, const mjModel* m, double tolerance) {
  for (int i = 0; i < N; i++) {
    mjModel* own = test_own_model(cnd_batchCopyModel(w->batch, i));
    mj_step(own, w->d[i]);
    assert_world(w, kNames, 5, i, tolerance);
    test_release(own);
    w->d[i] = test_data(m);
  }
}

// Each world with its own masses, friction, gears and gravity.
TEST(parameters_of_worlds) {
  const mjModel* m = test_model(LANE_WALKER("tolerance='0'", "contype='1' conaffinity='1'"));
  Worlds w = make_worlds(m, 2);
  static const char* const varied[] = {"body_mass",   "geom_friction", "actuator_gear",
                                       "opt.gravity", "dof_damping",   "geom_solref",
                                       "jnt_range",   "opt.timestep"};
  uint64_t seed = 11;
  for (size_t k = 0; k < sizeof(varied) / sizeof(varied[0]); k++) {
    cndArray array;
    cnd_batchVary(&array, w.batch, varied[k]);
    mjtNum* x = array.data;
    for (size_t i = 0; i < N * array.rows * array.columns; i++) {
      x[i] *= (mjtNum)uniform_between(&seed, 0.7, 1.3);
    }
  }
  assert_int_equal(cnd_batchSetConst(w.batch, NULL), cndRUN_DONE);
  assert_int_equal(cnd_batchStep(w.batch, NULL, NULL, 1), cndRUN_DONE);
  assert_null(cnd_batchWhy(w.batch));
  assert_own_steps(&w, m, 1e-7);
  free_worlds(&w);
}

// What only some worlds have: gravity compensation, and damping.
TEST(parts_that_some_worlds_have) {
  const mjModel* m = test_model(LANE_TREE);
  Worlds w = make_worlds(m, 0);
  cndArray lift, damping;
  cnd_batchVary(&lift, w.batch, "body_gravcomp");
  cnd_batchVary(&damping, w.batch, "dof_damping");
  for (int i = 0; i < N; i++) {
    ((mjtNum*)lift.data)[(size_t)i * lift.rows + 2] = i % 3 == 1;
    if (i % 2) {
      memset((mjtNum*)damping.data + (size_t)i * damping.rows, 0, damping.rows * sizeof(mjtNum));
    }
  }
  cnd_batchStep(w.batch, NULL, NULL, 1);
  assert_null(cnd_batchWhy(w.batch));
  assert_own_steps(&w, m, 1e-9);
  free_worlds(&w);
}

// A bad parameter fails its world with the error that mj_step's way gives; the others go on.
TEST(bad_parameters_fail_their_world) {
  const mjModel* m = test_model(LANE_TREE);
  Worlds w = make_worlds(m, 2);
  cndArray mass;
  cnd_batchVary(&mass, w.batch, "body_mass");
  ((mjtNum*)mass.data)[7 * mass.rows + 1] = -1;
  assert_int_equal(cnd_batchStep(w.batch, NULL, NULL, 1), cndRUN_FAILED);
  assert_non_null(strstr(cnd_batchError(w.batch), "world 7: body_mass"));
  for (int i = 0; i < N; i++) {
    assert_int_equal(cnd_batchFailed(w.batch)[i], i == 7);
    if (i != 7) {
      mj_step(m, w.d[i]);
    }
    assert_world(&w, kNames, 4, i, i == 7 ? 0 : 1e-9);
  }
  free_worlds(&w);
}

TEST(reasons) {
  static const struct {
    const char *xml, *why;
  } cases[] = {
      {"<mujoco/>", "the model has no degrees of freedom"},
      {"<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><actuator>"
       "<general name='pull' joint='j' gaintype='user'/></actuator></mujoco>",
       "the actuator 'pull' is computed by the program"},
      {"<mujoco><option ls_iterations='4'/><worldbody><replicate count='33' offset='1 0 0'><body>"
       "<joint/><geom size='.1'/></body></replicate></worldbody></mujoco>",
       "fewer than 20 iterations end before the minimum, which islands of many trees do each in "
       "its "
       "own way: allow more, or ask for the minimum"},
  };
  for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
    const mjModel* m = test_model(cases[k].xml);
    cndBatch* batch = cnd_makeBatch(m, 2, 0);
    assert_int_equal(cnd_batchLanes(batch, cndLANES_DOUBLE), 0);
    assert_string_equal(cnd_batchWhy(batch), cases[k].why);
    assert_int_equal(cnd_batchStep(batch, NULL, NULL, 2), cndRUN_DONE);
    cnd_deleteBatch(batch);
  }
  const mjModel* m = test_model(LANE_TREE);
  cndBatch* batch = cnd_makeBatch(m, 2, 0);
  assert_int_equal(cnd_batchLanes(batch, cndLANES_OFF), 0);
  assert_string_equal(cnd_batchWhy(batch), "lanes are switched off");
  assert_error(cnd_batchLanes(batch, (cndtLanes)5), "cnd_batchLanes: choice is 5");

  cndArray array;
  assert_that(cnd_batchLanes(batch, cndLANES_DOUBLE), >, 0);
  cnd_batchVary(&array, batch, "dof_frictionloss");
  assert_that(cnd_batchLanes(batch, cndLANES_DOUBLE), >, 0);
  mjtNum* loss = array.data;
  loss[array.rows * array.columns] = 0.1;
  assert_string_equal(cnd_batchWhy(batch),
                      "friction, stiffness, damping or armature varies where the model has none");
  cnd_deleteBatch(batch);
}

#define BOXES(option)                                                                          \
  "<mujoco><option cone='elliptic' " option                                                    \
  "/><worldbody><geom type='plane' size='5 5 1'/><body><freejoint/><geom type='box' size='.1 " \
  ".15 .2'/></body></worldbody></mujoco>"

// Boxes in all poses, half in the floor: along many lines the minimum is near the tip of a cone,
// where Newton's steps creep. Ends above the tolerance are left to mj_step.
static void boxes_in_the_floor(const char* xml) {
  DOUBLE_ONLY();
  enum {
    BOXES_N = 4500
  };
  const mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  cndBatch* batch = cnd_makeBatch(m, BOXES_N, 0);
  cndArray qpos, qvel, acc;
  cnd_batchExpose(&qpos, batch, "qpos");
  cnd_batchExpose(&qvel, batch, "qvel");
  cnd_batchExpose(&acc, batch, "qacc");
  uint64_t seed = 1;
  mjtNum* start = malloc(BOXES_N * 13 * sizeof(mjtNum));
  for (int i = 0; i < BOXES_N; i++) {
    mjtNum* q = start + 13 * i;
    q[0] = q[1] = 0;
    q[2] = (mjtNum)(0.15 * (uniform_random(&seed) + 1));
    for (int k = 3; k < 13; k++) {
      q[k] = (mjtNum)uniform_random(&seed);
    }
    mju_normalize4(q + 3);
    mju_copy((mjtNum*)qpos.data + 7 * i, q, 7);
    mju_copy((mjtNum*)qvel.data + 6 * i, q + 7, 6);
  }
  assert_int_equal(cnd_batchStep(batch, NULL, NULL, 1), cndRUN_DONE);
  for (int i = 0; i < BOXES_N; i++) {
    mj_resetData(m, d);
    mju_copy(d->qpos, start + 13 * i, 7);
    mju_copy(d->qvel, start + 13 * i + 7, 6);
    mj_forward(m, d);
    if (numbers_differ("qacc", (mjtNum*)acc.data + 6 * i, d->qacc, 6, 1e-6, 1.0)) {
      fail_msg("box %d", i);
    }
  }
  assert_int_equal(cnd_batchLeft(batch), 0);
  free(start);
  test_release(d);
  cnd_deleteBatch(batch);
}

TEST(elliptic_cones_near_their_tip) {
  boxes_in_the_floor(BOXES("impratio='10'"));
  boxes_in_the_floor(BOXES("impratio='3'"));
}

// A structure is made once: worlds of a model that has another one since are stepped by mj_step.
TEST(changes_of_the_structure_are_followed) {
  mjModel* m = test_model(LANE_WALKER("", LANE_FLOOR));
  Worlds w = make_worlds(m, 0);
  int* const changed[] = {m->geom_contype + 2, m->geom_condim + 1, m->geom_priority + 1};
  assert_null(cnd_batchWhy(w.batch));
  for (size_t k = 0; k < sizeof(changed) / sizeof(changed[0]); k++) {
    int own = *changed[k];
    *changed[k] = own == 3 ? 4 : !own;
    assert_string_equal(cnd_batchWhy(w.batch),
                        "ids, types or flags of the model have changed since the batch was made");
    *changed[k] = own;
  }
  m->jnt_limited[1] = 0;
  assert_non_null(cnd_batchWhy(w.batch));
  assert_steps(&w, kNames, 4);
  assert_that(cnd_batchLanes(w.batch, cndLANES_DOUBLE), >, 0);
  assert_null(cnd_batchWhy(w.batch));
  assert_steps(&w, kNames, 4);
  free_worlds(&w);
}

// What lanes make of the numbers of a model is kept from call to call, until one of them changes.
TEST(changes_of_numbers_are_followed) {
  mjModel* m = test_model(LANE_WALKER("tolerance='0'", LANE_FLOOR));
  Worlds w = make_worlds(m, 2);
  mjtNum* const changed[] = {&m->opt.timestep,    m->opt.gravity + 2, m->body_mass + 2,
                             m->body_inertia + 4, m->dof_damping + 3, m->geom_friction + 3,
                             m->jnt_range + 2,    m->geom_solref + 2, m->actuator_gear,
                             m->actuator_gainprm};
  assert_steps(&w, kNames, 4);
  for (size_t k = 0; k < sizeof(changed) / sizeof(changed[0]); k++) {
    *changed[k] = *changed[k] * (mjtNum)0.9 + (mjtNum)1e-3;
    assert_null(cnd_batchWhy(w.batch));
    assert_steps(&w, kNames, 4);
  }
  assert_int_equal(w.batch->lanes.model, 1 + sizeof(changed) / sizeof(changed[0]));
  cnd_batchMinimum(w.batch, 1);
  assert_steps(&w, kNames, 4);
  assert_int_equal(w.batch->lanes.model, 2 + sizeof(changed) / sizeof(changed[0]));
  free_worlds(&w);
}

// Shares of lanes, of worlds that fill all but one block.
TEST(statistics) {
  const mjModel* m = test_model(LANE_WALKER("", LANE_FLOOR));
  Worlds w = make_worlds(m, 0);
  int lanes = lanes_variant(0, 0, 0)->lanes, blocks = (N + lanes - 1) / lanes;
  cndBatchStats stats;
  cnd_batchStats(&stats, w.batch);
  assert_int_equal(stats.lanes, 0);
  cnd_batchStep(w.batch, NULL, NULL, STEPS);
  cnd_batchStats(&stats, w.batch);
  assert_int_equal(stats.lanes, N);
  assert_int_equal(stats.left + stats.unsolved + stats.alone, 0);
  assert_that((double)N / (blocks * lanes), ==, stats.filled);
  assert_that(stats.solving, >, 1.0 / lanes);
  assert_that(stats.solving, <, 1);
  assert_that(stats.touching, >, 0);
  assert_that(stats.touching, <=, 1);
  assert_that(stats.iterations, >, 0);
  assert_that(stats.colliders, ==, 0);
  cnd_batchLanes(w.batch, cndLANES_OFF);
  cnd_batchStep(w.batch, NULL, NULL, 1);
  cnd_batchStats(&stats, w.batch);
  assert_int_equal(stats.lanes, 0);
  free_worlds(&w);
}

// A choice that follows from numbers of worlds and from each world's own past.

TEST(few_worlds_go_one_by_one_unless_lanes_are_asked_for) {
  DOUBLE_ONLY();
  const mjModel* m = test_model(LANE_WALKER("", LANE_FLOOR));
  cndBatch* batch = cnd_makeBatch(m, 1, 0);
  int lanes = lanes_variant(0, 0, 0)->lanes;
  const char* why = lanes > 2 ? "worlds are too few to fill lanes" : NULL;
  assert_int_equal(cnd_batchLanes(batch, cndLANES_AUTO), why ? 0 : lanes);
  if (why) {
    assert_string_equal(cnd_batchWhy(batch), why);
  }
  mjData* d = test_data(m);
  cnd_batchStep(batch, NULL, NULL, 3);
  for (int t = 0; t < 3; t++) {
    mj_step(m, d);
  }
  cndArray qpos;
  cnd_batchExpose(&qpos, batch, "qpos");
  if (why) {
    assert_memory_equal(qpos.data, d->qpos, (size_t)m->nq * sizeof(mjtNum));
  }
  assert_int_equal(cnd_batchLanes(batch, cndLANES_DOUBLE), lanes);
  test_release(d);
  cnd_deleteBatch(batch);
}

// Speeds that no step survives leave a world to mj_step, in that call and, by choice, in some more:
// then its bits are those of mj_step.
TEST(worlds_that_lanes_have_left_rest) {
  const mjModel* m = test_model(LANE_WALKER("", LANE_FLOOR));
  void (*handler)(const char*) = mju_user_warning;
  mju_user_warning = silent;
  for (int way = 0; way < 2; way++) {
    Worlds w = make_worlds(m, 2);
    cnd_batchLanes(w.batch, way ? cndLANES_AUTO : cndLANES_DOUBLE);
    cndArray qvel;
    cnd_batchExpose(&qvel, w.batch, "qvel");
    ((mjtNum*)qvel.data)[4 * m->nv] = (mjtNum)NAN;
    assert_int_equal(cnd_batchStep(w.batch, NULL, NULL, 1), cndRUN_DONE);
    assert_int_equal(cnd_batchLeft(w.batch), 1);
    assert_null(cnd_batchWhy(w.batch));
    cnd_batchGetData(w.batch, 4, w.d[4]);
    int same = 1;
    for (int call = 0; call < 15; call++) {
      assert_int_equal(cnd_batchStep(w.batch, NULL, NULL, 2), cndRUN_DONE);
      assert_int_equal(cnd_batchLeft(w.batch), 0);
      mj_step(m, w.d[4]);
      mj_step(m, w.d[4]);
      same &= !memcmp(row(&w, "qpos", 4), w.d[4]->qpos, (size_t)m->nq * sizeof(mjtNum));
    }
    assert_int_equal(same, way);
    for (int call = 0; call < 5; call++) {
      cnd_batchStep(w.batch, NULL, NULL, 2);
      mj_step(m, w.d[4]);
      mj_step(m, w.d[4]);
      same &= !memcmp(row(&w, "qpos", 4), w.d[4]->qpos, (size_t)m->nq * sizeof(mjtNum));
    }
    assert_int_equal(same, 0);
    free_worlds(&w);
  }
  mju_user_warning = handler;
}

TEST(why_tells_that_most_worlds_rest) {
  const mjModel* m = test_model(LANE_WALKER("", LANE_FLOOR));
  void (*handler)(const char*) = mju_user_warning;
  mju_user_warning = silent;
  Worlds w = make_worlds(m, 0);
  cndArray qvel;
  cnd_batchExpose(&qvel, w.batch, "qvel");
  for (int i = 0; i < N; i++) {
    ((mjtNum*)qvel.data)[i * m->nv] = i % 3 ? (mjtNum)NAN : 0;
  }
  cnd_batchStep(w.batch, NULL, NULL, 1);
  assert_that(cnd_batchLeft(w.batch), ==, 12);
  assert_string_equal(
      cnd_batchWhy(w.batch),
      "most worlds go one by one for a while, because lanes had to leave them to mj_step");
  for (int call = 0; call < 15; call++) {
    cnd_batchStep(w.batch, NULL, NULL, 1);
  }
  assert_null(cnd_batchWhy(w.batch));
  free_worlds(&w);
  mju_user_warning = handler;
}

// The estimate by which a batch gives up lanes: only where the solver makes many iterations in
// which hardly a lane is of use.
TEST(gain_that_lanes_expect) {
  LaneCount count = {.steps = 80, .iterations = 800, .live = 800, .slots = 4, .used = 4};
  assert_that(blocks_gain(&count, 8), ==, 12);
  count.live = 80;
  count.used = 1;
  assert_that(blocks_gain(&count, 8), >, 1);
  count.iterations = 8000;
  count.live = 200;
  assert_that(blocks_gain(&count, 8), <, 1);
  assert_that(blocks_gain(&(LaneCount){0}, 4), ==, 6);
}

// By the clock: the third call goes one by one, with the bits of mj_step, later what was quicker.
TEST(a_batch_measures_itself) {
  const mjModel* m = test_model(LANE_WALKER("", LANE_FLOOR));
  Worlds w = make_worlds(m, 2);
  assert_that(cnd_batchLanes(w.batch, cndLANES_MEASURED), >, 0);
  cndBatchStats stats;
  for (int call = 0; call < 6; call++) {
    for (int i = 0; call == 2 && i < N; i++) {
      cnd_batchGetData(w.batch, i, w.d[i]);
    }
    assert_int_equal(cnd_batchStep(w.batch, NULL, NULL, STEPS), cndRUN_DONE);
    cnd_batchStats(&stats, w.batch);
    if (call < 2) {
      assert_int_equal(stats.lanes, N);
      assert_null(cnd_batchWhy(w.batch));
    } else if (call == 2) {
      assert_int_equal(stats.lanes, 0);
      for (int i = 0; i < N; i++) {
        for (int t = 0; t < STEPS; t++) {
          mj_step(m, w.d[i]);
        }
        assert_memory_equal(row(&w, "qpos", i), w.d[i]->qpos, (size_t)m->nq * sizeof(mjtNum));
      }
    } else {
      const Trial* trial = &w.batch->lanes.trial;
      assert_that(trial->time[0], >, 0);
      assert_that(trial->time[1], >, 0);
      int quicker = trial->time[0] <= trial->time[1];
      assert_int_equal(stats.lanes, quicker ? N : 0);
      assert_int_equal(cnd_batchWhy(w.batch) == NULL, quicker);
    }
  }
  w.batch->lanes.trial.time[0] = 1;  // as if lanes took a second
  assert_string_equal(cnd_batchWhy(w.batch), "a measurement has found one by one quicker");
  cnd_batchStep(w.batch, NULL, NULL, STEPS);
  cnd_batchStats(&stats, w.batch);
  assert_int_equal(stats.lanes, 0);
  free_worlds(&w);
}
