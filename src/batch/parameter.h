// parameter.h: fields of mjModel that differ from world to world.

#pragma once

#include "batch/context.h"

// The model of a world for a slot: that of the batch, or the slot's own with the parameters of the
// world. Bad values end in mju_error.
const mjModel* parameter_enter(cndBatch* batch, Slot* slot, int world);

// Makes parameters of what mj_setConst writes: these fields and the statistic. Gives slots copies
// of what it changes for a moment.
void parameter_constants(cndBatch* batch, const char* const* names, int n);

// Keeps for a world what mj_setConst has written to the slot's model and not to the world's rows.
void parameter_keep(cndBatch* batch, const Slot* slot, int world);

// Frees the parameters and the models of slots.
void parameter_free(cndBatch* batch);
