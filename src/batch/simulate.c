// simulate.c: reset, step, forward and rollout of the worlds of a batch.

#include <condyle/state.h>
#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/derive.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "batch/batch.h"
#include "batch/blocks.h"
#include "batch/column.h"

static BatchKeep reset_world(cndBatch* batch, const mjModel* m, Slot* slot, int world) {
  (void)world;
  mj_resetDataKeyframe(m, slot->d, batch->call.key);
  return KEEP_ALL;
}

cndtRun cnd_batchReset(cndBatch* batch, const mjtByte* mask, int key) {
  batch_check("cnd_batchReset", batch);
  if (key < -1 || key >= batch->m->nkey) {
    mju_error("cnd_batchReset: keyframe %d does not exist: there are %d, and -1 means none", key,
              batch->m->nkey);
  }
  batch->call = (BatchCall){.key = key};
  return batch_run(batch, mask, reset_world);
}

void cnd_batchBodyForces(cndBatch* batch, int on) {
  batch_check("cnd_batchBodyForces", batch);
  batch->body_forces = on != 0;
}

// What follows the last of nstep evaluations. After no evaluation, contacts in d are those of
// another world, so body forces are not computed from them.
static BatchKeep end_world(const cndBatch* batch, const mjModel* m, mjData* d, int nstep) {
  if (batch->body_forces && nstep) {
    mj_rnePostConstraint(m, d);
  }
  return batch->call.keep;
}

static BatchKeep step_world(cndBatch* batch, const mjModel* m, Slot* slot, int world) {
  int nstep = blocks_steps(batch, world);
  for (int t = 0; t < nstep; t++) {
    if (batch_cancelled(batch, slot)) {
      return KEEP_NOTHING;
    }
    mj_step(m, slot->d);
  }
  return end_world(batch, m, slot->d, nstep);
}

// Checks the arguments of a step and sets the controls.
static void prepare_step(const char* function, cndBatch* batch, const mjtByte* mask,
                         const mjtNum* ctrl, int nstep) {
  batch_check(function, batch);
  if (nstep < 0) {
    mju_error("%s: nstep is %d, must be >= 0", function, nstep);
  }
  if (ctrl) {
    column_control(batch, mask, ctrl);
  }
  batch->call = (BatchCall){.nstep = nstep};
}

cndtRun cnd_batchStep(cndBatch* batch, const mjtByte* mask, const mjtNum* ctrl, int nstep) {
  prepare_step("cnd_batchStep", batch, mask, ctrl, nstep);
  return batch_run_steps(batch, mask, step_world);
}

void cnd_batchStepAsync(cndBatch* batch, const mjtByte* mask, const mjtNum* ctrl, int nstep) {
  prepare_step("cnd_batchStepAsync", batch, mask, ctrl, nstep);
  batch->busy = 1;
  batch_start_steps(batch, mask, step_world, batch->nslot);
}

cndtRun cnd_batchWait(cndBatch* batch) {
  check_given(batch);
  if (!batch->busy) {
    mju_error("cnd_batchWait: no step is under way: see cnd_batchStepAsync");
    return cndRUN_DONE;
  }
  cndtRun run = batch_finish(batch);
  batch->busy = 0;
  return run;
}

static BatchKeep forward_world(cndBatch* batch, const mjModel* m, Slot* slot, int world) {
  (void)world;
  mj_forward(m, slot->d);
  return end_world(batch, m, slot->d, 1);
}

cndtRun cnd_batchForward(cndBatch* batch, const mjtByte* mask) {
  batch_check("cnd_batchForward", batch);
  batch->call = (BatchCall){0};
  return batch_run(batch, mask, forward_world);
}

// Rolls out one world. A cancelled world keeps its old state, whatever part of its record is
// written.
static BatchKeep roll_world(cndBatch* batch, const mjModel* m, Slot* slot, int world) {
  const BatchCall* call = &batch->call;
  mjData* d = slot->d;
  size_t first = (size_t)world * (size_t)call->nstep;
  size_t nu = (size_t)m->nu, nsensor = (size_t)m->nsensordata;
  size_t nstate = (size_t)mj_stateSize(m, cndSTATE_FULLPHYSICS);
  for (int t = 0; t < call->nstep; t++) {
    size_t row = first + (size_t)t;
    if (batch_cancelled(batch, slot)) {
      return KEEP_NOTHING;
    }
    if (call->control && nu) {
      memcpy(d->ctrl, call->control + row * nu, nu * sizeof(mjtNum));
    }
    mj_step(m, d);
    if (call->state) {
      mj_getState(m, d, call->state + row * nstate, cndSTATE_FULLPHYSICS);
    }
    if (call->sensordata && nsensor) {
      memcpy(call->sensordata + row * nsensor, d->sensordata, nsensor * sizeof(mjtNum));
    }
  }
  return end_world(batch, m, d, call->nstep);
}

cndtRun cnd_batchRollout(cndBatch* batch, int nstep, const mjtNum* control, mjtNum* state,
                         mjtNum* sensordata) {
  batch_check("cnd_batchRollout", batch);
  const mjModel* m = batch->m;
  size_t row = (size_t)mj_stateSize(m, cndSTATE_FULLPHYSICS), n = 0;
  row += (size_t)m->nu + (size_t)m->nsensordata;
  if (nstep < 0 || !size_multiply(&n, (size_t)batch->n, (size_t)nstep) ||
      !size_multiply(&n, n, row * sizeof(mjtNum)) || n > PTRDIFF_MAX) {
    mju_error("cnd_batchRollout: nstep is %d, for %d worlds: must be >= 0 and fit memory", nstep,
              batch->n);
  }
  batch->call =
      (BatchCall){.nstep = nstep, .control = control, .state = state, .sensordata = sensordata};
  return batch_run_steps(batch, NULL, roll_world);
}
