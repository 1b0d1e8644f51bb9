// record.c: writing the file of a run, step by step.

#include <condyle/output.h>
#include <condyle/replay.h>
#include <condyle/state.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "replay/format.h"

struct cndRecorder_ {
  cndOutput out;
  char* path;
  int nstate;
  const mjModel* model;  // the one that is in the file
  uint64_t model_sum;    // of its bytes
  int64_t steps;
  int is_stepping;     // has a step begun that hasn't ended?
  uint64_t sum;        // of all bytes so far
  mjtNum *left, *now;  // the state that the last step left, and that of d
};

// What stands apart is one run: numbers between, that are the same, cost less than a head of two.
enum {
  RUN_GAP = 2
};

static void write_bytes(cndRecorder* r, const void* bytes, size_t count) {
  r->sum = run_sum(r->sum, bytes, count);
  fwrite(bytes, 1, count, r->out.file);  // failures stay in the file and are told at the end
}

static void write_int(cndRecorder* r, int32_t value) {
  write_bytes(r, &value, sizeof(value));
}

static void write_long(cndRecorder* r, int64_t value) {
  write_bytes(r, &value, sizeof(value));
}

static void write_numbers(cndRecorder* r, const mjtNum* numbers, int n) {
  write_bytes(r, numbers, (size_t)n * sizeof(mjtNum));
}

// The bytes of a model; NULL if memory runs out.
static void* model_bytes(int64_t* size, const mjModel* m) {
  *size = cnd_sizeModel(m);
  void* bytes = memory_take((size_t)*size);
  if (bytes) {
    cnd_saveModel(m, NULL, bytes, *size);
  }
  return bytes;
}

static void write_head(cndRecorder* r) {
  char head[RUN_HEAD] = {0};
  const int32_t number[2] = {RUN_ORDER, (int32_t)sizeof(mjtNum)};
  memcpy(head, RUN_MAGIC, sizeof(RUN_MAGIC) - 1);
  memcpy(head + 8, number, sizeof(number));
  cnd_replayHere(head + RUN_TEXT, RUN_HEAD - RUN_TEXT);
  write_bytes(r, head, sizeof(head));
}

static int tell_reason(char* error, int error_sz, const char* path, const char* reason) {
  if (error_sz > 0) {
    snprintf(error, (size_t)error_sz, "%s: %s", path, reason);
  }
  return 0;
}

static void free_recorder(cndRecorder* r) {
  mju_free(r->path);
  mju_free(r->left);
  mju_free(r->now);
  mju_free(r);
}

// Memory for a recorder, NULL if it runs out.
static cndRecorder* make_recorder(const char* path, int nstate) {
  cndRecorder* r = memory_take(sizeof(cndRecorder));
  if (!r) {
    return NULL;
  }
  *r = (cndRecorder){.nstate = nstate, .sum = run_sum_start};
  size_t numbers = (size_t)mjMAX(1, nstate) * sizeof(mjtNum);
  r->path = memory_take(strlen(path) + 1);
  r->left = memory_take(numbers);
  r->now = memory_take(numbers);
  if (!r->path || !r->left || !r->now) {
    free_recorder(r);
    return NULL;
  }
  strcpy(r->path, path);
  return r;
}

cndRecorder* cnd_openRecorder(const char* path, const mjModel* m, const mjData* d, char* error,
                              int error_sz) {
  check_given(path, m, d);
  int64_t size;
  void* model = model_bytes(&size, m);
  cndRecorder* r = model ? make_recorder(path, cnd_stateSize(m)) : NULL;
  if (!r) {
    mju_free(model);
    tell_reason(error, error_sz, path, "out of memory");
    return NULL;
  }
  if (!cnd_openOutput(&r->out, r->path)) {
    tell_reason(error, error_sz, path, strerror(r->out.reason));
    mju_free(model);
    free_recorder(r);
    return NULL;
  }
  r->model = m;
  r->model_sum = run_sum(run_sum_start, model, (size_t)size);
  write_head(r);
  write_long(r, size);
  write_bytes(r, model, (size_t)size);
  mju_free(model);
  write_long(r, r->nstate);
  cnd_getState(m, d, r->left);
  write_numbers(r, r->left, r->nstate);
  return r;
}

// Are the bits of two numbers the same?
static int is_same(const mjtNum* a, const mjtNum* b) {
  return memcmp(a, b, sizeof(mjtNum)) == 0;
}

// The next run of numbers that differ, from i on: its beginning, n if there is none, and its end.
static int find_run(int* end, const cndRecorder* r, int i) {
  const mjtNum *a = r->left, *b = r->now;
  int n = r->nstate;
  while (i < n && is_same(a + i, b + i)) {
    i++;
  }
  *end = i;
  for (int k = i; k < n && k - *end <= RUN_GAP; k++) {
    *end = is_same(a + k, b + k) ? *end : k + 1;
  }
  return i;
}

static void write_inputs(cndRecorder* r) {
  int count = 0, end = 0;
  for (int i = find_run(&end, r, 0); i < r->nstate; i = find_run(&end, r, end)) {
    count++;
  }
  write_int(r, count);
  for (int i = find_run(&end, r, 0); i < r->nstate; i = find_run(&end, r, end)) {
    write_int(r, i);
    write_int(r, end - i);
    write_numbers(r, r->now + i, end - i);
  }
}

void cnd_recordStep(cndRecorder* r, const mjModel* m, mjData* d) {
  check_given(r, m, d);
  if (cnd_stateSize(m) != r->nstate) {
    mju_error("cnd_recordStep: the state has %d numbers, that of the recorded model %d",
              cnd_stateSize(m), r->nstate);
  }
  cnd_getState(m, d, r->now);
  write_inputs(r);
  r->is_stepping = 1;
  r->steps++;
  mj_step(m, d);
  r->is_stepping = 0;
  cnd_getState(m, d, r->left);
  write_long(r, (int64_t)cnd_hashNumbers(r->left, r->nstate));
}

int cnd_closeRecorder(cndRecorder* r, char* error, int error_sz) {
  if (!r) {
    return tell_reason(error, error_sz, "cnd_closeRecorder", "there is no recorder");
  }
  int64_t size;
  void* model = model_bytes(&size, r->model);
  int changed = !model || run_sum(run_sum_start, model, (size_t)size) != r->model_sum;
  mju_free(model);
  if (r->is_stepping) {
    write_long(r, 0);  // an error has ended the step, as it will in a replay
  }
  write_int(r, RUN_END);
  write_int(r, changed ? RUN_CHANGED : 0);
  write_long(r, r->steps);
  write_numbers(r, r->left, r->nstate);
  uint64_t sum = r->sum;
  fwrite(&sum, sizeof(sum), 1, r->out.file);
  int done = cnd_closeOutput(&r->out, 1);
  if (!done) {
    tell_reason(error, error_sz, r->path, strerror(r->out.reason));
  }
  free_recorder(r);
  return done;
}

void cnd_dropRecorder(cndRecorder* r) {
  if (r) {
    cnd_closeOutput(&r->out, 0);
    free_recorder(r);
  }
}
