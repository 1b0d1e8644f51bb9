// Runs as files: whatever a program sets is in them, they make the same bits, and a file that isn't
// one is refused with its reason.

#include <condyle/replay.h>
#include <condyle/state.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory/memory.h"
#include "replay/format.h"
#include "support/caught.h"
#include "support/load.h"
#include "support/random.h"
#include "support/test.h"

// Mocap, an equality that is switched, forces, controls with an activation, user data, contacts.
static const char kModel[] =
    "<mujoco><size nuserdata='2' memory='1M'/><worldbody><geom type='plane' size='1 1 1'/>"
    "<body name='hand' mocap='true' pos='0 0 1'/>"
    "<body name='a' pos='0 0 .3'><freejoint/><geom name='g' size='.1'/>"
    "<body name='b' pos='.2 0 0'><joint name='j' axis='0 1 0'/><geom type='capsule' size='.05 .1'/>"
    "</body></body></worldbody>"
    "<equality><weld body1='a' body2='hand' active='false'/></equality>"
    "<actuator><muscle name='m' joint='j' lengthrange='0 1' force='1'/></actuator></mujoco>";

static char path[200];

BEFORE_EACH() {
  snprintf(path, sizeof(path), "/tmp/replay_test.%ld.cnd", (long)getpid());
}

AFTER_EACH() {
  remove(path);
}

enum {
  NSTEPS = 60
};

// What a program may do before a step.
static void set_something(const mjModel* m, mjData* d, int step, uint64_t* seed) {
  d->ctrl[0] = (mjtNum)uniform_between(seed, 0, 1);
  switch (step % 12) {
    case 3:
      d->mocap_pos[0] = (mjtNum)uniform_random(seed);
      break;
    case 5:
      d->eq_active[0] = !d->eq_active[0];
      break;
    case 6:
      d->xfrc_applied[6 * 2 + 1] = (mjtNum)uniform_random(seed);
      d->qfrc_applied[m->nv - 1] = (mjtNum)uniform_random(seed);
      break;
    case 8:
      d->qpos[2] = (mjtNum)0.5;
      d->userdata[1] = (mjtNum)step;
      break;
    case 11:
      mj_resetData(m, d);
      break;
    default:
      break;
  }
}

// Records a run and returns the state at its end, nstate numbers to be freed.
static mjtNum* record_run(const mjModel* m) {
  char error[300] = "";
  mjData* d = test_data(m);
  uint64_t seed = 5;
  d->qvel[0] = 1;
  cndRecorder* recorder = cnd_openRecorder(path, m, d, error, sizeof(error));
  if (!recorder) {
    fail_msg("%s", error);
  }
  for (int i = 0; i < NSTEPS; i++) {
    set_something(m, d, i, &seed);
    cnd_recordStep(recorder, m, d);
  }
  if (!cnd_closeRecorder(recorder, error, sizeof(error))) {
    fail_msg("%s", error);
  }
  mjtNum* state = calloc((size_t)cnd_stateSize(m), sizeof(mjtNum));
  cnd_getState(m, d, state);
  return state;
}

static cndReplay* open_run(void) {
  char error[300] = "";
  cndReplay* replay = cnd_openReplay(path, error, sizeof(error));
  if (!replay) {
    fail_msg("%s", error);
  }
  return replay;
}

TEST(a_replay_has_the_bits_of_the_run) {
  mjModel* m = test_model(kModel);
  mjtNum* end = record_run(m);
  int nstate = cnd_stateSize(m);
  cndReplay* replay = open_run();
  assert_int_equal(cnd_replaySteps(replay), NSTEPS);
  assert_int_equal(cnd_stateSize(cnd_replayModel(replay)), nstate);

  // twice: it starts again from the beginning
  mjData* d = mj_makeData(cnd_replayModel(replay));
  mjtNum* state = calloc((size_t)nstate, sizeof(mjtNum));
  for (int k = 0; k < 2; k++) {
    cnd_replayStart(replay, d);
    for (int i = 0; i < NSTEPS; i++) {
      assert_int_equal(cnd_replayStep(replay, d), cndREPLAY_SAME);
    }
    assert_int_equal(cnd_replayStep(replay, d), cndREPLAY_END);
    cnd_getState(m, d, state);
    assert_memory_equal(state, end, (size_t)nstate * sizeof(mjtNum));
    mjtNum qpos = -1, qvel = -1;
    cnd_replayDistance(replay, d, &qpos, &qvel);
    assert_that(qpos, ==, 0);
    assert_that(qvel, ==, 0);
  }
  free(state);
  free(end);
  mj_deleteData(d);
  cnd_closeReplay(replay);
}

