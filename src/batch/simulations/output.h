// output.h: fields of mjData that are copied out after calls.

#pragma once

#include "batch/simulations/context.h"

// Copies the outputs of a simulation out of d, and back into it so that what a call doesn't compute
// keeps the simulation's own value.
void output_store(const mjBatch* b, const mjModel* m, const mjData* d, int sim);
void output_load(const mjBatch* b, mjData* d, int sim);

// Finds a field that may be an output, or be recorded: shape, bytes and kind. state: whether fields
// of the state are accepted, too. Returns 0 if there is none.
int output_find(Output* out, const mjBatch* b, const char* name, int state);

// Copies a field out of d.
void output_copy(char* to, const Output* output, const mjModel* m, const mjData* d);
