// replay.c: reading the file of a run, and stepping it again.
//
// All of the file is checked when it is opened, so that steps need no checks.

#include <condyle/error.h>
#include <condyle/replay.h>
#include <condyle/state.h>
#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/derive.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "replay/format.h"

struct cndReplay_ {
  char* bytes;
  size_t size, at;    // at: what comes next
  size_t first;       // where the steps begin
  const char* start;  // numbers of the first state, and of the last
  const char* last;
  mjModel* model;
  int nstate;
  int64_t steps, done;  // all steps, and those that were taken
  int is_set;           // are the inputs of the next step in place?
  mjtNum* state;
  char writer[RUN_HEAD];
};

static cndReplay* refuse_run(cndReplay* r, char* error, int error_sz, const char* path,
                             const char* reason) {
  if (error_sz > 0) {
    snprintf(error, (size_t)error_sz, "%s: %s", path, reason);
  }
  cnd_closeReplay(r);
  return NULL;
}

// The next bytes, NULL if there are not so many.
static const char* take_bytes(cndReplay* r, int64_t count) {
  if (count < 0 || (uint64_t)count > r->size - r->at) {
    return NULL;
  }
  const char* bytes = r->bytes + r->at;
  r->at += (size_t)count;
  return bytes;
}

static int take_int(cndReplay* r, int32_t* value) {
  const char* bytes = take_bytes(r, sizeof(*value));
  if (bytes) {
    memcpy(value, bytes, sizeof(*value));
  }
  return bytes != NULL;
}

static int take_long(cndReplay* r, int64_t* value) {
  const char* bytes = take_bytes(r, sizeof(*value));
  if (bytes) {
    memcpy(value, bytes, sizeof(*value));
  }
  return bytes != NULL;
}

static const char* take_numbers(cndReplay* r, int64_t count) {
  return count > INT32_MAX ? NULL : take_bytes(r, count * (int64_t)sizeof(mjtNum));
}

// Why the head can't be read, NULL if it can.
static const char* read_run_head(cndReplay* r) {
  const char* head = take_bytes(r, RUN_HEAD);
  if (!head || memcmp(head, RUN_MAGIC, sizeof(RUN_MAGIC) - 1)) {
    return "not a recorded run (condyle simulate --save writes them)";
  }
  int32_t number[2];
  memcpy(number, head + 8, sizeof(number));
  if (number[0] != RUN_ORDER) {
    return "was recorded on a machine of another byte order";
  }
  if (number[1] != (int32_t)sizeof(mjtNum)) {
    return number[1] == 4 ? "was recorded by a build with single precision"
                          : "was recorded by a build with another precision";
  }
  snprintf(r->writer, sizeof(r->writer), "%.*s", RUN_HEAD - RUN_TEXT - 1, head + RUN_TEXT);
  // a line of plain text, whatever the file says
  for (char* c = r->writer; *c; c++) {
    *c = *c < ' ' || *c > '~' ? '?' : *c;
  }
  return NULL;
}

static const char* check_run_sum(const cndReplay* r) {
  uint64_t sum;
  if (r->size < RUN_HEAD + sizeof(sum)) {
    return "is cut off";
  }
  memcpy(&sum, r->bytes + r->size - sizeof(sum), sizeof(sum));
  return sum == run_sum(run_sum_start, r->bytes, r->size - sizeof(sum))
             ? NULL
             : "is damaged or cut off: its sum is wrong";
}

static void load_run_model(void* argument) {
  cndReplay* r = argument;
  int64_t size;
  const char* bytes = take_long(r, &size) ? take_bytes(r, size) : NULL;
  if (bytes) {
    r->model = mj_loadModelBuffer(bytes, (mjtSize)size);
    r->nstate = r->model ? cnd_stateSize(r->model) : 0;
  }
}

static const char* read_run_model(cndReplay* r) {
  char reason[200];
  if (cnd_try(load_run_model, r, reason, sizeof(reason)) || !r->model) {
    return "has no model that can be loaded";
  }
  int64_t count;
  r->start = take_long(r, &count) && count == r->nstate ? take_numbers(r, count) : NULL;
  r->first = r->at;
  return r->start ? NULL : "its first state is not one of its model";
}

// Are the runs of a step in the state? They are sorted.
static int check_runs(cndReplay* r, int32_t runs) {
  int32_t end = 0, first, count;
  for (int32_t i = 0; i < runs; i++) {
    if (!take_int(r, &first) || !take_int(r, &count) || first < end || count < 1 ||
        count > r->nstate - first || !take_numbers(r, count)) {
      return 0;
    }
    end = first + count;
  }
  return 1;
}

static const char* check_steps(cndReplay* r, char* reason, size_t reason_sz) {
  int32_t runs, flags;
  int64_t hash, steps;
  for (; take_int(r, &runs) && runs != RUN_END; r->steps++) {
    if (runs < 0 || !check_runs(r, runs) || !take_long(r, &hash)) {
      snprintf(reason, reason_sz, "step %lld is not one of its model", (long long)r->steps);
      return reason;
    }
  }
  if (!take_int(r, &flags) || !take_long(r, &steps) || steps != r->steps ||
      !(r->last = take_numbers(r, r->nstate)) || r->size - r->at != sizeof(uint64_t)) {
    return "has a wrong end";
  }
  if (flags & RUN_CHANGED) {
    size_t length = strlen(r->writer);
    snprintf(r->writer + length, sizeof(r->writer) - length, "\nmodel changed");
  }
  return NULL;
}

