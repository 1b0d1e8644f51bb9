// A batch is a loop over worlds with an mjData each, bit for bit: states, results, warnings,
// errors.

#include <condyle/batch.h>
#include <stdatomic.h>

#include "support/caught.h"
#include "support/models.h"
#include "support/starve.h"

enum {
  N = 9,
  MOST_FIELDS = 200
};

// Worlds with data of their own, beside a batch.
typedef struct Twin_ {
  const mjModel* m;
  const mjModel* model[N];  // of each world
  mjData* d[N];
  cndBatch* batch;
  cndArray field[MOST_FIELDS];  // exposed
  int nfield;
} Twin;

static Twin make_twin(const mjModel* m, int nthread) {
  Twin t = {.m = m, .batch = cnd_makeBatch(m, N, nthread)};
  assert_non_null(t.batch);
  cnd_batchLanes(t.batch, cndLANES_OFF);
  for (int i = 0; i < N; i++) {
    t.model[i] = m;
    t.d[i] = test_data(m);
  }
  return t;
}

static void free_twin(Twin* t) {
  cnd_deleteBatch(t->batch);
  for (int i = 0; i < N; i++) {
    test_release(t->d[i]);
  }
}

static void expose(Twin* t, const char* name) {
  cnd_batchExpose(t->field + t->nfield++, t->batch, name);
}

// Exposes every field that may be.
static void expose_all(Twin* t) {
  static const char* const own[] = {"narena",
                                    "nbuffer",
                                    "nplugin",
                                    "pstack",
                                    "pbase",
                                    "parena",
                                    "maxuse_stack",
                                    "maxuse_arena",
                                    "maxuse_con",
                                    "maxuse_efc",
                                    "maxuse_threadstack",
                                    "threadpool",
                                    "timer",
                                    "plugin",
                                    "plugin_data",
                                    "cnd_stage",
                                    "cnd_arena",
                                    "cnd_copies",
                                    "cnd_pairs",
                                    "cnd_solverCache",
                                    "cnd_shard",
                                    "cnd_apart",
                                    "cnd_shape",
                                    "cnd_size",
                                    "cnd_nrun",
                                    "cnd_run",
                                    "cnd_cycle",
                                    "cnd_ngroup",
                                    "cnd_nplain",
                                    "cnd_group_tree",
                                    "cnd_group",
                                    "cnd_plain",
                                    "cnd_qpos_asleep",
                                    "cnd_mocap_asleep",
                                    "cnd_box_asleep",
                                    "cnd_margin_asleep"};
  for (int k = 0; k < cnd_dataFieldCount(); k++) {
    const cndField* field = cnd_dataField(k);
    int refused = field->arena;
    for (size_t w = 0; w < sizeof(own) / sizeof(own[0]); w++) {
      refused |= !strcmp(field->name, own[w]);
    }
    if (!refused) {
      expose(t, field->name);
    }
  }
}

// Fails if a field of a world differs from that of its twin.
static void assert_twins(const Twin* t) {
  for (int k = 0; k < t->nfield; k++) {
    const cndArray* array = t->field + k;
    size_t count = array->rows * array->columns, bytes = count * array->field->size;
    for (int i = 0; bytes && i < N; i++) {
      cndArray own;
      cnd_dataArray(&own, t->model[i], t->d[i], array->field->name);
      const char* row = (const char*)array->data + (size_t)i * bytes;
      if (memcmp(row, own.data, bytes) != 0) {
        size_t at = 0;
        while (((const char*)own.data)[at] == row[at]) {
          at++;
        }
        at -= at % array->field->size;
        mjtNum a = 0, b = 0;
        memcpy(&a, row + at, array->field->size < sizeof(a) ? array->field->size : sizeof(a));
        memcpy(&b, (const char*)own.data + at,
               array->field->size < sizeof(b) ? array->field->size : sizeof(b));
        fail_msg("%s of world %d, entry %zu: %.17g, in a loop %.17g", array->field->name, i,
                 at / array->field->size, (double)a, (double)b);
      }
    }
  }
}

static mjtNum* state_of(Twin* t, const char* name) {
  cndArray array;
  cnd_batchExpose(&array, t->batch, name);
  return array.data;
}

