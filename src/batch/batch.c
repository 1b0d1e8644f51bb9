// batch.c: making and freeing batches, and running a call over their worlds.
//
// An item of the loop is one world. Its rows are copied into the thread's slot, the call works on
// them, and they are copied back. After an error nothing is copied back and the slot is reset.

#include "batch/batch.h"

#include <condyle/error.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#include <stdio.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "batch/blocks.h"
#include "batch/column.h"
#include "batch/parameter.h"

static void run_world(void* argument, int world, int slot_number) {
  cndBatch* batch = argument;
  Slot* slot = batch->slot + slot_number;
  if (!batch->mask[world]) {
    return;
  }
  double begin = blocks_clock(batch);
  const mjModel* m = parameter_enter(batch, slot, world);
  column_load(batch, slot, world);
  BatchKeep keep = batch->run(batch, m, slot, world);
  if (keep == KEEP_NOTHING) {
    mj_resetData(m, slot->d);
  } else {
    column_store(batch, slot, world, keep);
  }
  slot->spent += blocks_clock(batch) - begin;
}

static void mend_slot(void* argument, int world, int slot_number) {
  cndBatch* batch = argument;
  batch->failed[world] = 1;
  mj_resetData(batch->m, batch->slot[slot_number].d);
}

int batch_cancelled(cndBatch* batch, const Slot* slot) {
  return loop_givenup(&batch->loop, 0, (int)(slot - batch->slot));
}

// Makes single worlds the items of the loop.
static void loop_worlds(cndBatch* batch) {
  batch->loop.n = batch->n;
  batch->loop.item = run_world;
}

static void prepare(cndBatch* batch, const mjtByte* mask, WorldCall call) {
  if (mask) {
    memcpy(batch->mask, mask, (size_t)batch->n);
  } else {
    memset(batch->mask, 1, (size_t)batch->n);
  }
  memset(batch->failed, 0, (size_t)batch->n);
  batch->error[0] = 0;
  batch->ncall++;
  batch->run = call;
  int others = batch->m->nplugin || mjcb_control || mjcb_passive || mjcb_contactfilter ||
               mjcb_sensor || mjcb_act_dyn || mjcb_act_gain || mjcb_act_bias;
  batch->call.keep = others || batch->call.control ? KEEP_ALL : KEEP_STEP;
  batch->lanes.runs = batch->lanes.trial.timed = 0;
  loop_worlds(batch);
}

void batch_start(cndBatch* batch, const mjtByte* mask, WorldCall call, int helpers) {
  prepare(batch, mask, call);
  loop_start(&batch->loop, batch->pool, helpers);
}

void batch_start_steps(cndBatch* batch, const mjtByte* mask, WorldCall call, int helpers) {
  prepare(batch, mask, call);
  blocks_start(batch);
  loop_start(&batch->loop, batch->pool, helpers);
}

cndtRun batch_finish(cndBatch* batch) {
  cndtRun run = loop_finish(&batch->loop);
  if (blocks_left(batch, run == cndRUN_CANCELLED)) {
    // the last step is not cancelled: it completes worlds whose other steps are done
    cndfCancel cancel = batch->loop.cancel;
    batch->loop.cancel = batch->lanes.last ? NULL : cancel;
    loop_worlds(batch);
    loop_start(&batch->loop, batch->pool, batch->nslot - 1);
    cndtRun rest = loop_finish(&batch->loop);
    batch->loop.cancel = cancel;
    run = run == cndRUN_CANCELLED ? run : rest;
  }
  blocks_end(batch, run == cndRUN_CANCELLED);
  const LoopError* first = batch->loop.error;
  if (batch->loop.nerror) {
    snprintf(batch->error, sizeof(batch->error), "world %d: %s", first->item, first->message);
  }
  return run;
}

cndtRun batch_run(cndBatch* batch, const mjtByte* mask, WorldCall call) {
  batch_start(batch, mask, call, batch->nslot - 1);
  return batch_finish(batch);
}

cndtRun batch_run_steps(cndBatch* batch, const mjtByte* mask, WorldCall call) {
  batch_start_steps(batch, mask, call, batch->nslot - 1);
  return batch_finish(batch);
}

const mjtByte* cnd_batchFailed(const cndBatch* batch) {
  batch_check("cnd_batchFailed", batch);
  return batch->failed;
}

const char* cnd_batchError(const cndBatch* batch) {
  batch_check("cnd_batchError", batch);
  return batch->error;
}

const char* cnd_batchWorldError(const cndBatch* batch, int world) {
  batch_check("cnd_batchWorldError", batch);
  check_index("cnd_batchWorldError", "world", world, batch->n);
  const Loop* loop = &batch->loop;
  for (int k = 0; k < loop->nerror; k++) {
    if (loop->error[k].item == world) {
      return loop->error[k].message;
    }
  }
  return batch->failed[world] ? "its error was not kept: too many worlds before it failed" : "";
}

// making and freeing