TEST(inputs_can_be_seen_before_a_step) {
  free(record_run(test_model(kModel)));
  cndReplay* replay = open_run();
  mjData* d = mj_makeData(cnd_replayModel(replay));
  uint64_t seed = 5;
  cnd_replayStart(replay, d);
  assert_that(d->qvel[0], ==, 1);
  cnd_replayInputs(replay, d);
  assert_that(d->ctrl[0], ==, (mjtNum)uniform_between(&seed, 0, 1));
  cnd_replayInputs(replay, d);  // nothing more
  assert_int_equal(cnd_replayStep(replay, d), cndREPLAY_SAME);
  mj_deleteData(d);
  cnd_closeReplay(replay);
}

TEST(the_first_step_that_differs_is_told) {
  free(record_run(test_model(kModel)));
  cndReplay* replay = open_run();
  mjData* d = mj_makeData(cnd_replayModel(replay));
  cnd_replayStart(replay, d);
  for (int i = 0; i < NSTEPS; i++) {
    cnd_replayInputs(replay, d);
    if (i == 4) {
      d->qpos[0] += (mjtNum)1e-6;
    }
    cndtReplay expected = i < 4 ? cndREPLAY_SAME : cndREPLAY_DIFFERS;
    cndtReplay found = cnd_replayStep(replay, d);
    // a reset takes most of the difference away
    if (found != expected && i < 11) {
      fail_msg("step %d: %d, not %d", i, found, expected);
    }
  }
  mj_deleteData(d);
  cnd_closeReplay(replay);
}

TEST(the_distance_is_that_to_the_last_state) {
  free(record_run(test_model(kModel)));
  cndReplay* replay = open_run();
  mjData* d = mj_makeData(cnd_replayModel(replay));
  cnd_replayStart(replay, d);
  while (cnd_replayStep(replay, d) == cndREPLAY_SAME) {
  }
  d->qpos[1] += (mjtNum)0.25;
  d->qvel[2] = (mjtNum)NAN;
  mjtNum qpos = 0, qvel = 0;
  cnd_replayDistance(replay, d, &qpos, &qvel);
  assert_that(fabs((double)qpos - 0.25), <, 1e-6);
  assert_true(isinf(qvel));
  mj_deleteData(d);
  cnd_closeReplay(replay);
}

TEST(a_writer_tells_of_itself_and_of_changes) {
  mjModel* m = test_model(kModel);
  char here[256], error[300];
  cnd_replayHere(here, sizeof(here));
  assert_non_null(strstr(here, "fused products"));
  free(record_run(m));
  cndReplay* replay = open_run();
  assert_string_equal(cnd_replayWriter(replay), here);
  cnd_closeReplay(replay);

  mjData* d = test_data(m);
  cndRecorder* recorder = cnd_openRecorder(path, m, d, error, sizeof(error));
  m->opt.gravity[2] = -1;
  cnd_recordStep(recorder, m, d);
  assert_true(cnd_closeRecorder(recorder, error, sizeof(error)));
  replay = open_run();
  assert_non_null(strstr(cnd_replayWriter(replay), "\nmodel changed"));
  cnd_closeReplay(replay);
}

TEST(a_file_is_whole_or_the_old_one) {
  mjModel* m = test_model(kModel);
  char error[300] = "";
  assert_null(cnd_openRecorder("/nowhere/run.cnd", m, test_data(m), error, sizeof(error)));
  assert_string_equal(error, "/nowhere/run.cnd: No such file or directory");
  assert_false(cnd_closeRecorder(NULL, error, sizeof(error)));
  assert_null(cnd_openReplay("/nowhere/run.cnd", error, sizeof(error)));
  assert_string_equal(error, "/nowhere/run.cnd: No such file or directory");

  free(record_run(m));
  mjData* d = test_data(m);
  cndRecorder* recorder = cnd_openRecorder(path, m, d, error, sizeof(error));
  cnd_recordStep(recorder, m, d);
  cnd_dropRecorder(recorder);
  cndReplay* replay = open_run();
  assert_int_equal(cnd_replaySteps(replay), NSTEPS);
  cnd_closeReplay(replay);
}

TEST(a_model_of_another_size_is_misuse) {
  mjModel* m = test_model(kModel);
  mjModel* other = test_model("<mujoco/>");
  char error[300];
  cndRecorder* recorder = cnd_openRecorder(path, m, test_data(m), error, sizeof(error));
  assert_error(cnd_recordStep(recorder, other, test_data(other)), "cnd_recordStep: the state has");
  cnd_dropRecorder(recorder);
}

