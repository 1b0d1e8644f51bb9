// make.c: making and freeing batches, and what they tell about themselves.

#define _GNU_SOURCE  // PTHREAD_MUTEX_RECURSIVE

#include <condyle/computed.h>
#include <condyle/error.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "base/system/machine.h"
#include "batch/simulations/check.h"
#include "model/data/state.h"

void mjb_defaultConfig(mjBatchConfig* config) {
  check_given(config);
  *config = (mjBatchConfig){0, 0};
}

// Threads for a batch: as many as are asked for, or processors; no more than simulations.
static int count_threads(int wanted, int nsim) {
  int n = wanted > 0 ? wanted : system_processors();
  return int_max(1, int_min(int_min(n, nsim), mjMAXTHREAD));
}

// Zeros for n items, at least one byte; NULL if there is no memory.
static void* take_items(size_t n, size_t size) {
  size_t bytes;
  return size_multiply(&bytes, n, size) && bytes < PTRDIFF_MAX ? memory_take_zero(bytes + 1) : NULL;
}

typedef struct Making_ {
  const mjModel* m;
  int nthread, made;
  mjBatch* b;
} Making;

// Memory for rows and what is known of simulations.
static int take_rows(mjBatch* b) {
  size_t n = (size_t)b->nsim, width = (size_t)b->nstate * sizeof(mjtNum);
  int fields = cnd_modelFieldCount() + cnd_optionFieldCount() + 2;
  int outputs = cnd_dataFieldCount() + cnd_computedCount();
  b->state = take_items(n, width);
  b->warning = take_items(n, mjNWARNING * sizeof(mjWarningStat));
  b->own_warning = take_items(n, NOWN_WARNING * sizeof(mjWarningStat));
  b->status = take_items(n, sizeof(int));
  b->error = take_items(n, sizeof(char*));
  b->output = take_items((size_t)outputs, sizeof(Output));
  b->expanded = take_items((size_t)fields, sizeof(Expanded));
  b->differs = take_items((size_t)fields, 1);
  if (b->persistent) {
    b->d = take_items(n, sizeof(mjData*));
    b->is_ahead = take_items(n, 1);
    b->seen = take_items(n, width);
    b->seen_warning = take_items(n, mjNWARNING * sizeof(mjWarningStat));
  }
  return b->state && b->warning && b->own_warning && b->status && b->error && b->output &&
         b->expanded && b->differs &&
         (!b->persistent || (b->d && b->is_ahead && b->seen && b->seen_warning));
}

static int make_data(mjBatch* b) {
  int n = b->persistent ? b->nsim : b->nslot;
  for (int i = 0; i < n; i++) {
    mjData* d = mj_makeData(b->m);
    if (!d) {
      return 0;
    }
    *(b->persistent ? &b->d[i] : &b->slot[i].d) = d;
  }
  return 1;
}

// Fills every row with the state after a reset.
static void fill_rows(mjBatch* b) {
  const mjData* d = b->persistent ? b->d[0] : b->slot[0].d;
  for (int i = 0; i < b->nsim; i++) {
    mj_getState(b->m, d, sim_row(b, i), cndSTATE_INTEGRATION);
  }
}

// Makes everything, where a plugin may end in mju_error.
static void make(void* argument) {
  Making* w = argument;
  mjBatch* b = w->b;
  loop_open(&b->loop);
  b->loop.error = &b->loop_error;
  b->loop.nroom = 1;
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&b->lock, &recursive);
  pthread_mutexattr_destroy(&recursive);
  b->nslot = w->nthread;
  if (!b->persistent && w->m->opt.enableflags & mjENBL_SLEEP) {
    mju_error("sleep and IPC require a persistent batch: which trees sleep is no part of a row");
    return;
  }
  if ((b->m = mj_copyModel(NULL, w->m))) {
    b->nstate = mj_stateSize(b->m, cndSTATE_INTEGRATION);
    b->slot = take_items((size_t)b->nslot, sizeof(SimSlot));
    w->made = b->slot && take_rows(b) && (b->pool = cnd_makePool(b->nslot - 1)) && make_data(b);
  }
  if (w->made) {
    fill_rows(b);
  }
}

static void drop_warning(const char* message) {
  (void)message;
}