// Takes the bytes, which end with a 0 behind the last one.
static cndReplay* read_run(char* bytes, size_t size, const char* path, char* error, int error_sz) {
  cndReplay* r = memory_take_zero(sizeof(cndReplay));
  if (!r) {
    heap_free(bytes);
    return refuse_run(NULL, error, error_sz, path, "out of memory");
  }
  r->bytes = bytes;
  r->size = size;
  char detail[100];
  const char* reason = read_run_head(r);
  reason = reason ? reason : check_run_sum(r);
  reason = reason ? reason : read_run_model(r);
  reason = reason ? reason : check_steps(r, detail, sizeof(detail));
  if (!reason) {
    r->at = r->first;
    r->state = memory_take((size_t)mjMAX(1, r->nstate) * sizeof(mjtNum));
    reason = r->state ? NULL : "out of memory";
  }
  return reason ? refuse_run(r, error, error_sz, path, reason) : r;
}

cndReplay* cnd_openReplay(const char* path, char* error, int error_sz) {
  check_given(path);
  size_t size;
  char reason[300];
  char* bytes = file_read(&size, path, reason, sizeof(reason));
  return bytes ? read_run(bytes, size, path, error, error_sz)
               : refuse_run(NULL, error, error_sz, path, reason);
}

cndReplay* cnd_openReplayBuffer(const void* bytes, int64_t size, char* error, int error_sz) {
  check_arrays(size, bytes);
  char* copy = size < 0 || size > FILE_MAX_BYTES ? NULL : heap_try(NULL, (size_t)size + 1);
  if (!copy) {
    return refuse_run(NULL, error, error_sz, "run", "too large");
  }
  if (size) {
    memcpy(copy, bytes, (size_t)size);
  }
  return read_run(copy, (size_t)size, "run", error, error_sz);
}

void cnd_closeReplay(cndReplay* r) {
  if (r) {
    mj_deleteModel(r->model);
    heap_free(r->bytes);
    mju_free(r->state);
    mju_free(r);
  }
}

const mjModel* cnd_replayModel(const cndReplay* r) {
  check_given(r);
  return r->model;
}

int64_t cnd_replaySteps(const cndReplay* r) {
  check_given(r);
  return r->steps;
}

const char* cnd_replayWriter(const cndReplay* r) {
  check_given(r);
  return r->writer;
}

void cnd_replayStart(cndReplay* r, mjData* d) {
  check_given(r, d);
  mj_resetData(r->model, d);
  memcpy(r->state, r->start, (size_t)r->nstate * sizeof(mjtNum));
  cnd_setState(r->model, d, r->state);
  r->at = r->first;
  r->done = 0;
  r->is_set = 0;
}

void cnd_replayInputs(cndReplay* r, mjData* d) {
  check_given(r, d);
  if (r->done == r->steps || r->is_set) {
    return;
  }
  int32_t runs = 0, first = 0, count = 0;
  take_int(r, &runs);
  if (runs) {
    cnd_getState(r->model, d, r->state);
  }
  for (int32_t i = 0; i < runs && take_int(r, &first) && take_int(r, &count); i++) {
    memcpy(r->state + first, take_numbers(r, count), (size_t)count * sizeof(mjtNum));
  }
  if (runs) {
    cnd_setState(r->model, d, r->state);
  }
  r->is_set = 1;
}

cndtReplay cnd_replayStep(cndReplay* r, mjData* d) {
  check_given(r, d);
  if (r->done == r->steps) {
    return cndREPLAY_END;
  }
  cnd_replayInputs(r, d);
  mj_step(r->model, d);
  int64_t hash = 0;
  take_long(r, &hash);
  r->done++;
  r->is_set = 0;
  cnd_getState(r->model, d, r->state);
  return (uint64_t)hash == cnd_hashNumbers(r->state, r->nstate) ? cndREPLAY_SAME
                                                                : cndREPLAY_DIFFERS;
}

// The largest difference of n numbers; NaN beside a number is infinitely far.
static mjtNum largest_difference(const mjtNum* a, const mjtNum* b, int n) {
  mjtNum largest = 0;
  for (int i = 0; i < n; i++) {
    mjtNum difference = run_bits(a[i]) == run_bits(b[i]) ? 0 : mju_abs(a[i] - b[i]);
    largest = isnan(difference) ? (mjtNum)INFINITY : mju_max(largest, difference);
  }
  return largest;
}

void cnd_replayDistance(const cndReplay* r, const mjData* d, mjtNum* qpos, mjtNum* qvel) {
  check_given(r, d, qpos, qvel);
  const mjModel* m = r->model;
  // time, qpos and qvel are the first of a state
  memcpy(r->state, r->last, (size_t)r->nstate * sizeof(mjtNum));
  *qpos = largest_difference(r->state + 1, d->qpos, (int)m->nq);
  *qvel = largest_difference(r->state + 1 + m->nq, d->qvel, (int)m->nv);
}
