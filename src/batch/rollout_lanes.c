// rollout_lanes.c: trajectories in lanes. Those with warnings, errors or full slots are made once
// more one by one, because a batch resets a bad world where a trajectory goes on.

#include "batch/rollout_lanes.h"

#include <condyle/batch.h>
#include <condyle/state.h>
#include <string.h>

#include "batch/context.h"
#include "lanes/setup/structure.h"
#include "lanes/setup/why.h"

enum {
  FEWEST = 4,          // trajectories, below which lanes don't pay
  FEWEST_STEPS = 500,  // of all together, below which making a batch takes longer than it saves
  MESH_TIMES = 10      // so many times as long with tables of meshes
};

static int is_one_model(const cndRollout* r) {
  for (int i = 1; i < r->nmodel; i++) {
    if (r->model[i] != r->model[0]) {
      return 0;
    }
  }
  return 1;
}

// Whether the arguments allow lanes: a batch has no program's userdata, and no input but ctrl
// changes within one of its calls.
static int suits(const cndRollout* r, unsigned int spec) {
  return r->lanes && r->state && r->nbatch >= FEWEST &&
         (int64_t)r->nbatch * r->nstep >= FEWEST_STEPS * (r->model[0]->nmesh ? MESH_TIMES : 1) &&
         !(spec & ~(unsigned)mjSTATE_CTRL) && !r->model[0]->nuserdata && is_one_model(r);
}

// Whether the model alone allows lanes; this is cheap compared with making a batch.
static int model_suits(const cndRollout* r) {
  const mjModel* m = r->model[0];
  LaneStructure* s = why_options(m, 0) ? NULL : structure_make(m);
  int suits = s && !s->why[0] && !(r->sensordata && s->why_sensors[0]);
  structure_free(s);
  return suits;
}

cndtRun rollout_lanes(mjtByte* left, const cndRollout* r, unsigned int spec, int nthread) {
  const mjModel* m = r->model[0];
  memset(left, 1, (size_t)r->nbatch);
  if (!suits(r, spec) || !model_suits(r)) {
    return cndRUN_DONE;
  }
  cndBatch* batch = cnd_makeBatch(m, r->nbatch, nthread > 1 ? nthread : 0);
  if (!batch) {
    return cndRUN_DONE;
  }
  cndtRun run = cndRUN_DONE;
  if (cnd_batchLanes(batch, cndLANES_DOUBLE)) {
    cnd_batchCancel(batch, r->cancel, r->cancel_argument);
    cnd_batchSetState(batch, NULL, r->initial_state, cndSTATE_FULLPHYSICS);
    if (r->initial_warmstart) {
      cnd_batchSetState(batch, NULL, r->initial_warmstart, mjSTATE_WARMSTART);
    }
    run = cnd_batchRollout(batch, r->nstep, spec ? r->control : NULL, r->state,
                           m->nsensordata ? r->sensordata : NULL);
    for (int i = 0; batch->lanes.runs && i < r->nbatch; i++) {
      left[i] = batch->lanes.left[i] || batch->failed[i];
    }
  }
  cnd_deleteBatch(batch);
  return run == cndRUN_CANCELLED ? run : cndRUN_DONE;
}