static int make_slots(cndBatch* batch, int nthread) {
  batch->nslot = int_max(nthread, 1);
  batch->slot = memory_take((size_t)batch->nslot * sizeof(Slot));
  if (!batch->slot) {
    return 0;
  }
  memset(batch->slot, 0, (size_t)batch->nslot * sizeof(Slot));
  size_t places = (size_t)NSTATE + (size_t)cnd_dataFieldCount();
  for (int s = 0; s < batch->nslot; s++) {
    batch->slot[s].d = mj_makeData(batch->m);
    batch->slot[s].place = memory_take_zero(places * sizeof(char*));
    if (!batch->slot[s].d || !batch->slot[s].place) {
      return 0;
    }
  }
  return 1;
}

typedef struct Making_ {
  const mjModel* m;
  int n, nthread, made;
  cndBatch* batch;
} Making;

// Makes the data of a slot, where a plugin may end in mju_error.
static void make(void* argument) {
  Making* w = argument;
  cndBatch* batch = w->batch;
  size_t n = (size_t)w->n;
  batch->m = w->m;
  batch->n = w->n;
  batch->lanes.choice = cndLANES_AUTO;
  Loop* loop = &batch->loop;
  loop_open(loop);
  loop->nroom = int_min(w->n, MAX_ERRORS);
  loop->error = memory_take_zero((size_t)loop->nroom * sizeof(LoopError));
  batch->output = memory_take_zero((size_t)cnd_dataFieldCount() * sizeof(Column));
  batch->mask = memory_take_zero(n);
  batch->failed = memory_take_zero(n);
  batch->has_warned = memory_take_zero(n);
  w->made = loop->error && batch->output && batch->mask && batch->failed && batch->has_warned &&
            (batch->pool = cnd_makePool(w->nthread)) && make_slots(batch, w->nthread) &&
            column_state(batch) && blocks_make(batch);
  loop->nslot = batch->nslot;
  loop->mend = mend_slot;
  loop->all = 1;
  loop->argument = batch;
}

cndBatch* cnd_makeBatch(const mjModel* m, int n, int nthread) {
  check_given(m);
  if (n < 1) {
    mju_error("cnd_makeBatch: n is %d, must be >= 1", n);
    return NULL;
  }
  if (nthread < 0 || nthread > mjMAXTHREAD) {
    mju_error("cnd_makeBatch: nthread is %d, must be 0 to %d", nthread, mjMAXTHREAD);
    return NULL;
  }
  if (m->opt.enableflags & mjENBL_SLEEP) {
    mju_error(
        "cnd_makeBatch: trees of the model may sleep (flag sleep), but which do is no part of the "
        "state of a world");
    return NULL;
  }
  Making w = {m, n, nthread, 0, memory_take_zero(sizeof(cndBatch))};
  char error[REPORT_BYTES] = "";
  int failed = w.batch && cnd_try(make, &w, error, sizeof(error));
  if (w.made) {
    return w.batch;
  }
  cnd_deleteBatch(w.batch);
  if (failed) {
    mju_error("%s", error);
  } else {
    mju_warning("cnd_makeBatch: out of memory or threads: %d worlds, %d threads", n, nthread);
  }
  return NULL;
}

void cnd_deleteBatch(cndBatch* batch) {
  if (!batch) {
    return;
  }
  if (batch->busy) {
    batch_finish(batch);
  }
  cnd_deletePool(batch->pool);
  if (batch->m) {
    loop_close(&batch->loop);
  }
  blocks_free(batch);
  parameter_free(batch);
  for (int s = 0; batch->slot && s < batch->nslot; s++) {
    mj_deleteData(batch->slot[s].d);
    mju_free(batch->slot[s].place);
  }
  for (int k = 0; k < NSTATE; k++) {
    mju_free(batch->state[k].data);
  }
  for (int k = 0; k < batch->noutput; k++) {
    mju_free(batch->output[k].data);
  }
  void* blocks[] = {batch->slot,   batch->output,     batch->mask,
                    batch->failed, batch->has_warned, batch->loop.error};
  for (size_t k = 0; k < sizeof(blocks) / sizeof(blocks[0]); k++) {
    mju_free(blocks[k]);
  }
  mju_free(batch);
}

int cnd_batchSize(const cndBatch* batch) {
  check_given(batch);
  return batch->n;
}

int cnd_batchThreads(const cndBatch* batch) {
  check_given(batch);
  return cnd_poolThreads(batch->pool);
}

const mjModel* cnd_batchModel(const cndBatch* batch) {
  check_given(batch);
  return batch->m;
}

void cnd_batchCancel(cndBatch* batch, cndfCancel cancel, void* argument) {
  batch_check("cnd_batchCancel", batch);
  batch->loop.cancel = cancel;
  batch->loop.cancel_argument = argument;
}

mjModel* cnd_batchCopyModel(cndBatch* batch, int world) {
  batch_check("cnd_batchCopyModel", batch);
  check_index("cnd_batchCopyModel", "world", world, batch->n);
  batch->ncall++;
  return mj_copyModel(NULL, parameter_enter(batch, batch->slot, world));
}