// Sets inputs of both sides alike.
static void drive(Twin* t, uint64_t* seed) {
  const mjModel* m = t->m;
  mjtNum *ctrl = state_of(t, "ctrl"), *applied = state_of(t, "qfrc_applied");
  mjtNum *force = state_of(t, "xfrc_applied"), *qvel = state_of(t, "qvel");
  for (int i = 0; i < N; i++) {
    for (int u = 0; u < m->nu; u++) {
      ctrl[i * m->nu + u] = t->d[i]->ctrl[u] = (mjtNum)uniform_random(seed);
    }
    for (int v = 0; v < m->nv; v++) {
      applied[i * m->nv + v] = t->d[i]->qfrc_applied[v] = (mjtNum)(0.1 * uniform_random(seed));
      qvel[i * m->nv + v] = t->d[i]->qvel[v] += (mjtNum)(0.1 * uniform_random(seed));
    }
    int b = m->nbody - 1;
    force[6 * (i * m->nbody + b) + 2] = t->d[i]->xfrc_applied[6 * b + 2] =
        (mjtNum)(0.1 * uniform_random(seed));
  }
}

static void step_twins(Twin* t, int nstep) {
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < nstep; k++) {
      mj_step(t->model[i], t->d[i]);
    }
  }
}

static const char* const kPaths[] = {
    MODELS "humanoid.xml",
    MODELS "chain.xml",
    MODELS "hand.xml",
    TEST_MODELS "hard_rod.xml",
    TEST_MODELS "body_mocap.xml",
    TEST_MODELS "equality_everything.xml",
    TEST_MODELS "flex_cloth.xml",
    TEST_MODELS "actuator_muscle.xml",
    TEST_MODELS "fluid_ellipsoid.xml",
    TEST_MODELS "flexcomp_plugin.xml",
};

// Every field of the buffer, also those that a step doesn't compute.
TEST_EACH(worlds_are_those_of_a_loop, kPaths) {
  const mjModel* m = our_model(text);
  static const int threads[] = {0, 1, 2, 3, 7};
  for (int k = 0; k < 5; k++) {
    Twin t = make_twin(m, threads[k]);
    uint64_t seed = 5;
    expose_all(&t);
    drive(&t, &seed);
    for (int round = 0; round < 3; round++) {
      assert_int_equal(cnd_batchStep(t.batch, NULL, NULL, 1 + round), cndRUN_DONE);
      step_twins(&t, 1 + round);
      assert_twins(&t);
      drive(&t, &seed);
    }
    assert_int_equal(cnd_batchForward(t.batch, NULL), cndRUN_DONE);
    for (int i = 0; i < N; i++) {
      mj_forward(m, t.d[i]);
    }
    assert_twins(&t);
    free_twin(&t);
  }
}

static void end_twins(const Twin* t) {
  for (int i = 0; i < N; i++) {
    mj_rnePostConstraint(t->m, t->d[i]);
  }
  assert_twins(t);
}

TEST_EACH(body_forces_are_those_after_the_last_step, kPaths) {
  const mjModel* m = our_model(text);
  Twin t = make_twin(m, 3);
  uint64_t seed = 6;
  expose_all(&t);
  cnd_batchBodyForces(t.batch, 1);
  drive(&t, &seed);
  for (int round = 0; round < 3; round++) {
    assert_int_equal(cnd_batchStep(t.batch, NULL, NULL, 1 + round), cndRUN_DONE);
    step_twins(&t, 1 + round);
    end_twins(&t);
    drive(&t, &seed);
  }
  assert_int_equal(cnd_batchForward(t.batch, NULL), cndRUN_DONE);
  for (int i = 0; i < N; i++) {
    mj_forward(m, t.d[i]);
  }
  end_twins(&t);
  assert_int_equal(cnd_batchRollout(t.batch, 2, NULL, NULL, NULL), cndRUN_DONE);
  step_twins(&t, 2);
  end_twins(&t);

  // no step leaves what was there, and without forces only steps count
  assert_int_equal(cnd_batchStep(t.batch, NULL, NULL, 0), cndRUN_DONE);
  assert_twins(&t);
  cnd_batchBodyForces(t.batch, 0);
  assert_int_equal(cnd_batchStep(t.batch, NULL, NULL, 2), cndRUN_DONE);
  step_twins(&t, 2);
  assert_twins(&t);
  free_twin(&t);
}

