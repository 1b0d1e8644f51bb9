// constants.c: mj_setConst for each world.
//
// All fields that mj_setConst writes are made parameters first, so that it writes to the rows of
// the world and not to the shared model. The structure that it writes is copied to the slot.

#include <mujoco/api/base.h>
#include <mujoco/api/derive.h>
#include <mujoco/api/model.h>

#include "batch/batch.h"
#include "batch/fields.h"
#include "batch/parameter.h"

static BatchKeep set_world(cndBatch* batch, const mjModel* m, Slot* slot, int world) {
  mjModel* own = slot->own;
  (void)m;  // may point to the copies of a world before
  parameter_scratch(batch->m, own, slot->scratch);
  mj_setConst(own, slot->d);
  parameter_keep(batch, slot, world);
  return KEEP_WARNINGS;
}

cndtRun cnd_batchSetConst(cndBatch* batch, const mjtByte* mask) {
  batch_check("cnd_batchSetConst", batch);
  parameter_constants(batch, fields_constants, NFIELD_CONSTANT);
  batch->call = (BatchCall){0};
  return batch_run(batch, mask, set_world);
}