mjBatch* mjb_makeBatch(const mjModel* m, int nsim, const mjBatchConfig* config, char* error,
                       int error_sz) {
  check_given(m);
  char text[REPORT_BYTES] = "nsim must be positive";
  Making w = {m, 0, 0, NULL};
  if (nsim > 0) {
    w.nthread = count_threads(config ? config->nthread : 0, nsim);
    w.b = memory_take_zero(sizeof(mjBatch));
    snprintf(text, sizeof(text), MEMORY_OUT);
  }
  if (w.b) {
    w.b->nsim = nsim;
    w.b->persistent = config && config->persistent;
    ErrorHandler before = warning_handle(drop_warning);
    cnd_try(make, &w, text, sizeof(text));
    warning_handle(before);
  }
  if (w.made) {
    return w.b;
  }
  mjb_deleteBatch(w.b);
  if (error && error_sz > 0) {
    snprintf(error, (size_t)error_sz, "%s", text);
  }
  return NULL;
}

static void free_slots(mjBatch* b) {
  for (int s = 0; b->slot && s < b->nslot; s++) {
    SimSlot* slot = b->slot + s;
    mj_deleteData(slot->d);
    mj_deleteData(slot->work);
    mj_deleteModel(slot->full);
    mju_free(slot->own);
    mju_free(slot->box);
  }
  for (int i = 0; b->d && i < b->nsim; i++) {
    mj_deleteData(b->d[i]);
  }
}

void mjb_deleteBatch(mjBatch* b) {
  if (!b) {
    return;
  }
  sim_check("mjb_deleteBatch", b);
  cnd_deletePool(b->pool);
  loop_close(&b->loop);
  pthread_mutex_destroy(&b->lock);
  free_slots(b);
  for (int i = 0; b->error && i < b->nsim; i++) {
    mju_free(b->error[i]);
  }
  for (int k = 0; k < b->noutput; k++) {
    mju_free(b->output[k].array.data);
  }
  for (int k = 0; k < b->nexpanded; k++) {
    mju_free(b->expanded[k].rows);
    mju_free(b->expanded[k].seen);
  }
  mj_deleteModel(b->m);
  void* blocks[] = {b->slot,   b->d,        b->state,        b->warning,      b->own_warning,
                    b->status, b->error,    b->output,       b->expanded,     b->differs,
                    b->seen,   b->is_ahead, b->seen_warning, (void*)b->models};
  for (size_t k = 0; k < sizeof(blocks) / sizeof(blocks[0]); k++) {
    mju_free(blocks[k]);
  }
  mju_free(b);
}

// what they tell

int mjb_nsim(const mjBatch* b) {
  check_given(b);
  return b->nsim;
}

int mjb_nthread(const mjBatch* b) {
  check_given(b);
  return b->nslot;
}

int mjb_persistent(const mjBatch* b) {
  check_given(b);
  return b->persistent;
}

const mjModel* mjb_model(const mjBatch* b) {
  check_given(b);
  return b->m;
}

int mjb_nstate(const mjBatch* b) {
  check_given(b);
  return b->nstate;
}

mjtNum* mjb_state(mjBatch* b) {
  check_given(b);
  return b->state;
}

mjtNum* mjb_stateComponent(mjBatch* b, int component, int* size) {
  check_given(b);
  unsigned int bit = (unsigned int)component;
  if (component <= 0 || bit & (bit - 1) || !(bit & cndSTATE_INTEGRATION)) {
    mju_error("mjb_stateComponent: component must be one mjtState component");
    return NULL;
  }
  if (size) {
    *size = mj_stateSize(b->m, bit);
  }
  unsigned int before = state_before(cndSTATE_INTEGRATION, bit);
  return b->state + (before ? mj_stateSize(b->m, before) : 0);
}

mjtNum* cnd_stateComponentAs(int dialect, mjBatch* b, int component, int* size) {
  int is_known = component > 0 && component < 1 << 15;
  int bit = is_known ? (int)cnd_stateSignature(dialect, component) : 0;
  return mjb_stateComponent(b, bit, size);
}

mjWarningStat* mjb_warning(mjBatch* b) {
  check_given(b);
  return b->warning;
}

const int* mjb_status(const mjBatch* b) {
  check_given(b);
  return b->status;
}

const char* mjb_error(const mjBatch* b, int sim) {
  check_given(b);
  if (sim < 0 || sim >= b->nsim || !b->status[sim]) {
    return "";
  }
  return b->error[sim] ? b->error[sim] : MEMORY_OUT;
}
