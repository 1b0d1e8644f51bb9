// parameter.h: fields of mjModel that differ from world to world.

#pragma once

#include "batch/context.h"

// The model of a world: the batch's own if nothing varies, else the slot's, whose parameters point
// to the rows of the world. Bad values end in mju_error.
const mjModel* parameter_enter(cndBatch* batch, Slot* slot, int world);

// Makes parameters of the n named fields, those that mj_setConst writes, and of the statistic.
// Gives slots memory for fields_scratch.
void parameter_constants(cndBatch* batch, const char* const* names, int n);

// Copies the arrays of fields_scratch into memory and points own to them, unless own is NULL.
// Returns the bytes that they need.
size_t parameter_scratch(const mjModel* m, mjModel* own, char* memory);

// Stores for a world what mj_setConst has written to the slot's struct instead of to the world's
// rows.
void parameter_keep(cndBatch* batch, const Slot* slot, int world);

// Frees the parameters and the models of slots.
void parameter_free(cndBatch* batch);