TEST(controls_are_copied) {
  const mjModel* m = our_model(kHumanoid);
  Twin t = make_twin(m, 2);
  expose_all(&t);
  mjtNum* ctrl = calloc((size_t)(N * m->nu), sizeof(mjtNum));
  mjtByte mask[N] = {1, 0, 1, 1, 0, 0, 1, 0, 1};
  uint64_t seed = 8;
  for (int round = 0; round < 2; round++) {
    for (int k = 0; k < N * m->nu; k++) {
      ctrl[k] = (mjtNum)uniform_random(&seed);
    }
    const mjtByte* used = round ? mask : NULL;
    assert_int_equal(cnd_batchStep(t.batch, used, ctrl, 5), cndRUN_DONE);
    for (int i = 0; i < N; i++) {
      if (!used || used[i]) {
        mju_copy(t.d[i]->ctrl, ctrl + i * m->nu, m->nu);
        for (int k = 0; k < 5; k++) {
          mj_step(m, t.d[i]);
        }
      }
    }
    assert_twins(&t);
  }
  free(ctrl);
  free_twin(&t);
}

TEST(reset_is_that_of_data_for_the_masked_worlds) {
  const mjModel* m = our_model(kHumanoid);
  assert_that(m->nkey, >, 0);
  Twin t = make_twin(m, 3);
  expose_all(&t);
  uint64_t seed = 6;
  drive(&t, &seed);
  cnd_batchStep(t.batch, NULL, NULL, 3);
  step_twins(&t, 3);
  mjtByte mask[N] = {0, 1, 1, 0, 0, 0, 1, 0, 0};
  for (int key = -1; key < m->nkey; key++) {
    assert_int_equal(cnd_batchReset(t.batch, mask, key), cndRUN_DONE);
    for (int i = 0; i < N; i++) {
      if (mask[i]) {
        mj_resetDataKeyframe(m, t.d[i], key);
      }
    }
    assert_twins(&t);
    cnd_batchStep(t.batch, NULL, NULL, 2);
    step_twins(&t, 2);
    assert_twins(&t);
  }
  free_twin(&t);
}

static void be_silent(const char* text) {
  (void)text;
}

// A bad state resets the world and is counted; counters go on over calls.
TEST(warnings_are_counted_for_each_world) {
  const mjModel* m = our_model(kHumanoid);
  Twin t = make_twin(m, 2);
  expose_all(&t);
  mju_user_warning = be_silent;
  for (int round = 0; round < 3; round++) {
    mjtNum* qvel = state_of(&t, "qvel");
    qvel[4 * m->nv + 7] = t.d[4]->qvel[7] = (mjtNum)NAN;
    mjtNum* ctrl = state_of(&t, "ctrl");
    ctrl[6 * m->nu + 2] = t.d[6]->ctrl[2] = (mjtNum)NAN;
    cnd_batchStep(t.batch, NULL, NULL, 2);
    step_twins(&t, 2);
    assert_twins(&t);
  }
  mju_user_warning = NULL;
  const mjWarningStat* warning = (const mjWarningStat*)state_of(&t, "warning");
  assert_int_equal(warning[4 * mjNWARNING + mjWARN_BADQVEL].number, 1);
  assert_int_equal(warning[6 * mjNWARNING + mjWARN_BADCTRL].number, 6);
  assert_int_equal(warning[5 * mjNWARNING + mjWARN_BADQVEL].number, 0);
  cnd_batchReset(t.batch, NULL, -1);
  assert_int_equal(warning[6 * mjNWARNING + mjWARN_BADCTRL].number, 0);
  free_twin(&t);
}