// hostile files

static void check_refused(const char* bytes, size_t size, const char* reason) {
  char error[300] = "";
  cndReplay* replay = cnd_openReplayBuffer(bytes, (int64_t)size, error, sizeof(error));
  if (replay || !strstr(error, reason)) {
    fail_msg("expected '%s', got '%s'", reason, replay ? "a replay" : error);
  }
}

// The same after the sum of the bytes is made right again.
static void check_summed(char* bytes, size_t size, const char* reason) {
  uint64_t sum = run_sum(run_sum_start, bytes, size - sizeof(sum));
  memcpy(bytes + size - sizeof(sum), &sum, sizeof(sum));
  check_refused(bytes, size, reason);
}

static void keep_silent(const char* message) {
  (void)message;
}

TEST(what_is_no_run_is_refused_with_its_reason) {
  mjModel* m = test_model(kModel);
  free(record_run(m));
  size_t size;
  char error[300];
  char* bytes = file_read(&size, path, error, sizeof(error));
  char* copy = malloc(size);
  int nstate = cnd_stateSize(m);
  size_t model = (size_t)cnd_sizeModel(m), state = RUN_HEAD + 8 + model;
  size_t steps = state + 8 + (size_t)nstate * sizeof(mjtNum);
  size_t end = size - 8 - (size_t)nstate * sizeof(mjtNum) - 8;
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = keep_silent;

  check_refused("", 0, "not a recorded run");
  check_refused("<mujoco/>", 9, "not a recorded run");
  check_refused(bytes, RUN_HEAD, "is cut off");
  check_refused(bytes, size - 1, "damaged or cut off");
  check_refused(bytes, steps, "damaged or cut off");
  check_refused(NULL, -1, "too large");

#define CHANGED(at, type, value, reason)            \
  do {                                              \
    const type changed = (value);                   \
    memcpy(copy, bytes, size);                      \
    memcpy(copy + (at), &changed, sizeof(changed)); \
    check_summed(copy, size, reason);               \
  } while (0)
  CHANGED(8, int32_t, 0x04030201, "another byte order");
  CHANGED(12, int32_t, sizeof(mjtNum) == 8 ? 4 : 8, "precision");
  CHANGED(RUN_HEAD, int64_t, (int64_t)model - 8, "no model that can be loaded");
  CHANGED(RUN_HEAD, int64_t, -1, "no model that can be loaded");
  CHANGED(RUN_HEAD, int64_t, INT64_MAX, "no model that can be loaded");
  CHANGED(RUN_HEAD + 8, int32_t, 7, "no model that can be loaded");
  CHANGED(state, int64_t, nstate + 1, "first state");
  CHANGED(state, int64_t, INT64_MAX, "first state");
  CHANGED(steps, int32_t, INT32_MAX, "step 0 is not one");
  CHANGED(steps, int32_t, -2, "step 0 is not one");
  CHANGED(steps + 4, int32_t, -1, "step 0 is not one");
  CHANGED(steps + 4, int32_t, nstate, "step 0 is not one");
  CHANGED(steps + 8, int32_t, INT32_MAX, "step 0 is not one");
  CHANGED(steps + 8, int32_t, 0, "step 0 is not one");
  CHANGED(end, int64_t, NSTEPS + 1, "wrong end");
  CHANGED(end - 8, int32_t, 0, "");
#undef CHANGED

  // anything else, too: a change is told, or the file can be replayed
  uint64_t random = 3;
  for (int i = 0; i < 300; i++) {
    memcpy(copy, bytes, size);
    copy[xorshift_bits(&random) % size] ^= (char)(1 << (xorshift_bits(&random) % 8));
    check_refused(copy, size, "");
  }
  mju_user_warning = before;
  free(copy);
  heap_free(bytes);
}

TEST(hashes_tell_numbers_apart) {
  const mjtNum a[] = {1, 2, 3}, b[] = {1, 3, 2}, zero[] = {0}, minus[] = {(mjtNum)-0.0};
  assert_that(cnd_hashNumbers(a, 3), !=, cnd_hashNumbers(b, 3));
  assert_that(cnd_hashNumbers(a, 3), !=, cnd_hashNumbers(a, 2));
  assert_that(cnd_hashNumbers(zero, 1), !=, cnd_hashNumbers(minus, 1));
  const mjtNum nan[] = {(mjtNum)NAN}, other[] = {-(mjtNum)NAN};
  assert_that(cnd_hashNumbers(nan, 1), ==, cnd_hashNumbers(other, 1));
}
