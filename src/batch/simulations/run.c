// run.c: a call over simulations: load a row, run, save it, copy outputs; errors one by one.
//
// An item of the loop is one selected simulation. Its error is caught here, so that the others go
// on and each keeps its text; the row of one that failed is not written.

#include "batch/simulations/run.h"

#include <condyle/error.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/memory.h"
#include "batch/simulations/check.h"
#include "batch/simulations/expand.h"
#include "batch/simulations/output.h"
#include "model/data/state.h"
#include "step/step.h"

SimCall sim_call(const char* function, const mjBatch* b, const int* ids, int nid, SimRun run) {
  sim_check(function, b);
  if (ids && nid < 0) {
    mju_error("%s: nid must be non-negative, got %d", function, nid);
  }
  for (int k = 0; ids && k < nid; k++) {
    if (ids[k] < 0 || ids[k] >= b->nsim || (k && ids[k] <= ids[k - 1])) {
      mju_error("%s: simulation ids must be sorted, unique and in [0, %d); ids[%d] is %d", function,
                b->nsim, k, ids[k]);
    }
  }
  return (SimCall){.function = function, .ids = ids, .n = ids ? nid : b->nsim, .run = run};
}

// state

void sim_set_state(const mjModel* m, mjData* d, const mjtNum* numbers, unsigned int sig) {
  const unsigned int active = mjSTATE_EQ_ACTIVE;
  unsigned int before = state_before(sig, active), after = sig & ~(before | active);
  if (before) {
    mj_setState(m, d, numbers, before);
    numbers += mj_stateSize(m, before);
  }
  if (sig & active) {
    for (int e = 0; e < m->neq; e++) {
      d->eq_active[e] = numbers[e] != 0;
    }
    numbers += m->neq;
  }
  if (after) {
    mj_setState(m, d, numbers, after);
  }
}

void sim_load(const mjBatch* b, const mjModel* m, mjData* d, int sim) {
  sim_set_state(m, d, sim_row(b, sim), cndSTATE_INTEGRATION);
  memcpy(d->warning, b->warning + (size_t)sim * mjNWARNING, sizeof(d->warning));
  memcpy(d->cnd_warning, b->own_warning + (size_t)sim * NOWN_WARNING, sizeof(d->cnd_warning));
}

static void save(const mjBatch* b, const mjModel* m, const mjData* d, int sim) {
  mj_getState(m, d, sim_row(b, sim), cndSTATE_INTEGRATION);
  memcpy(b->warning + (size_t)sim * mjNWARNING, d->warning, sizeof(d->warning));
  memcpy(b->own_warning + (size_t)sim * NOWN_WARNING, d->cnd_warning, sizeof(d->cnd_warning));
}

// going on from stages that are done

void sim_forget_stages(mjBatch* b, int sim) {
  if (b->persistent) {
    b->is_ahead[sim] = 0;
  }
}

// Remembers that d holds the stages of the row that has just been saved, if it does.
static void note_stages(mjBatch* b, const mjModel* m, const mjData* d, int sim) {
  const SimCall* call = b->call;
  sim_forget_stages(b, sim);
  if (!b->persistent || call->stage < mjSTAGE_VEL || !step_can_continue(m, d)) {
    return;
  }
  size_t first = (size_t)sim * mjNWARNING;
  b->is_ahead[sim] = 1;
  memcpy(b->seen + (size_t)sim * (size_t)b->nstate, sim_row(b, sim),
         (size_t)b->nstate * sizeof(mjtNum));
  memcpy(b->seen_warning + first, b->warning + first, mjNWARNING * sizeof(mjWarningStat));
  expand_note(b, sim);
}

// Whether the bytes of the row that velocity stages read are those that were seen.
static int is_same_row(const mjBatch* b, int sim) {
  const unsigned int late = mjSTATE_CTRL | mjSTATE_QFRC_APPLIED | mjSTATE_XFRC_APPLIED;
  const mjtNum* row = sim_row(b, sim);
  const mjtNum* seen = b->seen + (size_t)sim * (size_t)b->nstate;
  size_t at = 0;
  for (int i = 0; i < STATE_NPART; i++) {
    unsigned int bit = state_part(i);
    size_t n = (size_t)mj_stateSize(b->m, bit);
    if (!(late & bit) && memcmp(row + at, seen + at, n * sizeof(mjtNum)) != 0) {
      return 0;
    }
    at += n;
  }
  return 1;
}

int sim_is_ahead(const mjBatch* b, int sim) {
  size_t first = (size_t)sim * mjNWARNING;
  return b->persistent && b->is_ahead[sim] && is_same_row(b, sim) &&
         !memcmp(b->seen_warning + first, b->warning + first, mjNWARNING * sizeof(mjWarningStat)) &&
         expand_is_same(b, sim);
}

// running

static mjData* data_of(const SimItem* item) {
  return item->b->persistent ? item->b->d[item->sim] : item->slot->d;
}

static void run_simulation(void* argument) {
  const SimItem* item = argument;
  mjBatch* b = item->b;
  const SimCall* call = b->call;
  mjData* d = data_of(item);
  const mjModel* m = expand_enter(b, item->slot, item->sim);
  if (!b->persistent && m->opt.enableflags & mjENBL_SLEEP) {
    mju_error("sleep and IPC require a persistent batch: which trees sleep is no part of a row");
    return;
  }
  if (!call->skips_load) {
    sim_load(b, m, d, item->sim);
  }
  if (call->refreshes && !b->persistent) {
    output_load(b, d, item->sim);
  }
  call->run(item, call, m, d);
  if (call->saves) {
    save(b, m, d, item->sim);
  }
  if (call->refreshes) {
    output_store(b, m, d, item->sim);
  }
  note_stages(b, m, d, item->sim);
}

// Makes the data that an error has left half written sound again.
static void mend(void* argument) {
  const SimItem* item = argument;
  sim_forget_stages(item->b, item->sim);
  mj_resetData(item->b->m, data_of(item));
}

// Keeps the outcome of a simulation. The memory for a text stays with it.
static void note_outcome(mjBatch* b, int sim, int failed, const char* text) {
  b->status[sim] = failed;
  if (failed && !b->error[sim]) {
    b->error[sim] = memory_take(REPORT_BYTES);
  }
  if (b->error[sim]) {
    snprintf(b->error[sim], REPORT_BYTES, "%s", failed ? text : "");
  }
}

static void run_item(void* argument, int k, int slot) {
  mjBatch* b = argument;
  SimItem item = {b, b->call->ids ? b->call->ids[k] : k, k, b->slot + slot};
  SimRunning here;
  char text[REPORT_BYTES] = "";
  sim_enter(&here, b);
  int failed = cnd_try(run_simulation, &item, text, sizeof(text));
  if (failed) {
    cnd_try(mend, &item, NULL, 0);
  }
  sim_leave(&here);
  note_outcome(b, item.sim, failed, text);
}

int sim_run(mjBatch* b, const SimCall* call) {
  pthread_mutex_lock(&b->lock);
  b->call = call;
  b->ncall++;
  b->loop.n = call->n;
  b->loop.nslot = b->nslot;
  b->loop.item = run_item;
  b->loop.argument = b;
  loop_run(&b->loop, b->pool);
  int failed = 0;
  for (int k = 0; k < call->n; k++) {
    failed += b->status[call->ids ? call->ids[k] : k] != 0;
  }
  b->call = NULL;
  pthread_mutex_unlock(&b->lock);
  return failed;
}