TEST(state_goes_in_and_out) {
  const mjModel* m = our_model(TEST_MODELS "equality_everything.xml");
  Twin t = make_twin(m, 2);
  uint64_t seed = 6;
  drive(&t, &seed);
  cnd_batchStep(t.batch, NULL, NULL, 3);
  step_twins(&t, 3);
  const unsigned int sigs[] = {mjSTATE_INTEGRATION, mjSTATE_PHYSICS, mjSTATE_EQ_ACTIVE,
                               mjSTATE_USER, 0};
  for (int k = 0; k < 5; k++) {
    int size = mj_stateSize(m, sigs[k]);
    mjtNum* state = calloc((size_t)(N * size + 1), sizeof(mjtNum));
    mjtNum* own = calloc((size_t)(size + 1), sizeof(mjtNum));
    cnd_batchGetState(t.batch, NULL, state, sigs[k]);
    for (int i = 0; i < N; i++) {
      mj_getState(m, t.d[i], own, sigs[k]);
      assert_memory_equal(own, state + i * size, (size_t)size * sizeof(mjtNum));
    }
    for (int i = 0; i < N * size; i++) {
      state[i] += 1;
    }
    mjtByte mask[N] = {0, 1, 1, 0, 0, 0, 1, 0, 1};
    cnd_batchSetState(t.batch, mask, state, sigs[k]);
    for (int i = 0; i < N; i++) {
      if (mask[i]) {
        mj_setState(m, t.d[i], state + i * size, sigs[k]);
      }
      mj_getState(m, t.d[i], own, sigs[k]);
      cnd_batchGetState(t.batch, NULL, state, sigs[k]);
      assert_memory_equal(own, state + i * size, (size_t)size * sizeof(mjtNum));
    }
    free(state);
    free(own);
  }
  free_twin(&t);
}

TEST(worlds_go_to_data_and_back) {
  const mjModel* m = our_model(kHumanoid);
  Twin t = make_twin(m, 2);
  uint64_t seed = 9;
  drive(&t, &seed);
  expose_all(&t);
  cnd_batchStep(t.batch, NULL, NULL, 3);
  step_twins(&t, 3);
  mjData* d = test_data(m);
  cnd_batchGetData(t.batch, 3, d);
  mj_step(m, d);
  mj_step(m, t.d[3]);
  assert_memory_equal(d->qpos, t.d[3]->qpos, (size_t)m->nq * sizeof(mjtNum));
  cnd_batchSetData(t.batch, 3, d);
  cnd_batchStep(t.batch, NULL, NULL, 1);
  step_twins(&t, 1);
  assert_twins(&t);
  free_twin(&t);
}

TEST(rollout_is_steps_with_a_record) {
  const mjModel* m = our_model(kHumanoid);
  enum {
    NSTEP = 6
  };
  Twin t = make_twin(m, 3);
  expose_all(&t);
  int nstate = mj_stateSize(m, mjSTATE_FULLPHYSICS), ns = m->nsensordata;
  mjtNum* control = calloc((size_t)(N * NSTEP * m->nu), sizeof(mjtNum));
  mjtNum* state = calloc((size_t)(N * NSTEP * nstate), sizeof(mjtNum));
  mjtNum* sensordata = calloc((size_t)(N * NSTEP * ns + 1), sizeof(mjtNum));
  mjtNum* own = calloc((size_t)nstate, sizeof(mjtNum));
  uint64_t seed = 4;
  for (int k = 0; k < N * NSTEP * m->nu; k++) {
    control[k] = (mjtNum)uniform_random(&seed);
  }
  for (int round = 0; round < 2; round++) {
    const mjtNum* used = round ? NULL : control;
    assert_int_equal(cnd_batchRollout(t.batch, NSTEP, used, state, sensordata), cndRUN_DONE);
    for (int i = 0; i < N; i++) {
      for (int k = 0; k < NSTEP; k++) {
        if (used) {
          mju_copy(t.d[i]->ctrl, control + (i * NSTEP + k) * m->nu, m->nu);
        }
        mj_step(m, t.d[i]);
        mj_getState(m, t.d[i], own, mjSTATE_FULLPHYSICS);
        int row = i * NSTEP + k;
        assert_memory_equal(own, state + row * nstate, (size_t)nstate * sizeof(mjtNum));
        assert_memory_equal(t.d[i]->sensordata, sensordata + row * ns, (size_t)ns * sizeof(mjtNum));
      }
    }
    assert_twins(&t);
  }
  assert_int_equal(cnd_batchRollout(t.batch, 2, NULL, NULL, NULL), cndRUN_DONE);
  free(control);
  free(state);
  free(sensordata);
  free(own);
  free_twin(&t);
}

