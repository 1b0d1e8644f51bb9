// constants.c: mj_setConst for each world.
//
// All fields that mj_setConst writes are made parameters first, so that it writes to the rows of
// the world and not to the shared model. What it changes temporarily becomes a copy in the slot.

#include <mujoco/api/base.h>
#include <mujoco/api/compile.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "batch/batch.h"
#include "batch/fields.h"
#include "batch/parameter.h"

static BatchKeep set_world(cndBatch* batch, const mjModel* m, Slot* slot, int world) {
  mjModel* own = slot->own;
  memcpy(slot->cam_mode, batch->m->cam_mode, (size_t)m->ncam * sizeof(int));
  memcpy(slot->light_mode, batch->m->light_mode, (size_t)m->nlight * sizeof(int));
  memcpy(slot->flex_rigid, batch->m->flex_rigid, (size_t)m->nflex);
  own->cam_mode = slot->cam_mode;
  own->light_mode = slot->light_mode;
  own->flex_rigid = slot->flex_rigid;
  own->jnt_actuatorid = slot->joint_actuator;
  own->tendon_actuatorid = slot->tendon_actuator;
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