TEST(step_in_the_background_is_a_step) {
  const mjModel* m = our_model(kHumanoid);
  for (int nthread = 0; nthread < 4; nthread++) {
    Twin t = make_twin(m, nthread);
    expose_all(&t);
    uint64_t seed = 8;
    drive(&t, &seed);
    mjtByte mask[N] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    cnd_batchStepAsync(t.batch, mask, NULL, 10);
    memset(mask, 0, sizeof(mask));
    assert_error(cnd_batchStepAsync(t.batch, NULL, NULL, 1),
                 "cnd_batchStepAsync: a step is under way: call cnd_batchWait first");
    assert_error(cnd_batchStep(t.batch, NULL, NULL, 1), "cnd_batchStep: a step is under way");
    assert_error(cnd_batchReset(t.batch, NULL, -1), "cnd_batchReset: a step is under way");
    assert_error(cnd_batchError(t.batch), "cnd_batchError: a step is under way");
    step_twins(&t, 10);
    assert_int_equal(cnd_batchWait(t.batch), cndRUN_DONE);
    assert_error(cnd_batchWait(t.batch), "cnd_batchWait: no step is under way");
    assert_twins(&t);
    cnd_batchStepAsync(t.batch, NULL, NULL, 3);
    free_twin(&t);
  }
}

static void fail_on_push(const mjModel* m, mjData* d) {
  (void)m;
  if (d->time > 0 && d->ctrl[0] > 5) {
    mju_error("push of %g", (double)d->ctrl[0]);
  }
}

// The world that fails stays where it was, the others go on.
TEST(errors_are_told_and_stay_in_their_world) {
  const mjModel* m = our_model(kHumanoid);
  for (int nthread = 0; nthread < 5; nthread++) {
    Twin t = make_twin(m, nthread);
    expose_all(&t);
    mjtNum* ctrl = state_of(&t, "ctrl");
    ctrl[3 * m->nu] = t.d[3]->ctrl[0] = 7;
    ctrl[6 * m->nu] = t.d[6]->ctrl[0] = 8;
    mjcb_control = fail_on_push;
    assert_int_equal(cnd_batchStep(t.batch, NULL, NULL, 1), cndRUN_DONE);
    assert_string_equal(cnd_batchError(t.batch), "");
    step_twins(&t, 1);
    assert_int_equal(cnd_batchStep(t.batch, NULL, NULL, 1), cndRUN_FAILED);
    mjcb_control = NULL;
    assert_string_equal(cnd_batchError(t.batch), "world 3: push of 7");
    assert_string_equal(cnd_batchWorldError(t.batch, 3), "push of 7");
    assert_string_equal(cnd_batchWorldError(t.batch, 6), "push of 8");
    assert_string_equal(cnd_batchWorldError(t.batch, 4), "");
    for (int i = 0; i < N; i++) {
      assert_int_equal(cnd_batchFailed(t.batch)[i], i == 3 || i == 6);
      if (i != 3 && i != 6) {
        mj_step(m, t.d[i]);
      }
    }
    assert_twins(&t);
    assert_int_equal(cnd_batchStep(t.batch, NULL, NULL, 1), cndRUN_DONE);
    step_twins(&t, 1);
    assert_twins(&t);
    free_twin(&t);
  }
}

// Of many worlds that fail the first ones' texts are kept, whichever thread comes first.
TEST(errors_of_the_first_worlds_are_kept) {
  enum {
    MANY = 200,
    KEPT = 64
  };
  const mjModel* m = our_model(kHumanoid);
  for (int nthread = 0; nthread < 4; nthread++) {
    cndBatch* batch = cnd_makeBatch(m, MANY, nthread);
    cnd_batchLanes(batch, cndLANES_OFF);
    cndArray ctrl;
    cnd_batchExpose(&ctrl, batch, "ctrl");
    for (int i = 1; i < MANY; i += 2) {
      ((mjtNum*)ctrl.data)[i * m->nu] = 10 + i;
    }
    assert_int_equal(cnd_batchStep(batch, NULL, NULL, 1), cndRUN_DONE);
    mjcb_control = fail_on_push;
    assert_int_equal(cnd_batchStep(batch, NULL, NULL, 1), cndRUN_FAILED);
    mjcb_control = NULL;
    for (int i = 0; i < MANY; i++) {
      char text[80] = "";
      if (i % 2) {
        snprintf(text, sizeof(text), "push of %d", 10 + i);
      }
      const char* expected = i % 2 && i >= 2 * KEPT
                                 ? "its error was not kept: too many worlds before it failed"
                                 : text;
      assert_string_equal(cnd_batchWorldError(batch, i), expected);
    }
    assert_error(cnd_batchWorldError(batch, MANY), "cnd_batchWorldError: world 200 does not exist");
    assert_int_equal(cnd_batchReset(batch, NULL, -1), cndRUN_DONE);
    assert_string_equal(cnd_batchWorldError(batch, 1), "");
    cnd_deleteBatch(batch);
  }
}

static void count_controls(const mjModel* m, mjData* d) {
  (void)m;
  d->ctrl[0] += (mjtNum)0.125;
  d->userdata[0] += 1;
  d->xfrc_applied[8] = d->time;
}

TEST(inputs_that_a_callback_sets_are_kept) {
  mjModel* m = test_model(
      "<mujoco><size nuserdata='2'/><worldbody><body><joint name='x' type='slide'/>"
      "<geom size='.1'/></body></worldbody><actuator><motor joint='x'/></actuator></mujoco>");
  Twin t = make_twin(m, 2);
  expose_all(&t);
  mjcb_control = count_controls;
  cnd_batchStep(t.batch, NULL, NULL, 4);
  step_twins(&t, 4);
  mjcb_control = NULL;
  assert_twins(&t);
  assert_that(state_of(&t, "userdata")[2 * (N - 1)], ==, 4);
  free_twin(&t);
}

static int cancel_at_once(void* calls) {
  ++*(int*)calls;
  return 1;
}

// Each world is as it was or has made all steps, here many hours of them.
TEST(cancelled_step_leaves_whole_worlds) {
  const mjModel* m = our_model(kChain);
  for (int nthread = 0; nthread < 4; nthread++) {
    Twin t = make_twin(m, nthread);
    expose_all(&t);
    int calls = 0;
    cnd_batchCancel(t.batch, cancel_at_once, &calls);
    assert_int_equal(cnd_batchStep(t.batch, NULL, NULL, INT32_MAX), cndRUN_CANCELLED);
    assert_int_equal(calls, 1);
    cnd_batchCancel(t.batch, NULL, NULL);
    assert_twins(&t);
    assert_int_equal(cnd_batchStep(t.batch, NULL, NULL, 2), cndRUN_DONE);
    step_twins(&t, 2);
    assert_twins(&t);
    free_twin(&t);
  }
}

TEST(model_may_change_between_calls) {
  mjModel* m = (mjModel*)(uintptr_t)our_model(kChain);
  Twin t = make_twin(m, 2);
  cndArray mass;
  cnd_batchVary(&mass, t.batch, "body_mass");
  expose_all(&t);
  for (int round = 0; round < 3; round++) {
    m->opt.timestep *= 2;
    m->opt.gravity[0] = round;
    cnd_batchStep(t.batch, NULL, NULL, 2);
    step_twins(&t, 2);
    assert_twins(&t);
  }
  free_twin(&t);
}

TEST(stepping_touches_no_heap) {
  STARVE_OR_SKIP();
  const mjModel* m = our_model(kHumanoid);
  Twin t = make_twin(m, 3);
  expose_all(&t);
  cndArray array;
  cnd_batchVary(&array, t.batch, "geom_friction");
  cnd_batchVary(&array, t.batch, "body_ipos");
  cnd_batchVary(&array, t.batch, "opt.gravity");
  starve_after(0, 0);
  cndtRun run = cnd_batchStep(t.batch, NULL, NULL, 10);
  cnd_batchStepAsync(t.batch, NULL, NULL, 10);
  cndtRun second = cnd_batchWait(t.batch), third = cnd_batchReset(t.batch, NULL, -1);
  starve_end();
  assert_int_equal(run, cndRUN_DONE);
  assert_int_equal(second, cndRUN_DONE);
  assert_int_equal(third, cndRUN_DONE);
  free_twin(&t);
}

static int make_and_step(void* model) {
  cndBatch* batch = cnd_makeBatch(model, 3, 2);
  int made = batch && cnd_batchStep(batch, NULL, NULL, 1) == cndRUN_DONE;
  cnd_deleteBatch(batch);
  return starve_outcome(made, "");
}

TEST(batch_without_memory_is_told) {
  STARVE_OR_SKIP();
  starve_each(make_and_step, (void*)(uintptr_t)our_model(kChain));
}

TEST(wrong_arguments_are_told) {
  const mjModel* m = our_model(kHumanoid);
  const mjModel* other = our_model(kChain);
  mjData* foreign = test_data(other);
  Twin t = make_twin(m, 0);
  cndArray array;
  assert_error(cnd_makeBatch(NULL, 1, 0), "cnd_makeBatch: m is NULL");
  assert_error(cnd_makeBatch(m, 0, 0), "cnd_makeBatch: n is 0, must be >= 1");
  assert_error(cnd_makeBatch(m, 1, -1), "cnd_makeBatch: nthread is -1, must be 0 to 128");
  mju_user_warning = be_silent;
  assert_null(cnd_makeBatch(m, INT32_MAX, 0));
  mju_user_warning = NULL;
  assert_error(cnd_batchStep(NULL, NULL, NULL, 1), "cnd_batchStep: batch is NULL");
  assert_error(cnd_batchStep(t.batch, NULL, NULL, -1), "nstep is -1, must be >= 0");
  assert_error(cnd_batchBodyForces(NULL, 1), "cnd_batchBodyForces: batch is NULL");
  assert_error(cnd_batchReset(t.batch, NULL, m->nkey), "cnd_batchReset: keyframe");
  assert_error(cnd_batchReset(t.batch, NULL, -2), "cnd_batchReset: keyframe -2 does not exist");
  assert_error(cnd_batchExpose(&array, t.batch, "xpo"), "mjData has no field 'xpo'");
  assert_error(cnd_batchExpose(&array, t.batch, "efc_J"), "efc_J is in the arena");
  assert_error(cnd_batchExpose(&array, t.batch, "maxuse_con"), "memory of a thread");
  assert_error(cnd_batchExpose(NULL, t.batch, "xpos"), "cnd_batchExpose: array is NULL");
  assert_error(cnd_batchGetData(t.batch, N, t.d[0]), "cnd_batchGetData: world 9 does not exist");
  assert_error(cnd_batchGetData(t.batch, 0, foreign), "d was made for another model");
  assert_error(cnd_batchSetData(t.batch, -1, t.d[0]), "cnd_batchSetData: world -1 does not exist");
  assert_error(cnd_batchCopyModel(t.batch, N), "cnd_batchCopyModel: world 9 does not exist");
  assert_error(cnd_batchGetState(t.batch, NULL, NULL, 1), "cnd_batchGetState: state is NULL");
  assert_error(cnd_batchSetState(t.batch, NULL, NULL, 1), "cnd_batchSetState: state is NULL");
  assert_error(cnd_batchSetState(t.batch, NULL, NULL, 1u << 20), "invalid state signature");
  assert_error(cnd_batchRollout(t.batch, -1, NULL, NULL, NULL), "nstep is -1");
  assert_error(cnd_batchAdjoint(t.batch, NULL, NULL, NULL, NULL, NULL, NULL), "dnext is NULL");
  assert_int_equal(cnd_batchSize(t.batch), N);
  assert_int_equal(cnd_batchThreads(t.batch), 0);
  assert_ptr_equal(cnd_batchModel(t.batch), m);
  cnd_deleteBatch(NULL);
  free_twin(&t);
}
